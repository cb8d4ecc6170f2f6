// Ticket types and sales of events, as far as the key may see them.
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Live } from "../../model/live.ts";
import { type SalesFigures, sumOrders } from "../../report/status-figures.ts";
import type { TicketingClient } from "../../service/client.ts";
import { ReadFailure } from "../../snapshot/read-failure.ts";
import { makeListReader } from "../../snapshot/read-lists.ts";
import type { Reader } from "../../snapshot/reader.ts";
import { explainProblem } from "../service-problem.ts";

export interface SalesDesk {
  /** null: the key may not see them. */
  ticketsOf(event: Live, fields: readonly string[]): Promise<readonly Live[] | null>;
  salesOf(event: Live): Promise<SalesFigures | null>;
  /** What the key may not see, said once. */
  readonly remarks: readonly Diagnostic[];
}

export function openSalesDesk(client: TicketingClient, reader: Reader): SalesDesk {
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
    get remarks() {
      return [...remarks.values()];
    },
    async ticketsOf(event, fields) {
      if (remarks.has("tickets:read")) return null;
      const wanted = [...new Set(["name", "price", "quantity", "published", ...fields])];
      return readList({ eventId: event.id, kind: "ticket", fields: wanted, fresh: [], atLeast: 0 }).catch((error) =>
        notAllowed("tickets:read", "Ticket types could not be read.", error),
      );
    },
    async salesOf(event) {
      // The first answer tells how large a page may be and whether the key may see orders at all; the rest follow it.
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
