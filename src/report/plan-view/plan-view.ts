// A plan in the shape in which people read it. Text, Markdown and HTML are three ways to write this one value down, so
// that all of them say the same. Everything in it is safe to show: no control characters, no tokens.
import { isFamilyHead, kindOf, parentAddress } from "../../kinds/index.ts";
import { type Address, dateOf, encodeSegment, type KindName, nameInAddress, rootOf } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Action, ApplyReport, Change, Edit, Origin, Outcome, Plan, Transition, Verb } from "../../model/plan.ts";
import { formatMoment, standardZone } from "../../model/time.ts";
import { formatCount, pluralize } from "../../model/value.ts";
import type { ReportLine, TextSpan } from "../text/line.ts";
import { safeText } from "../text/sanitize.ts";
import { cutText } from "../text/table.ts";

/** Create, change, delete, replace, blocked. */
export type Mark = "+" | "~" | "-" | "±" | "!";

/** By its mark, how a part looks: a tone of the terminal, a class of the page. */
export const tones = {
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
  /** For all its events, as the plan has them; none for the webhooks. */
  readonly events: readonly Address[];
  readonly address: string | null;
  /** Facts about it: status, sales, reason, file. */
  readonly facts: readonly TextSpan[];
  readonly parts: readonly Part[];
  readonly isBlocked: boolean;
}

/** What waits: sentences that are set apart from the rest. */
export function boxesOf({ waiting, held, already, unseen }: PlanView): readonly (readonly TextSpan[])[] {
  return [waiting, held, already, unseen].filter((box) => box.length > 0);
}

/** When it was made, on the clock of its first event. */
export function madeAt({ createdAt, changes }: Pick<Plan, "createdAt" | "changes">): string {
  const [zone = standardZone] = changes.flatMap(({ context }) => context?.timezone ?? []);
  return formatMoment(createdAt, zone);
}

/** Codes that keep the plan from being applied come first. */
export function codesIn({ sections, remarks }: PlanView): readonly string[] {
  const lines = sections.flatMap((section) => [section, ...section.parts]).flatMap((part) => part.lines);
  const errors = remarks.filter(({ severity }) => severity === "error");
  return [
    ...lines.flatMap((line) => (line.type === "blocked" ? [line.code] : [])),
    ...[...errors, ...remarks].map(({ code }) => code),
  ];
}

/** Follows the name of the environment. */
export function shardWords({ shard }: Pick<PlanView, "shard">): string {
  return shard === null ? "" : `, shard ${shard}`;
}

export interface PlanStep {
  readonly words: readonly TextSpan[];
  /** Method and path of the call, where every call is a step. */
  readonly call: string | null;
}

export interface ViewOptions {
  /** Nothing is shortened. */
  readonly full: boolean;
  /** It is read where no flag can be passed. */
  readonly noOptions?: boolean;
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
  readonly held: readonly TextSpan[];
  readonly already: readonly TextSpan[];
  readonly unseen: readonly TextSpan[];
  /** Problems and remarks that belong to the plan as a whole or to a place in a file. */
  readonly remarks: readonly Diagnostic[];
  readonly steps: readonly PlanStep[];
  readonly stepsTitle: string;
  /** Whether the steps are in the order of the calls; otherwise they only say how many there are of each. */
  readonly stepsInOrder: boolean;
  /** Sentences between the steps and the summary: fees, what is left alone, the cost. */
  readonly notes: readonly string[];
  readonly summary: string;
}

// The words for a change, and its symbol. A status is described for people who do not know the service's words.

/** What is done, and what that means to buyers. */
const meanings = {
  publish: "becomes visible on the marketplace",
  unpublish: "leaves the marketplace and becomes a draft",
  archive: "hidden from the marketplace for good; its data stays",
  delete: "removed for good",
  "unpublish, then delete": "leaves the marketplace and is removed for good",
} as const;

/** Empty if the status stays. */
export function transitionVerb(transition: Transition | null): keyof typeof meanings | "" {
  if (transition === null) return "";
  switch (transition.to) {
    case "PUBLISHED":
      return "publish";
    case "DRAFT":
      return transition.from === null ? "" : "unpublish";
    case "ARCHIVED":
      return "archive";
    case "DELETED":
      return transition.from === "PUBLISHED" ? "unpublish, then delete" : "delete";
  }
}

export function transitionSentence(transition: Transition | null): string | null {
  if (transition === null) return null;
  const verb = transitionVerb(transition);
  return verb === ""
    ? "stays a draft: not visible on the marketplace until it is published"
    : `${verb}: ${meanings[verb]}`;
}

const actionNames: Readonly<Record<Action, string>> = {
  create: "create",
  update: "change",
  replace: "replace",
  delete: "delete",
  none: "",
};

/** Whose difference it is, if it is not an edit of this checkout. `isSent`: whether an apply sends it. */
export function originRemark(origin: Exclude<Origin, "edit">, isSent: boolean): string {
  if (origin === "unapplied") return "already merged, not applied yet";
  if (origin === "phase") return "because of a phase";
  return isSent ? "changed on the service; apply changes it back" : "changed on the service";
}

/** Whether an apply of the plan sends the fields of a change. */
export function isSent({ blockedBy, heldBack }: Change): boolean {
  return blockedBy.length === 0 && heldBack !== "change";
}

const symbols: Readonly<Record<Action, Mark>> = { create: "+", update: "~", replace: "±", delete: "-", none: "~" };

export function symbolOf(change: Change): Mark {
  if (change.blockedBy.length > 0) return "!";
  return change.transition?.to === "DELETED" ? "-" : symbols[change.action];
}

/** "create, then publish", "change, blocked". */
export function describeChange(change: Change): string {
  return [plannedWords(change), obstacleWords(change)].filter((words) => words !== "").join(", ");
}

/** Why it is not done; empty if it is. */
export function obstacleWords({ blockedBy, heldBack }: Change): string {
  if (blockedBy.length > 0) return "blocked";
  return heldBack === "change" ? "waiting for a blocked change" : "";
}

export function plannedWords(change: Change): string {
  // Nothing more is known of an object that could not be distinguished from others.
  if (change.blockedBy.length > 0 && change.edits.length === 0 && change.action === "create") return "";
  const action = actionNames[change.action];
  const status = transitionVerb(change.transition);
  if (change.action === "delete") return status === "" ? action : status;
  if (action === "" || status === "") return action + status;
  // An event leaves the marketplace before it is changed, and enters it after.
  return status === "unpublish" ? `${status}, then ${action}` : `${action}, then ${status}`;
}

export function kindWord(kind: KindName): string {
  return kindOf(kind).words.one;
}

/** "1 ticket type", "48 ticket types". */
export function countOf(kind: KindName, count: number): string {
  const { one, many } = kindOf(kind).words;
  return pluralize(count, one, many);
}

/** What a call does, before the name of its object: the same words in plans and in the progress of an apply. */
export const verbNames: Readonly<Record<Verb, string>> = {
  create: "create",
  update: "change",
  delete: "delete",
  publish: "publish",
  unpublish: "unpublish",
  archive: "archive",
  "sold-out": "mark as sold out:",
};

/** "2 failed", "1 skipped": what was not done. */
export function undoneWords(summary: ApplyReport["summary"]): readonly string[] {
  const results = (["failed", "unsure", "skipped"] as const).filter((result) => summary[result] > 0);
  return results.map((result) => `${formatCount(summary[result])} ${resultWord(result)}`);
}

export function resultWord(result: Outcome["result"]): string {
  return result === "unsure" ? "unconfirmed" : result;
}

/** The same call would be refused again, because of what the file asks for. */
export function isRefused({ error }: Outcome): boolean {
  return error?.code === "cannot-clear" || error?.code === "VALIDATION_ERROR";
}

/** The hints of `outcomes`; one that the next outcome has too is left to that one. */
export function hintsOf(outcomes: readonly Outcome[]): readonly (string | null)[] {
  const hints = outcomes.map(({ error }) => error?.hint ?? null);
  return hints.map((hint, at) => (hint === hints[at + 1] ? null : hint));
}

/** The name of the object of a change, for people; if another object has it, with what distinguishes it, or its number. */
export function nameOfChange(change: Change): string {
  const { name, which } = change.context ?? {};
  return name === undefined || which === undefined ? numberedName(change) : safeText(`${name} (${which})`);
}

/** "GA", "performer The Trio": a ticket type is known by its name alone. */
export function knownName(change: Change): string {
  const name = nameOfChange(change);
  return kindOf(change.kind).sold === true ? name : `${kindWord(change.kind)} ${name}`;
}

export function numberedName(change: Change): string {
  const segment = change.address.slice(change.address.lastIndexOf("/") + 1);
  const label = labelEdit(change)?.after;
  const name = change.context?.name ?? (typeof label === "string" ? label : null);
  if (name === null) return shownNameIn(change.address);
  const number = segment.startsWith(`${encodeSegment(name)}#`) ? segment.slice(segment.lastIndexOf("#")) : "";
  return safeText(number === "" ? name : `${name} ${number}`);
}

export function labelEdit(change: Change | undefined): Edit | undefined {
  return change?.edits.find((edit) => edit.path === `/${kindOf(change.kind).identity.label}`);
}

/** The name of the event of a change, for people, or of the object itself if it has no event. */
export function eventNameOf(change: Change): string {
  const parent = parentAddress(change.address);
  if (parent === null) return nameOfChange(change);
  const name = change.context?.eventName;
  return name === undefined ? shownNameIn(parent) : safeText(name);
}

/** "GA of Manila Nights", "Manila Nights", "webhook https://…", with names no longer than `most`; `day` says which date of a series. */
export function subjectWords(change: Change, most: number, day: string): string {
  const name = cutText(nameOfChange(change), most);
  if (parentAddress(change.address) !== null) {
    const known = change.action === "create" ? name : cutText(knownName(change), most);
    return `${known} of ${cutText(eventNameOf(change), most)}${day}`;
  }
  return isFamilyHead(change.kind) ? name + day : `${kindWord(change.kind)} ${name}`;
}

/** " (2027-02-20)" for a date of a series, whose name alone does not say which it is. */
export function dayWords(address: Address): string {
  const day = dateOf(rootOf(address))?.day;
  return day === undefined ? "" : ` (${day})`;
}

/** "3 sold", "some sold"; empty if nothing is, or it is not known. */
export function soldWords(sold: number | "some" | null | undefined): string {
  if (sold === undefined || sold === null || sold === 0) return "";
  return `${sold === "some" ? sold : formatCount(sold)} sold`;
}

export function shownNameIn(address: Address): string {
  return safeText(nameInAddress(address));
}
