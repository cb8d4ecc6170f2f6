// Which live object is which of those that were asked for within their parent's create call.
import type { Live } from "../model/live.ts";
import { confirmFields, hasAny } from "./confirm.ts";
import type { Task } from "./fill.ts";
import { tellKeptOtherwise } from "./kept-otherwise.ts";
import { madeNow } from "./made-now.ts";
import { resembles, sharesIdentity } from "./resemble.ts";
import { done, type Performed, type Run } from "./run.ts";
import { takenUnsent } from "./taken-unsent.ts";
import { endWrong, lookOnceMore } from "./wrong-value.ts";

export type Part = Task["inline"][number];

export interface Pair {
  readonly part: Part;
  readonly live: Live;
}

export interface Pairing {
  readonly pairs: readonly Pair[];
  readonly missing: readonly Part[];
}

export function isWhole({ part, live }: Pair): boolean {
  return Object.keys(part.fields).every((field) => live.fields[field] !== undefined);
}

/** The event is new, so what is below it is ours: the names decide, and the rest only among equal names. */
export function pairUp(run: Run, parts: readonly Part[], lives: readonly Live[]): Pairing {
  const free = lives.filter((live) => !run.ids.isTaken(live.id));
  const pairs: Pair[] = [];
  const missing: Part[] = [];
  for (const part of parts) {
    const named = free.filter((live) => sharesIdentity(part.kind, part.fields, live));
    const live = named.find((each) => resembles(part.kind, part.fields, each)) ?? named[0];
    if (live === undefined) missing.push(part);
    else {
      free.splice(free.indexOf(live), 1);
      pairs.push({ part, live });
    }
  }
  return { pairs, missing };
}

export async function rememberPairs(run: Run, pairs: readonly Pair[]): Promise<Performed> {
  const madeAt = madeNow(run);
  let performed = done;
  for (const { part, live: seen } of pairs) {
    const live = await lookOnceMore(run, part, seen);
    const { returned, wrong } = confirmFields(part.kind, part.fields, live);
    run.ids.give(part.address, live.id);
    run.journal.learn({
      address: part.address,
      kind: part.kind.name,
      id: live.id,
      fields: { ...takenUnsent(run, part.address, live), ...part.fields },
      ...(hasAny(returned) ? { returned } : {}),
      ...(hasAny(wrong) ? { wrong: Object.keys(wrong) } : {}),
      madeAt,
    });
    tellKeptOtherwise(run, part.kind, part.address, part.fields, returned);
    if (hasAny(wrong)) performed = endWrong(part.address, part.fields, wrong);
  }
  return performed;
}
