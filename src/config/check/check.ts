// Whether values are what a schema allows. Every problem is reported at its place; the rest can still be used.
import type * as z from "zod";
import type { FieldPolicy, Kind } from "../../kinds/define.ts";
import { fieldEntries, kindOf, perKind } from "../../kinds/index.ts";
import { type Code, codeOfKind, type Diagnostic, errorAt, suggest } from "../../model/diagnostic.ts";
import { hasVariable, type Located, type LocatedMap, levelsOf, nodeAt, plainValue } from "../yaml/located.ts";
import { explainIssue, flowText, howToAdd } from "./explain-issue.ts";
import { findSecretsBelow, secretAt } from "./find-secrets.ts";
import { exampleAt, type FieldNames, type IssueMessage, type Schema, schemaAt, typeOf } from "./schema-walk.ts";
import { explainUnknownKey, type SplitNumber } from "./unknown-key.ts";
import { isCutText, isNextName, numbersIn, withSlip } from "./value-slip.ts";

interface CheckOptions {
  readonly schema: Schema & {
    safeParse(value: unknown, how?: { readonly jitless: boolean }): z.ZodSafeParseResult<unknown>;
  };
  readonly describe: (path: readonly PropertyKey[]) => FieldNames;
  /** Whether a value is never reported, whatever it is. */
  readonly spares?: (path: readonly PropertyKey[], node: Located) => boolean;
  /** A message that says more than the schema could; null for the usual one. */
  readonly rephrase?: (path: readonly PropertyKey[], node: Located) => IssueMessage | null;
}

export interface CheckResult {
  /** The nodes that do not fit. */
  readonly bad: ReadonlySet<Located>;
  /** By object: the fields that its unknown keys were most likely meant to be. */
  readonly meant: ReadonlyMap<Located, ReadonlySet<string>>;
}

/** Checks a value; what does not fit is reported and returned. */
export function checkValue(root: Located, options: CheckOptions, problems: Diagnostic[]): CheckResult {
  checks += 1;
  const result = options.schema.safeParse(plainValue(root), { jitless: checks < worthCompiling });
  if (result.success) return nothingFound;
  const findings: Findings = { root, options, problems, bad: new Set(), meant: new Map() };
  for (const issue of result.error.issues) reportIssue(issue, issue.path, findings);
  return findings;
}

// Compiling a schema costs as much as checking a few dozen objects uncompiled: a single file is faster without. Results do not depend on it.
const worthCompiling = 30;
let checks = 0;

const nothingFound: CheckResult = { bad: new Set(), meant: new Map() };

interface Findings {
  readonly root: Located;
  readonly options: CheckOptions;
  readonly problems: Diagnostic[];
  readonly bad: Set<Located>;
  readonly meant: Map<Located, Set<string>>;
}

function reportIssue(issue: z.core.$ZodIssue, path: readonly PropertyKey[], findings: Findings): void {
  const { root, options, problems } = findings;
  const node = nodeAt(root, path);
  if (issue.code === "invalid_union") {
    const branch = branchFor(issue.errors, node);
    if (branch !== null) {
      for (const inner of branch) reportIssue(inner, [...path, ...inner.path], findings);
      return;
    }
  }
  if (issue.code === "unrecognized_keys" && node?.type === "map") {
    for (const key of issue.keys) reportUnknownKey(key, path, node, findings);
    return;
  }
  if (node === undefined) {
    problems.push(missingKey(path, root, options));
    return;
  }
  if (options.spares?.(path, node)) return;
  findings.bad.add(node);
  const schema = schemaAt(options.schema, path);
  if (node.type === "scalar" && (node.reported || isCutText(node, schema))) return;
  if (isFirstHalf(node, path, root)) return;
  if (schema !== undefined && typeOf(schema) === "object" && isNextName(root, path)) return;
  const secret = secretAt(String(path.findLast((step) => typeof step === "string")), node);
  if (secret !== null) {
    problems.push(secret);
    return;
  }
  const text = options.rephrase?.(path, node) ?? explainIssue({ issue, node, path, ...aboutField(path, options) });
  problems.push(withSlip({ severity: "error", ...text, source: node.source }, node));
}

function aboutField(path: readonly PropertyKey[], options: CheckOptions) {
  return { schema: schemaAt(options.schema, path) ?? options.schema, ...options.describe(path) };
}

/** A map is judged by the alternative that is a map, so that problems are about its fields. */
function branchFor(branches: readonly (readonly z.core.$ZodIssue[])[], node: Located | undefined) {
  if (node === undefined) return null;
  // A word is judged by the alternative that is a choice of words.
  if (node.type === "scalar") return branches.find(([issue]) => issue?.code === "invalid_value") ?? null;
  return (
    branches.find((branch) => branch.every((issue) => issue.path.length > 0 || issue.code === "unrecognized_keys")) ??
    null
  );
}

function reportUnknownKey(key: string, path: readonly PropertyKey[], node: LocatedMap, findings: Findings): void {
  const value = node.entries.get(key)?.value;
  if (value !== undefined && findSecretsBelow(key, value, findings.problems)) return;
  const split = splitNumber(key, node);
  // Neither half is the number that was meant: the first needs no separate report.
  if (split?.half) findings.bad.add(split.half);
  const { schema } = findings.options;
  const place = node.entries.get(key)?.key;
  // Only keys of its own level (such as a phase) count as neighbors: an inherited key may be repeated to override it.
  const beside = levelsOf(node).find((level) => level.get(key)?.key === place) ?? node.entries;
  const { meant, message, hint } = explainUnknownKey(key, path, schema, new Set(beside.keys()), split);
  const others = findings.meant.get(node);
  const isSecond = meant !== null && others?.has(meant) && !beside.has(meant);
  // `date` and `time` are parts of one value; of others, such as `Name` and `title`, only one can be kept.
  const isTime = meant !== null && findings.options.describe([...path, meant]).mistake === "unreadable-time";
  const one = `This seems to mean \`${meant}\`, like a field above: keep one of the two, and name it \`${meant}\`.`;
  const how = !isSecond ? hint : isTime ? `Write both as the one field \`${meant}\`.` : one;
  findings.problems.push(errorAt("unknown-key", place ?? node.source, message, how));
  // A field that is indented one level too far, as under `event:`, is not also reported as missing.
  const within = value?.type === "map" ? value.entries.keys() : [];
  const named = meant === null ? within : [meant];
  findings.meant.set(node, new Set([...(others ?? []), ...named]));
}

/** `{ price: 1,500.00 }`: a key that is a number and nothing else, on the line of the one before it. */
function splitNumber(key: string, { entries }: LocatedMap): SplitNumber | null {
  const own = entries.get(key);
  if (!/^\d+(?:\.\d+)?$/.test(key) || own?.value.type !== "scalar" || own.value.value !== null) return null;
  const keys = [...entries.keys()];
  const before = entries.get(keys[keys.indexOf(key) - 1] ?? "");
  if (before?.key.line !== own.key.line) return null;
  const { value } = before;
  const isNumber = value.type === "scalar" && value.value !== null && numbersIn(String(value.value)).length > 0;
  return { half: isNumber ? value : null };
}

/** Whether it is half of a number that is reported at its other half: `{ price: ₱1,500 }`. */
function isFirstHalf(node: Located, path: readonly PropertyKey[], root: Located): boolean {
  const holder = nodeAt(root, path.slice(0, -1));
  if (holder?.type !== "map") return false;
  const keys = [...holder.entries.keys()];
  return splitNumber(keys[keys.indexOf(String(path.at(-1))) + 1] ?? "", holder)?.half === node;
}

function missingKey(path: readonly PropertyKey[], root: Located, options: CheckOptions): Diagnostic {
  const holder = nodeAt(root, path.slice(0, -1)) ?? root;
  return missing(String(path.at(-1)), options.describe(path).owner, holder, exampleAt(options.schema, path));
}

/** A field that must be there; placed at the start of the object that lacks it. */
function missing(key: string, owner: string | null, holder: Located, example: unknown, code: Code = "missing-field") {
  const message = `\`${key}\` is missing${owner === null ? "" : ` in ${owner}`}.`;
  return errorAt(code, holder.source, message, howToAdd(`${key}: ${flowText(example ?? "…")}`, holder));
}

/** By field, where the schema's example is not right. */
type Examples = Readonly<Record<string, string>>;

/** Checks an object, and the lists of objects below it, against its kind. */
export function checkKind(kind: Kind, node: LocatedMap, problems: Diagnostic[], examples: Examples = {}): CheckResult {
  const describe: CheckOptions["describe"] = (path) => ({
    ...describeField(kind, node, path),
    example: examples[path.join()],
  });
  const checked = checkValue(node, { schema: kind.schema, describe }, problems);
  requireFields(kind, node, checked.meant, problems, examples);
  return checked;
}

/** Checks a part of an object, which need not be complete. A value with a variable is checked where it is filled in. */
export function checkPart(
  kind: Kind,
  schema: CheckOptions["schema"],
  node: LocatedMap,
  problems: Diagnostic[],
): ReadonlySet<Located> {
  const spares: CheckOptions["spares"] = (_, value) => hasVariable(value);
  return checkValue(node, { schema, spares, describe: (path) => describeField(kind, node, path) }, problems).bad;
}

function describeField(kind: Kind, root: Located, path: readonly PropertyKey[]): FieldNames {
  const [field, index, ...rest] = path;
  const policy: FieldPolicy | undefined = kind.fields[String(field)];
  if (policy?.role === "children" && typeof index === "number" && rest.length > 0) {
    const child = nodeAt(root, [field as string, index]);
    return child === undefined ? { owner: null } : describeField(kindOf(policy.kind), child, rest);
  }
  return {
    mistake: policy?.role === "value" ? policy.mistake : undefined,
    absent: policy?.role === "value" ? policy.absent : undefined,
    owner: path.length === 1 && field !== kind.identity.label ? displayName(kind, root) : null,
  };
}

/** The name of the object, for a message; null if it has none. */
function displayName(kind: Kind, node: Located): string | null {
  const label = nodeAt(node, [kind.identity.label]);
  if (label?.type !== "scalar" || typeof label.value !== "string") return null;
  const name = label.value.trim();
  return name === "" ? null : `"${name}"`;
}

/** The fields that an object must have, and the lists of objects below it. */
const demandsOf = perKind((kind) =>
  fieldEntries(kind).filter(([, policy]) => policy.role !== "value" || policy.required),
);

/** What the service requires on create must be given, unless an `id` says that the object exists or a typo hides the field. */
function requireFields(
  kind: Kind,
  node: LocatedMap,
  meant: CheckResult["meant"],
  problems: Diagnostic[],
  examples: Examples,
  beside: readonly Located[] = [],
): void {
  const isPinned = "id" in kind.fields && node.entries.has("id");
  for (const [field, policy] of demandsOf(kind)) {
    if (policy.role === "value" && policy.required && !isPinned) {
      if (node.entries.has(field) || meant.get(node)?.has(field)) continue;
      const owner = field === kind.identity.label ? null : displayName(kind, node);
      const problem = missing(field, owner, node, examples[field] ?? exampleAt(kind.schema, [field]), policy.absent);
      const near =
        owner &&
        suggest(
          owner,
          beside.flatMap((each) => (each === node ? [] : (displayName(kind, each) ?? []))),
        );
      if (near === null) problems.push(problem);
      else return void problems.push({ ...problem, hint: `Did you mean ${near}? If not: ${problem.hint}` });
    }
    const query = policy.role === "lookup" ? node.entries.get(field)?.value : undefined;
    if (query?.type === "map" && !query.entries.has("name") && !meant.get(query)?.has("name"))
      problems.push(missing("name", `\`${field}\``, query, exampleAt(kind.schema, [field, "name"])));
    const list = policy.role === "children" ? node.entries.get(field)?.value : undefined;
    if (policy.role !== "children" || list?.type !== "list") continue;
    const child = kindOf(policy.kind);
    const flat = dashedFields(child, list.items, problems);
    for (const item of list.items)
      if (item.type === "map" && !flat.has(item)) requireFields(child, item, meant, problems, {}, list.items);
  }
}

/** `- name: VIP` and below it `- price: 4500`: a dash too many makes a field an entry. Returns all that were meant as one. */
function dashedFields(kind: Kind, items: readonly Located[], problems: Diagnostic[]): ReadonlySet<Located> {
  const found = new Set<Located>();
  let head: Located | undefined;
  for (const item of items) {
    const [field, ...others] = item.type === "map" ? item.entries.keys() : [];
    const isNamed = nodeAt(item, [kind.identity.label]) !== undefined;
    // `- VIP: { price: 4500 }`: that it has no field `VIP` is reported already.
    if (others.length === 0 && field !== undefined && !(field in kind.fields) && nodeAt(item, [field])?.type === "map")
      found.add(item);
    if (isNamed) head = item;
    // An entry with nothing but its id is complete: it keeps what is live without managing it.
    if (isNamed || head === undefined || field === undefined || field === "id" || others.length > 0) continue;
    if (!(field in kind.fields)) continue;
    if (!found.has(head)) {
      const message = `Each dash starts a new ${kind.words.one}, and this one has only \`${field}\`.`;
      const hint = `If it belongs to ${displayName(kind, head) ?? "the one above"}, replace the dash with a space.`;
      problems.push(errorAt("missing-field", item.source, message, hint));
    }
    found.add(head).add(item);
  }
  return found;
}

// A field that is looked up and the field that it becomes say the same in two ways: an object may use only one of them.

type FieldPair = readonly [string, string];

/** `venue` and `venueId`. */
const pairsOf = perKind((kind): readonly FieldPair[] =>
  fieldEntries(kind).flatMap(([field, policy]) => (policy.role === "lookup" ? [[field, policy.sentAs] as const] : [])),
);

export function otherWayOf(kind: Kind, field: string): string | undefined {
  return pairsOf(kind)
    .find((pair) => pair.includes(field))
    ?.find((other) => other !== field);
}

/** Reported at the second, because the two may disagree. */
export function checkSaidTwice(kind: Kind, node: Located | undefined, problems: Diagnostic[]): void {
  if (node?.type !== "map") return;
  for (const pair of pairsOf(kind)) {
    if (!pair.every((field) => node.entries.has(field))) continue;
    const [first, second] = [...node.entries].filter(([field]) => pair.includes(field));
    if (first === undefined || second === undefined) continue;
    const [lookedUp, sentAs] = pair;
    const message = `The ${lookedUp} is given twice: by \`${first[0]}\` and by \`${second[0]}\`.`;
    const hint = `Keep \`${sentAs}\`, or keep \`${lookedUp}\`, which is looked up by name; remove the other.`;
    problems.push({
      ...errorAt(codeOfKind(`${lookedUp}-twice`), second[1].key, message, hint),
      related: [{ message: `\`${first[0]}\``, source: first[1].key }],
    });
  }
}
