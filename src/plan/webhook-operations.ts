import { afterCreateBody, createBody, patchBody } from "./body.ts";
import type { Draft } from "./draft.ts";
import type { Subject } from "./subject.ts";

/** A webhook under another address is made before the former one goes, so that its receiver misses nothing. */
export function webhookOperations(hooks: readonly Subject[]): {
  readonly making: readonly Draft[];
  readonly removing: readonly Draft[];
} {
  const making: Draft[] = [];
  for (const hook of hooks) {
    const { kind, change, id, address } = hook;
    const common = { address, because: address };
    if (change?.action === "create") {
      const body = createBody(kind, hook, (reference) => reference);
      const creation: Draft = { ...common, verb: "create", method: "POST", path: "/webhooks", body, needs: [] };
      making.push(creation);
      const later = afterCreateBody(kind, hook);
      const path = `/webhooks/{${address}}`;
      if (later !== null)
        making.push({ ...common, verb: "update", method: "PATCH", path, body: later, needs: [creation] });
    }
    const body = change?.action === "update" ? patchBody(kind, change, hook, (reference) => reference) : null;
    if (body !== null)
      making.push({ ...common, verb: "update", method: "PATCH", path: `/webhooks/${id}`, body, needs: [] });
  }
  const creations = making.filter((draft) => draft.verb === "create");
  const removing = hooks
    .filter(({ change }) => change?.action === "delete")
    .map(
      ({ address, id }): Draft => ({
        address,
        because: address,
        verb: "delete",
        method: "DELETE",
        path: `/webhooks/${id}`,
        needs: creations,
      }),
    );
  return { making, removing };
}
