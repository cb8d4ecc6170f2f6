// Events of one name, such as the nights of a series, distinguished by when they start.
import { parentAddress } from "../../kinds/index.ts";
import { type Address, keyInAddress } from "../../model/address.ts";
import type { Change, Plan } from "../../model/plan.ts";
import { formatLocalMoment, formatShortMoment, standardZone } from "../../model/time.ts";
import { groupBy } from "../../model/value.ts";
import { type TextSpan, word } from "../text/line.ts";
import { safeText } from "../text/sanitize.ts";

/** What follows an event's name: " on Fri 12 Mar 20:00", with the year if they differ by it, or " (its-key)"; nothing where no other event of the plan has it. */
export type Distinguish = (event: Address) => readonly TextSpan[];

export function distinguish(plan: Plan): Distinguish {
  const events = findEvents(plan);
  const suffixes = new Map<Address, readonly TextSpan[]>();
  for (const twins of groupBy([...events], ([, { name }]) => name).values()) {
    if (twins.length === 1) continue;
    const years = new Set(twins.flatMap(([, { start }]) => (start === null ? [] : [start.slice(0, 4)])));
    const format = years.size > 1 ? formatLocalMoment : formatShortMoment;
    const starts = twins.map(([, { start, zone }]) => (start === null ? null : format(start, zone)));
    const areDistinct = new Set(starts).size === starts.length;
    for (const [index, [address]] of twins.entries()) {
      const start = starts[index];
      suffixes.set(
        address,
        start && areDistinct ? [word(" on "), value(start)] : [word(" ("), value(keyInAddress(address)), word(")")],
      );
    }
  }
  return (event) => suffixes.get(event) ?? [];
}

/** When an event starts, as the plan would have it. */
export function startOf(change: Change): string | null {
  const edit = change.edits.find(({ path }) => path === "/dateTime");
  const start = edit?.after ?? edit?.before;
  return typeof start === "string" ? start : null;
}

function value(text: string): TextSpan {
  return { role: "value", text: safeText(text) };
}

function findEvents(plan: Plan) {
  const events = new Map<Address, { name: string; zone: string; start: string | null }>();
  for (const change of plan.changes) {
    if (change.kind === "webhook") continue;
    const address = parentAddress(change.address) ?? change.address;
    const name = change.kind === "event" ? change.context?.name : change.context?.eventName;
    const known = events.get(address) ?? { name: "", zone: change.context?.timezone ?? standardZone, start: null };
    if (name !== undefined) known.name = name;
    if (change.kind === "event") known.start = startOf(change);
    events.set(address, known);
  }
  for (const { address, fields } of plan.seen) {
    const known = events.get(address);
    if (known !== undefined && typeof fields.dateTime === "string") known.start ??= fields.dateTime;
  }
  for (const [address, { name }] of events) if (name === "") events.delete(address);
  return events;
}
