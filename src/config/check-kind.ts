import type { FieldPolicy, Kind } from "../kinds/define.ts";
import { kindOf } from "../kinds/index.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { KindName } from "../model/kind-name.ts";
import { type Checked, check, type FieldWords, missing } from "./check.ts";
import { type Located, type LocatedMap, nodeAt } from "./located.ts";

/** Checks an object, and the lists of objects below it, against its kind; the nodes that do not fit. */
export function checkKind(kind: Kind, node: LocatedMap, problems: Diagnostic[]): ReadonlySet<Located> {
  const checked = check(node, { schema: kind.schema, describe: (path) => describe(kind, node, path) }, problems);
  requireFields(kind, node, checked.meant, problems);
  return checked.bad;
}

function describe(kind: Kind, root: Located, path: readonly PropertyKey[]): FieldWords {
  const [field, index, ...rest] = path;
  const policy: FieldPolicy | undefined = kind.fields[String(field)];
  if (policy?.role === "children" && typeof index === "number" && rest.length > 0) {
    const child = nodeAt(root, [field as string, index]);
    return child === undefined ? { owner: null } : describe(kindOf(policy.kind), child, rest);
  }
  return {
    mistake: policy?.role === "value" ? policy.mistake : undefined,
    absent: policy?.role === "value" ? policy.absent : undefined,
    owner: path.length === 1 && field !== kind.identity.label ? nameOf(kind, root) : null,
  };
}

/** What people call the object, for a message; null where it has no name. */
export function nameOf(kind: Kind, node: Located): string | null {
  const label = nodeAt(node, [kind.identity.label]);
  if (label?.type !== "scalar" || typeof label.value !== "string") return null;
  const name = label.value.trim();
  return name === "" ? null : name;
}

interface Needs {
  readonly pinnable: boolean;
  readonly required: readonly { readonly field: string; readonly absent: string | undefined }[];
  readonly lists: readonly { readonly field: string; readonly kind: KindName }[];
}

const needsOfKind = new Map<KindName, Needs>();

function needsOf(kind: Kind): Needs {
  let needs = needsOfKind.get(kind.name);
  if (needs === undefined) {
    const policies = Object.entries(kind.fields);
    needs = {
      pinnable: "id" in kind.fields,
      required: policies.flatMap(([field, policy]) =>
        policy.role === "value" && policy.required ? [{ field, absent: policy.absent }] : [],
      ),
      lists: policies.flatMap(([field, policy]) => (policy.role === "children" ? [{ field, kind: policy.kind }] : [])),
    };
    needsOfKind.set(kind.name, needs);
  }
  return needs;
}

/** What the service asks for on create must be there, unless an `id` says that the object exists, or a typing mistake hides it. */
function requireFields(kind: Kind, node: LocatedMap, meant: Checked["meant"], problems: Diagnostic[]): void {
  const needs = needsOf(kind);
  if (!needs.pinnable || !node.entries.has("id")) {
    for (const { field, absent } of needs.required) {
      if (node.entries.has(field) || meant.get(node)?.has(field)) continue;
      problems.push(missing(field, field === kind.identity.label ? null : nameOf(kind, node), node, absent));
    }
  }
  for (const { field, kind: name } of needs.lists) {
    const list = node.entries.get(field)?.value;
    if (list?.type !== "list") continue;
    const child = kindOf(name);
    for (const item of list.items) if (item.type === "map") requireFields(child, item, meant, problems);
  }
}
