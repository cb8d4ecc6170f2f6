import type { Source } from "../model/source.ts";
import { type Located, plain } from "./located.ts";

/** Notes where a field's value stands and how it is written; entries of a list of texts as `galleryUrls/0`, parts of a map as `venue/name`. */
export function rememberPlaces(
  field: string,
  value: Located,
  places: Record<string, Source>,
  written: Record<string, unknown>,
): void {
  places[field] = value.source;
  switch (value.type) {
    case "scalar":
      written[field] = value.value;
      return;
    case "list":
      if (!value.items.every((item) => item.type === "scalar")) return;
      written[field] = plain(value);
      for (const [index, item] of value.items.entries()) places[`${field}/${index}`] = item.source;
      return;
    case "map":
      written[field] = plain(value);
      for (const [key, entry] of value.entries) places[`${field}/${key}`] = entry.value.source;
      return;
  }
}
