// Field by field, both sides in canonical form. What the service does not show is replaced by what is remembered.
import { sameValue, sameWords, showsWish } from "../kinds/canonical.ts";
import type { Form, Kind, ValuePolicy } from "../kinds/define.ts";
import { fieldEntries } from "../kinds/field-entries.ts";
import { isRewritable } from "../kinds/rewritable.ts";
import type { Edit } from "../model/change.ts";
import type { Live } from "../model/live.ts";
import { isReference, type Value } from "../model/value.ts";
import type { Wish } from "../model/wish.ts";
import { diffReference, type References } from "./diff-reference.ts";
import { appliedTo, isStillUnknown, knowsOf, labelOf, type Memory } from "./memory.ts";

export interface Difference {
  readonly edits: readonly Edit[];
  /** Managed fields that the service does not show and nobody remembers: sent along with the next change. */
  readonly unknown: readonly string[];
}

export function diffObject(kind: Kind, wish: Wish, live: Live, memory: Memory, references: References): Difference {
  const edits: Edit[] = [];
  const unknown: string[] = [];
  for (const [name, policy] of fieldEntries(kind)) {
    if (policy.role === "reference") {
      const found = diffReference({ name, sentAs: policy.sentAs }, wish, live, memory, references);
      if (found === "unknown") unknown.push(name);
      else if (found !== null) edits.push(found);
    }
    if (policy.role !== "value" || policy.change === "identity") continue;
    const after = wish.fields[name];
    if (after === undefined || isReference(after)) continue;
    // Sold out is a one-way road: a wish to undo it is a remark, not an edit.
    if (policy.change === "sold-out" && after === false) continue;
    const shown = live.fields[name];
    if (shown === undefined) {
      const applied = appliedTo(memory, name);
      // No call can withdraw what may be on sale: that it is not is wished, and cannot be looked at.
      const cannotBeSent = policy.change === "publish" && after === false && memory.applied?.[name] === undefined;
      if (!knowsOf(memory, name) || isStillUnknown(memory, name, after) || cannotBeSent) unknown.push(name);
      else if (!sameValue(applied, after)) {
        edits.push({ path: `/${name}`, before: applied ?? null, after, unreadable: true, label: "edit" });
      }
      continue;
    }
    if (showsWish(policy, shown, after) || isKeptInAnotherShape(policy.form, name, shown, after, memory)) continue;
    if (isLowered(policy, name, wish, live, memory)) continue;
    const label = labelOf(memory, name, shown, after);
    edits.push({ path: `/${name}`, before: shown, after, ...(label === undefined ? {} : { label }) });
  }
  return { edits, unknown };
}

/** Our own call lowered it, and to raise it again would open what is to stay closed. */
function isLowered({ loweredBy }: ValuePolicy, name: string, wish: Wish, live: Live, memory: Memory): boolean {
  if (loweredBy === undefined || wish.fields[loweredBy] !== true || live.remaining !== 0) return false;
  const [shown, after] = [live.fields[name], wish.fields[name]];
  const isLess = typeof shown === "number" && typeof after === "number" && shown < after;
  const wasClosed = sameValue(memory.applied?.[loweredBy], true) && sameValue(memory.applied?.[name], after as Value);
  return isLess && wasClosed;
}

/** The service keeps what we sent in its own shape: remembered from our last write, or the same but for markup. */
function isKeptInAnotherShape(form: Form, name: string, shown: Value, after: Value, memory: Memory): boolean {
  // A number, a time or a choice has no other shape: another value is a difference, whatever is remembered of it.
  if (!isRewritable(form)) return false;
  const applied = memory.applied?.[name];
  const edited = knowsOf(memory, name) && !sameValue(applied, after);
  if (edited) return false;
  if (memory.returned[name] !== undefined && sameValue(memory.returned[name], shown)) return true;
  if (form !== "text" && form !== "markup") return false;
  return typeof shown === "string" && typeof after === "string" && sameWords(shown, after);
}
