// The figures of one event: what is sold and earned, and where it differs from its document.
import { areOfTypes, isFamilyHead, soldKind } from "../../kinds/index.ts";
import { keyInAddress } from "../../model/address.ts";
import { type Diagnostic, orHalt } from "../../model/diagnostic.ts";
import { hasEnded, type Live } from "../../model/live.ts";
import type { Edit } from "../../model/plan.ts";
import { standardZone } from "../../model/time.ts";
import { asText } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import { type Comparison, compareEvent } from "../../plan/compare.ts";
import type { Recall } from "../../plan/match.ts";
import {
  type Divergence,
  daysUntil,
  type EventFigures,
  figuresOfTicket,
  historyOfOrders,
  type SalesFigures,
  type SalesHistory,
  sumOrders,
  sumTickets,
} from "../../report/status.ts";
import type { TicketingClient } from "../../service/client.ts";
import { ordersPath } from "../../service/records.ts";
import { makeListReader } from "../../snapshot/find-events.ts";
import { attemptRead, type Reader } from "../../snapshot/reader.ts";
import { explainProblem } from "../session/report-problems.ts";
import { seriesKeyOf } from "./select-events.ts";

/** `wish`: the document that means it; null if none does. */
export async function figuresOfEvent(
  live: Live,
  wish: Wish | null,
  reader: SalesReader,
  remember: Recall,
  now: number,
): Promise<Omit<EventFigures, "managed">> {
  const managedFields = (wish?.children[soldKind.name] ?? []).flatMap((child) => Object.keys(child.fields));
  const tickets = await reader.ticketsOf(live, managedFields);
  const sales = mayHaveSales(live, tickets)
    ? soldByType(await reader.salesOf(live), tickets)
    : { orders: 0, gross: 0, sold: null };
  const { name, dateTime, endDateTime, timezone, eventCapacity, absorbFees } = live.fields;
  const capacity = typeof eventCapacity === "number" ? eventCapacity : null;
  const ticketFigures = tickets?.map((ticket) => figuresOfTicket(ticket, sales)) ?? null;
  const zone = asText(timezone) ?? wish?.own.timezone ?? standardZone;
  const sums = sumTickets(ticketFigures, sales, capacity);
  return {
    key: wish === null ? null : keyInAddress(wish.address),
    id: live.id,
    slug: live.slug,
    name: typeof name === "string" ? name : live.id,
    status: live.status,
    dateTime: asText(dateTime),
    endDateTime: asText(endDateTime),
    timezone: zone,
    ended: hasEnded(live, now),
    absorbFees: typeof absorbFees === "boolean" ? absorbFees : null,
    divergences: wish === null ? null : divergencesOf(wish, live, tickets, remember),
    tickets: ticketFigures,
    capacity,
    ...sums,
    series: seriesKeyOf(wish?.own.series?.of),
    soldOut: sums.remaining === 0 && (ticketFigures ?? []).length > 0 && sums.quantity !== 0,
    daysToGo: daysUntil(asText(dateTime), zone, now),
    ...(sales !== null && "history" in sales ? { history: sales.history } : {}),
  };
}

/** A draft cannot be bought: if it shows that nothing was sold before, its orders need not be read. */
function mayHaveSales(live: Live, tickets: readonly Live[] | null): boolean {
  if (live.status !== "DRAFT" || tickets === null) return true;
  return tickets.some(({ fields, remaining }) => fields.quantity !== remaining);
}

/** How many of each type are sold is unknown if orders do not name the types. */
function soldByType(sales: Sales | null, types: readonly Live[] | null): Sales | null {
  const isKnown = !sales?.sold || !types?.length || areOfTypes({ notCanceled: sales.sold, refunded: new Map() }, types);
  return isKnown ? sales : { ...sales, sold: null };
}

/** Of an event that is in the files and not live. */
export function figuresOfWish(wish: Wish, now: number): EventFigures {
  const { dateTime, endDateTime, eventCapacity } = wish.fields;
  const [start, end] = [asText(dateTime), asText(endDateTime)];
  const zone = wish.own.timezone ?? standardZone;
  return {
    key: keyInAddress(wish.address),
    id: null,
    slug: null,
    name: wish.name,
    status: null,
    dateTime: start,
    endDateTime: end,
    timezone: zone,
    ended: Date.parse(end ?? start ?? "") < now,
    absorbFees: null,
    managed: true,
    divergences: null,
    tickets: [],
    capacity: typeof eventCapacity === "number" ? eventCapacity : null,
    sold: null,
    remaining: null,
    quantity: null,
    capacityUsed: null,
    orders: null,
    gross: null,
    commission: null,
    net: null,
    series: seriesKeyOf(wish.own.series?.of),
    soldOut: false,
    daysToGo: daysUntil(start, zone, now),
  };
}

/** Where a live event differs from its document. The event and its ticket types are read anyway; `plan` compares the rest. */
function divergencesOf(wish: Wish, live: Live, tickets: readonly Live[] | null, remember: Recall) {
  const wished = wish.children[soldKind.name];
  const compared = compareEvent({
    wish: { ...wish, children: wished === undefined || tickets === null ? {} : { [soldKind.name]: wished } },
    match: { live, block: null },
    lists: tickets === null ? {} : { [soldKind.name]: tickets },
    remember,
  });
  if (compared.event === null) return [];
  const found = [compared.event.self, ...compared.event.children].flatMap((one) => divergencesOfCase(one, remember));
  // By the name that the file has for it.
  return wish.own.venue === undefined
    ? found
    : found.map((one) => (one.field === "venueId" ? { ...one, field: "venue" } : one));
}

function divergencesOfCase({ address, change, live }: Comparison, remember: Recall): readonly Divergence[] {
  if (change === null) return [];
  if (!isFamilyHead(change.kind) && change.action === "create") return [{ address, field: null, how: "missing" }];
  if (!isFamilyHead(change.kind) && change.action === "delete") return [{ address, field: null, how: "surplus" }];
  const isRecorded = remember(address, live?.id).id !== null;
  const how = ({ origin }: Edit) => (isRecorded ? (origin === "drift" ? origin : "edit") : "differs");
  const fields = change.edits
    .filter((edit) => edit.unreadable !== true)
    .map((edit): Divergence => ({ address, field: edit.path.slice(1), how: how(edit) }));
  return change.transition === null ? fields : [...fields, { address, field: "status", how: "differs" }];
}

// Ticket types and orders of events, as far as the key may see them.

export interface Sales extends SalesFigures {
  readonly history?: SalesHistory;
}

export type SalesReader = ReturnType<typeof openSalesReader>;

/** `historyZone`: orders of every status are read, and counted by days of this zone; null: only what is sold. */
export function openSalesReader(client: TicketingClient, reader: Reader, historyZone: string | null) {
  const readList = makeListReader(reader);
  const remarks = new Map<string, Diagnostic>();
  let first: Promise<unknown> | null = null;
  let read = 0;

  /** null if the key may not read it. */
  async function ifAllowed<Value>(scope: string, what: string, work: () => Promise<Value>): Promise<Value | null> {
    const done = await attemptRead(work);
    if (done.ok || done.problem.status !== 403) return orHalt(done).value;
    const { message, hint } = explainProblem(done.problem, scope);
    const remark = { code: "scope-missing", severity: "warning", message: `${what} ${message}` } as const;
    remarks.set(scope, hint === undefined ? remark : { ...remark, hint });
    return null;
  }

  async function readSales(event: Live): Promise<Sales> {
    const query = historyZone === null ? { status: "COMPLETED" } : {};
    const { data } = orHalt(await client.listAll(ordersPath(event.id), query, { sized: true }));
    read += data.length;
    const sums = sumOrders(data);
    return historyZone === null ? sums : { ...sums, history: historyOfOrders(data, historyZone) };
  }

  return {
    /** What the key may not see, reported once. */
    remarks: () => [...remarks.values()],
    /** All orders that were read, of every event. */
    ordersRead: () => read,
    /** null if the key may not see them. */
    async ticketsOf(event: Live, fields: readonly string[]): Promise<readonly Live[] | null> {
      const { name: kind, endpoints } = soldKind;
      if (remarks.has(endpoints.readScope)) return null;
      const wanted = [...new Set(["name", "price", "quantity", "published", ...fields])];
      return ifAllowed(endpoints.readScope, "Ticket types could not be read.", () =>
        readList({ eventId: event.id, kind, fields: wanted }),
      );
    },
    async salesOf(event: Live): Promise<Sales | null> {
      // The first response shows how large a page may be and whether the key may see orders at all; the rest wait for it.
      if (first !== null) await first;
      if (remarks.has("orders:read")) return null;
      const what = "Orders could not be read, so gross and net are not known.";
      const mine = ifAllowed("orders:read", what, () => readSales(event));
      first ??= mine.catch(() => undefined);
      return mine;
    },
  };
}
