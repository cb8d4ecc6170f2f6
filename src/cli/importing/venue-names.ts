import { canonical } from "../../kinds/canonical.ts";
import { idKey } from "../../model/id.ts";
import { isObject } from "../../model/is-object.ts";
import type { KeptAnswer } from "../../snapshot/reader.ts";

/** Venues by id, where records of events show more of them than the id: "Palace, Baguio". */
export function venueNamesIn(answers: Readonly<Record<string, KeptAnswer>>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { data } of Object.values(answers)) {
    for (const record of Array.isArray(data) ? data : [data]) {
      if (!isObject(record) || !isObject(record.venue)) continue;
      const { id, name, city } = record.venue;
      const venueId = canonical("id", id ?? record.venueId);
      if (typeof venueId !== "string" || typeof name !== "string" || name.trim() === "") continue;
      names.set(
        idKey(venueId),
        typeof city === "string" && city.trim() !== "" ? `${name.trim()}, ${city.trim()}` : name.trim(),
      );
    }
  }
  return names;
}
