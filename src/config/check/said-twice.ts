// A field that is looked up and the field that it becomes say the same in two ways: an object may use only one of them.
import type { Kind } from "../../kinds/define.ts";
import { fieldEntries, perKind } from "../../kinds/index.ts";
import { type Diagnostic, errorAt } from "../../model/diagnostic.ts";
import type { Located } from "../yaml/located.ts";

type Pair = readonly [string, string];

/** `venue` and `venueId`. */
const pairsOf = perKind((kind): readonly Pair[] =>
  fieldEntries(kind).flatMap(([field, policy]) => (policy.role === "lookup" ? [[field, policy.sentAs] as const] : [])),
);

/** The field that says the same as this one; undefined if none does. */
export function otherWayOf(kind: Kind, field: string): string | undefined {
  return pairsOf(kind)
    .find((pair) => pair.includes(field))
    ?.find((other) => other !== field);
}

/** Both in one object may not agree. Reported at the second. */
export function checkSaidTwice(kind: Kind, node: Located | undefined, problems: Diagnostic[]): void {
  if (node?.type !== "map") return;
  for (const pair of pairsOf(kind)) {
    if (!pair.every((field) => node.entries.has(field))) continue;
    const [first, second] = [...node.entries].filter(([field]) => pair.includes(field));
    if (first === undefined || second === undefined) continue;
    const message = `The venue is given twice: by \`${first[0]}\` and by \`${second[0]}\`.`;
    const hint = "Keep `venueId`, or keep `venue`, which is looked up by name; remove the other line.";
    problems.push({
      ...errorAt("venue-twice", second[1].key, message, hint),
      related: [{ message: `\`${first[0]}\``, source: first[1].key }],
    });
  }
}
