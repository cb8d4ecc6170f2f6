// All that is said about changes which are alike: fields, fees, status, what forbids them.
import { kindOf, parentAddress } from "../../kinds/index.ts";
import type { Change, Plan, Verb } from "../../model/plan.ts";
import { groupBy } from "../../model/value.ts";
import type { StatusWish } from "../../model/wish.ts";
import { type ReportLine, type TextSpan, word } from "../text/line.ts";
import { safeLines, safeText } from "../text/sanitize.ts";
import type { Distinguish } from "./distinct-names.ts";
import { type EditOptions, editLine } from "./edit-line.ts";
import { type Absorbs, feesOf, feesSentence } from "./fees.ts";
import { editsBesideName } from "./group-changes.ts";
import { transitionSentence, transitionVerb } from "./messages.ts";

export interface Setting extends EditOptions {
  readonly heldBack: HeldBack;
  readonly absorbs: Absorbs;
  /** What is called instead, by address, where the service refuses a call. */
  readonly fallbackOf: (address: string) => readonly Verb[] | undefined;
  readonly apart: Distinguish;
}

export function fieldLines(change: Change, setting: Setting): readonly ReportLine[] {
  if (change.action === "delete" && !setting.full) return [];
  return editsBesideName(change).map((edit) => editLine(change, edit, setting));
}

export function feeLines(change: Change, setting: Setting): readonly ReportLine[] {
  return feesOf(change, setting.absorbs).map((fee) => {
    const whose: readonly TextSpan[] =
      fee.name === null ? [] : [{ role: "name", text: safeText(fee.name) }, word(": ")];
    return { type: "note", spans: [...whose, word(feesSentence(fee))] };
  });
}

export function statusLines(change: Change, setting: Setting): readonly ReportLine[] {
  const sentence = transitionSentence(change.transition);
  const fallback = setting.fallbackOf(change.address);
  if (sentence === null) {
    // The one fallback without a status: a service where names are unique.
    return fallback === undefined
      ? []
      : [note("if the service refuses a second one with that name, the old one is deleted first")];
  }
  const lines: ReportLine[] = [note(sentence)];
  if (fallback !== undefined) lines.push(note(`if the service refuses that: ${fallback.join(", then ")}`));
  if (setting.heldBack(change) === "status") {
    lines.push(note(`${transitionVerb(change.transition)} waits until the blocks below are resolved`));
  }
  return lines;
}

/** What forbids them: the same fix is given once. */
export function blockedLines(changes: readonly Change[]): readonly ReportLine[] {
  const blocks = changes.flatMap((change) => change.blockedBy);
  const groups = groupBy(blocks, ({ code, hint }) => JSON.stringify([code, hint]));
  return [...groups.values()].flatMap((group): readonly ReportLine[] => {
    const [first] = group;
    if (first === undefined) return [];
    const messages = group.map(({ message }) => safeLines(message));
    return [{ type: "blocked", code: safeText(first.code), messages, hint: safeText(first.hint) }];
  });
}

export function note(text: string): ReportLine {
  return { type: "note", spans: [word(text)] };
}

/** Which changes wait although nothing forbids them, because they need one that is blocked. */
export type HeldBack = (change: Change) => "all" | "status" | null;

const verbOfStatus: Readonly<Record<StatusWish, Verb>> = {
  PUBLISHED: "publish",
  DRAFT: "unpublish",
  ARCHIVED: "archive",
  DELETED: "delete",
};

export function findHeldBack(plan: Pick<Plan, "changes" | "operations">): HeldBack {
  if (plan.changes.every((change) => change.blockedBy.length === 0)) return () => null;
  const operations = groupBy(plan.operations, ({ because }) => because);
  const does = (address: string | null, verb: Verb): boolean =>
    address !== null && (operations.get(address) ?? []).some((operation) => operation.verb === verb);

  return (change) => {
    if (change.blockedBy.length > 0) return null;
    const parent = parentAddress(change.address);
    // Made within the create call of its event, or gone with it: it has no call of its own.
    if (change.action === "create" && kindOf(change.kind).inline && does(parent, "create")) return null;
    if (change.action === "delete" && does(parent, "delete")) return null;
    const own = operations.get(change.address) ?? [];
    if (own.length === 0) return "all";
    const to = change.transition?.to;
    const staysDraft = change.transition?.from === null && to === "DRAFT";
    return to === undefined || staysDraft || does(change.address, verbOfStatus[to]) ? null : "status";
  };
}
