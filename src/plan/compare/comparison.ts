// The working unit between match and operations: one object, its wish, what is live, and what differs.
import type { Kind } from "../../kinds/define.ts";
import { sameValue, sentName } from "../../kinds/index.ts";
import { type Address, dateOf, rootOf } from "../../model/address.ts";
import type { Source } from "../../model/diagnostic.ts";
import type { Live, LiveLists } from "../../model/live.ts";
import type { Block, Change, Edit } from "../../model/plan.ts";
import { isReference } from "../../model/value.ts";
import type { PhaseEnd, Wish } from "../../model/wish.ts";
import type { Recall } from "../match/recall.ts";

export interface Comparison {
  readonly kind: Kind;
  readonly address: Address;
  /** null: live, and no longer wished. */
  readonly wish: Wish | null;
  readonly live: Live | null;
  readonly name: string;
  /** null: all is as wished. */
  readonly change: Change | null;
  /** The whole change, before this run left out what is not targeted and what is held. */
  readonly planned?: Change;
  /** Why the change cannot be made, as found by matching and comparing; judging adds to it and blocks the change. */
  readonly obstacles: readonly Block[];
  /** Risks of the change that somebody has accepted. */
  readonly accepted?: readonly Block[];
  /** Managed fields that can be neither read nor remembered. */
  readonly unknown: readonly string[];
}

export interface EventComparison {
  readonly self: Comparison;
  readonly children: readonly Comparison[];
  readonly lists: LiveLists;
  /** Nothing destructive may be planned for it. */
  readonly protected: boolean;
  /** What was last applied to the live objects below it, for fields that the service does not show. */
  readonly remember?: Recall;
  /** For an event to be created: live events of the same name, or of the same start and venue, that are not meant. */
  readonly namesakes?: readonly string[];
}

/** How references of one event resolve: to the name for people, and from a live id to its address. */
export interface References {
  addressOf(id: string): string | undefined;
  /** For an object that is no longer live: its former address. */
  formerAddressOf(id: string): string | undefined;
  nameOf(addressOrId: string): string;
}

export function allComparisons(event: EventComparison): readonly Comparison[] {
  return [event.self, ...event.children];
}

export function mapEvent(event: EventComparison, map: (one: Comparison) => Comparison): EventComparison {
  return { ...event, self: map(event.self), children: event.children.map((child) => map(child)) };
}

/** Whether it is certain which live object is meant. Only then can rules judge it, so that people see all blocks at once. */
export function isMatched({ obstacles, live, change }: Comparison): boolean {
  return obstacles.length === 0 || (live !== null && change?.action !== "delete");
}

/** The addresses of what an object names. */
export function referencesIn(fields: Wish["fields"] = {}): readonly Address[] {
  return Object.values(fields).flatMap((value) => (isReference(value) ? [value.$id] : []));
}

/** By a phase that has begun, or by the end of one. */
export function isSetByTime(wish: Wish, field: string, sent: string): boolean {
  return wish.own.phased?.includes(field) === true || isSetByEnd(wish, field, sent);
}

export function isSetByEnd({ own }: Wish, field: string, sent: string): boolean {
  return own.phased?.includes(field) !== true && own.ended?.some((end) => end.field === sent) === true;
}

/** Without a path: the status. */
type FieldPath = Partial<Pick<Edit, "path">>;

export function isDue({ path }: FieldPath, { kind, wish }: Comparison): boolean {
  const field = path?.slice(1) ?? "status";
  return wish !== null && isSetByTime(wish, field, sentName(kind, field));
}

/** A phase has ended, but its value is still live: the value after it must be sent again, although it was sent before. */
export function isReturn({ path }: FieldPath, { kind, wish, live }: Comparison): boolean {
  const field = sentName(kind, path?.slice(1) ?? "status");
  const shown = path === undefined ? live?.status : live?.fields[field];
  const isLeft = ({ before }: PhaseEnd) => !isReference(before) && sameValue(before, shown);
  return wish?.own.ended?.some((end) => end.field === field && isLeft(end)) === true;
}

/** Many dates share a file, and often a template: the line of what differs says more than where their document begins. */
export function sourceOf(wish: Wish, { action, edits }: Pick<Change, "action" | "edits">): Source {
  const place = wish.places[edits[0]?.path.slice(1) ?? ""];
  const isOfDate = action === "update" && dateOf(rootOf(wish.address)) !== null;
  return isOfDate && place?.file === wish.source.file ? place : wish.source;
}
