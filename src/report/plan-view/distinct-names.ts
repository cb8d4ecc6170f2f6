// Events of one name, such as the nights of a series, told apart by when they start.
import { parentAddress } from "../../kinds/index.ts";
import { type Address, decodeSegment } from "../../model/address.ts";
import type { Change, Plan } from "../../model/plan.ts";
import { formatShortMoment } from "../../model/time.ts";
import { type Span, word } from "../text/line.ts";
import { safeText } from "../text/sanitize.ts";

/** What follows an event's name: " on Fri 12 Mar 20:00", or " (its-key)"; nothing where no other event of the plan has it. */
export type Distinguish = (event: Address) => readonly Span[];

interface Known {
  name: string;
  zone: string;
  start: string | null;
}

export function distinguish(plan: Plan): Distinguish {
  const events = findEvents(plan);
  const twins = new Map<string, Address[]>();
  for (const [address, { name }] of events) {
    const known = twins.get(name);
    if (known === undefined) twins.set(name, [address]);
    else known.push(address);
  }
  const words = new Map<Address, readonly Span[]>();
  for (const addresses of twins.values()) {
    if (addresses.length === 1) continue;
    const starts = addresses.map((address) => shortStart(events.get(address)));
    // Without the year two of them may look alike.
    const areDistinct = new Set(starts).size === starts.length;
    addresses.forEach((address, index) => {
      const start = starts[index];
      words.set(address, start && areDistinct ? [word(" on "), value(start)] : keySpans(address));
    });
  }
  return (event) => words.get(event) ?? [];
}

/** When an event starts, as the plan would have it. */
export function startOf(change: Change): string | null {
  const edit = change.edits.find(({ path }) => path === "/dateTime");
  const start = edit?.after ?? edit?.before;
  return typeof start === "string" ? start : null;
}

function keySpans(address: Address): readonly Span[] {
  return [word(" ("), value(decodeSegment(address.slice(address.indexOf("/") + 1))), word(")")];
}

function value(text: string): Span {
  return { role: "value", text: safeText(text) };
}

function shortStart(known: Known | undefined): string | null {
  return known === undefined || known.start === null ? null : formatShortMoment(known.start, known.zone);
}

function findEvents(plan: Plan): ReadonlyMap<Address, Known> {
  const events = new Map<Address, Known>();
  for (const change of plan.changes) {
    if (change.kind === "webhook") continue;
    const address = parentAddress(change.address) ?? change.address;
    const name = change.kind === "event" ? change.context?.name : change.context?.eventName;
    const known = events.get(address) ?? { name: "", zone: change.context?.timezone ?? "Asia/Manila", start: null };
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
