// The end of a run: state first, and only then the journal lets go of what state holds.
import type { Objects } from "../../apply/fold-journal.ts";
import { remainderOf } from "../../apply/journal.ts";
import type { JournalEntry } from "../../apply/journal-entry.ts";
import type { Address } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { State } from "../../model/state.ts";
import { beginState, type Organization } from "../../state/begin-state.ts";
import { JournalError } from "../../state/journal-error.ts";
import type { StateStore } from "../../state/state-store.ts";

export interface Keeping {
  readonly store: StateStore;
  /** As the store holds it. */
  readonly stored: State | null;
  readonly organization: Organization;
  readonly objects: Objects;
  readonly forgotten: readonly Address[];
  readonly entries: readonly JournalEntry[];
  /** The revision that is now applied in full; null where it is not, or not known. */
  readonly revision: string | null;
}

/** null: all is kept. */
export async function keepMemory(keeping: Keeping): Promise<Diagnostic | null> {
  const { store, stored } = keeping;
  const next = nextState(keeping);
  if (next !== null) {
    const problem = await store.save(next, stored);
    if (problem !== null) return problem;
  }
  if (keeping.entries.length === 0) return null;
  try {
    await store.journal.replace(remainderOf(keeping.entries));
    return null;
  } catch (error) {
    if (error instanceof JournalError) return error.diagnostic;
    throw error;
  }
}

/** null where nothing changed: a run that did nothing writes nothing. */
function nextState({ stored, organization, objects, forgotten, revision, entries }: Keeping): State | null {
  const before = stored ?? beginState(organization);
  const kept = Object.fromEntries(
    Object.entries(objects)
      .filter(([address]) => !forgotten.some((gone) => address === gone || address.startsWith(`${gone}/`)))
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  const next: State = {
    ...before,
    serial: before.serial + 1,
    organization,
    objects: kept,
    ...(revision === null ? {} : { appliedRevision: revision }),
  };
  // Whatever was journaled may have changed something; to find out would cost more than to write.
  if (entries.length > 0) return next;
  const same = JSON.stringify({ ...next, serial: before.serial }) === JSON.stringify(stored);
  return same || (stored === null && Object.keys(kept).length === 0 && revision === null) ? null : next;
}
