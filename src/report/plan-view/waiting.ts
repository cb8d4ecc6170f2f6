// What waits: merges that were not applied yet, and what is held until it is reviewed. One sentence each.
import { type Address, rootOf } from "../../model/address.ts";
import type { Change, Edit, Plan } from "../../model/plan.ts";
import { groupBy, pluralize } from "../../model/value.ts";
import { becomes, type TextSpan, word } from "../text/line.ts";
import { safeText } from "../text/sanitize.ts";
import { fieldOf, fieldText } from "./edit-line.ts";
import { describeChange, nameInAddress, nameOfChange } from "./messages.ts";

const mostEvents = 10;
const mostItems = 4;

/** What a list is about: which edits, and which objects as a whole or by their status. */
interface Listing {
  readonly title: string;
  readonly lists: (part: Pick<Edit, "held"> & Partial<Pick<Edit, "origin">>) => boolean;
  /** With the value that a field is to have. */
  readonly values: boolean;
}

export function waitingMerges(changes: readonly Change[]): readonly TextSpan[] {
  return listed(changes, {
    title: "Already merged and waiting: ",
    lists: ({ origin }) => origin === "unapplied",
    values: false,
  });
}

/** What this run holds, and what earlier ones have. */
export function heldChanges({ changes, held = [] }: Pick<Plan, "changes" | "held">): readonly TextSpan[] {
  const whole = held.map((change) => ({
    ...change,
    held: true as const,
    edits: change.edits.map((edit) => ({ ...edit, held: true as const })),
  }));
  return listed([...changes, ...whole], {
    title: "Held and waiting: ",
    lists: (part) => part.held === true,
    values: true,
  });
}

function listed(changes: readonly Change[], listing: Listing): readonly TextSpan[] {
  // Most plans hold nothing, and a plan can be large.
  if (!changes.some((change) => isListed(change, listing.lists) || change.edits.some(listing.lists))) return [];
  const waiting = [...groupBy(changes, ({ address }) => rootOf(address))]
    .map(([root, all]) => ({ name: nameOfRoot(root, all), items: all.flatMap((each) => itemsOf(each, root, listing)) }))
    .filter(({ items }) => items.length > 0);
  if (waiting.length === 0) return [];
  const more = waiting.length - mostEvents;
  return [
    word(listing.title),
    ...waiting
      .slice(0, mostEvents)
      .flatMap(({ name, items }, index): readonly TextSpan[] => [
        word(index === 0 ? "" : ", "),
        { role: "name", text: name },
        word(" ("),
        ...shortList(items),
        word(")"),
      ]),
    word(more > 0 ? `, and ${pluralize(more, "more event")}.` : "."),
  ];
}

/** As a whole, or by its status. */
function isListed({ origin, held }: Change, lists: Listing["lists"]): boolean {
  return origin !== undefined && lists({ origin, ...(held ? { held } : {}) });
}

function nameOfRoot(root: Address, [first, ...others]: readonly Change[]): string {
  const own = [first, ...others].find((change) => change?.address === root);
  if (own !== undefined) return nameOfChange(own);
  const name = first?.context?.eventName;
  return name === undefined ? nameInAddress(root) : safeText(name);
}

function itemsOf(change: Change, root: Address, { lists, values }: Listing): readonly (readonly TextSpan[])[] {
  const whose = change.address === root ? "" : ` of ${nameOfChange(change)}`;
  const isWhole = change.action === "create" || change.action === "replace" || change.action === "delete";
  const edits = isWhole ? [] : change.edits.filter((edit) => !edit.sentAlong && lists(edit));
  const fields = edits.map((edit): readonly TextSpan[] => {
    const name = { role: "prose" as const, text: `${fieldOf(edit)}${whose}` };
    return values ? [name, becomes, afterOf(change, edit)] : [name];
  });
  if (!isListed(change, lists)) return fields;
  if (!isWhole && change.transition === null) return fields;
  const does = describeChange({ ...change, blockedBy: [], ...(isWhole ? {} : { action: "none" as const }) });
  const text = change.address === root ? does : `${does} ${nameOfChange(change)}`;
  return [...fields, [{ role: "prose", text }]];
}

function afterOf({ kind, context }: Change, edit: Edit): TextSpan {
  if (edit.after === null) return word("none");
  return { role: "after", text: fieldText(kind, edit.path.slice(1), edit.after, context) };
}

function shortList(items: readonly (readonly TextSpan[])[]): readonly TextSpan[] {
  const more = items.length - mostItems;
  const shown = items.slice(0, mostItems).flatMap((item, index) => (index === 0 ? item : [word(", "), ...item]));
  return more > 0 ? [...shown, word(`, ${more} more`)] : shown;
}
