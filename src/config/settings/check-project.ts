// Whether the project file is what its schema allows. The schema is loaded here alone, if there is such a file.
import { kindOf } from "../../kinds/index.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { checkValue, type FieldNames } from "../check/check.ts";
import { findSecrets } from "../check/find-secrets.ts";
import { type IssueMessage, schemaAt } from "../check/schema-walk.ts";
import { entryOf, type Located, type LocatedEntry, type LocatedMap } from "../yaml/located.ts";

export interface CheckedProject {
  readonly bad: ReadonlySet<Located>;
  /** `defaults` without what does not fit. */
  readonly defaults: LocatedMap | null;
}

/** A value with a variable is not checked before it is filled in. */
export async function checkProject(document: LocatedMap, problems: Diagnostic[]): Promise<CheckedProject> {
  const reported = findSecrets(document, problems);
  const found: Diagnostic[] = [];
  const { projectSchema: schema } = await import("../project-schema.ts");
  const options = { schema, spares: holdsVariable, describe: describeSetting, rephrase: notEntries };
  const { bad } = checkValue(document, options, found);
  problems.push(...found.filter(({ source }) => source === undefined || !reported.has(source)));
  const node = entryOf(document, "defaults");
  const isKnown = (path: readonly string[]) => schemaAt(schema, ["defaults", ...path]) !== undefined;
  return { bad, defaults: node?.type === "map" ? withoutBad(node, bad, isKnown) : null };
}

function holdsVariable([first]: readonly PropertyKey[], node: Located): boolean {
  return first === "defaults" && node.type === "scalar" && node.marks !== undefined;
}

const event = kindOf("event");

/** What does not fit in `defaults` is the same mistake there as in an event. */
function describeSetting([first, field, inner]: readonly PropertyKey[]): FieldNames {
  const policy = first === "defaults" ? event.fields[String(field)] : undefined;
  const own = policy?.role === "children" ? kindOf(policy.kind).fields[String(inner)] : policy;
  return { mistake: own?.role === "value" ? own.mistake : undefined, owner: null };
}

/** The likeliest mistake in `defaults`: a list of entries, as in an event. */
function notEntries([first, field, ...rest]: readonly PropertyKey[], node: Located): IssueMessage | null {
  if (first !== "defaults" || rest.length > 0 || node.type !== "list") return null;
  if (event.fields[String(field)]?.role !== "children") return null;
  return {
    code: "wrong-type",
    message: `\`${String(field)}\` in \`defaults\` must hold the defaults of each entry, not a list of entries.`,
    hint: "Write its fields without a dash.",
  };
}

/** The same values without those that do not fit, so that each is reported once and not at every event. */
function withoutBad(
  map: LocatedMap,
  bad: ReadonlySet<Located>,
  isKnown: (path: readonly string[]) => boolean,
  path: readonly string[] = [],
): LocatedMap {
  const entries = new Map<string, LocatedEntry>();
  for (const [field, { key, value }] of map.entries) {
    const at = [...path, field];
    if (bad.has(value) || !isKnown(at)) continue;
    entries.set(field, { key, value: value.type === "map" ? withoutBad(value, bad, isKnown, at) : value });
  }
  return { ...map, entries };
}
