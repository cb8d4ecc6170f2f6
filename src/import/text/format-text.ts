// A file in the layout that all files have: fields in the order of their kind, one way of indenting, quoting and spacing.

import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { projectSchema } from "../../config/project-schema.ts";
import {
  explainUnknownKey,
  findSecrets,
  keysOf,
  type Located,
  makePlaces,
  parseYaml,
  type Schema,
  stepInto,
  typeOf,
} from "../../config/yaml.ts";
import { kindOf, templateSchema } from "../../kinds/index.ts";
import { type Diagnostic, errorAt, type Fallible, failed, hasErrors, type Source } from "../../model/diagnostic.ts";
import { printDocument } from "./print-layout.ts";
import {
  entryWidth,
  findMarks,
  type Layout,
  type LayoutCollection,
  type LayoutEntry,
  type Marks,
  readLayout,
  shortWidth,
} from "./read-layout.ts";
import { isWholeVariable } from "./scalar-text.ts";

// Whether a text says the same as another, to everything that reads the project.

/** Whether values and comments of a new text are those that were there before. */
export function meansTheSame(text: string, before: { documents: readonly (Located | null)[]; marks: Marks }): boolean {
  const problems: Diagnostic[] = [];
  const after = parseYaml("", text, problems).documents.map(({ content }) => content);
  if (hasErrors(problems) || after.length !== before.documents.length) return false;
  return (
    sameComments(findMarks(text), before.marks) &&
    after.every((content, index) => readsAlike(content, before.documents[index] ?? null))
  );
}

function sameComments(one: Marks, other: Marks): boolean {
  const sorted = ({ comments }: Marks) => comments.map(({ text }) => text).sort();
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

/** As every reader of the project sees them: quotes count if the environment decides what a value is. */
function readsAlike(one: Located | null, other: Located | null): boolean {
  if (one === null || other === null) return one === other;
  if (one.type === "scalar" && other.type === "scalar") {
    if (isWholeVariable(one.value) && one.plain !== other.plain) return false;
    return one.value === other.value && one.cut?.comment === other.cut?.comment;
  }
  if (one.type === "list" && other.type === "list") {
    return (
      one.items.length === other.items.length &&
      one.items.every((item, index) => readsAlike(item, other.items[index] ?? null))
    );
  }
  if (one.type !== "map" || other.type !== "map" || one.entries.size !== other.entries.size) return false;
  return [...one.entries].every(([key, { value }]) => readsAlike(value, other.entries.get(key)?.value ?? null));
}

export type FileRole = "project" | "event" | "template" | "webhooks";

const event = kindOf("event");
const schemas: Readonly<Record<FileRole, Schema>> = {
  project: projectSchema,
  event: event.schema,
  template: templateSchema(event),
  webhooks: z.array(kindOf("webhook").schema),
};

/** A text that we made, whose values are already right; only its layout is left to do. */
export function laidOut(text: string, role: FileRole): string {
  const formatted = formatText("", text, role);
  return formatted.ok ? formatted.text : text;
}

/** Fails, and the file is left alone, if it cannot be read or something in it has no place. `hasSecret`: do not show it. */
export function formatText(
  file: string,
  text: string,
  role: FileRole,
): Fallible<{ readonly text: string; readonly hasSecret: boolean }> {
  const schema = schemas[role];
  const problems: Diagnostic[] = [];
  const unix = text.replaceAll("\r\n", "\n");
  const { trees, documents } = parseYaml(file, unix, problems);
  if (hasErrors(problems)) return failed(...problems);
  const secrets: Diagnostic[] = [];
  const places = documents.flatMap(({ content }) =>
    content === null ? [] : [...findSecrets(content, secrets, role === "project" ? "settings" : "document")],
  );
  const before = { documents: documents.map(({ content }) => content), marks: findMarks(unix) };
  // A reader must meet an anchor before its alias: otherwise the order of fields stays.
  for (const order of ["canonical", "kept"] as const) {
    const unknown: Diagnostic[] = [];
    const printed = print({ trees, text: unix, marks: before.marks, schema, file, order, unknown });
    const other = unknown.filter(({ source }) => !places.some((place) => isDeepStrictEqual(place, source)));
    if (unknown.length > 0) return failed(...secrets, ...other);
    if (typeof printed === "number") {
      const [word = ""] = /^[^\s,\]}]+/.exec(unix.slice(printed)) ?? [];
      const why = `\`${word}\` has no place in these files (YAML tags and directives are not supported)`;
      const fix = "Remove it; quote a value that should be text but looks like a number or a date.";
      return failed(...secrets, notFormatted(makePlaces(file, unix)(printed), why, fix));
    }
    if (printed === text || meansTheSame(printed, before))
      return { ok: true, text: printed, hasSecret: secrets.length > 0 };
  }
  return failed(
    ...secrets,
    notFormatted({ file, line: 1, column: 1 }, "formatting would change its values or comments"),
  );
}

interface Printing {
  readonly trees: ReturnType<typeof parseYaml>["trees"];
  readonly text: string;
  readonly marks: Marks;
  readonly schema: Schema;
  readonly file: string;
  readonly order: "canonical" | "kept";
  readonly unknown: Diagnostic[];
}

function print({ trees, text, marks, schema, file, order, unknown }: Printing): string | number {
  const directive = text.search(/^%(?:YAML|TAG)\b/m);
  if (directive !== -1) return directive;
  const parts: string[] = [];
  let from = 0;
  for (const [index, tree] of trees.entries()) {
    const to = index === trees.length - 1 ? text.length : tree.range[2];
    const layout = readLayout(tree, text, marks, { from, to });
    if (typeof layout === "number") return layout;
    if (layout.root !== null)
      arrange(layout.root, { path: [], schema, root: schema, place: makePlaces(file, text), order, unknown });
    const part = printDocument(layout);
    if (part !== "") parts.push(part);
    from = to;
  }
  return parts.join("---\n");
}

interface Arranging {
  readonly path: readonly PropertyKey[];
  readonly schema: Schema | undefined;
  readonly root: Schema;
  readonly place: ReturnType<typeof makePlaces>;
  readonly order: "canonical" | "kept";
  readonly unknown: Diagnostic[];
}

/** Fields in the order of the schema, and how much room each value may use. Fields unknown to the schema keep their place. */
function arrange(layout: Layout, arranging: Arranging): void {
  if (layout.type !== "map" && layout.type !== "list") return;
  const { path, schema, order } = arranging;
  layout.width = widthAt(path);
  if (layout.type === "map" && schema !== undefined) sortFields(layout, schema, arranging);
  for (const [index, entry] of layout.entries.entries()) {
    const name = entry.key === null ? index : String(entry.key.value);
    const below = schema === undefined ? undefined : stepInto(schema, name)[0];
    // A blank line separates the lists of an event from its own fields.
    if (path.length === 0 && below !== undefined && isListOfObjects(below)) setApart(entry);
    arrange(entry.value, { ...arranging, path: [...path, name], schema: below, order });
    lift(entry);
  }
}

function setApart(entry: LayoutEntry): void {
  const [first, ...rest] = entry.before;
  if (first === undefined) entry.isApart = true;
  else entry.before.splice(0, entry.before.length, { ...first, isApart: true }, ...rest);
}

/** Comments without a place next to what they are about go above it: a line has one, none is between dash and field. */
function lift({ key, value, before, behind }: LayoutEntry): void {
  before.push(...behind.splice(0, behind.length - 1).map((text) => ({ text, isApart: false })));
  if (key !== null || (value.type !== "map" && value.type !== "list") || value.anchor !== "") return;
  const [first] = value.entries;
  if (first === undefined) return;
  before.push(...first.before.splice(0));
  first.isApart = false;
}

function sortFields(map: LayoutCollection, schema: Schema, { path, root, place, order, unknown }: Arranging): void {
  const known = keysOf(schema);
  if (known.length === 0) return;
  const names = new Set(map.entries.map(({ key }) => String(key?.value)));
  for (const { key, start } of map.entries) {
    const name = String(key?.value);
    if (name === "<<" || known.includes(name)) continue;
    const { message, hint } = explainUnknownKey(name, path, root, names, null);
    unknown.push(errorAt("unknown-key", place(start), message, hint));
  }
  const rankOf = (name: string) => known.indexOf(name);
  if (order === "canonical") {
    map.entries = [...map.entries].sort(
      (one, other) => rankOf(String(one.key?.value)) - rankOf(String(other.key?.value)),
    );
  }
}

function isListOfObjects(schema: Schema): boolean {
  return typeOf(schema) === "array" && stepInto(schema, 0).some((item) => typeOf(item) === "object");
}

/** The columns that a value may take on the line of its key. The document, `series`, `defaults` and environments have a line for each field. */
function widthAt(path: readonly PropertyKey[]): number {
  const [first, second] = path;
  if (path.length === 0) return 0;
  if (path.length <= 2 && first === "environments") return 0;
  if (path.length === 1 && (first === "series" || first === "defaults")) return 0;
  if (first === "series" && second === "dates")
    return path.length === 2 ? 0 : path.length === 3 ? entryWidth : shortWidth;
  return shortWidth;
}

function notFormatted(place: Source, why: string, hint = "Format it by hand."): Diagnostic {
  return errorAt("not-formatted", place, `${place.file} was left as it is: ${why}.`, hint);
}
