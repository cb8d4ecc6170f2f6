// What documents share. Templates are read once, checked once at their own place, and merged below documents that extend them.
import { kindOf, templateSchema } from "../../kinds/index.ts";
import { type Diagnostic, didYouMean, errorAt, noticeOf } from "../../model/diagnostic.ts";
import { checkPart, checkSaidTwice } from "../check/check.ts";
import { findSecretsInVars } from "../check/find-secrets.ts";
import { reportSlips } from "../check/value-slip.ts";
import { baseOf, matcherOf } from "../files/globs.ts";
import { type FileSource, fileError, readText } from "../files/read-text.ts";
import { entryOf, type Located, type LocatedMap, type LocatedScalar } from "../yaml/located.ts";
import { readYaml } from "../yaml/read-yaml.ts";
import { mergeOver, ownDefaults, refuseFields } from "./merge.ts";

const kind = kindOf("event");
const schema = templateSchema(kind);

export interface Template {
  readonly file: string;
  /** null: it cannot be read, and the reason is among the problems. */
  readonly map: LocatedMap | null;
}

/** A template together with what it extends. */
interface Resolved {
  /** Names from low to high, its own last: a template comes after those that it extends. */
  readonly levels: readonly string[];
  /** What is wrong with its own `extends`. */
  readonly problems: readonly Diagnostic[];
  /** It cannot be read, or one that it extends cannot or does not exist. */
  readonly isBroken: boolean;
}

/** By name. Plain data, as all that files share. */
export type Templates = ReadonlyMap<string, Template>;

export async function loadTemplates(
  files: FileSource,
  paths: readonly string[],
  globs: readonly string[],
  problems: Diagnostic[],
): Promise<Templates> {
  const templates = new Map<string, Template>();
  for (const file of paths) {
    const text = await readText(files, file, problems);
    const map = text === null ? null : readTemplate(file, text, problems);
    const name = templateName(file, globs);
    const other = templates.get(name);
    if (other !== undefined) problems.push(duplicateTemplate(name, file, other.file));
    else templates.set(name, { file, map });
  }
  for (const one of resolveAll(templates).values()) problems.push(...one.problems);
  return templates;
}

/** The path below the part of the glob that has no stars, without extension. */
function templateName(file: string, globs: readonly string[]): string {
  const glob = globs.find((one) => matcherOf([one])(file));
  const folder = glob === undefined ? "" : baseOf(glob).folder;
  const below = folder === "" ? file : file.slice(folder.length + 1);
  return below.replace(/\.[^./]+$/, "").normalize("NFC");
}

function readTemplate(file: string, text: string, problems: Diagnostic[]): LocatedMap | null {
  const before = problems.length;
  const [document, second] = readYaml(file, text, problems);
  if (document === undefined) {
    if (problems.length === before) problems.push(fileError("empty-file", file, "is empty", emptyHint));
    return null;
  }
  if (second !== undefined) {
    const hint = "Keep one, and put the other in a separate file.";
    problems.push(
      errorAt("wrong-type", second.source, "A template file contains one template, and this is a second one.", hint),
    );
  }
  const { content } = document;
  if (content !== null && content.type !== "map") {
    const hint = "Write fields of an event, such as `venue: …`.";
    problems.push(errorAt("wrong-type", content.source, "A template with its fields is expected here.", hint));
  }
  if (content?.type !== "map") return null;
  reportSlips(document, schema, problems);
  checkSaidTwice(kind, content, problems);
  findSecretsInVars(content, problems);
  const map = refuseFields(content, kind.documentOnly ?? [], "template", problems);
  checkPart(kind, schema, map, problems);
  return map;
}

const emptyHint = "Put the fields that events share in this file, or remove the file and its name under `extends`.";

function duplicateTemplate(name: string, file: string, other: string): Diagnostic {
  return {
    ...fileError("duplicate-template", file, `is a second template with the name "${name}"`, "Rename one of them."),
    related: [{ message: "the other one", source: { file: other, line: 1, column: 1 } }],
  };
}

export interface Inherited {
  readonly map: LocatedMap;
  readonly problems: readonly Diagnostic[];
  readonly templates: readonly string[];
  /** One of the templates cannot be read or does not exist, so it is unknown what the document lacks. */
  readonly isBroken: boolean;
}

/** What a document with these `extends` inherits: the defaults, and each template with its own. */
export type Inherit = (extended: Located | undefined) => Inherited;

export function makeInherit(defaults: LocatedMap | null, templates: Templates): Inherit {
  const resolved = resolveAll(templates);
  const known = new Map<string, Inherited>();

  function build(extended: Located | undefined): Inherited {
    const problems: Diagnostic[] = [];
    let isBroken = false;
    const levels = firstAndLast(
      nameNodes(extended).flatMap((node) => {
        const found = resolved.get(writtenName(node));
        if (found === undefined) problems.push(unknownTemplate(writtenName(node), node, templates));
        if (found?.isBroken !== false) isBroken = true;
        return found?.levels ?? [];
      }),
    );
    const used = [...new Set(levels)];
    for (const name of used) problems.push(...(resolved.get(name)?.problems ?? []));
    if (isBroken) return { map: nothing, problems, templates: used, isBroken };
    let map = defaults === null ? nothing : ownDefaults(kind, defaults);
    for (const [index, name] of levels.entries()) {
      const above = templates.get(name)?.map ?? nothing;
      // The second time, what it removed is already gone, and it must not remove what was added since.
      const isFirst = levels.indexOf(name) === index;
      map = mergeOver(kind, map, isFirst ? above : withoutEmptyLists(above), isFirst ? problems : []);
    }
    return { map, problems, templates: used, isBroken };
  }

  return (extended) => {
    // A problem with a name has the place of this document.
    const names = nameNodes(extended).map(writtenName);
    if (!names.every((name) => templates.has(name))) return build(extended);
    const key = JSON.stringify(names);
    const found = known.get(key) ?? build(extended);
    known.set(key, found);
    return found;
  };
}

const nothing: LocatedMap = { type: "map", source: { file: "", line: 1, column: 1 }, entries: new Map() };

function resolveAll(templates: Templates): ReadonlyMap<string, Resolved> {
  const resolved = new Map<string, Resolved>();
  const open: string[] = [];

  function resolve(name: string, { map }: Template): Resolved {
    const known = resolved.get(name);
    if (known !== undefined) return known;
    const problems: Diagnostic[] = [];
    let isBroken = map === null;
    open.push(name);
    const below = nameNodes(entryOf(map, "extends")).flatMap((node) => {
      const extended = writtenName(node);
      const template = templates.get(extended);
      if (template === undefined) {
        problems.push(unknownTemplate(extended, node, templates));
        isBroken = true;
      } else if (!open.includes(extended)) {
        const found = resolve(extended, template);
        if (found.isBroken) isBroken = true;
        return found.levels;
      } else problems.push(circle([...open.slice(open.indexOf(extended)), extended], node));
      return [];
    });
    open.pop();
    const one = { levels: firstAndLast([...below, name]), problems, isBroken };
    resolved.set(name, one);
    return one;
  }

  for (const [name, template] of templates) resolve(name, template);
  return resolved;
}

/** Only the first and last time a template is reached matter: the first decides the order of entries, the last the values. */
function firstAndLast(names: readonly string[]): readonly string[] {
  if (new Set(names).size === names.length) return names;
  const [first, last] = [new Map<string, number>(), new Map<string, number>()];
  for (const [index, name] of names.entries()) {
    if (!first.has(name)) first.set(name, index);
    last.set(name, index);
  }
  return names.filter((name, index) => first.get(name) === index || last.get(name) === index);
}

function withoutEmptyLists(map: LocatedMap): LocatedMap {
  const entries = [...map.entries].filter(([field, { value }]) => {
    return kind.fields[field]?.role !== "children" || value.type !== "list" || value.items.length > 0;
  });
  return { ...map, entries: new Map(entries) };
}

function writtenName({ value }: LocatedScalar): string {
  return String(value).normalize("NFC").trim();
}

/** What is not text is reported separately. */
function nameNodes(node: Located | undefined): readonly LocatedScalar[] {
  return (node?.type === "list" ? node.items : [node]).filter(
    (item) => item?.type === "scalar" && typeof item.value === "string" && item.value !== "",
  ) as readonly LocatedScalar[];
}

function unknownTemplate(name: string, { source }: LocatedScalar, templates: Templates): Diagnostic {
  const names = [...templates.keys()];
  const known =
    names.length === 0
      ? `Create it (by default, in templates/${name}.yaml), or correct the name.`
      : `Known templates: ${names.slice(0, 20).join(", ")}${names.length > 20 ? ", …" : ""}.`;
  return errorAt("unknown-template", source, `There is no template "${name}".`, didYouMean(name, names, known));
}

function circle(names: readonly string[], { source }: LocatedScalar): Diagnostic {
  const message = `Templates extend each other in a circle: ${names.join(" → ")}.`;
  return errorAt("template-circle", source, message, "Remove one of the names from `extends`.");
}

export function unusedTemplates(templates: Templates, usedByEvents: Iterable<string>): readonly Diagnostic[] {
  const used = new Set(usedByEvents);
  for (const { map } of templates.values()) {
    for (const node of nameNodes(entryOf(map, "extends"))) used.add(writtenName(node));
  }
  return [...templates].flatMap(([name, { file }]): Diagnostic[] => {
    if (used.has(name)) return [];
    const message = `No event extends the template "${name}".`;
    const unused = noticeOf("unused-template", message, "Remove the file if it is no longer needed.");
    return [{ ...unused, source: { file, line: 1, column: 1 } }];
  });
}
