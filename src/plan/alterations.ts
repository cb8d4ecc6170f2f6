// Whether this program could have made a saved plan: its calls follow from its changes, and everything that people were
// shown agrees with what it saw. A digest only shows that the file was not altered by accident.
import type { FieldChange, Kind } from "../kinds/define.ts";
import { canonical, kindOf, kindOfAddress, parentAddress, sameValue, sentName, withoutMarkup } from "../kinds/index.ts";
import type { Address } from "../model/address.ts";
import type { Change, Edit, Observed, Plan } from "../model/plan.ts";
import { deleteDigest, editDigest, transitionDigest } from "./compare/digests.ts";
import { canonicalJson } from "./fingerprint.ts";
import { deriveOperations, explainChanges, namedAddress, summarize } from "./operations/derive-operations.ts";

/** Contradictions in the plan, one sentence each without its period; calls are checked only if everything else agrees. */
export function alterationsOf(plan: Plan): readonly string[] {
  const strange = strangeAddresses(plan);
  if (strange.length > 0) return strange;
  const observed = new Map(plan.observed.map((one) => [one.address, one]));
  const found = [
    ...plan.observed.flatMap((one) => misplaced(one, observed)),
    ...plan.changes.flatMap((change) => contradictions(change, observed)),
  ];
  return found.length > 0 ? found : miscalculated(plan);
}

function strangeAddresses({ changes, observed, matched = {} }: Plan): readonly string[] {
  const entries = Object.entries(matched).map(([address, { kind }]) => ({ address, kind }));
  const strange = [...changes, ...observed, ...entries]
    .filter(({ address, kind }) => nameOfKind(address) !== kind)
    .map(({ address, kind }) => `${address} is not the address of a ${kind}`);
  return [...strange, ...twice("changes", changes), ...twice("observed", observed)];
}

function nameOfKind(address: Address): string | null {
  try {
    const kind = kindOfAddress(address);
    const parent = parentAddress(address);
    const isBelow = parent === null ? null : kindOfAddress(parent).name;
    return kind.parent === isBelow ? kind.name : null;
  } catch {
    return null;
  }
}

function twice(where: string, all: readonly { readonly address: Address }[]): readonly string[] {
  const known = new Set<Address>();
  return all.flatMap(({ address }) => {
    if (known.has(address)) return [`${address} is in \`${where}\` twice`];
    known.add(address);
    return [];
  });
}

function misplaced(one: Observed, observed: ReadonlyMap<Address, Observed>): readonly string[] {
  const parent = parentAddress(one.address);
  const above = parent === null ? null : observed.get(parent);
  if (above === undefined) return [`${one.address} belongs to an event that the plan has not seen`];
  const isThere = one.id === null || above === null || above.id !== null;
  if (one.parentId === (above?.id ?? null) && isThere) return [];
  return [`${one.address} does not belong to the event that its address names`];
}

function contradictions(change: Change, observed: ReadonlyMap<Address, Observed>): readonly string[] {
  const { address } = change;
  const one = observed.get(address);
  if (one === undefined) return [`the plan has not seen ${address}, which it changes`];
  // Nothing is done for it; why not is judged where the service is read.
  if (change.blockedBy.length > 0) return [];
  const kind = kindOf(change.kind);
  const wrong = [
    ...(change.id === one.id ? [] : ["its id is not the observed one"]),
    ...(isLikeItsAction(change) ? [] : [`its edits or its id do not fit the action \`${change.action}\``]),
    ...transitionFaults(kind, change, one),
    ...statusFaults(change, observed),
    ...change.edits.flatMap((edit) => editFaults(kind, change, edit, one, observed)),
    ...digestFaults(change),
    ...(new Set(change.edits.map(({ path }) => path)).size < change.edits.length ? ["a field is edited twice"] : []),
  ];
  return wrong.map((what) => `${address}: ${what}`);
}

/** An object that was reviewed as a whole is known by its wish, which a plan does not contain. */
function digestFaults({ address, action, transition, digest }: Change): readonly string[] {
  if (action === "create" || action === "replace") return digest === undefined ? ["it has no digest"] : [];
  const status = transition === null ? undefined : transitionDigest(address, transition.to);
  return digest === (action === "delete" ? deleteDigest(address) : status) ? [] : ["its digest is wrong"];
}

function isLikeItsAction({ action, id, edits }: Change): boolean {
  switch (action) {
    case "create":
      return id === null;
    case "update":
    case "replace":
      return id !== null && edits.length > 0;
    case "delete":
    case "none":
      return id !== null && edits.length === 0;
  }
}

function transitionFaults(kind: Kind, { action, transition }: Change, observed: Observed): readonly string[] {
  if (kind.steps.length === 0) return transition === null ? [] : ["it has no status that could change"];
  if (transition === null) {
    return action === "update" || action === "replace" ? [] : [`the action \`${action}\` needs a status`];
  }
  if (transition.from !== observed.status)
    return [`it was ${observed.status ?? "not live"} and not ${transition.from}`];
  if ((transition.to === "DELETED") !== (action === "delete")) return ["its action and its status do not agree"];
  const isStep = kind.steps.some(({ from, to }) => from === transition.from && to === transition.to);
  return isStep || transition.from === null ? [] : [`it cannot become ${transition.to}`];
}

/** The status that people are shown is the observed one, of the event itself or of the event that it belongs to. */
function statusFaults({ address, context }: Change, observed: ReadonlyMap<Address, Observed>): readonly string[] {
  const event = observed.get(parentAddress(address) ?? address);
  const was = event?.status ?? null;
  const said = context?.status ?? null;
  return said === was ? [] : [`its event is said to be ${said ?? "not live"} but was observed as ${was ?? "not live"}`];
}

/** Each edit is of a field that the call sets, from what was observed. */
function editFaults(
  kind: Kind,
  change: Change,
  edit: Edit,
  one: Observed,
  observed: ReadonlyMap<Address, Observed>,
): readonly string[] {
  const field = edit.path.slice(1);
  const policy = kind.fields[field];
  if (policy?.role !== "value" && policy?.role !== "reference") return [`it has no field \`${field}\``];
  const faults: string[] = [];
  if (change.action === "update" && !isSetByCall(policy.change, edit)) faults.push(`no call can set \`${field}\``);
  const shown = one.id === null ? undefined : one.fields[sentName(kind, field)];
  if (
    one.id === null ? edit.before !== null || edit.unreadable : (shown === undefined) !== (edit.unreadable === true)
  ) {
    faults.push(`the former value of \`${field}\` is not the observed one`);
  } else if (policy.role === "value" && shown !== undefined && !sameValue(shown, edit.before)) {
    faults.push(`\`${field}\` was observed with a different value`);
  }
  if (edit.digest !== editDigest(change.address, edit))
    faults.push(`the digest of \`${field}\` does not match its value`);
  if (policy.role === "reference" && edit.after !== null) faults.push(...namingFaults(kind, change, edit, observed));
  return faults;
}

function isSetByCall(change: FieldChange, { after }: Edit): boolean {
  switch (change) {
    case "patch":
      return true;
    case "publish":
    case "sold-out":
      return after === true;
    case "identity":
    case "replace":
      return false;
  }
}

/** The name in an edit must really belong to the object that the plan says it means. */
function namingFaults(
  kind: Kind,
  { address }: Change,
  { path, after }: Edit,
  observed: ReadonlyMap<Address, Observed>,
): readonly string[] {
  const field = path.slice(1);
  const named = typeof after === "string" ? namedAddress(kind, address, field, after) : null;
  const target = named === null ? undefined : observed.get(named);
  if (target === undefined) return [`the plan has not seen what \`${field}\` names`];
  const name = target.fields[kindOf(target.kind).identity.label];
  if (target.id === null || name === undefined || sameName(name, after)) return [];
  return [`the object that \`${field}\` names has a different name`];
}

/** As names are compared everywhere: without markup that the service adds. */
export function sameName(one: unknown, other: unknown): boolean {
  const plain = (text: unknown) => (typeof text === "string" ? canonical("text", withoutMarkup(text)) : undefined);
  return plain(one) !== undefined && plain(one) === plain(other);
}

function miscalculated(plan: Plan): readonly string[] {
  const operations = deriveOperations(plan);
  if (canonicalJson(operations) !== canonicalJson(plan.operations))
    return ["its operations do not follow from its changes"];
  if (canonicalJson(explainChanges(plan.changes, operations)) !== canonicalJson(plan.changes)) {
    return ["what it says about fees, or about waiting changes, does not follow from its changes"];
  }
  const { unchanged, unmanaged } = plan.summary;
  const isCounted =
    canonicalJson(summarize(plan.changes, operations, unchanged, unmanaged)) === canonicalJson(plan.summary) &&
    plan.calls.writes === operations.length;
  return isCounted ? [] : ["its summary does not match its changes"];
}
