// What to report about a field that does not exist: what was meant, where it belongs, or what to do instead.
import { kindOf } from "../../kinds/index.ts";
import { type Advice, closest, suggest } from "../../model/diagnostic.ts";
import { either, listSome } from "../../model/value.ts";
import type { LocatedScalar } from "../yaml/located.ts";
import { keysOf, keysWithin, type Schema, schemaAt, stepInto, typeOf } from "./schema-walk.ts";
import { adviceOn, adviceOnSetting, bare, entryLabels, fieldsMeantBy } from "./synonyms.ts";
import { numbersIn } from "./value-slip.ts";

/** Where a field that does not exist here does exist: by its own name, or else by those that it may stand for. */
function whereItBelongs(
  key: string,
  path: readonly PropertyKey[],
  root: Schema,
  meant: readonly string[],
): string | null {
  for (const name of [key, ...meant]) {
    const place =
      placeInProject(name, path) ??
      whereBelow(name, path, root) ??
      above(name, path, root) ??
      beside(name, path, root) ??
      inWebhook(name, root) ??
      (name === key ? inSettings(name, path, root) : null);
    if (place !== null)
      return name === key ? `It belongs ${place}.` : `It is called \`${name}\`, and belongs ${place}.`;
  }
  return null;
}

function whereBelow(name: string, path: readonly PropertyKey[], root: Schema): string | null {
  const field = holdingField(name, schemaAt(root, path) ?? root, null);
  return field === null ? null : `one level down, in ${field}`;
}

function above(name: string, path: readonly PropertyKey[], root: Schema): string | null {
  // A default of an entry is not a default of the event.
  if (path.length === 0 || path[0] === "defaults") return null;
  const { schema, field } = holder(path, root);
  return schema !== undefined && keysOf(schema).includes(name) ? `one level up, next to \`${field}\`` : null;
}

/** In another list of the same object. Everything has a name, so finding one elsewhere says nothing. */
function beside(name: string, path: readonly PropertyKey[], root: Schema): string | null {
  if (path.length === 0 || entryLabels.has(name)) return null;
  const { schema, field } = holder(path, root);
  const other = schema === undefined ? null : holdingField(name, schema, field);
  return other === null ? null : `in ${other}`;
}

function inWebhook(name: string, root: Schema): string | null {
  return root === kindOf("event").schema && keysOf(kindOf("webhook").schema).includes(name)
    ? "in a webhook, in webhooks.yaml"
    : null;
}

/** Of what the project file is for, what has a name that means nothing else. */
const settingNames = ["version", "organization", "environments", "defaultEnvironment", "defaults"];

function inSettings(name: string, path: readonly PropertyKey[], root: Schema): string | null {
  return path.length === 0 && root === kindOf("event").schema && settingNames.includes(name)
    ? "in ticketing.yaml"
    : null;
}

/** An event accepts risks only for itself, and what all events share is not a default of theirs. */
function placeInProject(name: string, path: readonly PropertyKey[]): string | null {
  if (name === "vars" && path[0] === "defaults") return "one level up, next to `defaults` in ticketing.yaml";
  return name === "event" && path[0] === "allow" ? "in an entry of `allow` in ticketing.yaml" : null;
}

/** The object that contains the one at the path, and by which field. */
function holder(path: readonly PropertyKey[], root: Schema) {
  const steps = typeof path.at(-1) === "number" ? -2 : -1;
  return { schema: schemaAt(root, path.slice(0, steps)), field: String(path.at(steps)) };
}

/** The field of an object that holds objects with a field of this name. */
function holdingField(name: string, schema: Schema, except: string | null): string | null {
  for (const field of keysOf(schema)) {
    const held = field === except ? undefined : stepInto(schema, field)[0];
    if (held === undefined || !keysWithin(held).includes(name)) continue;
    return `${typeOf(held) === "array" ? "an entry of " : ""}\`${field}\``;
  }
  return null;
}

export interface UnknownKey {
  readonly message: string;
  readonly hint: string;
  /** The field that was meant, where it is one of the same object. */
  readonly meant: string | null;
}

/** A number that a comma within brackets splits: its second half is a key to YAML. */
export interface SplitNumber {
  /** null if the first half is no number at all. */
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
  if (path.length === 1 && path[0] === "defaults" && kindOf("event").documentOnly?.includes(key)) {
    const message = `\`${key}\` belongs to the event itself, so \`defaults\` cannot have it.`;
    return { message, hint: `Remove \`${key}\` here, and set it in the event itself.`, meant: null };
  }
  if (key === "without" && path[0] === "defaults") {
    const nothing = "`defaults` inherit nothing, so there is nothing to leave out.";
    return { message: nothing, hint: "Remove it here, and write `without` in the event or template.", meant: null };
  }
  const message = `Unknown field \`${key}\`.`;
  // A field that may be meant at this level comes before one of the same name at another.
  const same = known.find((name) => bare(name) === bare(key)) ?? null;
  const others = fieldsMeantBy(key).filter((name) => known.includes(name));
  const other = same ?? others.find((name) => !present.has(name)) ?? null;
  const advice = other === null ? adviceAt(key, path, root) : null;
  if (advice !== null) return { message: `${message} ${advice.message}`, hint: advice.hint, meant: null };
  const close = other ?? closest(key, known);
  if (close !== null) return { message, hint: hintOf(close, present), meant: close };
  // Everything has a name or a title: that others have one says nothing.
  const isLabel = others.length > 0 && /^(?:name|title)$/.test(key);
  const itself = isLabel ? null : whereItBelongs(key, path, root, []);
  if (itself !== null) return { message: `\`${key}\` does not belong here.`, hint: itself, meant: null };
  const near = others[0] ?? suggest(key, known);
  if (near !== null) return { message, hint: hintOf(near, present), meant: near };
  const elsewhere = whereItBelongs(key, path, root, fieldsMeantBy(key));
  if (elsewhere !== null) return { message: `\`${key}\` does not belong here.`, hint: elsewhere, meant: null };
  const label = present.size === 1 && typeof path.at(-1) === "number" && known.find((name) => entryLabels.has(name));
  if (label) return { message, hint: `If "${key}" is its ${label}, write \`- { ${label}: ${key}, … }\`.`, meant: null };
  const isEvent = path.length === 0 && root === kindOf("event").schema;
  const inFull = isEvent && known.length > mostNamed ? " (all: `ticketing explain event`)" : "";
  const asVariable = isEvent ? `; to use it as \`\${var.${key}}\`, write \`vars: { ${key}: … }\`` : "";
  const hint = `Use one of these fields: ${listSome(known, mostNamed)}${inFull}${asVariable}; or remove this one.`;
  return { message, hint, meant: null };
}

const mostNamed = 8;

function hintOf(near: string, present: ReadonlySet<string>): string {
  return present.has(near)
    ? `This seems to mean \`${near}\`, which is already here: remove one of the two.`
    : `Did you mean \`${near}\`?`;
}

function adviceAt(key: string, path: readonly PropertyKey[], root: Schema): Advice | null {
  const [first, ...rest] = path;
  const steps = first === "defaults" ? rest : path;
  if (root !== kindOf("event").schema && first !== "defaults") return path.length === 0 ? adviceOnSetting(key) : null;
  return steps.length > 2 ? null : adviceOn(key, (steps[0] ?? "phases") === "phases" ? null : String(steps[0]));
}

function explainSplit(key: string, { half }: SplitNumber): UnknownKey {
  const meant = half === null ? [] : numbersIn(`${half.value},${key}`);
  return {
    message: "Inside brackets a comma ends the value, so it splits this number.",
    hint: meant.length === 0 ? "Write the number without a comma." : `Write ${either(meant)}, without the comma.`,
    meant: null,
  };
}
