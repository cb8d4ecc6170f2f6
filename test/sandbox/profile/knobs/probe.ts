// What a probe of a knob is, and the scenes that several of them play.
import type { KnobName, knobs } from "../../../../src/sandbox/index.ts";
import type { Json, Open } from "../../open.ts";

export type Values<Name extends KnobName> = (typeof knobs)[Name] extends { readonly values: readonly (infer Value)[] }
  ? Value & string
  : string;

/** What a client sees, and what it is under each value. Total: a value without an expectation does not compile. */
export interface Probe<Name extends KnobName> {
  /** Knobs in addition to the one that is probed. */
  readonly beside?: string;
  readonly probe: (opened: Open) => Promise<unknown>;
  readonly shows: Readonly<Record<Values<Name>, unknown>>;
}

export type Probes = { readonly [Name in KnobName]: Probe<Name> };

export const doors = { title: "Doors", startTime: "2027-03-14T11:00:00Z", endTime: "2027-03-14T12:00:00Z" };

export const inline = (...names: string[]) => names.map((name) => ({ name, price: 1500, quantity: 10 }));

export const keysOf = (record: Json) => Object.keys(record).sort().join(" ");

export const namesOf = (response: Json) => response.body.data.map(({ name }: Json) => name).join(" ");

export async function colored({ event, post }: Open, color: string): Promise<Json> {
  const { status, body } = await post(`/events/${(await event()).id}/schedules`, { ...doors, color });
  return body.data?.color ?? status;
}

export async function threeTickets(opened: Open): Promise<string> {
  return (await opened.event({ tickets: inline("A", "B", "C") })).id;
}

export const onSale = { name: "GA", price: 100, quantity: 20, published: true };

export function sellable({ service }: Open): string {
  return (
    service.control.seed({ events: [{ name: "Gig", status: "PUBLISHED", tickets: [onSale] }] }).events[0]?.id ?? ""
  );
}
