// Every field of the files that people write, from the same JSON Schemas that editors read.

import type { Kind } from "../../kinds/define.ts";
import { childKinds, kindOf } from "../../kinds/index.ts";
import { type DocumentName, eventJsonSchema, type JsonSchema } from "../../kinds/json-schema.ts";
import { isObject } from "../../model/value.ts";

export interface DocumentedField {
  /** Below its document: `tickets.price`. */
  readonly path: string;
  readonly title: string;
  /** In words: "whole number, 1 or more". */
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
  readonly values: readonly { readonly value: string; readonly meaning: string }[];
  /** As it is written in YAML. */
  readonly example: string | null;
}

/** The fields of one level: those of a document, or of a part of it. */
export interface FieldGroup {
  /** "" for the document itself. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly fields: readonly DocumentedField[];
  /** It also has the fields of an event, which are described there, except these; null: only its own. */
  readonly likeEventExcept: readonly string[] | null;
}

/** The JSON Schema of a file of the project: only `config` knows that of ticketing.yaml. */
export type SchemaOf = (document: DocumentName) => JsonSchema;

export function fieldGroups(document: DocumentName, schemaOf: SchemaOf): readonly FieldGroup[] {
  const schema = schemaOf(document);
  const walk = { event: eventJsonSchema(), kindAt: kindsIn(document) };
  return groupsIn(document === "webhooks" ? (schema.items as JsonSchema) : schema, "", walk);
}

interface SchemaWalk {
  readonly event: JsonSchema;
  /** The kind whose objects a part of the document describes. */
  readonly kindAt: ReadonlyMap<string, Kind>;
}

function kindsIn(document: DocumentName): ReadonlyMap<string, Kind> {
  if (document === "webhooks") return new Map([["", kindOf("webhook")]]);
  if (document !== "event") return new Map();
  return new Map([["", kindOf("event")], ...childKinds("event").map((kind) => [kind.plural, kind] as const)]);
}

/** A part of a document with more of an event's fields than this is described only by what differs. */
const mostRepeated = 10;

function groupsIn(schema: JsonSchema, path: string, walk: SchemaWalk): readonly FieldGroup[] {
  const known = propertiesOf(walk.event);
  const all = Object.entries(propertiesOf(schema));
  const differing = all.filter(([name, node]) => JSON.stringify(node) !== JSON.stringify(known[name]));
  const isLikeEvent = path !== "" && all.length - differing.length > mostRepeated;
  const own = isLikeEvent ? differing : all;
  const names = new Set(all.map(([name]) => name));
  const likeEventExcept = isLikeEvent ? Object.keys(known).filter((name) => !names.has(name)) : null;
  const required = requiredIn(schema, walk.kindAt.get(path));
  const fields = own.map(([name, node]) => documentField(join(path, name), node, required.has(name)));
  const { title, description } = schema;
  const group = { path, title: textIn(title), description: textIn(description), fields, likeEventExcept };
  const below = own.flatMap(([name, node]) => {
    const part = schemaPart(node);
    const { title, description } = node;
    return part === null ? [] : groupsIn({ title, description, ...part }, join(path, name), walk);
  });
  return [group, ...below];
}

/** The part that has fields: the map itself, an entry of the list, or a value of the map. */
function schemaPart(node: JsonSchema): JsonSchema | null {
  if (isObject(node.properties)) return node;
  for (const inner of [node.items, node.additionalProperties, ...branchesOf(node)]) {
    const part = isObject(inner) ? schemaPart(inner) : null;
    if (part !== null) return part;
  }
  return null;
}

function documentField(path: string, node: JsonSchema, required: boolean): DocumentedField {
  const [example] = Array.isArray(node.examples) ? node.examples : [];
  return {
    path,
    title: textIn(node.title),
    type: typeWords(node),
    required,
    description: textIn(node.description),
    values: choicesOf(node),
    example: example === undefined ? null : inYaml(example),
  };
}

/** Which fields must be there. With an `id` they need not, and they may come from a template or the defaults. */
function requiredIn(schema: JsonSchema, kind: Kind | undefined): ReadonlySet<string> {
  const asked = Object.entries(kind?.fields ?? {}).filter(([, policy]) => policy.role === "value" && policy.required);
  return new Set([...((schema.required ?? []) as readonly string[]), ...asked.map(([name]) => name)]);
}

const placeholder = "\\$\\{";

/** Without the one that allows a variable. */
function branchesOf(node: JsonSchema): readonly JsonSchema[] {
  const branches = [node.oneOf, node.anyOf].flatMap((list) => (Array.isArray(list) ? (list as JsonSchema[]) : []));
  return branches.filter((branch) => branch.pattern !== placeholder);
}

function typeWords(node: JsonSchema): string {
  const branches = branchesOf(node);
  if (branches.length > 0) return [...new Set(branches.map(typeWords))].join(" or ");
  if (node.const !== undefined) return inYaml(node.const);
  if (Array.isArray(node.enum)) return node.enum.includes(null) ? "choice or null" : "choice";
  const types = Array.isArray(node.type) ? (node.type as string[]) : [textIn(node.type)];
  return types.map((type) => plainType(type, node)).join(" or ");
}

function plainType(type: string, node: JsonSchema): string {
  switch (type) {
    case "string":
      return textIn(node.pattern).includes("{8}-") ? "id" : "text";
    case "integer":
      return `whole number${rangeOf(node)}`;
    case "boolean":
      return "true or false";
    case "array":
      return `list of ${isObject(node.items) ? plural(typeWords(node.items)) : "values"}`;
    case "object":
      return isObject(node.properties) ? "map" : `map (name: ${namedWords(node.additionalProperties)})`;
    default:
      return type;
  }
}

function namedWords(node: unknown): string {
  return isObject(node) && branchesOf(node).length < 2 ? typeWords(node) : "value";
}

function rangeOf({ minimum, maximum }: JsonSchema): string {
  const most = typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER ? maximum : null;
  if (typeof minimum !== "number") return most === null ? "" : ` (at most ${most})`;
  return most === null ? ` (${minimum} or more)` : ` (${minimum} to ${most})`;
}

function plural(words: string): string {
  return words
    .split(" or ")
    .map((word) => (word === "true" ? word : word.replace(/^(text|id|choice|map|whole number|number)\b/, "$1s")))
    .join(" or ");
}

/** A longer list of words, such as all names of fields, is no list of choices. */
const mostValues = 15;

function choicesOf(node: JsonSchema): DocumentedField["values"] {
  const [choice] = [node, ...branchesOf(node), node.items]
    .filter(isObject)
    .flatMap((each) => [each, ...branchesOf(each)])
    .filter((each) => Array.isArray(each.enum));
  if (choice === undefined) return [];
  const meanings = Array.isArray(choice.enumDescriptions) ? choice.enumDescriptions : [];
  if ((choice.enum as unknown[]).length > mostValues) return [];
  return (choice.enum as unknown[]).flatMap((value, at) =>
    value === null ? [] : [{ value: String(value), meaning: textIn(meanings[at]) }],
  );
}

function inYaml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inYaml).join(", ")}]`;
  if (isObject(value)) {
    const pairs = Object.entries(value).map(([name, each]) => `${inYaml(name)}: ${inYaml(each)}`);
    return `{ ${pairs.join(", ")} }`;
  }
  return typeof value === "string" && !/^[A-Za-z0-9+./-][\w ./:+*@-]*$/.test(value)
    ? JSON.stringify(value)
    : String(value);
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return isObject(schema.properties) ? (schema.properties as Record<string, JsonSchema>) : {};
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}
