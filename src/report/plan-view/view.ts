// A plan in the shape in which people read it. Text, Markdown and HTML are three ways to write this one value down, so
// that all of them say the same. Everything in it is safe to show: no control characters, no tokens.
import type { Address } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { ReportLine, TextSpan } from "../text/line.ts";

/** Create, change, delete, replace, blocked. */
export type Mark = "+" | "~" | "-" | "±" | "!";

/** By its mark, how a part looks: a tone of the terminal, a class of the page. */
export const looks = {
  "+": "create",
  "~": "change",
  "-": "delete",
  "±": "replace",
  "!": "blocked",
} as const satisfies Record<Mark, string>;

/** One object, or several that change in the same way. */
export interface Part {
  readonly symbol: Mark;
  readonly title: readonly TextSpan[];
  /** What is done with it; empty if the title says it. */
  readonly does: string;
  readonly lines: readonly ReportLine[];
}

/** An event with what changes below it, several events alike, or the webhooks. */
export interface Section extends Part {
  /** Of all events in it, as the plan has them; none for the webhooks. */
  readonly events: readonly Address[];
  readonly address: string | null;
  /** Facts about it: status, sales, reason, file. */
  readonly facts: readonly TextSpan[];
  readonly parts: readonly Part[];
  readonly isBlocked: boolean;
}

/** What waits: sentences that are set apart from the rest. */
export function boxesOf({ waiting, held }: PlanView): readonly (readonly TextSpan[])[] {
  return [waiting, held].filter((box) => box.length > 0);
}

/** The codes of what is blocked, then of the remarks. */
export function codesIn({ sections, remarks }: PlanView): readonly string[] {
  const lines = sections.flatMap((section) => [section, ...section.parts]).flatMap((part) => part.lines);
  return [...lines.flatMap((line) => (line.type === "blocked" ? [line.code] : [])), ...remarks.map(({ code }) => code)];
}

/** After what the plan is for. */
export function shardWords({ shard }: Pick<PlanView, "shard">): string {
  return shard === null ? "" : `, shard ${shard}`;
}

export interface PlanStep {
  readonly words: readonly TextSpan[];
  /** Method and path of the call, where every call is a step. */
  readonly call: string | null;
}

export interface PlanView {
  readonly environment: string;
  readonly baseUrl: string;
  /** null: it was not asked for, because the files have errors. */
  readonly organization: string | null;
  /** Which part of the project it is of; null: all of it. */
  readonly shard: string | null;
  readonly sections: readonly Section[];
  /** What earlier merges wait for, with the title before it; empty: nothing waits. */
  readonly waiting: readonly TextSpan[];
  /** The same for what is held. */
  readonly held: readonly TextSpan[];
  /** Problems and remarks that belong to the plan as a whole or to a place in a file. */
  readonly remarks: readonly Diagnostic[];
  readonly steps: readonly PlanStep[];
  /** Above the steps. */
  readonly stepsTitle: string;
  /** Whether the steps are in the order of the calls; otherwise they only say how many there are of each. */
  readonly stepsInOrder: boolean;
  /** Sentences between the steps and the summary: fees, what is left alone, the cost. */
  readonly notes: readonly string[];
  readonly summary: string;
}
