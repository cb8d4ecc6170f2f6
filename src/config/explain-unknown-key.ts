import { suggest } from "../model/suggest.ts";
import type { LocatedScalar } from "./located.ts";
import { keysOf, keysWithin, type Schema, schemaAt, stepInto, typeOf } from "./schema-walk.ts";

/** Words that people use for a field of another name. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  title: ["name", "title"],
  name: ["title"],
  date: ["dateTime"],
  start: ["dateTime", "startTime"],
  starts: ["dateTime", "startTime"],
  startdate: ["dateTime", "startTime"],
  startdatetime: ["dateTime", "startTime"],
  datetime: ["startTime"],
  end: ["endDateTime", "endTime"],
  ends: ["endDateTime", "endTime"],
  enddate: ["endDateTime", "endTime"],
  enddatetime: ["endTime"],
  endtime: ["endDateTime"],
  starttime: ["dateTime"],
  location: ["venue"],
  place: ["venue"],
  image: ["imageUrl"],
  cover: ["imageUrl"],
  photo: ["imageUrl"],
  gallery: ["galleryUrls"],
  images: ["galleryUrls"],
  capacity: ["eventCapacity"],
  tz: ["timezone"],
  qty: ["quantity"],
  count: ["quantity"],
  stock: ["quantity"],
  cost: ["price"],
  amount: ["price"],
  onsale: ["published"],
  limit: ["maximumPurchaseQuantity"],
  maxperorder: ["maximumPurchaseQuantity"],
  performerid: ["performer"],
  artist: ["performer", "performers"],
  artists: ["performers"],
  lineup: ["performers"],
  programme: ["schedules"],
  program: ["schedules"],
  sponsors: ["brands"],
  partners: ["brands"],
  tickettypes: ["tickets"],
  link: ["url"],
  website: ["url"],
  colour: ["color"],
  active: ["isActive"],
  enabled: ["isActive"],
  webhook: ["callbackUrl"],
  apikey: ["apiKeyEnv"],
  url: ["baseUrl", "url"],
  envs: ["environments"],
  variables: ["vars"],
};

export interface UnknownKey {
  readonly message: string;
  readonly hint: string;
  /** The field that was meant, where it is one of the same object. */
  readonly meant: string | null;
}

/** `present` are the keys that the object has; `half` is the number that a comma cut off before the key. */
export function explainUnknownKey(
  key: string,
  path: readonly PropertyKey[],
  root: Schema,
  present: ReadonlySet<string>,
  half: LocatedScalar | null,
): UnknownKey {
  const here = schemaAt(root, path) ?? root;
  const known = keysOf(here);
  if (/^\d+$/.test(key)) {
    return half === null ? splitNumber : { ...splitNumber, hint: `Write ${half.value}${key}, without the comma.` };
  }
  const message = `\`${key}\` is not a field that is known here.`;
  const other = otherNameOf(key, known);
  if (other !== null && !present.has(other)) return { message, hint: `Did you mean \`${other}\`?`, meant: other };
  const elsewhere = whereItBelongs(key, path, root, here);
  if (elsewhere !== null) return { message: `\`${key}\` does not belong here.`, hint: elsewhere, meant: null };
  const near = other ?? suggest(key, known);
  return {
    message,
    hint: near === null ? `Known here: ${known.join(", ")}.` : `Did you mean \`${near}\`?`,
    meant: near,
  };
}

const splitNumber: UnknownKey = {
  message: "Within brackets a comma ends a value, and here it splits a number.",
  hint: "Write the number without a comma.",
  meant: null,
};

function otherNameOf(key: string, known: readonly string[]): string | null {
  const meant = otherNames[key.toLowerCase().replace(/[\s_-]/g, "")] ?? [];
  return meant.find((name) => known.includes(name)) ?? null;
}

/** A field of the right name on the wrong level. */
function whereItBelongs(key: string, path: readonly PropertyKey[], root: Schema, here: Schema): string | null {
  for (const name of keysOf(here)) {
    const below = stepInto(here, name)[0];
    if (below !== undefined && keysWithin(below).includes(key)) {
      return `It belongs one level down, in ${typeOf(below) === "array" ? "an entry of " : ""}\`${name}\`.`;
    }
  }
  // A default of an entry is not a default of the event.
  if (path.length === 0 || path[0] === "defaults") return null;
  const inList = typeof path.at(-1) === "number";
  const above = schemaAt(root, path.slice(0, inList ? -2 : -1));
  if (above === undefined || !keysOf(above).includes(key)) return null;
  return `It belongs one level up, beside \`${String(path.at(inList ? -2 : -1))}\`.`;
}
