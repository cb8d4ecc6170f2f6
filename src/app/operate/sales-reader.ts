// Ticket types and orders of events, as far as the key may see them.
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Live } from "../../model/live.ts";
import { historyOfOrders, type SalesFigures, type SalesHistory, sumOrders } from "../../report/status.ts";
import type { TicketingClient } from "../../service/client.ts";
import { makeListReader } from "../../snapshot/read-lists.ts";
import { type Reader, ReadFailure } from "../../snapshot/reader.ts";
import { explainProblem } from "../session/service-problem.ts";

export interface Sales extends SalesFigures {
  readonly history?: SalesHistory;
}

export interface SalesReader {
  /** What the key may not see, reported once. */
  remarks(): readonly Diagnostic[];
  /** All orders that were read, of every event. */
  ordersRead(): number;
  /** null if the key may not see them. */
  ticketsOf(event: Live, fields: readonly string[]): Promise<readonly Live[] | null>;
  salesOf(event: Live): Promise<Sales | null>;
}

/** `historyZone`: orders of every status are read, and counted by days of this zone; null: only what is sold. */
export function openSalesReader(client: TicketingClient, reader: Reader, historyZone: string | null): SalesReader {
  const readList = makeListReader(reader, { settleMs: 0, sleep: async () => undefined });
  const remarks = new Map<string, Diagnostic>();
  let first: Promise<unknown> | null = null;
  let read = 0;

  function notAllowed(scope: string, what: string, error: unknown): null {
    if (!(error instanceof ReadFailure) || error.problem.status !== 403) throw error;
    const { message, hint } = explainProblem(error.problem, scope);
    const remark = { code: "scope-missing", severity: "warning", message: `${what} ${message}` } as const;
    remarks.set(scope, hint === undefined ? remark : { ...remark, hint });
    return null;
  }

  async function readSales(event: Live): Promise<Sales> {
    const query = historyZone === null ? { status: "COMPLETED" } : {};
    const orders = await client.listAll(`/events/${event.id}/orders`, query, { sized: true });
    if (!orders.ok) throw new ReadFailure(orders.problem);
    read += orders.data.length;
    const sums = sumOrders(orders.data);
    return historyZone === null ? sums : { ...sums, history: historyOfOrders(orders.data, historyZone) };
  }

  return {
    remarks: () => [...remarks.values()],
    ordersRead: () => read,
    async ticketsOf(event, fields) {
      if (remarks.has("tickets:read")) return null;
      const wanted = [...new Set(["name", "price", "quantity", "published", ...fields])];
      return readList({ eventId: event.id, kind: "ticket", fields: wanted, fresh: [], atLeast: 0 }).catch((error) =>
        notAllowed("tickets:read", "Ticket types could not be read.", error),
      );
    },
    async salesOf(event) {
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
