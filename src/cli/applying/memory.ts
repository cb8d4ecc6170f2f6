// What earlier runs remember: the state, and the journal of a run that did not get to write it.
import { foldJournal } from "../../apply/fold-journal.ts";
import type { JournalEntry } from "../../apply/journal-entry.ts";
import { readLines } from "../../apply/journal-line.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { State } from "../../model/state.ts";
import { beginState } from "../../state/begin-state.ts";
import { JournalError } from "../../state/journal-error.ts";
import type { StateStore } from "../../state/state-store.ts";

export interface Memory {
  readonly ok: true;
  /** As the store holds it. */
  readonly stored: State | null;
  /** With what the journal adds. */
  readonly state: State | null;
  readonly entries: readonly JournalEntry[];
  readonly remarks: readonly Diagnostic[];
  /** Why it cannot be told whether runs of ours wrote all this: then it may be shown, and nothing may be written on its strength. */
  readonly unverified: Diagnostic | null;
}

export type LoadedMemory = Memory | { readonly ok: false; readonly diagnostic: Diagnostic };

export async function loadMemory(store: StateStore): Promise<LoadedMemory> {
  const loaded = await store.load();
  if (!loaded.ok) return loaded;
  try {
    const journal = await store.journal.read();
    const { entries, damaged } = readLines(journal.text);
    return {
      ok: true,
      stored: loaded.state,
      state: withJournal(loaded.state, entries),
      entries,
      remarks: damaged.length === 0 ? [] : [journalDamaged(damaged)],
      unverified: loaded.unverified ?? journal.unverified,
    };
  } catch (error) {
    if (error instanceof JournalError) return { ok: false, diagnostic: error.diagnostic };
    throw error;
  }
}

function withJournal(state: State | null, entries: readonly JournalEntry[]): State | null {
  if (entries.length === 0) return state;
  const run = entries.find((entry) => entry.type === "run");
  const base = state ?? beginState(run?.organization ?? null);
  return { ...base, objects: foldJournal(base.objects, entries) };
}

function journalDamaged(lines: readonly number[]): Diagnostic {
  return {
    code: "journal-damaged",
    severity: "warning",
    message: `The journal of an earlier run cannot be read in ${lines.length === 1 ? `line ${lines[0]}` : `lines ${lines.join(", ")}`}.`,
    hint: "What it told of is looked for by name instead: check the plan for objects that stand twice.",
  };
}
