import { kindOf } from "../../kinds/index.ts";
import { callDate, howToLeave } from "../../kinds/lint-rules.ts";
import { dateOf, rootOf, sameId } from "../../model/address.ts";
import { codeOfKind, noticeOf, withOption } from "../../model/diagnostic.ts";
import type { Live } from "../../model/live.ts";
import type { Block } from "../../model/plan.ts";
import { formatMoment, standardZone } from "../../model/time.ts";
import { formatCount, formatMoney, listSome, pluralize, yamlWord } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import type { Recall } from "./recall.ts";

/** One line about a live object that might be the one meant. */
export function candidateLine(live: Live, zone: string): string {
  const { identity, steps } = kindOf(live.kind);
  const name = live.fields[identity.label] ?? "(no name shown)";
  const start = live.fields.dateTime ?? live.fields.startTime;
  const parts = [live.id, String(name)];
  if (typeof start === "string") parts.push(formatMoment(start, zone));
  else if (steps.length > 0) parts.push("start not shown");
  const status = live.status ?? live.otherStatus;
  if (status !== undefined) parts.push(status);
  for (const field of ["section", "row"])
    if (typeof live.fields[field] === "string") parts.push(`${field} ${live.fields[field]}`);
  if (typeof live.fields.price === "number") parts.push(formatMoney(live.fields.price));
  if (typeof live.fields.quantity === "number") parts.push(pluralize(live.fields.quantity, "ticket"));
  return parts.join(" · ");
}

/** Live events that share only the name, or only the start and the venue. `recorded`: state knows one of them, under another key. */
export function ambiguousEvent(wish: Wish, candidates: readonly Live[], recorded = false): Block {
  const which = candidates.length === 1 ? "it" : "one of them";
  const message = `${likenessOf(wish, candidates)}, and it is unclear whether this file describes ${which}:\n${candidateLines(wish, candidates)}`;
  const hint = `${pinHint(wish, candidates)}${renameHint(wish, candidates, recorded)}; if this is a different event, add \`new: true\`${wish.own.series === undefined ? "" : " there, or to the file for all its dates"}.`;
  return { code: "ambiguous-event", message, hint };
}

function likenessOf(wish: Wish, candidates: readonly Live[]): string {
  const startOnly = candidates.filter((live) => live.fields.name !== wish.fields.name && startsWith(wish, live));
  if (startOnly.length === 0) return `${countWithVerb(candidates)} the name ${quotedNames(wish, candidates)}`;
  const isOne = candidates.length === 1;
  const count = isOne ? "One live event" : `${formatCount(candidates.length)} live events`;
  const showsVenue = startOnly.every((live) => sameId(live.fields.venueId, wish.fields.venueId));
  const start = `the same start${showsVenue ? " and venue" : ""}`;
  if (startOnly.length === candidates.length)
    return `${count} ${isOne ? "has" : "have"} ${start} under a different name`;
  return `${count} have the name "${wish.name}" or ${start}`;
}

/** The former name matches only if the start is the same. It may be misspelled in the file. */
function renameHint(wish: Wish, candidates: readonly Live[], recorded: boolean): string {
  const renamed = candidates.find((live) => live.fields.name !== wish.fields.name && startsWith(wish, live));
  const name = renamed?.fields.name;
  const { renamedFrom } = wish.own;
  if (typeof name !== "string" || name === renamedFrom) return "";
  const line = `\`renamedFrom: ${yamlWord(name)}\``;
  // All dates of a series may have been renamed with one line.
  const field = recorded
    ? "add `key: NAME` to the file, with its former key or file name as NAME"
    : "add `renamedFrom` to the file, with its former `name`";
  const all = wish.own.series === undefined ? "" : `; for all dates at once, ${field}`;
  return renamedFrom === undefined ? ` (or ${line}${all})` : ` (or correct the line to ${line})`;
}

function startsWith(wish: Wish, live: Live): boolean {
  return wish.fields.dateTime !== undefined && live.fields.dateTime === wish.fields.dateTime;
}

export function wantedByAnother(name: string, live: Live, documents: readonly Wish[]): Block {
  const which = documents.map((wish) => wish.address).join(", ");
  const isOne = documents.length === 1;
  const message = `"${name}" (${live.id}) is no longer in the files, and ${which} may be the same event: the live event is kept until that is clear.`;
  const hint = isOne
    ? `If ${which} describes this live event, add \`id: ${live.id}\` there; if it is a different event, add \`new: true\` instead.`
    : `Add \`id: ${live.id}\` to the file that describes this live event, and \`new: true\` to those that describe different events.`;
  return { code: "ambiguous-event", message, hint };
}

/** Live events that share the name and the start: a document that is new would have them too. */
export function twinEvents(wish: Wish, candidates: readonly Live[]): Block {
  const message = `${countWithVerb(candidates)} the name ${quotedNames(wish, candidates)} and the same start, and it is unclear which of them this file describes:\n${candidateLines(wish, candidates)}`;
  const hint = `${pinHint(wish, candidates)}. A duplicate made by mistake can be archived or deleted on the service.`;
  return { code: "ambiguous-event", message, hint };
}

/** The document has the name and start of `described`, and no other would describe `left`, which was its event until now. */
export function leavesAnother(wish: Wish, described: Live, left: Live): Block {
  const message = `This file now has the name and start of the first of these live events, but until now it described the second, which is in no other file:\n${candidateLines(wish, [described, left])}`;
  const hint = `If the file describes the first, add \`id: ${described.id}\`; if it still describes the second, add \`id: ${left.id}\`. Then write a file for the remaining event, with its \`id\` (to delete that event, also with \`status: DELETED\`).`;
  return { code: "ambiguous-event", message, hint };
}

/** `new: true` if the service shows no start: an earlier run may have created it. */
export function hiddenStart(wish: Wish, candidates: readonly Live[]): Block {
  const message = `The file says \`new: true\`, but an earlier run may already have created the event. ${countWithVerb(candidates)} the name ${quotedNames(wish, candidates)}, and the service does not show when ${candidates.length === 1 ? "it starts" : "they start"}:\n${candidateLines(wish, candidates)}`;
  const flagged = "If not, plan with --base and a commit from before this file was added.";
  return { code: "ambiguous-event", message, ...withOption(`${pinHint(wish, candidates)}.`, flagged) };
}

function countWithVerb(candidates: readonly Live[]): string {
  return candidates.length === 1 ? "One live event has" : `${formatCount(candidates.length)} live events have`;
}

/** After a rename they have the former name. */
function quotedNames(wish: Wish, candidates: readonly Live[]): string {
  const names = new Set(candidates.map((live) => live.fields.name ?? wish.name));
  return [...names].map((name) => `"${name}"`).join(" or ");
}

export function candidateLines(wish: Wish | null, candidates: readonly Live[], most = 10): string {
  const zone = wish?.own.timezone ?? standardZone;
  const lines = candidates.slice(0, most).map((live) => `  ${candidateLine(live, zone)}`);
  if (candidates.length > most) lines.push(`  and ${formatCount(candidates.length - most)} more`);
  return lines.join("\n");
}

function pinHint({ own, address }: Wish, candidates: readonly Live[]): string {
  const [first] = candidates;
  // A date of a series has no separate document.
  const where = own.series === undefined ? "the file" : `${dateOf(address)?.day} under \`dates\` of its series`;
  const isOne = candidates.length === 1;
  // The file has the line already, with the ids of other environments.
  if (own.ids !== undefined)
    return `If ${isOne ? "that" : "one of them"} is the event you mean, add its id to the map \`id\` in ${where}, under the name of this environment`;
  return isOne
    ? `If that is the event you mean, add \`id: ${first?.id}\` to ${where}`
    : `If you mean one of them, add its id to ${where}, such as \`id: ${first?.id}\``;
}

export function pinnedIdMissing({ name, kind, own: { id, ids, series }, parent, address }: Wish): Block {
  const leave = series && howToLeave(series, address.slice(series.of.length + 1));
  const gone = leave ?? `remove the ${parent === null ? "event's file" : "entry"}`;
  const { words, identity } = kindOf(kind);
  // Says what happens then, because people fear that removing the id creates a second one.
  const found = `the ${words.one} is then found by its ${identity.likeness}, or created if it is not there`;
  const onDates = dateOf(rootOf(address)) === null ? "" : "; under `dates`, each date can give its own";
  const other = parent === null ? "" : `: it may be from another event${onDates}`;
  const hint = ids
    ? `Check the id of this environment in the map \`id\`${other}. If the object was deleted on purpose, or the sandbox was reset, remove ${Object.keys(ids).length > 1 ? "that id" : "`id`"} (${found}).`
    : `Check the id${other}. Each environment has its own ids: if this one is from another environment, write \`id: { NAME: ${id} }\`, with that environment's name for NAME. If the object was deleted on purpose, remove the \`id\` line (${found}), or ${gone}.`;
  const where = parent === null ? "for this organization" : "in this event";
  const message = `${callDate(name, address)} is pinned to the id ${id}, but the service has no such ${words.one} ${where}.`;
  return { code: "pinned-id-missing", message, hint };
}

export function pinnedTwice(wish: Wish): Block {
  const message = `"${wish.name}" is pinned to the id ${wish.own.id}, and so is another entry of the files.`;
  const hint = "A live object can be described only once: remove one of the two, or correct its `id`.";
  return { code: "pinned-twice", message, hint };
}

export function ambiguousChild(wish: Wish, candidates: readonly Live[]): Block {
  const { words } = kindOf(wish.kind);
  const which =
    candidates.length === 1
      ? `One live ${words.one} could be "${wish.name}" or another entry of that name`
      : `${formatCount(candidates.length)} live ${words.many} could be "${wish.name}"`;
  const message = `${which}:\n${candidateLines(wish, candidates)}`;
  const hint = matchHint(wish, candidates);
  return { code: codeOfKind(`ambiguous-${wish.kind}`), message, hint };
}

/** `wish` is renamed from the name of `live`; `blocked` is that entry, or the one of `wishes` that now has the former name. */
export function ambiguousRename(wish: Wish, blocked: Wish, live: Live, wishes: readonly Wish[]): Block {
  const { words, plural, identity } = kindOf(wish.kind);
  const former = wishes.find(({ name }) => name === wish.own.renamedFrom);
  const inherited =
    former === undefined || former.source.file === wish.source.file
      ? ""
      : `"${former.name}" also comes from ${former.source.file}: if "${wish.name}" replaces it, add \`{ ${identity.label}: ${yamlWord(former.name)}, remove: true }\` to \`${plural}\` in ${wish.source.file}. `;
  const message = `One live ${words.one} could be "${wish.name}" before its rename, or the entry that is called "${wish.own.renamedFrom}" now:\n${candidateLines(blocked, [live])}`;
  const pin = `${inherited}If "${wish.name}" was renamed already, remove its \`renamedFrom\`. If not, add \`id: ${live.id}\` to that entry`;
  const hint = `${pin}, or plan with --base and a commit from before the rename.`;
  return { code: codeOfKind(`ambiguous-${wish.kind}`), message, hint, plainHint: `${pin}.` };
}

function matchHint(wish: Wish, candidates: readonly Live[]): string {
  const { identity, fields } = kindOf(wish.kind);
  if (identity.advice !== undefined) return identity.advice.live(wish.name, candidates);
  return "id" in fields
    ? `Add \`id: ${candidates[0]?.id}\`${candidates.length > 1 ? " (or another of these ids)" : ""} to the matching entry.`
    : "Delete the surplus ones by hand, or list each of them.";
}

/** `new: true` has done its work once the event is live: without state, it would make it again after a move. One remark for all. */
export function newRemarks(wishes: readonly Wish[], liveOf: (wish: Wish) => Live | null, remember: Recall) {
  const left = wishes.flatMap((wish) => {
    const live = wish.own.new === true && wish.own.id === undefined ? liveOf(wish) : null;
    return live === null || live.status === "ARCHIVED" ? [] : [{ ...wish, id: live.id }];
  });
  const which = left.map(({ address, id }) => `${address} (${id})`);
  const message = `\`new: true\` is still in the file of ${left.length === 1 ? "an event that is" : "events that are"} live: ${listSome(which, 3)}.`;
  const hint = left.every(({ address, id }) => sameId(remember(address).id, id))
    ? "Remove it once the event is live in every environment: as long as it is there, a changed `dateTime` would create a second event if the state were lost."
    : "Write the `id` in its place (for a date of a series, under `dates`): otherwise, a changed `dateTime` creates a second event.";
  const notice = noticeOf("still-new", message, hint);
  return left.slice(0, 1).map(({ places, source }) => ({ ...notice, source: places.new ?? source }));
}
