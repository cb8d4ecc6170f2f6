// At the start of a run: rotations of webhooks that an earlier one left half done.
import { finishRotation } from "./finish-rotation.ts";
import type { IntentEntry } from "./journal-entry.ts";
import type { OpenRotation } from "./open-rotations.ts";
import type { Run } from "./run.ts";
import { nameOf, tellNotice, tellWarning } from "./words.ts";

/** A new webhook with its secret kept stands beside those that it is to replace. */
export async function goOnRotating(run: Run, rotation: OpenRotation): Promise<void> {
  const { address } = rotation.intent;
  const ended = await finishRotation(run, rotation, { untested: false });
  switch (ended.end) {
    case "finished":
      tellNotice(run, "recovered", address, `The rotation of ${nameOf(address)}, begun earlier, is finished.`);
      return;
    case "void":
      tellNotice(run, "recovered", address, `The rotation of ${nameOf(address)}, begun earlier, was given up.`);
      return;
    case "untested":
    case "open":
      tellWarning(
        run,
        "rotation-unfinished",
        address,
        `The rotation of ${nameOf(address)} is not finished, and the former webhook is still there. ${ended.error.message}`,
        `See that its receiver has the new secret, then run \`ticketing webhooks rotate ${urlOf(rotation.intent)}\` again.`,
      );
  }
}

export function wasHanded(run: Run, intents: readonly IntentEntry[]): boolean {
  const seqs = new Set(intents.map(({ seq }) => seq));
  return run.journal.entries.some((entry) => entry.type === "hand" && seqs.has(entry.seq));
}

/** The sink has the former secret or the new one, and nobody can ask it: so both webhooks stay until another is made. */
export function tellHalfHanded(run: Run, intent: IntentEntry): void {
  tellWarning(
    run,
    "rotation-unfinished",
    intent.address,
    `An earlier run was cut off while the new secret of ${nameOf(intent.address)} was being handed over, so two webhooks are live: nobody can tell whose secret was kept.`,
    `Run \`ticketing webhooks rotate ${urlOf(intent)}\` again: it makes another in the place of both.`,
  );
}

function urlOf({ fields }: IntentEntry): string {
  return String(fields.url ?? "");
}
