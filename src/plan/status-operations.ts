import type { Verb } from "../model/operation.ts";
import type { Draft } from "./draft.ts";
import type { Subject } from "./subject.ts";

type StepDraft = Omit<Draft, "needs">;

/** The calls that change an event's status: before all others, or after them. */
export function statusDrafts(self: Subject, path: string): { first: readonly Draft[]; last: readonly StepDraft[] } {
  const transition = self.change?.transition ?? null;
  const step = self.kind.steps.find((one) => one.from === (transition?.from ?? "DRAFT") && one.to === transition?.to);
  if (step === undefined) return { first: [], last: [] };
  const drafts = step.verbs.map((verb) => ({
    address: self.address,
    ...statusCall(verb, path),
    because: self.address,
    ...(step.fallback === undefined ? {} : { fallback: step.fallback }),
  }));
  return step.place === "first"
    ? { first: drafts.map((draft) => ({ ...draft, needs: [] })), last: [] }
    : { first: [], last: drafts };
}

function statusCall(verb: Verb, path: string): Pick<Draft, "verb" | "method" | "path"> {
  return verb === "delete" ? { verb, method: "DELETE", path } : { verb, method: "POST", path: `${path}/${verb}` };
}
