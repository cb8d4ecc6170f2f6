// What a handler gets, what it returns, and how it refuses.

import type { Replica, Store } from "../data/row-store.ts";
import type { EventRow, KeyRow, notificationTypes, VenueRow, WebhookRow } from "../data/rows.ts";
import { builtInVenues, type NamedVenue, withNamedVenues } from "../data/venues.ts";
import type { Profile } from "../profile/knobs.ts";

export interface Notice {
  readonly type: (typeof notificationTypes)[number];
  readonly event: EventRow;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What all handlers share. */
export interface SandboxContext {
  readonly store: Store;
  /** The control API may switch it. */
  profile: Profile;
  /** Venues in addition to its own: those that the project in use names. */
  namedVenues: readonly NamedVenue[];
  /** Milliseconds since the epoch: the time in records. */
  now(): number;
  /** Milliseconds that pass: lags and rate windows. */
  elapsed(): number;
  /** When things were created, on the elapsed clock; stored only while lists lag. */
  readonly born: Map<string, number>;
  /** What reads show while they lag; null: they do not. */
  replica: Replica | null;
  /** When each key was last used; stored separately, because a read must not write. */
  readonly lastUsed: Map<string, number>;
  notify(notice: Notice): void;
  testWebhook(webhook: WebhookRow): Promise<{ readonly success: boolean; readonly [field: string]: unknown }>;
}

/** All venues that can be searched. */
export function venuesOf({ store, namedVenues }: SandboxContext): readonly VenueRow[] {
  return withNamedVenues([...builtInVenues, ...store.venues.all()], namedVenues);
}

export interface Call extends SandboxContext {
  readonly key: KeyRow;
  /** The values of the :names in the path, in order. */
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  /** A fault will drop the response: a handler that creates several things may stop halfway. */
  readonly cutShort: boolean;
}

export interface Reply {
  readonly status: number;
  /** Undefined: no body at all. */
  readonly data?: unknown;
  readonly meta?: Readonly<Record<"page" | "take" | "total" | "totalPages", number>>;
}

export type Shown = Readonly<Record<string, unknown>>;

export function stamp(context: SandboxContext): string {
  return new Date(context.now()).toISOString();
}

/** Remembers when something was created, for lists that lag. */
export function noteBirth(context: SandboxContext, id: string): void {
  if (context.profile.listLag > 0) context.born.set(id, context.elapsed());
}

/** Notifies receivers once the last ticket of an event is gone. */
export function notifySoldOut(context: SandboxContext, eventId: string): void {
  const event = context.store.events.get(eventId);
  const tickets = context.store.tickets.of(eventId);
  if (event === undefined || tickets.length === 0 || tickets.some((ticket) => ticket.remainingQuantity > 0)) return;
  context.notify({ type: "event.sold_out", event, data: { eventId, name: event.name } });
}

// Finding what a path names, within the organization of the key.

export function paramOf(call: Call, at: number): string {
  return call.params[at] ?? "";
}

export function requireEvent(call: Call): EventRow {
  const id = paramOf(call, 0);
  const event = call.store.events.get(id.toLowerCase());
  if (event?.organizationId === call.key.organizationId) return event;
  throw missingEvent(call, id);
}

/** The event, unless it is archived and archived events cannot be changed. */
export function requireEditableEvent(call: Call): EventRow {
  const event = requireEvent(call);
  if (event.status !== "ARCHIVED" || call.profile.archivedPatch === "accepted") return event;
  throw refused(call.profile, `Event ${event.id} is archived and cannot be changed.`, "Create another event instead.");
}

/** A service may still know a deleted event. */
export function missingEvent({ store, key, profile }: Call, idOrSlug: string): Refusal {
  const { organizationId } = key;
  const grave = store.graves.get(idOrSlug.toLowerCase()) ?? store.graves.byAlias(`${organizationId}/${idOrSlug}`);
  if (profile.deletedGet !== "410" || grave?.organizationId !== organizationId) return notFound("Event", idOrSlug);
  const hint = "A deleted event does not come back: create another.";
  return new Refusal(410, "GONE", `Event ${idOrSlug} was deleted.`, hint);
}

// Responses to writes. If the API specification does not show the body, the profile decides how much comes back.

export function created({ profile, body }: Call, record: Shown): Reply {
  return { status: 201, data: responseData(profile.createResponse, record, body) };
}

/** The response to any other write on events, ticket types and webhooks, and to an edit of a schedule entry. */
export function written({ profile, body }: Call, record: Shown): Reply {
  if (profile.writeResponse === "204") return { status: 204 };
  return { status: 200, data: responseData(profile.writeResponse, record, body) };
}

function responseData(amount: Profile["createResponse"], record: Shown, sent: Shown): Shown | null {
  if (amount === "record") return record;
  if (amount === "echo")
    return Object.fromEntries(Object.entries(record).map(([name, kept]) => [name, name in sent ? sent[name] : kept]));
  return amount === "partial" ? { id: record.id } : null;
}

// How the sandbox refuses: thrown inside a handler, turned into the error envelope in one place.

export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly code: string;
  readonly hint: string;
  readonly details: readonly FieldProblem[] | undefined;

  constructor(status: number, code: string, message: string, hint: string, details?: readonly FieldProblem[]) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.details = details;
  }
}

export function notFound(label: string, id: string): Refusal {
  const hint = `Check the ${label.toLowerCase()} id, and that it belongs to the organization of this API key.`;
  return new Refusal(404, "NOT_FOUND", `${label} ${id} was not found.`, hint);
}

/** Throws if there is any problem. */
export function requireValid(problems: readonly FieldProblem[]): void {
  if (problems.length === 0) return;
  const fields = [...new Set(problems.map((problem) => problem.field))].join(", ");
  const hint = "Correct the fields named here, then try again.";
  throw new Refusal(400, "VALIDATION_ERROR", `The request is not valid: ${fields}.`, hint, problems);
}

const refusalCodes = {
  "400": "VALIDATION_ERROR",
  "403": "FORBIDDEN",
  "409": "CONFLICT",
  "422": "VALIDATION_ERROR",
} as const;

/** A delete or a transition that the state of the object does not allow. */
export function refused({ refusalStatus }: Profile, message: string, hint: string): Refusal {
  return new Refusal(Number(refusalStatus), refusalCodes[refusalStatus], message, hint);
}
