// From a record as the service shows it to a live object. Lenient: what cannot be read counts as not shown.
import type { Live } from "../model/live.ts";
import type { Value } from "../model/value.ts";
import type { EventStatus } from "../model/wish.ts";
import { canonical } from "./canonical.ts";
import type { Kind, ValuePolicy } from "./define.ts";
import { uuidPattern } from "./fields.ts";

type ShownRecord = Readonly<Record<string, unknown>>;

const statuses: readonly string[] = ["DRAFT", "PUBLISHED", "ARCHIVED"];

/** The live object that a record shows; null where it has no id to speak of it by, or is marked as deleted. */
export function readRecord(kind: Kind, record: unknown, parentId: string | null): Live | null {
  if (typeof record !== "object" || record === null) return null;
  const shown = record as ShownRecord;
  const id = shown.id;
  if (typeof id !== "string" || !uuidPattern.test(id)) return null;
  if (isMarkedDeleted(shown)) return null;
  const fields: Record<string, Value> = {};
  for (const [name, policy] of Object.entries(kind.fields)) {
    if (policy.role === "value") {
      const value = readField(name, policy, shown);
      if (value !== undefined) fields[name] = value;
    } else if (policy.role === "reference") {
      const value = canonical("id", shown[policy.sentAs] ?? stepInto(shown, `${policy.sentAs.replace(/Id$/, "")}.id`));
      if (policy.sentAs in shown || value !== undefined) fields[policy.sentAs] = value ?? null;
    }
  }
  const status = shown.status;
  const remaining = canonical("whole", shown.remainingQuantity);
  return {
    kind: kind.name,
    id: id.toLowerCase(),
    parentId,
    fields,
    status: typeof status === "string" && statuses.includes(status) ? (status as EventStatus) : null,
    remaining: typeof remaining === "number" ? remaining : null,
    slug: typeof shown.slug === "string" ? shown.slug : null,
  };
}

function readField(name: string, policy: ValuePolicy, record: ShownRecord): Value | undefined {
  if (policy.read !== undefined) return policy.read(record);
  for (const place of policy.shownAt ?? [name]) {
    const value = stepInto(record, place);
    if (value === undefined) continue;
    const read = canonical(policy.form, value);
    if (read !== undefined) return read;
  }
  return undefined;
}

function stepInto(record: ShownRecord, place: string): unknown {
  let value: unknown = record;
  for (const step of place.split(".")) {
    // `venue: null` shows that there is no venue, and so no id of one.
    if (value === null) return null;
    if (typeof value !== "object" || !Object.hasOwn(value, step)) return undefined;
    value = (value as ShownRecord)[step];
  }
  return value;
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
