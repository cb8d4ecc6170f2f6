/** Sales of one object: `count` where it can be told, `any` where only that can, both null where neither can. */
export interface Sold {
  readonly count: number | null;
  readonly any: boolean | null;
}

/** Tickets in the orders of an event, by the id of their type. */
export interface TicketsInOrders {
  /** Of COMPLETED orders: the number that people are told. */
  readonly completed: ReadonlyMap<string, number>;
  /** Of all orders but CANCELLED ones: what may bind a buyer. */
  readonly notCancelled: ReadonlyMap<string, number>;
}

/** What the orders of an event show. */
export interface OrderFigures {
  /** Orders that are not CANCELLED; null: this key cannot see them. */
  readonly total: number | null;
  /** null: the orders do not show their ticket types; left out: not read. */
  readonly tickets?: TicketsInOrders | null;
}
