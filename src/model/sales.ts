/** Sales of one object: `count` where it can be told, `any` where only that can, both null where neither can. */
export interface Sold {
  readonly count: number | null;
  readonly any: boolean | null;
  /** What is known is of the whole event: its orders do not show their ticket types. */
  readonly ofEvent?: true;
  /** Why neither can be told, where more is known than that this key may not see orders. */
  readonly unknown?: string;
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
  /** Orders that are not CANCELLED; null: they cannot be read. */
  readonly total: number | null;
  /** Why they cannot be read, where it is not that the key may not see them. */
  readonly unread?: string;
  /** null: the orders do not show their ticket types; left out: not read. */
  readonly tickets?: TicketsInOrders | null;
  /** Only some of them were read: what they show is there, and what they do not show may be. */
  readonly isPart?: true;
}
