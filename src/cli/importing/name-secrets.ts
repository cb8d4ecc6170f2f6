import { secretNameFor } from "../../import/secret-name.ts";
import type { Description } from "../../import/written.ts";
import type { Settings } from "../../model/settings.ts";
import type { Wish } from "../../model/wish.ts";

/** A command that stores secrets must be told a name for each; `wishes` that have one keep it. */
export function nameSecrets(
  described: readonly Description[],
  wishes: readonly Wish[],
  { secrets }: Settings,
): readonly Description[] {
  if (secrets?.sink !== "command") return described;
  const named = wishes.filter(({ own }) => own.secretName !== undefined);
  const taken = new Set(named.map(({ own }) => own.secretName));
  return described.map((description) => {
    const url = urlOf(description);
    if (url === null || named.some(({ fields }) => fields.url === url)) return description;
    const value = secretNameFor(url, (name) => taken.has(name));
    taken.add(value);
    const ignored = description.entries.filter(({ field }) => field === "ignore");
    const others = description.entries.filter(({ field }) => field !== "ignore");
    return { ...description, entries: [...others, { field: "secretName", value }, ...ignored] };
  });
}

/** The addresses of those that were given a name. */
export function newlyNamed(described: readonly Description[]): readonly string[] {
  return described
    .filter(({ entries }) => entries.some(({ field }) => field === "secretName"))
    .map((description) => urlOf(description) ?? "");
}

function urlOf({ entries }: Description): string | null {
  const url = entries.find(({ field }) => field === "url")?.value;
  return typeof url === "string" ? url : null;
}
