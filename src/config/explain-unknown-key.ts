import { event } from "../kinds/event.ts";
import { closest, suggest } from "../model/suggest.ts";
import type { LocatedScalar } from "./located.ts";
import { adviceOn, adviceOnSetting, bare, fieldsMeantBy } from "./other-names.ts";
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
  const message = `Unknown field \`${key}\`.`;
  // What is meant at this level comes before what has the same name at another one.
  const same = known.find((name) => bare(name) === bare(key)) ?? null;
  const others = fieldsMeantBy(key).filter((name) => known.includes(name));
  const other = same ?? others.find((name) => !present.has(name)) ?? null;
  const advice = other === null ? adviceAt(key, path, root) : null;
  if (advice !== null) return { message: `${message} ${advice.message}`, hint: advice.hint, meant: null };
  const close = other ?? closest(key, known);
  if (close !== null) return { message, hint: hintOf(close, present), meant: close };
  // Everything has a name or a title: that it has one elsewhere says nothing.
  const isLabel = others.length > 0 && /^(?:name|title)$/.test(key);
  const itself = isLabel ? null : whereItBelongs(key, path, root, []);
  if (itself !== null) return { message: `\`${key}\` does not belong here.`, hint: itself, meant: null };
  const near = others[0] ?? suggest(key, known);
  if (near !== null) return { message, hint: hintOf(near, present), meant: near };
  const elsewhere = whereItBelongs(key, path, root, fieldsMeantBy(key));
  if (elsewhere !== null) return { message: `\`${key}\` does not belong here.`, hint: elsewhere, meant: null };
  return { message, hint: `Known here: ${known.join(", ")}.`, meant: null };
}

function hintOf(near: string, present: ReadonlySet<string>): string {
  return present.has(near)
    ? `\`${near}\` says this, and is here already: remove one of the two.`
    : `Did you mean \`${near}\`?`;
}

function adviceAt(key: string, path: readonly PropertyKey[], root: Schema) {
  const [first, ...rest] = path;
  const steps = first === "defaults" ? rest : path;
  if (root !== event.schema && first !== "defaults") return path.length === 0 ? adviceOnSetting(key) : null;
  return steps.length > 2 ? null : adviceOn(key, steps.length === 0 ? null : String(steps[0]));
}

function explainSplit(key: string, { half }: SplitNumber): UnknownKey {
  return {
    message: "Within brackets a comma ends a value, and here it splits a number.",
    hint: half === null ? "Write the number without a comma." : `Write ${String(half.value)}${key}, without the comma.`,
    meant: null,
  };
}
