// Sealing local data again.
import { withLock } from "../../../app/session.ts";
import type { World } from "../../../app/world.ts";
import { formatEntry, parseJournal } from "../../../apply/journal.ts";
import { failed } from "../../../model/diagnostic.ts";
import { safeText } from "../../../report/text.ts";
import type { SealStatus } from "../../../state/seal.ts";
import type { StateStore } from "../../../state/store.ts";
import { type Answer, approve, type StateOptions, withStore } from "./with-store.ts";

/** Seals what is there after somebody has seen it: after a key was rotated, an earlier version, or an edit by hand. */
export async function runStateReseal(world: World, options: StateOptions): Promise<number> {
  return withStore(world, options, (store) =>
    withLock(world, store, "state reseal", () => reseal(world, options, store)),
  );
}

async function reseal(world: World, options: StateOptions, store: StateStore): Promise<Answer> {
  const found = await store.seals?.inspect();
  if (found?.ok === false) return found;
  const kept = [found?.state, found?.journal].filter((each) => each != null);
  const files = kept.filter(({ status }) => status !== "good");
  if (found === undefined || files.length === 0) {
    const lines = [kept.length === 0 ? "There is no local data to seal." : "All seals are valid."];
    return { ok: true, json: { resealed: [] }, lines };
  }
  const { entries, damaged } = parseJournal(found.journal?.text ?? "");
  const lines = [
    ...files.map(({ file, status }) => `${file}: ${sealMessages[status]}`),
    ...Object.entries(found.state?.state.objects ?? {}).map(([address, { id }]) => `  state: ${id}  ${address}`),
    ...entries.flatMap((entry) =>
      entry.type === "intent"
        ? [`  journal: ${entry.verb} ${entry.address}${entry.id === null ? "" : ` (${entry.id})`}`]
        : [],
    ),
    ...(damaged.length === 0 ? [] : [`  journal: lines ${damaged.join(", ")} are unreadable and will be dropped`]),
  ];
  world.stderr.write(`${lines.map(safeText).join("\n")}\n`);
  const question = "Accept all of this as written by your own runs? The next apply will rely on it.";
  const refused = await approve(world, options, question);
  if (refused !== null) return failed(refused);
  const problem = found.state === null ? null : await store.seals?.write(found.state.state);
  if (problem != null) return failed(problem);
  if (found.journal !== null) await store.journal.replace(entries.map(formatEntry).join(""));
  const names = files.map(({ file }) => file);
  return { ok: true, json: { resealed: names }, lines: [`Sealed: ${names.join(", ")}.`] };
}

const sealMessages: Readonly<Record<SealStatus, string>> = {
  good: "sealed with this key",
  foreign: "sealed with another API key",
  "no-key": "cannot be checked: no API key is set",
  unsealed: "has no seal",
  altered: "altered since it was sealed",
  future: "dated in the future",
};
