// In what a live event is not as its document says. The event itself and its ticket types are compared, which are read
// anyway; `plan` looks at the rest.
import type { Live } from "../../model/live.ts";
import type { Wish } from "../../model/wish.ts";
import type { Case } from "../../plan/case.ts";
import { compareEvent } from "../../plan/compare-event.ts";
import type { Remember } from "../../plan/memory.ts";
import type { Divergence } from "../../report/status-report.ts";

export function divergencesOf(
  wish: Wish,
  live: Live,
  tickets: readonly Live[] | null,
  remember: Remember,
): readonly Divergence[] {
  const { ticket } = wish.children;
  const compared = compareEvent({
    wish: { ...wish, children: ticket === undefined || tickets === null ? {} : { ticket } },
    match: { live, block: null },
    lists: tickets === null ? {} : { ticket: tickets },
    remember,
    resendUnreadable: false,
  });
  if (compared.event === null) return [];
  const found = [compared.event.self, ...compared.event.children].flatMap(divergencesOfCase);
  // By the name that the file has for it.
  return wish.own.venue === undefined
    ? found
    : found.map((one) => (one.field === "venueId" ? { ...one, field: "venue" } : one));
}

function divergencesOfCase({ address, change }: Case): readonly Divergence[] {
  if (change === null) return [];
  if (change.kind !== "event" && change.action === "create") return [{ address, field: null, how: "missing" }];
  if (change.kind !== "event" && change.action === "delete") return [{ address, field: null, how: "surplus" }];
  const fields = change.edits
    .filter((edit) => edit.unreadable !== true)
    .map((edit): Divergence => ({ address, field: edit.path.slice(1), how: edit.label ?? "differs" }));
  return change.transition === null ? fields : [...fields, { address, field: "status", how: "differs" }];
}
