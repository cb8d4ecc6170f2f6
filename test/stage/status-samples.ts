// How sales may be going: made up, and the same in every run.
import {
  daysUntil,
  type EventFigures,
  historyOfOrders,
  type StatusReport,
  seriesFigures,
  sortEvents,
  sumTickets,
  totalsOf,
} from "../../src/report/status.ts";

export const now = Date.parse("2027-01-10T02:00:00.000Z");
const zone = "Asia/Manila";
const dayLength = 86_400_000;

interface Type {
  readonly name: string;
  readonly price: number;
  readonly quantity: number;
  readonly sold: number;
  readonly remaining?: number;
}

interface Sample {
  readonly name: string;
  readonly start: string;
  readonly key?: string | null;
  readonly series?: string;
  readonly status?: EventFigures["status"];
  readonly types: readonly Type[];
  readonly refunded?: number;
  readonly divergences?: EventFigures["divergences"];
  readonly absorbFees?: boolean;
}

export function eventOf(sample: Sample): EventFigures {
  const { name, start, key = name.toLowerCase().replace(/\W+/g, "-"), series = null, status = "PUBLISHED" } = sample;
  const dateTime = new Date(start).toISOString();
  const orders = sample.types.flatMap((type, index) => ordersOf(type, index));
  const refunds = Array.from({ length: sample.refunded ?? 0 }, () => ({
    status: "REFUNDED",
    totalAmount: 1500,
    quantity: 1,
    createdAt: "2027-01-02T10:00:00.000Z",
    buyerName: "Ana Buyer",
    buyerEmail: "ana@buyers.example",
  }));
  const tickets = sample.types.map((type, index) => ({
    id: `t${index}`,
    name: type.name,
    price: type.price,
    published: true,
    sold: type.sold,
    remaining: type.remaining ?? type.quantity - type.sold,
    quantity: type.quantity,
  }));
  const gross = sample.types.reduce((sum, { price, sold }) => sum + price * sold, 0);
  const capacity = tickets.reduce((sum, { quantity }) => sum + quantity, 0);
  const sums = sumTickets(tickets, { orders: orders.length, gross, sold: null }, capacity);
  return {
    key,
    id: `id-of-${key ?? name}`,
    slug: null,
    name,
    status,
    dateTime,
    endDateTime: null,
    timezone: zone,
    ended: Date.parse(dateTime) + dayLength < now,
    absorbFees: sample.absorbFees ?? true,
    managed: key !== null,
    divergences: key === null ? null : (sample.divergences ?? []),
    tickets,
    capacity,
    ...sums,
    series,
    soldOut: sums.remaining === 0 && tickets.length > 0,
    daysToGo: daysUntil(dateTime, zone, now),
    history: historyOfOrders([...orders, ...refunds], zone),
  };
}

/** Orders of two, more of them as the weeks go by. */
function ordersOf({ price, sold }: Type, seed: number): readonly object[] {
  const orders: object[] = [];
  for (let left = sold, step = seed + 1; left > 0; left -= 2, step++) {
    const quantity = Math.min(2, left);
    const daysAgo = 40 - Math.floor(Math.sqrt((step * 7919) % 1600));
    orders.push({
      status: "COMPLETED",
      totalAmount: quantity * price,
      quantity,
      createdAt: new Date(now - daysAgo * dayLength).toISOString(),
      buyerName: "Ana Buyer",
      buyerEmail: "ana@buyers.example",
    });
  }
  return orders;
}

export function reportOf(events: readonly EventFigures[], more: Partial<StatusReport> = {}): StatusReport {
  const sorted = sortEvents(events, "date");
  return {
    formatVersion: 1,
    target: {
      environment: "production",
      baseUrl: "https://api.example.com/open-api/v1",
      organization: { id: "00000000-0000-4000-8000-000000000001", slug: "acme-live" },
    },
    createdAt: new Date(now).toISOString(),
    events: sorted,
    archived: 0,
    totals: totalsOf(sorted),
    diagnostics: [],
    series: seriesFigures(sorted),
    timezone: zone,
    ...more,
  };
}

const headliners = ["DJ Ana", "Residents", "Nightjar", "The Very Long Name of a Visiting Orchestra", "Residents"];

/** A year of Fridays, a comedy night a month, and a festival. */
export function aYear(): readonly EventFigures[] {
  const friday = Date.parse("2027-01-01T14:00:00Z");
  const fridays = Array.from({ length: 52 }, (_, week) => {
    const at = new Date(friday + week * 7 * dayLength).toISOString();
    const part = Math.max(0, 1 - week / 8);
    return eventOf({
      name: `Friday Club: ${headliners[week % headliners.length]}`,
      key: `friday-club@${at.slice(0, 10)}`,
      series: "friday-club",
      start: at,
      status: week < 10 ? "PUBLISHED" : "DRAFT",
      types: [
        { name: "Early bird", price: 500, quantity: 100, sold: week < 3 ? 100 : Math.floor(part * 100) },
        { name: "Door", price: 800, quantity: 350, sold: week < 2 ? 350 : Math.floor(part * part * 200) },
      ],
      refunded: week === 1 ? 3 : 0,
    });
  });
  const comedy = Array.from({ length: 12 }, (_, month) =>
    eventOf({
      name: "Comedy at the Mango",
      key: `comedy@2027-${String(month + 1).padStart(2, "0")}-13`,
      series: "comedy",
      start: new Date(Date.UTC(2027, month, 13, 12)).toISOString(),
      types: [{ name: "Door", price: 350, quantity: 150, sold: month === 0 ? 149 : 0 }],
    }),
  );
  const festival = eventOf({
    name: "Mango Festival 2027",
    start: "2027-08-06T08:00:00Z",
    types: [
      { name: "Early bird", price: 2500, quantity: 1000, sold: 412 },
      { name: "Regular", price: 3500, quantity: 3500, sold: 0 },
      { name: "VIP", price: 9000, quantity: 300, sold: 131 },
    ],
    divergences: [{ address: "events/mango-festival-2027", field: "description", how: "edit" }],
  });
  return [...fridays, ...comedy, festival];
}
