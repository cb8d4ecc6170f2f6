// What was merged before and waits for an apply, in one sentence.
import { type Address, rootOf } from "../../model/address.ts";
import type { Change } from "../../model/plan.ts";
import { groupBy, pluralize } from "../../model/value.ts";
import { type TextSpan, word } from "../text/line.ts";
import { safeText } from "../text/sanitize.ts";
import { fieldOf } from "./edit-line.ts";
import { describeChange, nameInAddress, nameOfChange } from "./messages.ts";

const mostEvents = 10;
const mostItems = 4;

export function waitingMerges(changes: readonly Change[]): readonly TextSpan[] {
  const waiting = [...groupBy(changes, ({ address }) => rootOf(address))]
    .map(([root, all]) => ({ name: nameOfRoot(root, all), items: all.flatMap((change) => itemsOf(change, root)) }))
    .filter(({ items }) => items.length > 0);
  if (waiting.length === 0) return [];
  const more = waiting.length - mostEvents;
  return [
    word("Already merged and waiting: "),
    ...waiting
      .slice(0, mostEvents)
      .flatMap(({ name, items }, index): readonly TextSpan[] => [
        word(index === 0 ? "" : ", "),
        { role: "name", text: name },
        word(` (${shortList(items)})`),
      ]),
    word(more > 0 ? `, and ${pluralize(more, "more event")}.` : "."),
  ];
}

function nameOfRoot(root: Address, [first, ...others]: readonly Change[]): string {
  const own = [first, ...others].find((change) => change?.address === root);
  if (own !== undefined) return nameOfChange(own);
  const name = first?.context?.eventName;
  return name === undefined ? nameInAddress(root) : safeText(name);
}

function itemsOf(change: Change, root: Address): readonly string[] {
  const whose = change.address === root ? "" : ` of ${nameOfChange(change)}`;
  const isWhole = change.action === "create" || change.action === "replace" || change.action === "delete";
  const fields = isWhole
    ? []
    : change.edits.flatMap((edit) =>
        edit.origin === "unapplied" && !edit.sentAlong ? `${fieldOf(edit)}${whose}` : [],
      );
  if (change.origin !== "unapplied") return fields;
  const does = describeChange({ ...change, blockedBy: [], ...(isWhole ? {} : { action: "none" as const }) });
  return [...fields, change.address === root ? does : `${does} ${nameOfChange(change)}`];
}

function shortList(items: readonly string[]): string {
  const more = items.length - mostItems;
  return [...items.slice(0, mostItems), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
