// Events that state or a base knows as ours and that no document describes now.
import { isFamilyHead, kindOf } from "../../kinds/index.ts";
import { type Address, dateOf, sameId } from "../../model/address.ts";
import { type Diagnostic, errorOf, noticeOf, warningOf } from "../../model/diagnostic.ts";
import { hasEnded, type Live, type State } from "../../model/live.ts";
import { asText, formatCount, listSome } from "../../model/value.ts";
import type { Project, Wish } from "../../model/wish.ts";
import type { GoneDocument } from "../match/likeness.ts";
import { candidateLines, wantedByAnother } from "../match/match-messages.ts";
import { removalOrigin } from "../match/origins.ts";
import type { Recall } from "../match/recall.ts";
import { compareSurplus } from "./compare-object.ts";
import type { EventComparison } from "./comparison.ts";

export type Removed = ReturnType<typeof findRemoved>;

/** Former documents, with what may prove which live event they meant. */
export interface Former extends GoneDocument {
  readonly protected: boolean;
  readonly wish: Wish | null;
}

/**
 * Documents of the base that are gone; without a base, those that state knows. `sinceLast`: both, because a run that did not end
 * clean may have created what the base does not have. Dates of a series that are over are not gone.
 */
export function formerEvents(
  { events, ended }: Pick<Project, "events" | "ended">,
  state: State | null,
  base: readonly Wish[] | null,
  sinceLast = false,
): readonly Former[] {
  const present = new Set([...events, ...ended].map((wish) => wish.address));
  const objects = state?.objects ?? {};
  const ofBase = (base ?? []).filter(({ address }) => !present.has(address));
  for (const { address } of ofBase) present.add(address);
  const ofState = Object.entries(base === null || sinceLast ? objects : {}).filter(
    ([address, { kind }]) => isFamilyHead(kind) && !present.has(address),
  );
  return [
    ...ofBase.map((wish) => ({
      address: wish.address,
      id: objects[wish.address]?.id ?? wish.own.id ?? null,
      ...formerFields(wish.fields),
      protected: wish.own.protected === true,
      wish,
    })),
    ...ofState.map(([address, { id, applied, protected: isProtected }]) => ({
      address,
      id,
      ...formerFields(applied),
      protected: isProtected === true,
      wish: null,
    })),
  ];
}

export interface RemovedInput {
  readonly former: readonly Former[];
  readonly lives: readonly Live[];
  /** Ids of events that documents mean. */
  readonly matchedIds: ReadonlySet<string>;
  /** Documents that may mean any of several live events, by the ids of those events. */
  readonly contested: ReadonlyMap<string, readonly Wish[]>;
  /** Names of all events that documents describe, whether they were read or not. */
  readonly names: ReadonlySet<unknown>;
  readonly remember?: Recall;
  readonly now: number;
}

export function findRemoved(input: RemovedInput) {
  const events: EventComparison[] = [];
  const diagnostics: Diagnostic[] = [];
  /** Addresses that state need not remember any longer. */
  const forgotten: Address[] = [];
  /** Documents whose event another one means now. */
  let moved = 0;
  for (const one of input.former) {
    const found = findFormer(one, input);
    diagnostics.push(...found.diagnostics);
    if (found.live === null) {
      if (found.isMoved) moved += 1;
      forgotten.push(one.address);
      continue;
    }
    const self = compareSurplus(kindOf("event"), one.address, found.live, one.wish, {
      reason: "no longer in the files",
      origin: input.remember === undefined ? "edit" : removalOrigin(input.remember(one.address)),
    });
    const rivals = input.contested.get(found.live.id) ?? [];
    const obstacles = rivals.length === 0 ? [] : [wantedByAnother(self.name, found.live, rivals)];
    const change = self.change && { ...self.change, source: null };
    events.push({ self: { ...self, change, obstacles }, children: [], lists: {}, protected: one.protected });
  }
  return { events, diagnostics, forgotten, moved };
}

const mostNamed = 20;

/** Documents that git shows as deleted and whose events are, or may be, live: nothing says whether to delete them. */
export function unjudgedDeletions({ events, diagnostics }: Removed): readonly Diagnostic[] {
  const names = [
    ...events.map(({ self }) => `"${self.name}" (${self.address})`),
    ...diagnostics.flatMap(({ code, address }) => (code === "removed-unsure" && address ? [address] : [])),
  ];
  if (names.length === 0) return [];
  const isDate = events.some(({ self }) => dateOf(self.address) !== null);
  const ofSeries = isDate ? " (for a single date of a series, under `dates`)" : "";
  const row = isDate ? " (and the date's row in its sheet)" : "";
  const which =
    names.length === 1
      ? "1 event is still live although it was deleted from the files in git"
      : `${formatCount(names.length)} events are still live although they were deleted from the files in git`;
  return [
    errorOf(
      "unjudged-deletions",
      `${which}: ${listSome(names, mostNamed)}. There is no record of what was applied.`,
      `To delete such an event, bring its file${row} back as it was, and set \`status: DELETED\`${ofSeries}; if it has phases, add the phase \`{ from: …, status: DELETED }\` instead, with the current time as \`from\`.`,
      "To leave it live and unmanaged, pass --allow unjudged-deletions.",
    ),
  ];
}

/** `live` null: there is nothing to delete. */
function findFormer(
  former: Former,
  { lives, matchedIds, names, now }: RemovedInput,
): { readonly live: Live | null; readonly diagnostics: readonly Diagnostic[]; readonly isMoved?: true } {
  const live = lives.find((candidate) => matchesFormer(former, candidate));
  if (live !== undefined) {
    if (matchedIds.has(live.id)) return { live: null, diagnostics: [], isMoved: true };
    if (live.status === "ARCHIVED") return { live: null, diagnostics: [letGo(former, "is archived")] };
    return hasEnded(live, now) ? { live: null, diagnostics: [letGo(former, "is over")] } : { live, diagnostics: [] };
  }
  const candidates = lives.filter((each) => mayBeMeant(former, each) && !matchedIds.has(each.id));
  const [only, ...others] = candidates;
  if (only === undefined) return { live: null, diagnostics: [] };
  if (isFormerOver(former, now)) return { live: null, diagnostics: [letGo(former, "is over")] };
  // As for a document that exists: a draft of that name, and no other candidate.
  const isPlain = others.length === 0 && only.status === "DRAFT" && !names.has(former.name);
  return isPlain
    ? { live: only, diagnostics: [removedByName(former, only)] }
    : { live: null, diagnostics: [removedUnsure(former, candidates)] };
}

function matchesFormer(former: Former, live: Live): boolean {
  if (former.id !== null) return sameId(live.id, former.id);
  return former.name !== null && live.fields.name === former.name && live.fields.dateTime === former.start;
}

/** Events of the same name, if the service does not show the start that would decide. */
function mayBeMeant(former: Former, live: Live): boolean {
  if (former.id !== null || former.name === null || live.status === "ARCHIVED") return false;
  return live.fields.name === former.name && live.fields.dateTime === undefined;
}

function isFormerOver({ start, end }: Former, now: number): boolean {
  return (
    start !== null && hasEnded({ fields: { dateTime: start, ...(end === null ? {} : { endDateTime: end }) } }, now)
  );
}

function removedByName(former: Former, live: Live): Diagnostic {
  const message = `The service does not show when "${former.name}" starts; the only event of that name (${live.id}, a draft) is assumed to be the one whose file is gone.`;
  const hint = "If it is a different event, describe it in a separate file, with its `id`.";
  return { ...noticeOf("matched-by-name", message, hint), address: former.address };
}

function removedUnsure(former: Former, candidates: readonly Live[]): Diagnostic {
  const which = candidates.length === 1 ? "this live event is" : "one of these live events is";
  const day = dateOf(former.address)?.day;
  const [gone, that] =
    day === undefined
      ? [`The file of "${former.name}" is gone`, "the one it described"]
      : [`"${former.name}" (${day}) is no longer in the files`, "that event"];
  const message = `${gone}, and it is unclear whether ${which} ${that}, because the service does not show the start:\n${candidateLines(former.wish, candidates)}`;
  const id = candidates[0]?.id;
  const hint =
    day === undefined
      ? `To delete it, bring the file back with \`id: ${id}\` and \`status: DELETED\`.`
      : `To delete it, bring the date back, and write \`${day}: { id: ${id}, status: DELETED }\` under \`dates\` of its series.`;
  return { ...warningOf("removed-unsure", message, hint), address: former.address };
}

function letGo(former: Former, why: string): Diagnostic {
  return {
    code: "forgotten",
    severity: "info",
    message: `"${former.name ?? former.address}" is no longer in the files. It ${why}, so it is left as it is and is no longer managed.`,
    address: former.address,
  };
}

function formerFields(fields: Readonly<Record<string, unknown>>): Pick<Former, "name" | "start" | "end" | "venueId"> {
  return {
    name: asText(fields.name),
    start: asText(fields.dateTime),
    end: asText(fields.endDateTime),
    venueId: asText(fields.venueId),
  };
}
