// All that is said about changes which are alike: fields, fees, status, what forbids them.
import type { Change, Verb } from "../../model/plan.ts";
import { formatCount, groupBy } from "../../model/value.ts";
import { type ReportLine, type TextSpan, word } from "../text/line.ts";
import { safeLines, safeText } from "../text/sanitize.ts";
import type { Distinguish } from "./distinct-names.ts";
import { type EditOptions, editLine, feesSentence } from "./edit-line.ts";
import { editsBesideName } from "./group-changes.ts";
import { originRemarks, transitionSentence, transitionVerb } from "./messages.ts";

export interface Setting extends EditOptions {
  /** What is called instead, by address, if the service refuses a call. */
  readonly fallbackOf: (address: string) => readonly Verb[] | undefined;
  readonly apart: Distinguish;
}

export function fieldLines(change: Change, setting: Setting): readonly ReportLine[] {
  if (change.action === "delete" && !setting.full) return [];
  return editsBesideName(change).map((edit) => editLine(change, edit, setting));
}

export function feeLines(change: Change): readonly ReportLine[] {
  return (change.fees ?? []).map((fee) => {
    const whose: readonly TextSpan[] =
      fee.ticket === undefined ? [] : [{ role: "name", text: safeText(fee.ticket) }, word(": ")];
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
  if (change.heldBack === "status") {
    lines.push(note(`${transitionVerb(change.transition)} waits until the blocks below are resolved`));
  }
  return lines;
}

/** Whose difference the object as a whole or its status is, unless its reason says so. */
export function originLines({ action, origin = "edit" }: Change): readonly ReportLine[] {
  if (origin === "edit" || (origin === "drift" && (action === "create" || action === "delete"))) return [];
  return [note(originRemarks[origin])];
}

/** How many messages of one block are shown. */
const mostMessages = 8;

/** What forbids them: the same fix is given once. */
export function blockedLines(changes: readonly Change[]): readonly ReportLine[] {
  const blocks = changes.flatMap((change) => change.blockedBy);
  const groups = groupBy(blocks, ({ code, hint }) => JSON.stringify([code, hint]));
  return [...groups.values()].flatMap((group): readonly ReportLine[] => {
    const [first] = group;
    if (first === undefined) return [];
    const distinct = [...new Set(group.map(({ message }) => message))];
    const shown = distinct.length > mostMessages + 1 ? distinct.slice(0, mostMessages) : distinct;
    const more = distinct.length - shown.length;
    const messages = [
      ...shown.map(safeLines),
      ...(more === 0 ? [] : [[`${formatCount(more)} more like this; --format json lists them all.`]]),
    ];
    return [{ type: "blocked", code: safeText(first.code), messages, hint: safeText(first.hint) }];
  });
}

export function note(text: string): ReportLine {
  return { type: "note", spans: [word(text)] };
}
