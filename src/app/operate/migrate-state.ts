// State, journal and the log of runs, copied from one store to another. What is there already is overwritten only by a later state of the same lineage.
import { type Diagnostic, errorOf, type Fallible, failed } from "../../model/diagnostic.ts";
import type { StateStore } from "../../state/store.ts";
import { withLock } from "../session/environment-store.ts";
import type { World } from "../world.ts";

export interface Migrated {
  readonly objects: number;
  readonly serial: number;
  readonly journal: boolean;
  readonly unchanged: boolean;
}

export async function migrateState(world: World, from: StateStore, to: StateStore): Promise<Fallible<Migrated>> {
  const command = "state migrate";
  return withLock(world, from, command, () => withLock(world, to, command, () => copy(from, to)));
}

async function copy(from: StateStore, to: StateStore): Promise<Fallible<Migrated>> {
  const [source, target] = [await from.load(), await to.load()];
  if (!source.ok) return source;
  if (!target.ok) return target;
  const [lines, present] = [await from.journal.read(), await to.journal.read()];
  const unverified = source.unverified ?? target.unverified ?? lines.unverified ?? present.unverified;
  if (unverified !== null) return failed(unverified);
  const { state } = source;
  if (state === null && lines.text === "") return failed(nothingThere(from));
  const why = whyNot(to, { ...source, journal: lines.text }, { ...target, journal: present.text });
  if (why !== null) return failed(why);
  const isSame = JSON.stringify(state) === JSON.stringify(target.state);
  if (!isSame && state !== null) {
    const problem = await to.save(state, target.state);
    if (problem !== null) return failed(problem);
  }
  if (lines.text !== present.text) await to.journal.replace(lines.text);
  const isLogged = new Set((await to.log?.read())?.map(({ run }) => run));
  const unlogged = ((await from.log?.read()) ?? []).filter(({ run }) => !isLogged.has(run));
  if (unlogged.length > 0) to.log?.add(unlogged);
  return {
    ok: true,
    objects: Object.keys(state?.objects ?? {}).length,
    serial: state?.serial ?? 0,
    journal: lines.text !== "",
    unchanged: isSame && lines.text === present.text,
  };
}

interface Kept {
  readonly state: { readonly lineage: string; readonly serial: number } | null;
  readonly journal: string;
}

function whyNot(to: StateStore, source: Kept, target: Kept): Diagnostic | null {
  if (target.state !== null && target.state.lineage !== source.state?.lineage) {
    return errorOf(
      "state-of-another-lineage",
      `There is a state in ${to.place} already, and it does not come from this one: nothing was overwritten.`,
      "Find out which of the two is right. To replace the other one, make a copy of it with `ticketing state pull`, then delete it: `ticketing explain state-of-another-lineage` says how with each backend.",
    );
  }
  if ((target.state?.serial ?? 0) > (source.state?.serial ?? 0)) {
    return errorOf(
      "state-is-newer",
      `The state in ${to.place} is newer (serial ${target.state?.serial}, here ${source.state?.serial ?? 0}): nothing was overwritten.`,
      "It was used more recently: set `state:` in ticketing.yaml to that backend and continue with it.",
    );
  }
  if (target.journal !== "" && target.journal !== source.journal) {
    return errorOf(
      "journal-open",
      `An interrupted run has left a journal in ${to.place}: nothing was overwritten.`,
      "Run `ticketing apply` with that backend first: it finishes what was begun.",
    );
  }
  return null;
}

function nothingThere(from: StateStore): Diagnostic {
  const hint = "Change `state:` in ticketing.yaml: the next apply begins a new state.";
  return errorOf("nothing-to-migrate", `There is no state in ${from.place}.`, hint);
}
