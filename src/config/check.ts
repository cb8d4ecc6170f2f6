// Whether values are what a schema allows. Every problem is told at its place; what is left is still good to work with.
import type * as z from "zod";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Words } from "./complaint.ts";
import { explainIssue } from "./explain-issue.ts";
import { explainUnknownKey } from "./explain-unknown-key.ts";
import { type Located, nodeAt, plain } from "./located.ts";
import type { Schema } from "./schema-walk.ts";
import { schemaAt } from "./schema-walk.ts";

/** What a message can say about a field beyond its name. */
export interface FieldWords {
  /** The code of the problem, where the field has one of its own. */
  readonly mistake?: string | undefined;
  /** Whose field it is: `GA`; null where it needs no saying. */
  readonly owner: string | null;
}

export interface CheckOptions {
  readonly schema: Schema & {
    safeParse(value: unknown, how?: { readonly jitless: boolean }): z.ZodSafeParseResult<unknown>;
  };
  readonly describe: (path: readonly PropertyKey[]) => FieldWords;
  /** Says it in other words than the schema could; null for the usual ones. */
  readonly rephrase?: (issue: z.core.$ZodIssue, node: Located | undefined) => Words | null;
}

/** The nodes that do not fit. */
export function check(node: Located, options: CheckOptions, problems: Diagnostic[]): ReadonlySet<Located> {
  checks += 1;
  const result = options.schema.safeParse(plain(node), { jitless: checks < worthCompiling });
  if (result.success) return nothing;
  const bad = new Set<Located>();
  for (const issue of result.error.issues) report(issue, issue.path, node, options, bad, problems);
  return bad;
}

// To compile a schema takes as long as to go through it by hand for a few dozen objects: one file alone is checked sooner without.
const worthCompiling = 30;
let checks = 0;

const nothing: ReadonlySet<Located> = new Set();

function report(
  issue: z.core.$ZodIssue,
  path: readonly PropertyKey[],
  root: Located,
  options: CheckOptions,
  bad: Set<Located>,
  problems: Diagnostic[],
): void {
  const node = nodeAt(root, path);
  if (issue.code === "invalid_union") {
    const branch = branchFor(issue.errors, node);
    if (branch !== null) {
      for (const inner of branch) report(inner, [...path, ...inner.path], root, options, bad, problems);
      return;
    }
  }
  if (issue.code === "unrecognized_keys") {
    for (const key of issue.keys) problems.push(unknownKey(key, path, node, options));
    return;
  }
  if (node === undefined) {
    problems.push(missingKey(path, root, options));
    return;
  }
  bad.add(node);
  if (node.type === "scalar" && node.reported) return;
  const words = options.rephrase?.(issue, node) ?? explainIssue({ issue, node, path, ...field(path, options) });
  problems.push({ severity: "error", ...words, source: node.source });
}

function field(path: readonly PropertyKey[], options: CheckOptions) {
  return { schema: schemaAt(options.schema, path) ?? options.schema, ...options.describe(path) };
}

/** A map is judged by the alternative that is a map: its complaints are about fields, not about being a map. */
function branchFor(branches: readonly (readonly z.core.$ZodIssue[])[], node: Located | undefined) {
  if (node === undefined || node.type === "scalar") return null;
  return (
    branches.find((branch) => branch.every((issue) => issue.path.length > 0 || issue.code === "unrecognized_keys")) ??
    null
  );
}

function unknownKey(
  key: string,
  path: readonly PropertyKey[],
  node: Located | undefined,
  options: CheckOptions,
): Diagnostic {
  const entry = node?.type === "map" ? node.entries.get(key) : undefined;
  const words = explainUnknownKey(key, path, options.schema);
  const source = entry?.key ?? node?.source;
  return { code: "unknown-key", severity: "error", ...words, ...(source === undefined ? {} : { source }) };
}

function missingKey(path: readonly PropertyKey[], root: Located, options: CheckOptions): Diagnostic {
  const holder = nodeAt(root, path.slice(0, -1)) ?? root;
  return missing(String(path.at(-1)), options.describe(path).owner, holder);
}

/** A field that must be there; placed at the start of the object that lacks it. */
export function missing(key: string, owner: string | null, holder: Located): Diagnostic {
  return {
    code: "missing-key",
    severity: "error",
    message: `\`${key}\` is missing${owner === null ? "" : ` in ${owner}`}.`,
    hint: `Add a line \`${key}: …\`.`,
    source: holder.source,
  };
}
