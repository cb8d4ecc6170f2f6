// What phases do to their document: whether it still changes, what is left when one ends, and which of its values one changes.
import type { FieldPolicy, Kind } from "../../kinds/define.ts";
import { kindOf } from "../../kinds/index.ts";
import type { Diagnostic, Source } from "../../model/diagnostic.ts";
import type { Wish } from "../../model/wish.ts";
import { otherWayOf } from "../check/check.ts";
import { entryOf, type Located, type LocatedMap, type ScalarValue } from "../yaml/located.ts";
import { entryName } from "./merge.ts";
import { badPhase, boundariesOf, type Phase, phasesAt } from "./phases.ts";

const kind = kindOf("event");
/** What accepts risks and silences rules changes nothing on the service. */
const settings = ["allow", "ignore"];

/**
 * The instant at which a phase gives the event a final status: from then on nothing changes any more, so no later phase may be to
 * come. `statusAt` is asked with null for the document without its phases.
 */
export function closingOf(
  phases: readonly Phase[],
  statusAt: (instant: number | null) => string | null,
  now: number,
  problems: Diagnostic[],
): number {
  let before = statusAt(null);
  let closedAt = Number.POSITIVE_INFINITY;
  for (const { at, type, phase } of boundariesOf(phases)) {
    const message = `The event is already ${before} before this phase, and then it cannot change.`;
    const refuse = (hint: string) => problems.push(badPhase(phase.overlay.source, message, hint));
    if (at > closedAt && at > now && type === "phase") refuse("Let it begin earlier, or remove it.");
    if (at >= closedAt) continue;
    const status = statusAt(at);
    if (isFinal(before) && at > now) {
      refuse(`Write \`status: ${before}\` into a phase of its own instead of the document, or remove this phase.`);
    } else if (isFinal(status) && !isFinal(before)) {
      const closing = phasesAt(phases, at).findLast(({ overlay }) => overlay.entries.has("status"));
      const field = closing?.until === null ? undefined : closing?.overlay.entries.get("status");
      const final = `\`status\` cannot fall back when the phase ends: an event that is ${status} stays so.`;
      if (field !== undefined) problems.push(badPhase(field.key, final, "Remove `until`."));
      closedAt = at;
    }
    before = status;
  }
  return closedAt;
}

/** Notes which fields of the event and its lists phases have set: those whose place is another in the document without them. */
export function notePhased(wish: Wish, plain: Wish | undefined): Wish {
  const phased = Object.keys(wish.places).filter((field) => wish.places[field] !== plain?.places[field]);
  const lists = Object.entries(wish.children).map(([kind, list]) => {
    const before = new Map(plain?.children[kind]?.map((child) => [child.address, child]));
    return [kind, list.map((child) => notePhased(child, before.get(child.address)))];
  });
  return { ...wish, own: { ...wish.own, phased }, children: Object.fromEntries(lists) };
}

/** No step leads away from it. */
function isFinal(status: string | null): boolean {
  return kind.steps.some(({ to }) => to === status) && !kind.steps.some(({ from }) => from === status);
}

/** What a phase has set must have a value to fall back to when it ends. `before` and `after` are the document around its end. */
export function checkFallback(
  overlay: LocatedMap,
  before: LocatedMap,
  after: LocatedMap,
  problems: Diagnostic[],
): void {
  eachLost(kind, overlay, before, after, (what, source) => {
    const message = `${what} has no value to fall back to when the phase ends.`;
    problems.push(badPhase(source, message, "Give it a value in the document, or remove `until`."));
  });
}

/** Calls for each value of the overlay that is there before and not after. */
function eachLost(
  of: Kind | null,
  overlay: LocatedMap,
  before: LocatedMap,
  after: LocatedMap,
  found: (what: string, source: Source) => void,
): void {
  for (const [field, { key, value }] of overlay.entries) {
    const policy = of?.fields[field];
    if (of !== null && !isValue(field, policy)) continue;
    const other = of === null ? undefined : otherWayOf(of, field);
    const [then, now] = [entryOf(before, field), entryOf(after, field) ?? entryOf(after, other ?? field)];
    if (then === undefined) continue;
    if (policy?.role === "children" && value.type === "list") {
      const child = kindOf(policy.kind);
      for (const item of value.items) {
        const [own, left] = [entryNamed(child, then, item), entryNamed(child, now, item)];
        if (item.type !== "map" || own === undefined) continue;
        if (left === undefined) found(`The ${child.words.one} ${entryName(child, item)}`, item.source);
        else eachLost(child, item, own, left, found);
      }
    } else if (now === undefined) found(`\`${field}\``, key);
    else if (value.type === "map" && then.type === "map" && now.type === "map") {
      eachLost(null, value, then, now, found);
    }
  }
}

/** Something on the service, which composing the document and accepting risks are not. */
function isValue(field: string, policy: FieldPolicy | undefined): boolean {
  return policy !== undefined && policy.role !== "compose" && !settings.includes(field);
}

function entryNamed(of: Kind, list: Located | undefined, item: Located): LocatedMap | undefined {
  const items = list?.type === "list" ? list.items : [];
  return items.find((other) => other.type === "map" && entryName(of, other) === entryName(of, item)) as
    | LocatedMap
    | undefined;
}

/**
 * JSON pointers, into the document as it is then, of the values that a phase sets, and of those that its vars change.
 * `before` and `then` are the document around the boundary, with its variables filled in.
 */
export function fieldsOfPhase(overlay: LocatedMap, before: LocatedMap, then: LocatedMap): readonly string[] {
  const set = pointersOf(overlay, then);
  if (!overlay.entries.has("vars")) return set;
  const [earlier, later] = [filledIn(kind, before), filledIn(kind, then)];
  const changed = [...later].flatMap(([name, { pointer, value }]) =>
    earlier.get(name)?.value === value ? [] : [pointer],
  );
  return [...new Set([...set, ...changed])];
}

function pointersOf(overlay: LocatedMap, then: LocatedMap): readonly string[] {
  return [...overlay.entries].flatMap(([field, { value }]) => {
    const policy = kind.fields[field];
    if (!isValue(field, policy)) return [];
    if (policy?.role !== "children" || value.type !== "list") return [`/${field}`];
    const child = kindOf(policy.kind);
    const list = entryOf(then, field);
    return value.items.flatMap((item) => {
      const items = list?.type === "list" ? list.items : [];
      const at = items.findIndex((other) => entryName(child, other) === entryName(child, item));
      const place = `/${field}/${at === -1 ? "-" : at}`;
      const own = item.type === "map" ? [...item.entries.keys()].filter((each) => each !== child.identity.label) : [];
      return at === -1 || own.length === 0 ? [place] : own.map((each) => `${place}/${each}`);
    });
  });
}

/** The values that hold variables, by a path with names in the place of indexes: entries may move. */
function filledIn(of: Kind, map: LocatedMap): ReadonlyMap<string, { pointer: string; value: ScalarValue }> {
  const found = new Map<string, { pointer: string; value: ScalarValue }>();
  function walk(node: Located, name: string, pointer: string, child: Kind | null): void {
    if (node.type === "scalar" && node.filledFrom !== undefined) found.set(name, { pointer, value: node.value });
    if (node.type === "map") {
      for (const [field, { value }] of node.entries) {
        const policy = pointer === "" ? of.fields[field] : undefined;
        const inner = policy?.role === "children" ? kindOf(policy.kind) : null;
        walk(value, `${name}/${field}`, `${pointer}/${field}`, inner);
      }
    }
    if (node.type !== "list") return;
    for (const [index, item] of node.items.entries()) {
      const own = child === null ? index : JSON.stringify(entryName(child, item));
      walk(item, `${name}/${own}`, `${pointer}/${index}`, null);
    }
  }
  walk(map, "", "", null);
  return found;
}
