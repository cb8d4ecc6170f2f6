// From a record as the service shows it to a live object. Lenient: an unreadable value counts as not shown.
import { idKey, uuidPattern } from "../../model/address.ts";
import type { Live, TicketsInOrders } from "../../model/live.ts";
import { asObject, type Value } from "../../model/value.ts";
import type { EventStatus } from "../../model/wish.ts";
import type { FieldPolicy, Kind, ReferencePolicy, ValuePolicy } from "../define.ts";
import { canonical } from "./canonical.ts";

type ShownRecord = Readonly<Record<string, unknown>>;

/** Reads one field; undefined if the record does not show it. */
interface FieldReader {
  readonly field: string;
  readonly read: (record: ShownRecord) => Value | undefined;
}

/** The live object that a record shows; null if it has no id that can be used in a path, or is marked as deleted. */
export function readRecord(kind: Kind, record: unknown, parentId: string | null): Live | null {
  if (typeof record !== "object" || record === null) return null;
  const shown = record as ShownRecord;
  const id = shown.id;
  if (typeof id !== "string" || !uuidPattern.test(id) || isMarkedDeleted(shown)) return null;
  const fields: Record<string, Value> = {};
  for (const { field, read } of readersOf(kind)) {
    const value = read(shown);
    if (value !== undefined) fields[field] = value;
  }
  const remaining = canonical("number", shown.remainingQuantity);
  return {
    kind: kind.name,
    id,
    parentId,
    fields,
    ...(kind.fields.status === undefined ? { status: null } : shownStatus(shown.status)),
    remaining: typeof remaining === "number" ? remaining : null,
    slug: typeof shown.slug === "string" ? shown.slug : null,
    ...(typeof shown.createdAt === "string" ? { createdAt: shown.createdAt } : {}),
  };
}

/** Made once per kind: a plan reads many thousand records. */
const readersOf = perKind((kind): readonly FieldReader[] =>
  Object.entries(kind.fields).flatMap(([field, policy]) => {
    if (policy.role === "value") return [{ field, read: fieldValueReader(field, policy) }];
    return policy.role === "reference" ? [{ field: policy.sentAs, read: referenceReader(policy) }] : [];
  }),
);

/** How some services show an empty field. If a field may be empty, no file can ask for these values. */
const zeros: ReadonlySet<Value> = new Set([0, "0001-01-01T00:00:00.000Z", "00000000-0000-0000-0000-000000000000"]);

function fieldValueReader(field: string, policy: ValuePolicy): FieldReader["read"] {
  if (policy.read !== undefined) return policy.read;
  const places = (policy.shownAt ?? [field]).map((place) => place.split("."));
  return (record) => {
    for (const steps of places) {
      const value = valueAtSteps(record, steps);
      const read = value === undefined ? undefined : canonical(policy.form, value);
      if (read !== undefined) return policy.required !== true && zeros.has(read) ? null : read;
    }
    return undefined;
  };
}

/** `performerId`, or `performer: { id }`. */
function referenceReader({ sentAs }: ReferencePolicy): FieldReader["read"] {
  const within = [sentAs.replace(/Id$/, ""), "id"];
  return (record) => {
    const value = record[sentAs] ?? valueAtSteps(record, within);
    if (value === undefined) return sentAs in record ? null : undefined;
    const id = canonical("id", value) ?? null;
    return zeros.has(id) ? null : id;
  };
}

function valueAtSteps(record: ShownRecord, steps: readonly string[]): unknown {
  let value: unknown = record;
  for (const step of steps) {
    // `venue: null` shows that there is no venue, and so no id of one.
    if (value === null) return null;
    if (typeof value !== "object" || !Object.hasOwn(value, step)) return undefined;
    value = (value as ShownRecord)[step];
  }
  return value;
}

export function isThere(record: unknown): record is ShownRecord {
  return (
    typeof record === "object" && record !== null && !Array.isArray(record) && !isMarkedDeleted(record as ShownRecord)
  );
}

function shownStatus(shown: unknown): Pick<Live, "status" | "otherStatus"> {
  const text = typeof shown === "string" ? shown.trim() : "";
  const status = statuses.find((each) => each === text.toUpperCase()) ?? null;
  return status !== null || text === "" ? { status } : { status, otherStatus: text };
}

const statuses: readonly EventStatus[] = ["DRAFT", "PUBLISHED", "ARCHIVED"];

// Some services still respond for deleted objects, with a mark. An empty time, or the zero of a clock, marks nothing.
function isMarkedDeleted(record: ShownRecord): boolean {
  return (
    record.deleted === true ||
    record.isDeleted === true ||
    (typeof record.status === "string" && record.status.toUpperCase() === "DELETED") ||
    (typeof record.deletedAt === "string" && Date.parse(record.deletedAt) > 0)
  );
}

// What the records of orders show, as far as sales are concerned.

/** How many of a ticket type are sold, by its own figures. null: unknown, because nothing remains after a sold-out call either. */
export function soldByInventory({ fields: { quantity }, remaining }: Live): number | null {
  if (typeof quantity !== "number" || remaining === null || remaining <= 0) return null;
  return Math.max(0, quantity - remaining);
}

/** Tickets by the id of their type; null if an order does not show all of its items: a part would look like the whole. */
export function ticketsInOrders(records: readonly unknown[]): TicketsInOrders | null {
  const completed = new Map<string, number>();
  const notCanceled = new Map<string, number>();
  const refunded = new Map<string, number>();
  for (const record of records) {
    const { orderItems, quantity: ordered } = asObject(record);
    const status = orderStatus(record);
    if (status === "CANCELLED") continue;
    if (!Array.isArray(orderItems)) return null;
    let shown = 0;
    for (const item of orderItems) {
      const { quantity, eventTicket, ticketId } = asObject(item);
      const id = asObject(eventTicket).id ?? ticketId;
      const count = amountOf(quantity);
      if (typeof id !== "string" || count === null) return null;
      shown += count;
      addCount(notCanceled, id, count);
      if (status === "REFUNDED") addCount(refunded, id, count);
      // An order that does not show its status was not said to be undone.
      if (status === "COMPLETED" || typeof status !== "string") addCount(completed, id, count);
    }
    if (shown < (amountOf(ordered) ?? 1)) return null;
  }
  return { completed, notCanceled, refunded };
}

/**
 * Whether the ids are those of ticket types: an item may show the id of a single ticket instead, which says nothing about any
 * type. One that is not there may have been deleted once all of its orders were refunded.
 */
export function areOfTypes(
  { notCanceled, refunded }: Pick<TicketsInOrders, "notCanceled" | "refunded">,
  types: readonly Live[],
): boolean {
  const known = new Set(types.map(({ id }) => idKey(id)));
  return [...notCanceled].every(([id, count]) => known.has(id) || refunded.get(id) === count);
}

/** In capitals, as the document writes it; undefined or null if the order does not show it. */
export function orderStatus(record: unknown): Value | undefined {
  return canonical("choice", asObject(record).status);
}

/** A number, whether the service writes it as one or as text; null if it is neither. */
export function amountOf(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  return typeof value === "string" && /^-?\d{1,15}(\.\d{1,4})?$/.test(value.trim()) ? Number(value) : null;
}

function addCount(counts: Map<string, number>, id: string, count: number): void {
  counts.set(idKey(id), (counts.get(idKey(id)) ?? 0) + count);
}

/** Why no call can refer to this record; null if it shows that there is nothing. An object that exists must not pass for missing. */
export function unnamedRecord(kind: Kind, record: unknown) {
  if (!isThere(record)) return null;
  const name = record[kind.identity.label];
  const what = typeof name === "string" ? `the ${kind.words.one} "${name}"` : `one of the ${kind.words.many}`;
  const id =
    record.id === undefined ? "without an id" : `with the id ${JSON.stringify(record.id)}, which is not a UUID`;
  return {
    message: `The service returned ${what} ${id}, so no call can refer to it.`,
    hint: "Reading stopped here, so that nothing is mistaken for missing and created twice. Check that baseUrl names the ticketing service, version 1 (it ends in /open-api/v1).",
  };
}

/** What follows from a kind alone, computed once, because it is needed for every object. */
export function perKind<Found extends object>(find: (kind: Kind) => Found): (kind: Kind) => Found {
  const known = new WeakMap<Kind, Found>();
  return (kind) => {
    let found = known.get(kind);
    if (found === undefined) {
      found = find(kind);
      known.set(kind, found);
    }
    return found;
  };
}

export const fieldEntries = perKind((kind): readonly (readonly [string, FieldPolicy])[] => Object.entries(kind.fields));

/** What the service uses for an empty field; undefined: the API specification names no default. */
export function serviceDefaultOf(kind: Kind, field: string): Value | undefined {
  const policy = kind.fields[field];
  return policy?.role === "value" ? policy.serviceDefault : undefined;
}

/** The name under which a field of the files is sent, shown and remembered: `performer` is sent as `performerId`. */
export function sentName(kind: Kind, field: string): string {
  const policy = kind.fields[field];
  return policy?.role === "reference" ? policy.sentAs : field;
}
