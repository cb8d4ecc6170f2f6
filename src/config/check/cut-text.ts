// `name: Jazz Night #3` is "Jazz Night" to YAML, and nothing on the screen says so.

import { uuidPattern } from "../../model/address.ts";
import { type Diagnostic, errorAt } from "../../model/diagnostic.ts";
import type { Located, LocatedScalar, YamlDocument } from "../yaml/located.ts";
import { type Schema, stepInto, typeOf, unwrap } from "./schema-walk.ts";

/** Reports the texts of a document that a comment cut short. Where anything but free text is expected, the comment is one. */
export function reportCutTexts({ content, hasCuts }: YamlDocument, root: Schema, problems: Diagnostic[]): void {
  if (!hasCuts || content === null) return;
  // An alias shows one value at several places.
  const seen = new Set<Located>();
  function visit(node: Located, schemas: readonly Schema[]): void {
    if (seen.has(node)) return;
    seen.add(node);
    if (node.type === "scalar") {
      if (node.cut !== undefined && schemas.some((schema) => isCutText(node, schema)))
        problems.push(cutShort(node, node.cut));
    } else if (node.type === "list") {
      for (const item of node.items) visit(item, below(schemas, 0));
    } else {
      for (const [key, { value }] of node.entries) visit(value, below(schemas, key));
    }
  }
  // A list of objects has no schema of its own.
  for (const object of content.type === "list" ? content.items : [content]) visit(object, [root]);
}

export function isCutText(node: LocatedScalar, schema: Schema | undefined): boolean {
  return node.cut !== undefined && schema !== undefined && isText(schema) && mayGoOn(node);
}

function below(schemas: readonly Schema[], step: PropertyKey): readonly Schema[] {
  return schemas.flatMap((schema) => stepInto(schema, step));
}

function isText(schema: Schema): boolean {
  const bare = unwrap(schema) as Schema & { readonly options?: readonly Schema[] };
  return typeOf(bare) === "string" || (typeOf(bare) === "union" && (bare.options ?? []).some(isText));
}

/** A date-time, a URL and an id are not followed by more words. */
function mayGoOn({ value }: LocatedScalar): boolean {
  if (value === null) return true;
  if (typeof value !== "string") return false;
  return !/^(?:\d{4}-\d\d-\d\d[T ][\d:.+Z-]*|https?:\S*)$/i.test(value) && !uuidPattern.test(value);
}

function cutShort({ value }: LocatedScalar, { comment, source }: NonNullable<LocatedScalar["cut"]>): Diagnostic {
  const whole = value === null ? comment : `${String(value)} ${comment}`;
  const quoted = /["\\]/.test(whole) ? `'${whole.replaceAll("'", "''")}'` : `"${whole}"`;
  const read = value === null ? "nothing" : `"${String(value)}"`;
  const hint = `Write ${quoted} in quotes; if it is a comment, put a space after the #.`;
  return errorAt("yaml-trap", source, `\`#\` starts a comment, so the text is read as ${read}.`, hint);
}
