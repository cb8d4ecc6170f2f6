// From a record as the service shows it to a live object. Lenient: what cannot be read counts as not shown.
import { uuidPattern } from "../model/id.ts";
import type { KindName } from "../model/kind-name.ts";
import type { Live } from "../model/live.ts";
import type { Value } from "../model/value.ts";
import type { EventStatus } from "../model/wish.ts";
import { canonical } from "./canonical.ts";
import type { Kind, ReferencePolicy, ValuePolicy } from "./define.ts";

type ShownRecord = Readonly<Record<string, unknown>>;

/** Reads one field; undefined where the record does not show it. */
interface FieldReader {
  readonly field: string;
  readonly read: (record: ShownRecord) => Value | undefined;
}

/** The live object that a record shows; null where it has no id that may stand in a path, or is marked as deleted. */
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
  const remaining = canonical("whole", shown.remainingQuantity);
  return {
    kind: kind.name,
    id,
    parentId,
    fields,
    status: isStatus(shown.status) ? shown.status : null,
    remaining: typeof remaining === "number" ? remaining : null,
    slug: typeof shown.slug === "string" ? shown.slug : null,
  };
}

/** Made once per kind: a plan reads many thousand records. */
const readers = new Map<KindName, readonly FieldReader[]>();

function readersOf(kind: Kind): readonly FieldReader[] {
  let found = readers.get(kind.name);
  if (found === undefined) {
    found = Object.entries(kind.fields).flatMap(([field, policy]) => {
      if (policy.role === "value") return [{ field, read: valueReader(field, policy) }];
      return policy.role === "reference" ? [{ field: policy.sentAs, read: referenceReader(policy) }] : [];
    });
    readers.set(kind.name, found);
  }
  return found;
}

function valueReader(field: string, policy: ValuePolicy): FieldReader["read"] {
  if (policy.read !== undefined) return policy.read;
  const places = (policy.shownAt ?? [field]).map((place) => place.split("."));
  return (record) => {
    for (const steps of places) {
      const value = stepInto(record, steps);
      const read = value === undefined ? undefined : canonical(policy.form, value);
      if (read !== undefined) return read;
    }
    return undefined;
  };
}

/** `performerId`, or `performer: { id }`. */
function referenceReader({ sentAs }: ReferencePolicy): FieldReader["read"] {
  const within = [sentAs.replace(/Id$/, ""), "id"];
  return (record) => {
    const value = record[sentAs] ?? stepInto(record, within);
    if (value === undefined) return sentAs in record ? null : undefined;
    return canonical("id", value) ?? null;
  };
}

function stepInto(record: ShownRecord, steps: readonly string[]): unknown {
  let value: unknown = record;
  for (const step of steps) {
    // `venue: null` shows that there is no venue, and so no id of one.
    if (value === null) return null;
    if (typeof value !== "object" || !Object.hasOwn(value, step)) return undefined;
    value = (value as ShownRecord)[step];
  }
  return value;
}

/** Whether a record shows something that is there. */
export function isThere(record: unknown): record is ShownRecord {
  return (
    typeof record === "object" && record !== null && !Array.isArray(record) && !isMarkedDeleted(record as ShownRecord)
  );
}

function isStatus(status: unknown): status is EventStatus {
  return status === "DRAFT" || status === "PUBLISHED" || status === "ARCHIVED";
}

// Some services keep answering for what is deleted, with a mark.
function isMarkedDeleted(record: ShownRecord): boolean {
  return (
    record.deleted === true ||
    record.isDeleted === true ||
    record.status === "DELETED" ||
    typeof record.deletedAt === "string"
  );
}
