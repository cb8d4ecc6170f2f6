// What waits: merges that were not applied yet, and what is held until it is reviewed. One sentence each.

import { kindOf, parentAddress } from "../../kinds/index.ts";
import { type Address, dateOf, rootOf } from "../../model/address.ts";
import { isRisk, plainHintOf } from "../../model/diagnostic.ts";
import type { Change, Edit, Plan, PlannedPhase } from "../../model/plan.ts";
import { formatLocalMoment } from "../../model/time.ts";
import { formatCount, type Group, groupBy, listSome, pluralize } from "../../model/value.ts";
import { becomes, type TextSpan, word } from "../text/line.ts";
import { safeText } from "../text/sanitize.ts";
import { editWords, fieldOf, fieldText, mostColumns, policyOf } from "./edit-line.ts";
import { editsBesideName, fewestDates, onDates } from "./group-changes.ts";
import {
  dayWords,
  describeChange,
  eventNameOf,
  knownName,
  nameOfChange,
  plannedWords,
  subjectWords,
  transitionVerb,
  type ViewOptions,
} from "./plan-view.ts";

const mostEvents = 10;
const mostItems = 4;

/** What a list is about: which edits, and which objects as a whole or by their status. */
interface WaitingList {
  readonly title: string;
  readonly lists: (part: Pick<Edit, "held"> & Partial<Pick<Edit, "origin">>) => boolean;
  /** With the value that a field is to have. */
  readonly values: boolean;
}

export function waitingMerges(changes: readonly Change[]): readonly TextSpan[] {
  return waitingLines(changes, {
    title: "Already merged and waiting: ",
    lists: ({ origin, held }) => origin === "unapplied" && held !== true,
    values: false,
  });
}

/** What this run holds, and what earlier ones have. */
export function heldChanges({ changes, held = [] }: Pick<Plan, "changes" | "held">): readonly TextSpan[] {
  const whole = held.map((change) => ({
    ...change,
    held: true as const,
    edits: change.edits.map((edit) => ({ ...edit, held: true as const })),
  }));
  return waitingLines([...changes, ...whole], {
    title: "Held and waiting: ",
    lists: (part) => part.held === true,
    values: true,
  });
}

/** What the checkout changes and the service has already. */
export function alreadySo({ already = [] }: Pick<Plan, "already">): readonly TextSpan[] {
  return waitingLines(already, { title: "Already up to date on the service: ", lists: () => true, values: true });
}

/** What the checkout changes of objects that the API key may not see. */
export function unseenChanges({ unseen = [] }: Pick<Plan, "unseen">): readonly TextSpan[] {
  return waitingLines(unseen, { title: "Not compared with the service: ", lists: () => true, values: true });
}

function waitingLines(changes: readonly Change[], listing: WaitingList): readonly TextSpan[] {
  // Most plans hold nothing, and a plan can be large.
  if (!changes.some((change) => isListed(change, listing.lists) || change.edits.some(listing.lists))) return [];
  const waiting = [...groupBy(changes, ({ address }) => rootOf(address))]
    .map(([root, all]) => ({
      root,
      name: nameOfRoot(root, all),
      items: all.flatMap((each) => itemsOf(each, root, listing)),
    }))
    .filter(({ items }) => items.length > 0);
  if (waiting.length === 0) return [];
  const alike = groupBy(waiting, ({ root, ...said }) => JSON.stringify([dateOf(root)?.series ?? root, said]));
  const lists = [...alike.values()].flatMap((all): readonly (typeof all)[] =>
    all.length < fewestDates ? all.map((one) => [one]) : [all],
  );
  const more = lists.slice(mostEvents).flat().length;
  return [
    word(listing.title),
    ...lists.slice(0, mostEvents).flatMap((all, index): readonly TextSpan[] => {
      const [{ name, items }] = all;
      return [
        word(index === 0 ? "" : ", "),
        { role: "name", text: name },
        word(`${whichDates(all.map(({ root }) => root))} (`),
        ...shortList(items),
        word(")"),
      ];
    }),
    word(more > 0 ? `, and ${pluralize(more, "more event")}.` : "."),
  ];
}

/** Dates of a series have one name. */
function whichDates(roots: readonly Address[]): string {
  if (roots.length > 1) return onDates("", roots);
  const day = dateOf(roots[0] ?? "")?.day;
  return day === undefined ? "" : ` on ${day}`;
}

function isListed({ origin, held }: Change, lists: WaitingList["lists"]): boolean {
  return origin !== undefined && lists({ origin, ...(held ? { held } : {}) });
}

function nameOfRoot(root: Address, changes: Group<Change>): string {
  return eventNameOf(changes.find(({ address }) => address === root) ?? changes[0]);
}

function itemsOf(change: Change, root: Address, { lists, values }: WaitingList): readonly (readonly TextSpan[])[] {
  const name = knownName(change);
  const whose = change.address === root ? "" : ` of ${name}`;
  const isWhole = change.action === "create" || change.action === "replace" || change.action === "delete";
  const edits = isWhole ? [] : change.edits.filter((edit) => !edit.sentAlong && lists(edit));
  const fields = edits.map((edit): readonly TextSpan[] => {
    const name = { role: "prose" as const, text: `${fieldOf(edit)}${whose}` };
    return values ? [name, becomes, afterSpan(change, edit)] : [name];
  });
  if (!isListed(change, lists) || (!isWhole && change.transition === null)) return fields;
  // A blocked change of which nothing more is known would read as a create.
  const isUnclear = change.blockedBy.length > 0 && plannedWords(change) === "";
  const action = isWhole ? {} : { action: "none" as const };
  const does = isUnclear ? "blocked" : describeChange({ ...change, blockedBy: [], ...action });
  const named = isUnclear ? `${name} ${does}` : `${does} ${name}`;
  const text = change.address === root ? does : named;
  return [...fields, [{ role: "prose", text }]];
}

function afterSpan({ kind, context }: Change, edit: Edit): TextSpan {
  if (edit.after === null) return word("none");
  return { role: "after", text: fieldText(kind, edit.path.slice(1), edit.after, context) };
}

function shortList(items: readonly (readonly TextSpan[])[]): readonly TextSpan[] {
  const more = items.length - mostItems;
  const shown = items.slice(0, mostItems).flatMap((item, index) => (index === 0 ? item : [word(", "), ...item]));
  return more > 0 ? [...shown, word(`, ${more} more`)] : shown;
}

// What comes due later, in a line each.

const mostShown = 5;

/**
 * "Later: Sun 31 Jan 2027 10:00 Announce: publish "Manila Nights"". A phase on many dates is one line, with its first time. What will
 * be blocked as things are now is always shown: its author can still do something about it.
 */
export function laterNotes(upcoming: readonly PlannedPhase[], { full, noOptions = false }: ViewOptions) {
  const alike = groupBy(upcoming, ({ address, type, phase, fields, changes, blockedOnceSold }) => {
    const deeds = changes?.map((change) => phaseDeed(change, ofEachDate));
    return JSON.stringify([dateOf(address)?.series ?? address, type, phase, fields, deeds, blockedOnceSold]);
  });
  const lines = [...alike.values()]
    .flatMap((all): readonly Group<PlannedPhase>[] => (all.length < fewestDates ? all.map((one) => [one]) : [all]))
    .sort(([one], [other]) => Date.parse(one.at) - Date.parse(other.at));
  const isBlocked = ({ changes = [] }: PlannedPhase) => changes.some(({ blockedBy }) => blockedBy.length > 0);
  const shown = full ? lines : lines.filter((all, index) => index < mostShown || all.some(isBlocked));
  const hidden = lines.filter((all) => !shown.includes(all)).flat();
  const notes = shown.map((all) => laterNote(all) + blockedWords(all));
  const how = noOptions ? "" : "; --verbose lists them all, and so does --format json";
  return hidden.length > 0
    ? [...notes, `Later: ${pluralize(hidden.length, "more change")}${onceSoldWords(hidden)}${how}.`]
    : notes;
}

/** Every event may have such a phase: too many to show each. */
function onceSoldWords(hidden: readonly PlannedPhase[]): string {
  const count = hidden.filter(({ blockedOnceSold = [] }) => blockedOnceSold.length > 0).length;
  if (count === 0) return "";
  const which = count === hidden.length ? "" : `${formatCount(count)} of them `;
  return `, ${which}blocked if tickets are sold by then`;
}

function laterNote(all: Group<PlannedPhase>): string {
  const [{ at, address, type, phase, fields, context }, ...others] = all;
  const momentOf = (instant: string) => formatLocalMoment(instant, context?.timezone ?? "UTC");
  const isEnd = type === "phase-end";
  const what = phase === null ? (isEnd ? " end of a phase:" : "") : ` ${safeText(phase)}${isEnd ? " ends" : ""}:`;
  const does = phaseWords(all[0], others.length > 0 ? ofEachDate : []);
  // A status is of the event; anything else is something in it.
  const within = fields.some((pointer) => pointer !== "/status") || fields.length === 0 ? " in" : "";
  const last = others.at(-1)?.at ?? at;
  const until = last === at ? "" : `, the last at ${momentOf(last)}`;
  const more = others.length === 0 ? "" : `; likewise for ${pluralize(others.length, "more date")}${until}`;
  return `Later: ${momentOf(at)}${what} ${does}${within} "${safeText(context?.name ?? address)}"${dayWords(address)}${more}`;
}

/** What would keep it from being done, by what is sold and live now, or once tickets are sold. */
function blockedWords(all: Group<PlannedPhase>): string {
  const blocked = all.flatMap(({ phase, changes = [] }) =>
    changes.flatMap((change) => change.blockedBy.map((block) => ({ phase, change, block }))),
  );
  const sentences = [...groupBy(blocked, ({ block }) => block.code)].map(
    ([code, [{ phase, change, block }, ...others]]) => {
      const fix = isRisk(code) ? toAccept(code, phase) : plainHintOf(block);
      const more = others.length === 0 ? "" : `, and ${others.length} more`;
      const which =
        all.length === 1 && more === ""
          ? ""
          : ` for ${subjectWords(change, mostColumns, dayWords(change.address))}${more}`;
      return ` As things are now, this will be blocked${which} (${safeText(code)}): ${safeText(`${block.message} ${fix}`)}`;
    },
  );
  for (const code of new Set(all.flatMap(({ blockedOnceSold = [] }) => blockedOnceSold))) {
    const fix = isRisk(code) ? toAccept(code, all[0].phase) : insteadOfDeleting;
    sentences.push(` If tickets are sold by then, this will be blocked (${code}). ${fix}`);
  }
  return sentences.length === 0 ? "" : `.${sentences.join("")}`;
}

const insteadOfDeleting =
  "Instead of deleting it, close the sale of a ticket type with `soldOut: true`, or archive an event with `status: ARCHIVED`.";

function toAccept(code: string, phase: string | null): string {
  const where = phase === null ? "this phase" : `the phase "${safeText(phase)}"`;
  return `To accept this risk, add \`allow: [${safeText(code)}]\` to ${where}.`;
}

const mostWords = 600;
const texts = ["text", "markup", "url", "list"];
/** Dates of a series share amounts, numbers and switches, but may differ in these. */
const ofEachDate = [...texts, "instant"];

/** "publish; GA, VIP and 11 more ticket types ₱500 → ₱400": all that a phase does, since all of it counts as reviewed; what it deletes is always named. `unsaid`: forms without their values, such as texts if there is much to say. */
export function phaseWords(phase: Pick<PlannedPhase, "fields" | "changes">, unsaid: readonly string[] = []): string {
  const deeds = (phase.changes ?? []).map((change) => phaseDeed(change, unsaid));
  const alike = groupBy(deeds, ({ kind, action, text }) => `${kind} ${action} ${text}`);
  const words = [...alike.values()].map((all) => {
    const [{ name, kind, action, text }, ...others] = all;
    if (name === null) return text;
    const { one, many } = kindOf(kind).words;
    const isCut = others.length > 2 && action !== "delete";
    const names = listSome([name, ...others.map((other) => `${other.name}`)], isCut ? 2 : all.length);
    const which = `${others.length === 0 ? one : many} ${names}`;
    if (action === "create") return `new ${which}${text === "" ? "" : ` (${text})`}`;
    return action === "delete" ? `delete ${which}` : `${names}${isCut ? ` ${many}` : ""} ${text}`;
  });
  const line = words.filter((one) => one !== "").join("; ");
  if (line.length > mostWords && unsaid.length === 0) return phaseWords(phase, texts);
  const fields = [...new Set(phase.fields.map((pointer) => pointer.split("/")[1] ?? ""))];
  // Earlier versions saved no values.
  return line || (fields.length === 0 ? "nothing changes" : `change ${safeText(fields.join(", "))}`);
}

function phaseDeed(change: Change, unsaid: readonly string[]) {
  const { address, kind, action, transition } = change;
  const values = editsBesideName(change).map((edit) => {
    const policy = policyOf(kind, fieldOf(edit));
    if (policy?.role !== "value") return editWords(change, edit, "plan");
    if (unsaid.includes(policy.form)) return `${fieldOf(edit)} changes`;
    return policy.inShort?.[String(edit.after)] ?? editWords(change, edit, "plan");
  });
  const text = [transitionVerb(transition), ...values].filter((each) => each !== "").join(", ");
  return { name: parentAddress(address) === null ? null : nameOfChange(change), kind, action, text };
}
