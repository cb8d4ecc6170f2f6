// A plan in the shape in which people read it. Text, Markdown and HTML are three ways to write this one value down, so
// that all of them say the same. Everything in it is safe to show: no control characters, no tokens.
import type { Line, Span } from "../text/line.ts";

/** Create, change, delete, replace, blocked. */
export type Mark = "+" | "~" | "-" | "±" | "!";

/** One object, or several that change in the same way. */
export interface Part {
  readonly symbol: Mark;
  readonly title: readonly Span[];
  /** What is done with it; empty where the title says it. */
  readonly does: string;
  readonly lines: readonly Line[];
}

/** An event with what changes below it, several events alike, or the webhooks. */
export interface Section extends Part {
  readonly address: string | null;
  /** Where it stands and how it is: status, sales, reason, file. */
  readonly facts: readonly Span[];
  readonly parts: readonly Part[];
  readonly isBlocked: boolean;
}

/** A problem or remark that belongs to the plan as a whole or to a place in a file. */
export interface Remark {
  readonly severity: "error" | "warning" | "notice";
  readonly code: string;
  readonly message: readonly string[];
  readonly hint: string | null;
  readonly place: string | null;
}

export interface Step {
  readonly words: readonly Span[];
  /** Method and path of the call, where every call is a step. */
  readonly call: string | null;
}

export interface PlanView {
  readonly environment: string;
  readonly baseUrl: string;
  /** null: it was not asked for, because the files have errors. */
  readonly organization: string | null;
  readonly sections: readonly Section[];
  readonly remarks: readonly Remark[];
  readonly steps: readonly Step[];
  /** Whether the steps are in the order of the calls; otherwise they only say how many there are of each. */
  readonly stepsInOrder: boolean;
  /** Something is blocked: the steps are those of an apply with --skip-blocked. */
  readonly onlySkipping: boolean;
  /** Sentences between the steps and the summary: fees, what is left alone. */
  readonly notes: readonly string[];
  readonly cost: string | null;
  readonly summary: string;
}
