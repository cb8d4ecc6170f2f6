// The state as one of the shared files. Somebody with the right to write there wrote it. It has no seal, because runners with
// different keys share it.
import { type Diagnostic, errorOf } from "../../model/diagnostic.ts";
import { parseShard, type State } from "../../model/live.ts";
import { compareText } from "../../model/value.ts";
import { parsedOnce, readState } from "../file/parse-state.ts";
import { lockLost, recordOf, type StateStore } from "../store.ts";
import type { HeldFiles } from "./held-files.ts";
import type { StoreFailure } from "./shared-files.ts";
import type { ReadFiles } from "./shared-journal.ts";

const stateFile = "state.json";

/** `removal`: how to delete what is stored. */
export function sharedState(
  heldFiles: () => HeldFiles | null,
  read: ReadFiles,
  place: string,
  removal: () => string,
): Pick<StateStore, "load" | "save"> {
  const parse = parsedOnce(readStored);

  function readStored(text: string) {
    return readState(text, `${stateFile} (${place})`, removal());
  }

  async function load() {
    const found = await read();
    if (!found.ok) return found;
    const parsed = parse(found.files.get(stateFile) ?? null);
    return parsed?.ok === false ? parsed : ({ ok: true, state: parsed?.state ?? null, unverified: null } as const);
  }

  return {
    load,
    async save(state, before) {
      const present = await load();
      if (!present.ok) return present.diagnostics[0] ?? changedMeanwhile;
      const held = heldFiles();
      if (held === null) return lockLost;
      if (held.holder.joint !== undefined) {
        held.set(stateFile, (text) => {
          // What another shard wrote is not overwritten if it cannot be read.
          const found = text === undefined ? null : readStored(text);
          if (found?.ok === false) return foreignFailure(found.diagnostics[0] ?? changedMeanwhile);
          return stateText(mergeState(found?.state ?? null, state, before));
        });
        return null;
      }
      if (present.state?.serial !== before?.serial || present.state?.lineage !== before?.lineage)
        return changedMeanwhile;
      held.set(stateFile, stateText(state));
      return null;
    },
  };
}

function stateText(state: State): string {
  return `${JSON.stringify(state, null, 1)}\n`;
}

const changedMeanwhile = errorOf(
  "state-changed-meanwhile",
  "The state was changed by another run, so it was left as it is.",
  "Run the command again: it reads what is live first.",
);

function foreignFailure({ code, message, hint }: Diagnostic): StoreFailure {
  return { ok: false, reason: "foreign", message, code, ...(hint === undefined ? {} : { hint }) };
}

// Merges what one shard of a run changes in the state with what the others have written meanwhile.

/** `next` was made from `before`: the differences between them are applied to `present`. Each shard changes its own addresses. */
export function mergeState(present: State | null, next: State, before: State | null): State {
  if (present === null) return next;
  const merged: { -readonly [Name in keyof State]: State[Name] } = {
    ...present,
    serial: present.serial + 1,
    organization: present.organization ?? next.organization,
    objects: mergeByKey(present.objects, next.objects, before?.objects),
  };
  for (const name of Object.keys(optionalMaps) as OptionalMap[]) {
    const map: KeptValues<unknown> = mergeByKey<unknown>(present[name], next[name], before?.[name]);
    if (Object.keys(map).length === 0) delete merged[name];
    else Object.assign(merged, { [name]: map });
  }
  const { lastRun } = next;
  if (lastRun === undefined || isEqual(lastRun, before?.lastRun)) return merged;
  const { cleanShards = {}, ...run } = lastRun;
  const isClean = run.shard === undefined ? run.clean : String(parseShard(run.shard).index) in cleanShards;
  return { ...merged, ...recordOf({ ...run, clean: isClean }, present.lastRun) };
}

type KeptValues<Value> = Readonly<Record<string, Value>>;

/** The optional members of the state that are maps. */
type OptionalMap = {
  [Name in keyof State]-?: undefined extends State[Name]
    ? NonNullable<State[Name]> extends KeptValues<unknown>
      ? Name
      : never
    : never;
}[keyof State];
/** Lists all of them: a missing one is a type error, because a map that is not merged would be lost. */
const optionalMaps: Readonly<Record<OptionalMap, true>> = {
  held: true,
  sent: true,
  venues: true,
  changed: true,
  deleted: true,
  moved: true,
  verified: true,
  drifted: true,
};

function mergeByKey<Value>(
  present: KeptValues<Value> = {},
  next: KeptValues<Value> = {},
  before: KeptValues<Value> = {},
): KeptValues<Value> {
  const merged = new Map(Object.entries(present));
  for (const key of Object.keys(before)) if (!(key in next)) merged.delete(key);
  for (const [key, value] of Object.entries(next)) if (!isEqual(value, before[key])) merged.set(key, value);
  return Object.fromEntries([...merged].sort(([one], [other]) => compareText(one, other)));
}

function isEqual(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
