// The walk of `status`: events, their ticket types and sales, beside what the files say.
import { decodeSegment } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Live } from "../../model/live.ts";
import type { Edit } from "../../model/plan.ts";
import type { Wish } from "../../model/wish.ts";
import { type Comparison, compareEvent } from "../../plan/compare.ts";
import { hasEnded, matchEvents, type Recall } from "../../plan/match.ts";
import {
  type Divergence,
  type EventFigures,
  figuresOfTicket,
  type SalesFigures,
  sumOrders,
  sumTickets,
} from "../../report/status.ts";
import type { TicketingClient } from "../../service/client.ts";
import type { Limits } from "../../service/pace.ts";
import { makeListReader } from "../../snapshot/read-lists.ts";
import { makeReader, type Reader, ReadFailure } from "../../snapshot/reader.ts";
import { explainProblem } from "../session/service-problem.ts";
import { readLiveEvents } from "./live-events.ts";
import { type ProjectWishes, withVenues } from "./project-wishes.ts";

export interface StatusQuestion {
  readonly client: TicketingClient;
  readonly project: ProjectWishes;
  readonly archivedToo: boolean;
  readonly now: number;
  readonly onProgress: (done: number, total: number) => void;
}

export interface StatusRead {
  readonly events: readonly EventFigures[];
  readonly archived: number;
  readonly diagnostics: readonly Diagnostic[];
}

const standardZone = "Asia/Manila";

export async function readStatus(question: StatusQuestion): Promise<StatusRead> {
  const { client, project, now } = question;
  const { remember } = project;
  const reader = makeReader(client);
  const { wishes, unclear: unclearVenues, remarks } = await withVenues(reader, project.events);
  const { events: lives, archived } = await readLiveEvents(reader, { ...question, wishes, remember });
  const matches = matchEvents({ wishes, lives, remember, baseOf: () => undefined, renamesToo: true, now });
  const documents = new Map<string, Wish>();
  const notLive: EventFigures[] = [];
  const unclearIds = new Set<string>();
  const diagnostics: Diagnostic[] = [...project.remarks, ...remarks];
  for (const wish of wishes) {
    const match = matches.get(wish.address);
    if (match?.live != null) {
      documents.set(match.live.id, wish);
    } else if (match?.block != null) {
      diagnostics.push({ ...match.block, severity: "warning", address: wish.address, source: wish.source });
      for (const { id } of match.candidates ?? []) unclearIds.add(id);
    } else if (wish.own.status !== "DELETED" && wish.own.status !== "ARCHIVED") notLive.push(figuresOfWish(wish, now));
  }
  const sales = openSalesReader(client, reader);
  const shown = lives.filter((live) => live.status !== "ARCHIVED" || question.archivedToo || documents.has(live.id));
  let done = 0;
  const figures = await Promise.all(
    shown.map(async (live) => {
      const wish = documents.get(live.id) ?? null;
      // It may be the one that a document means; that is unknown.
      const isUnclear = wishes.length === 0 || unclearIds.has(live.id);
      const managed = wish !== null ? true : isUnclear ? null : false;
      const figure = { ...(await figuresOfEvent(live, wish, sales, question)), managed };
      question.onProgress(++done, shown.length);
      if (wish === null || !unclearVenues.has(wish.address)) return figure;
      const venue = { address: wish.address, field: "venue", how: "differs" } as const;
      return { ...figure, divergences: [...(figure.divergences ?? []), venue] };
    }),
  );
  const hidden = archived - shown.filter(({ status }) => status === "ARCHIVED").length;
  return {
    events: inOrder([...figures, ...notLive]),
    archived: Math.max(0, hidden),
    diagnostics: [...diagnostics, ...sales.remarks()],
  };
}

async function figuresOfEvent(
  live: Live,
  wish: Wish | null,
  reader: SalesReader,
  { project, now }: StatusQuestion,
): Promise<Omit<EventFigures, "managed">> {
  const managedFields = (wish?.children.ticket ?? []).flatMap((child) => Object.keys(child.fields));
  const tickets = await reader.ticketsOf(live, managedFields);
  const sales = mayHaveSales(live, tickets) ? await reader.salesOf(live) : { orders: 0, gross: 0, sold: null };
  const { name, dateTime, endDateTime, timezone, eventCapacity, absorbFees } = live.fields;
  const capacity = typeof eventCapacity === "number" ? eventCapacity : null;
  const ticketFigures = tickets?.map((ticket) => figuresOfTicket(ticket, sales)) ?? null;
  return {
    key: wish === null ? null : keyOf(wish),
    id: live.id,
    slug: live.slug,
    name: typeof name === "string" ? name : live.id,
    status: live.status,
    dateTime: textOr(dateTime),
    endDateTime: textOr(endDateTime),
    timezone: textOr(timezone) ?? wish?.own.timezone ?? standardZone,
    ended: hasEnded(live, now),
    absorbFees: typeof absorbFees === "boolean" ? absorbFees : null,
    divergences: wish === null ? null : divergencesOf(wish, live, tickets, project.remember),
    tickets: ticketFigures,
    capacity,
    ...sumTickets(ticketFigures, sales, capacity),
  };
}

/** A draft cannot be bought: if it shows that nothing was sold before, its orders need not be read. */
function mayHaveSales(live: Live, tickets: readonly Live[] | null): boolean {
  if (live.status !== "DRAFT" || tickets === null) return true;
  return tickets.some(({ fields, remaining }) => fields.quantity !== remaining);
}

function figuresOfWish(wish: Wish, now: number): EventFigures {
  const { dateTime, endDateTime, eventCapacity } = wish.fields;
  const [start, end] = [textOr(dateTime), textOr(endDateTime)];
  return {
    key: keyOf(wish),
    id: null,
    slug: null,
    name: wish.name,
    status: null,
    dateTime: start,
    endDateTime: end,
    timezone: wish.own.timezone ?? standardZone,
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
  };
}

/** Where a live event differs from its document. The event and its ticket types are read anyway; `plan` compares the rest. */
function divergencesOf(
  wish: Wish,
  live: Live,
  tickets: readonly Live[] | null,
  remember: Recall,
): readonly Divergence[] {
  const { ticket } = wish.children;
  const compared = compareEvent({
    wish: { ...wish, children: ticket === undefined || tickets === null ? {} : { ticket } },
    match: { live, block: null },
    lists: tickets === null ? {} : { ticket: tickets },
    remember,
    resendUnreadable: false,
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
  if (change.kind !== "event" && change.action === "create") return [{ address, field: null, how: "missing" }];
  if (change.kind !== "event" && change.action === "delete") return [{ address, field: null, how: "surplus" }];
  const isRecorded = remember(address, live?.id).id !== null;
  const how = ({ origin }: Edit) => (isRecorded ? (origin === "drift" ? origin : "edit") : "differs");
  const fields = change.edits
    .filter((edit) => edit.unreadable !== true)
    .map((edit): Divergence => ({ address, field: edit.path.slice(1), how: how(edit) }));
  return change.transition === null ? fields : [...fields, { address, field: "status", how: "differs" }];
}

type SalesReader = ReturnType<typeof openSalesReader>;

/** Reads ticket types and sales of events, as far as the key may see them: null if it may not. */
function openSalesReader(client: TicketingClient, reader: Reader) {
  const readList = makeListReader(reader, { settleMs: 0, sleep: async () => undefined });
  const remarks = new Map<string, Diagnostic>();
  let first: Promise<unknown> | null = null;

  function notAllowed(scope: string, what: string, error: unknown): null {
    if (!(error instanceof ReadFailure) || error.problem.status !== 403) throw error;
    const { message, hint } = explainProblem(error.problem, scope);
    const remark = { code: "scope-missing", severity: "warning", message: `${what} ${message}` } as const;
    remarks.set(scope, hint === undefined ? remark : { ...remark, hint });
    return null;
  }

  async function readSales(event: Live): Promise<SalesFigures> {
    const orders = await client.listAll(`/events/${event.id}/orders`, { status: "COMPLETED" }, { sized: true });
    if (!orders.ok) throw new ReadFailure(orders.problem);
    return sumOrders(orders.data);
  }

  return {
    /** What the key may not see, reported once. */
    remarks: () => [...remarks.values()],
    async ticketsOf(event: Live, fields: readonly string[]): Promise<readonly Live[] | null> {
      if (remarks.has("tickets:read")) return null;
      const wanted = [...new Set(["name", "price", "quantity", "published", ...fields])];
      return readList({ eventId: event.id, kind: "ticket", fields: wanted, fresh: [], atLeast: 0 }).catch((error) =>
        notAllowed("tickets:read", "Ticket types could not be read.", error),
      );
    },
    async salesOf(event: Live): Promise<SalesFigures | null> {
      // The first response shows how large a page may be and whether the key may see orders at all; the rest wait for it.
      if (first !== null) await first;
      if (remarks.has("orders:read")) return null;
      const mine = readSales(event).catch((error) =>
        notAllowed("orders:read", "Orders could not be read, so gross and net are not known.", error),
      );
      first ??= mine.catch(() => undefined);
      return mine;
    },
  };
}

function keyOf(wish: Wish): string {
  return decodeSegment(wish.address.slice(wish.address.indexOf("/") + 1));
}

/** What is to come first, the next one at the top; then what is over, the latest at the top. */
function inOrder(events: readonly EventFigures[]): readonly EventFigures[] {
  const at = (event: EventFigures) => Date.parse(event.dateTime ?? "") || Number.MAX_SAFE_INTEGER;
  return [...events].sort((one, other) => {
    if (one.ended !== other.ended) return one.ended ? 1 : -1;
    const order = one.ended ? at(other) - at(one) : at(one) - at(other);
    return order !== 0 ? order : `${one.name} ${one.id}` < `${other.name} ${other.id}` ? -1 : 1;
  });
}

function textOr(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

const shortestSeconds = 10;
const spanSeconds = { minute: 60, hour: 3600 } as const;

/** How long to wait between rounds of so many calls: half of the rate limit is left to others. */
export function watchSeconds(limits: Limits, calls: number): number {
  const paces = limits.windows.map(({ span, limit }) => (calls * 2 * spanSeconds[span]) / Math.max(1, limit));
  return Math.ceil(Math.max(shortestSeconds, ...paces));
}
