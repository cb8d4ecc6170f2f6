// In which order a person writes the fields, and which values a person would not write at all.
import type { Kind } from "../../kinds/define.ts";
import type { KindName } from "../../model/address.ts";
import type { Value } from "../../model/value.ts";

const firstFields: Readonly<Record<KindName, readonly string[]>> = {
  event: [
    "id",
    "status",
    "name",
    "dateTime",
    "endDateTime",
    "timezone",
    "type",
    "journeyType",
    "currency",
    "locationType",
    "venueId",
    "visibility",
    "eventCapacity",
    "absorbFees",
    "description",
    "imageUrl",
    "galleryUrls",
    "callbackUrl",
  ],
  ticket: ["id", "name", "type", "section", "row", "price", "quantity", "maximumPurchaseQuantity", "published"],
  performer: ["name", "type", "description", "imageUrl"],
  schedule: ["title", "startTime", "endTime", "performer", "description", "icon", "color"],
  brand: ["name", "url", "imageUrl", "description"],
  webhook: ["url", "events", "isActive"],
};

// Nothing left may be all sold, and a refund brings tickets back: a file that says `soldOut` would close the sale for good.
const neverWritten: readonly string[] = ["soldOut"];

/** All fields of the kind that are written, in the order of writing. */
export function fieldOrder(kind: Kind): readonly string[] {
  const first = firstFields[kind.name];
  const rest = Object.keys(kind.fields).filter((field) => !first.includes(field) && !neverWritten.includes(field));
  const lists = rest.filter((field) => kind.fields[field]?.role === "children");
  return [...first, ...rest.filter((field) => !lists.includes(field)), ...lists];
}

// The service's document names no default for these, and everybody takes them for granted all the same.
const usual: Readonly<Partial<Record<KindName, Readonly<Record<string, Value>>>>> = {
  event: { journeyType: "STANDARD" },
  ticket: { type: "GENERAL_ADMISSION" },
};

/** The value that goes without saying; undefined where every value is said. */
export function usualValue(kind: Kind, field: string): Value | undefined {
  // Left out, nobody would know whether tickets are on sale, or whether a webhook is on.
  if (field === "published" || field === "isActive") return undefined;
  const policy = kind.fields[field];
  return (policy?.role === "value" ? policy.standard : undefined) ?? usual[kind.name]?.[field];
}
