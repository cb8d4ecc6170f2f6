// A field that is looked up and the field that it becomes say one thing in two ways: an object says it in one of them.
import type { Kind } from "../../kinds/define.ts";
import type { KindName } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Located, LocatedMap } from "../yaml/located.ts";

const waysOfKind = new Map<KindName, ReadonlyMap<string, string>>();

/** The field that says the same as this one: `venueId` of `venue`, and the other way round; undefined where none does. */
export function otherWayOf(kind: Kind, field: string): string | undefined {
  return waysOf(kind).get(field);
}

function waysOf(kind: Kind): ReadonlyMap<string, string> {
  let ways = waysOfKind.get(kind.name);
  if (ways === undefined) {
    const both = Object.entries(kind.fields).flatMap(([field, policy]): [string, string][] =>
      policy.role === "lookup"
        ? [
            [field, policy.sentAs],
            [policy.sentAs, field],
          ]
        : [],
    );
    ways = new Map(both);
    waysOfKind.set(kind.name, ways);
  }
  return ways;
}

/** Both ways in one object: they may not agree, and nobody could tell which of them counts. Told at the second. */
export function checkSaidTwice(kind: Kind, node: Located | undefined, problems: Diagnostic[]): void {
  if (node?.type !== "map") return;
  for (const [field, other] of waysOf(kind)) {
    if (comesFirst(node, field, other)) problems.push(venueTwice(node, field, other));
  }
}

function comesFirst({ entries }: LocatedMap, field: string, other: string): boolean {
  if (!entries.has(field) || !entries.has(other)) return false;
  for (const key of entries.keys()) if (key === field || key === other) return key === field;
  return false;
}

function venueTwice({ entries, source }: LocatedMap, first: string, second: string): Diagnostic {
  const related = { message: `\`${first}\``, source: entries.get(first)?.key ?? source };
  return {
    code: "venue-twice",
    severity: "error",
    message: `The venue is given twice: by \`${first}\` and by \`${second}\`. It is not known which of them counts.`,
    hint: "Keep `venueId`, or keep `venue`, which is looked up by its name; remove the other line.",
    source: entries.get(second)?.key ?? source,
    related: [related],
  };
}
