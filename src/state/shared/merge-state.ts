// Merges what one shard of a run changes in the state with what the others have written meanwhile.
import { parseShard, type State } from "../../model/live.ts";
import { compareText } from "../../model/value.ts";
import { recordOf } from "../store.ts";

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

/** What the state has by key, if there is any. */
type OptionalMap = {
  [Name in keyof State]-?: undefined extends State[Name]
    ? NonNullable<State[Name]> extends KeptValues<unknown>
      ? Name
      : never
    : never;
}[keyof State];
/** All of them: a missing one does not compile here, and one that is not merged would be lost. */
const optionalMaps: Readonly<Record<OptionalMap, true>> = {
  held: true,
  venues: true,
  changed: true,
  deleted: true,
  moved: true,
  verified: true,
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
