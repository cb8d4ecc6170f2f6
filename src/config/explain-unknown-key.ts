import { suggest } from "../model/suggest.ts";
import type { LocatedScalar } from "./located.ts";
import { fieldsMeantBy } from "./other-names.ts";
import { keysOf, type Schema, schemaAt } from "./schema-walk.ts";
import { whereItBelongs } from "./where-it-belongs.ts";

export interface UnknownKey {
  readonly message: string;
  readonly hint: string;
  /** The field that was meant, where it is one of the same object. */
  readonly meant: string | null;
}

/** A number that a comma within brackets splits: its second half is a key to YAML. */
export interface SplitNumber {
  /** null where the first half is no number either: `₱1,500`. */
  readonly half: LocatedScalar | null;
}

/** `present` are the keys that the object has. */
export function explainUnknownKey(
  key: string,
  path: readonly PropertyKey[],
  root: Schema,
  present: ReadonlySet<string>,
  split: SplitNumber | null,
): UnknownKey {
  const here = schemaAt(root, path) ?? root;
  const known = keysOf(here);
  if (split !== null) return explainSplit(key, split);
  const message = `\`${key}\` is not a field that is known here.`;
  const other = otherNameOf(key, known);
  if (other !== null && !present.has(other)) return { message, hint: `Did you mean \`${other}\`?`, meant: other };
  const elsewhere = whereItBelongs(key, path, root, other === null ? fieldsMeantBy(key) : []);
  if (elsewhere !== null) return { message: `\`${key}\` does not belong here.`, hint: elsewhere, meant: null };
  const near = other ?? suggest(key, known);
  return {
    message,
    hint: near === null ? `Known here: ${known.join(", ")}.` : `Did you mean \`${near}\`?`,
    meant: near,
  };
}

function explainSplit(key: string, { half }: SplitNumber): UnknownKey {
  return {
    message: "Within brackets a comma ends a value, and here it splits a number.",
    hint: half === null ? "Write the number without a comma." : `Write ${String(half.value)}${key}, without the comma.`,
    meant: null,
  };
}

function otherNameOf(key: string, known: readonly string[]): string | null {
  return fieldsMeantBy(key).find((name) => known.includes(name)) ?? null;
}
