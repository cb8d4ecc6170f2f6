// What one shard of a run changes in the state, brought into what the others have written meanwhile.
import { readParts, type State } from "../../model/live.ts";
import { recordOf } from "../store.ts";

/** `next` was made from `before`: what differs between them is brought into `present`. Each shard changes addresses of its own. */
export function mergeState(present: State | null, next: State, before: State | null): State {
  if (present === null) return next;
  const { held: _, venues: __, verified: ___, ...rest } = present;
  const merged: State = {
    ...rest,
    serial: present.serial + 1,
    organization: present.organization ?? next.organization,
    objects: mergeByKey(present.objects, next.objects, before?.objects),
    ...withoutEmpty("held", mergeByKey(present.held, next.held, before?.held)),
    ...withoutEmpty("venues", mergeByKey(present.venues, next.venues, before?.venues)),
    ...withoutEmpty("verified", mergeByKey(present.verified, next.verified, before?.verified)),
  };
  const { lastRun } = next;
  if (lastRun === undefined || isEqual(lastRun, before?.lastRun)) return merged;
  const { cleanShards = {}, ...run } = lastRun;
  const isClean = run.shard === undefined ? run.clean : String(readParts(run.shard).index) in cleanShards;
  return { ...merged, ...recordOf({ ...run, clean: isClean }, present.lastRun) };
}

type Kept<Value> = Readonly<Record<string, Value>>;

function mergeByKey<Value>(present: Kept<Value> = {}, next: Kept<Value> = {}, before: Kept<Value> = {}): Kept<Value> {
  const merged = new Map(Object.entries(present));
  for (const key of Object.keys(before)) if (!(key in next)) merged.delete(key);
  for (const [key, value] of Object.entries(next)) if (!isEqual(value, before[key])) merged.set(key, value);
  return Object.fromEntries([...merged].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function isEqual(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function withoutEmpty<Name extends string, Value>(
  name: Name,
  kept: Kept<Value>,
): { readonly [key in Name]?: Kept<Value> } {
  return Object.keys(kept).length === 0 ? {} : ({ [name]: kept } as { [key in Name]: Kept<Value> });
}
