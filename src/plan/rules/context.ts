// What is known apart from the edits: sales, by which rules judge; for people, names, zone and fees.
import type { Kind } from "../../kinds/define.ts";
import { parentAddress, serviceDefaultOf, soldByInventory, soldKind } from "../../kinds/index.ts";
import { type Address, idKey, uuidPattern } from "../../model/address.ts";
import type { Live, OrderFigures, Sold, VenueNames } from "../../model/live.ts";
import type { Block, Change, Context, Edit, PlannedPhase } from "../../model/plan.ts";
import { formatLocalMoment, standardZone } from "../../model/time.ts";
import { commissionPercent, type Fee, groupBy } from "../../model/value.ts";
import type { ComingPhase } from "../../model/wish.ts";
import { compareInTime } from "../compare/compare-event.ts";
import { allComparisons, type Comparison, type EventComparison } from "../compare/comparison.ts";

// Sales, from what the service shows: quantities first, orders if quantities do not show them.

/** `orders` undefined: not read (yet). */
export function soldOfTicket(ticket: Live, orders: OrderFigures | undefined): Sold {
  const proven = soldByInventory(ticket);
  if (proven !== null) return { count: proven, any: proven > 0 };
  if (!orders?.tickets) return fromOrders(orders);
  const any = (orders.tickets.notCanceled.get(idKey(ticket.id)) ?? 0) > 0;
  if (orders.isPart) return { count: null, any: any || null };
  const count = orders.tickets.completed.get(idKey(ticket.id)) ?? 0;
  return { count: any && count === 0 ? null : count, any };
}

/** An order with refunded tickets keeps its event from being deleted, because it would be deleted, too. */
export function soldOfEvent(event: EventComparison, orders: OrderFigures | undefined): Sold {
  const sold = soldNow(event, orders);
  if (sold.any !== false || event.self.change?.action !== "delete" || typeof orders?.total !== "number") return sold;
  return orders.total === 0 ? { ...sold, never: true } : { ...sold, any: true };
}

function soldNow({ self, lists }: EventComparison, orders: OrderFigures | undefined): Sold {
  const tickets = lists[soldKind.name];
  // Guests may have registered without a ticket type, which only orders show. A draft is asked about only before it is deleted: it may
  // have been public once.
  const mayHaveGuests = tickets?.length === 0 && (self.live?.status !== "DRAFT" || self.change?.action === "delete");
  if (mayHaveGuests && orders?.tickets && !orders.isPart) {
    const count = [...orders.tickets.completed.values()].reduce((sum, each) => sum + each, 0);
    if (count > 0) return { count, any: true };
  }
  if (tickets === undefined || mayHaveGuests) return fromOrders(orders);
  let count: number | null = 0;
  let any: boolean | null = false;
  let unknown: string | undefined;
  for (const ticket of tickets) {
    const sold = soldOfTicket(ticket, orders);
    unknown ??= sold.unknown;
    count = count === null || sold.count === null ? null : count + sold.count;
    any = any === true || sold.any === true ? true : any === null ? null : sold.any;
  }
  return { count, any, ...(unknown === undefined ? {} : { unknown }) };
}

/** Orders prove that something is sold; what, and how much, only their items show. */
function fromOrders(orders: OrderFigures | undefined): Sold {
  if (orders === undefined || orders.total === null) {
    return { count: null, any: null, ...(orders?.unread === undefined ? {} : { unknown: orders.unread }) };
  }
  return orders.total === 0 ? { count: 0, any: false } : { count: null, any: true, ofEvent: true };
}

export function withContext(
  event: EventComparison,
  venues: VenueNames,
  orders: OrderFigures | undefined,
): EventComparison {
  const shared = sharedContext(event);
  const which = whichOfName(event, shared.timezone);
  const self = addContext(event.self, { ...shared, ...eventContext(event, venues, orders) });
  const children = event.children.map((child) =>
    addContext(child, { ...shared, ...which.get(child), ...childContext(event, child, orders) }),
  );
  return { ...event, self, children };
}

function addContext(one: Comparison, context: Context): Comparison {
  return one.change === null ? one : { ...one, change: { ...one.change, context: { name: one.name, ...context } } };
}

/** Which one each entry is that has a name with others, where what identifies it says so. */
function whichOfName({ children }: EventComparison, zone: string): ReadonlyMap<Comparison, Pick<Context, "which">> {
  const found = new Map<Comparison, Pick<Context, "which">>();
  for (const sharing of groupBy(children, ({ kind, name }) => `${kind.name} ${name}`).values()) {
    if (sharing.length === 1) continue;
    const apart = groupBy(sharing, ({ kind, wish, live }) =>
      identityWords(kind, (field) => ({ ...wish?.fields, ...live?.fields })[field], zone),
    );
    for (const [which, [one, ...others]] of apart) if (which !== "" && others.length === 0) found.set(one, { which });
  }
  return found;
}

/** "section B, row 1", a start: what identifies an entry, except its name; what the service fills in only as a last resort. */
export function identityWords(kind: Kind, valueIn: (field: string) => unknown, zone: string): string {
  const { label, keys } = kind.identity;
  const known = (keys[0] ?? []).flatMap((field) => {
    const filledIn = serviceDefaultOf(kind, field);
    const given = valueIn(field) === null ? filledIn : valueIn(field);
    if (field === label || typeof given !== "string") return [];
    const policy = kind.fields[field];
    const isInstant = policy?.role === "value" && policy.form === "instant";
    const words = isInstant ? formatLocalMoment(given, zone) : `${field} ${given}`;
    return [{ words, isOwn: given !== filledIn }];
  });
  const own = known.filter(({ isOwn }) => isOwn);
  return (own.length > 0 ? own : known).map(({ words }) => words).join(", ");
}

function sharedContext({ self }: EventComparison): Context & { readonly timezone: string } {
  const zone = self.wish?.own.timezone ?? self.live?.fields.timezone;
  return {
    timezone: typeof zone === "string" ? zone : standardZone,
    ...(self.live?.status ? { status: self.live.status } : {}),
  };
}

function eventContext(event: EventComparison, venues: VenueNames, orders: OrderFigures | undefined): Context {
  const { change, live } = event.self;
  const edited = (path: string) => change?.edits.some((edit) => edit.path === path) === true;
  const names = editVenueNames(change?.edits ?? [], venues);
  const sold = live === null ? {} : soldContext(soldOfEvent(event, orders));
  return { ...(edited("/absorbFees") ? { prices: pricesOf(event) } : {}), ...names, ...sold };
}

export function editVenueNames(edits: readonly Edit[], venues: VenueNames): Pick<Context, "names"> {
  const names = edits
    .flatMap(({ before, after }) => [before, after])
    .flatMap((value) => {
      const name = typeof value === "string" && uuidPattern.test(value) ? venues(value) : null;
      return name === null ? [] : [[value, name] as const];
    });
  return names.length === 0 ? {} : { names: Object.fromEntries(names) };
}

function childContext(event: EventComparison, child: Comparison, orders: OrderFigures | undefined): Context {
  const { self } = event;
  const absorb =
    self.wish?.fields.absorbFees ?? self.live?.fields.absorbFees ?? (self.live === null ? true : undefined);
  const sold = child.live === null || child.kind.sold !== true ? {} : soldContext(soldOfTicket(child.live, orders));
  return { eventName: self.name, ...(typeof absorb === "boolean" ? { absorbFees: absorb } : {}), ...sold };
}

function soldContext({ count, any }: Sold): Context {
  if (count !== null) return { sold: count };
  return any === true ? { sold: "some" } : {};
}

function pricesOf(event: EventComparison): readonly { name: string; price: number }[] {
  return event.children.flatMap((child) => {
    const price = child.wish?.fields.price ?? child.live?.fields.price;
    return child.kind.sold === true && typeof price === "number" ? [{ name: child.name, price }] : [];
  });
}

/** A phase to come with what it changes, as if the files before it were live. `blocks`: of what the service has now, by address. */
export function withChanges(
  { around: [before, then], ...phase }: ComingPhase,
  blocks?: ReadonlyMap<Address, readonly Block[]>,
): PlannedPhase {
  const event = phase.fields.length === 0 ? null : compareInTime(then, before);
  if (event === null) return phase;
  // Of phases that begin or end at one instant, each does what it sets.
  const names = new Set(phase.fields.flatMap((pointer) => pointer.split("/")[1]?.replace(/^venue$/, "venueId") ?? []));
  const changes = allComparisons(withContext(event, () => null, undefined)).flatMap(({ change, kind, address }) => {
    if (change === null || (address !== phase.address && !names.has(kind.plural))) return [];
    const isSent = ({ path, sentAlong }: Edit) => !sentAlong && (address !== phase.address || names.has(path.slice(1)));
    const edits = change.edits.filter(isSent).map((edit) => ({ ...edit, origin: "phase" as const }));
    const transition = address !== phase.address || names.has("status") ? change.transition : null;
    if (change.action === "update" && edits.length === 0 && transition === null) return [];
    return { ...change, id: null, origin: "phase" as const, edits, transition, blockedBy: blocks?.get(address) ?? [] };
  });
  return changes.length === 0 ? phase : { ...phase, changes };
}

// What prices mean: the commission, and who bears it.

/** For each change, the fees to explain. */
export function feesWithin(changes: readonly Change[]): (change: Change) => readonly Fee[] {
  /** Whether events will absorb fees, as far as their own changes show; a new one does by default. */
  const absorbing = new Map<Address | null, boolean>();
  for (const change of changes) {
    const after = afterOf(change, "/absorbFees");
    const isNew = change.action === "create" && parentAddress(change.address) === null;
    if (typeof after === "boolean" || isNew) absorbing.set(change.address, after !== false);
  }
  return (change) => feesToExplain(change, absorbing);
}

/** The prices to explain: that of a ticket type whose price is set, or all of them if who pays the fees changes. */
function feesToExplain(change: Change, absorbing: ReadonlyMap<Address | null, boolean>): readonly Fee[] {
  if (change.action === "delete") return [];
  if (change.kind === soldKind.name) {
    const price = afterOf(change, "/price");
    if (typeof price !== "number") return [];
    const absorbFees = change.context?.absorbFees ?? absorbing.get(parentAddress(change.address)) ?? null;
    return [{ price, commission: commissionOn(price), absorbFees }];
  }
  const absorbFees = afterOf(change, "/absorbFees");
  if (change.action === "create" || typeof absorbFees !== "boolean") return [];
  const prices = change.context?.prices ?? [];
  return prices.map(({ name, price }) => ({ ticket: name, price, commission: commissionOn(price), absorbFees }));
}

/** In pesos; a percentage of whole pesos is exact in centavos. */
export function commissionOn(price: number): number {
  return (price * commissionPercent) / 100;
}

function afterOf({ edits }: Change, path: string) {
  return edits.find((edit) => edit.path === path)?.after;
}
