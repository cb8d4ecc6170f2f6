// The pass that decides what blocks a change: obstacles from matching and comparing, mistakes visible only next to what is
// live, each kind's rules and risks, protection, references to what is deleted, and too many deletions.
import type { Facts, RemarkFacts, Verdict } from "../../kinds/define.ts";
import { sentName } from "../../kinds/index.ts";
import { type Address, dateOf, keyInAddress, rootOf } from "../../model/address.ts";
import { type Diagnostic, plainHintOf, type Source } from "../../model/diagnostic.ts";
import type { OrderFigures, Sold } from "../../model/live.ts";
import { type Block, type Change, type Edit, isDrift, type Origin } from "../../model/plan.ts";
import { groupBy, type SecretPlace } from "../../model/value.ts";
import { type DateLoss, ownRisks, type Project, risksAccepted, type Wish } from "../../model/wish.ts";
import { allComparisons, type Comparison, type EventComparison, isMatched, mapEvent } from "../compare/comparison.ts";
import type { Recall } from "../match/recall.ts";
import { soldOfEvent, soldOfTicket } from "./context.ts";
import { type DeleteLimit, tooManyDeletes } from "./delete-limit.ts";
import { importToKeep } from "./plan-remarks.ts";
import { judgeReferences, protectionOf } from "./reference-rules.ts";

/** What rules know in addition to the event itself. */
export interface RuleContext {
  /** Risks accepted for the project or on the command line. */
  readonly allow: readonly string[];
  /** More risks that the files accept, for one event. */
  readonly allowIn?: (event: EventComparison) => readonly string[];
  readonly whyDateLeft?: (event: Address) => DateLoss | undefined;
  readonly secretPlace: SecretPlace;
  readonly ordersOf: (eventId: string) => OrderFigures | undefined;
}

export interface JudgeContext extends RuleContext {
  readonly now: number;
  readonly remember: Recall;
  /** null: somebody has accepted the number of deletions. */
  readonly deletes: DeleteLimit | null;
}

/** The same events with every forbidden change blocked; `remarks`: what people should know anyway, for each of them. */
export function judgeEvents(events: readonly EventComparison[], context: JudgeContext) {
  const tooMany =
    context.deletes === null
      ? null
      : tooManyDeletes(
          events.map((event) => withVerdicts(event, context)),
          context.deletes,
        );
  const remarks: (readonly Diagnostic[])[] = [];
  const judged = events.map((event) => {
    const said: Diagnostic[] = [];
    remarks.push(said);
    const factsOf = factsWithin(event, context);
    const allowed = allowedFor(event, context);
    function judge(one: Comparison): Comparison {
      const found = remarksOn(one, event, factsOf, context);
      if (one.change === null) {
        said.push(...acceptedRisks(one), ...found);
        return one;
      }
      const mistakes = found.filter(({ severity }) => severity === "error");
      const before = [...one.obstacles, ...mistakes.map(({ code, message, hint = "" }) => ({ code, message, hint }))];
      const { blocks, accepted } =
        mistakes.length === 0 && isMatched(one)
          ? verdictsOn(one, { change: one.change, ...factsOf(one) }, allowed)
          : noVerdicts;
      const guarded = protectionOf(event, one);
      const references = judgeReferences(event, one);
      const deletes = one === event.self && one.change?.action === "delete" && tooMany !== null ? [tooMany] : [];
      const done = withBlocks(one, [...before, ...blocks, ...guarded, ...references.blocks, ...deletes], accepted);
      said.push(...acceptedRisks(done), ...found);
      if (references.reason === null || done.change === null) return done;
      return { ...done, change: { ...done.change, reason: `${done.change.reason}; ${references.reason}` } };
    }
    return mapEvent(event, judge);
  });
  return { events: judged, remarks };
}

/** With what the rules say about its deletion, if it is to be deleted. */
function withVerdicts(event: EventComparison, context: JudgeContext): EventComparison {
  const { self } = event;
  if (self.change?.action !== "delete" || !isMatched(self)) return event;
  const facts = { change: self.change, ...factsWithin(event, context)(self) };
  return { ...event, self: withBlocks(self, verdictsOn(self, facts, []).blocks, []) };
}

const nothingSold: Sold = { count: 0, any: false };
const noEvent = { event: null, sold: nothingSold, eventSold: nothingSold, eventWish: null };

export function judgeWebhooks(
  webhooks: readonly Comparison[],
  { allow, secretPlace }: Pick<RuleContext, "allow" | "secretPlace">,
): readonly Comparison[] {
  return webhooks.map((one) => {
    if (one.change === null || one.obstacles.length > 0) return withBlocks(one, one.obstacles, []);
    const { change, live, name } = one;
    const facts = { change, live, ...noEvent, secretPlace, name };
    const { blocks, accepted } = verdictsOn(one, facts, allow);
    return withBlocks(one, blocks, accepted);
  });
}

function withBlocks(one: Comparison, blockedBy: readonly Block[], accepted: readonly Block[]): Comparison {
  const judged = accepted.length === 0 || blockedBy.length > 0 ? one : { ...one, accepted };
  return one.change === null ? judged : { ...judged, change: { ...one.change, blockedBy } };
}

interface Verdicts {
  readonly blocks: readonly Block[];
  readonly accepted: readonly Block[];
}

const noVerdicts: Verdicts = { blocks: [], accepted: [] };

function verdictsOn(one: Comparison, facts: Facts, allow: readonly string[]): Verdicts {
  const judge = (about: Facts) => one.kind.rules.map((rule) => rule(about)).filter((verdict) => verdict !== null);
  const all = judge(facts);
  if (all.length === 0) return noVerdicts;
  const isOfEnd = (risk: string) =>
    !judge({ ...facts, change: besideEnds(one, facts.change, risk) }).some(({ code }) => code === risk);
  const isAccepted = ({ risk, code }: Verdict) => risk && (allow.includes(code) || isOfEnd(code));
  const blockOf = ({ risk: _, ...block }: Verdict): Block => block;
  const { edits, origin, transition } = facts.change;
  const meant = edits.filter((edit) => edit.origin !== "drift");
  // What rules say of the part that the files' authors meant.
  const said = judge({
    ...facts,
    change: { ...facts.change, edits: meant, transition: origin === "drift" ? null : transition },
  });
  const isOfDrift = ({ code }: Verdict) =>
    one.live !== null && (isDrift(facts.change) || !said.some((verdict) => verdict.code === code));
  // Where nothing can change anymore, accepting a risk would have no effect.
  const isFinal = all.some(({ code }) => code === "archived-is-final");
  const open = all.filter((verdict) => !isAccepted(verdict) && !(isFinal && verdict.risk));
  return {
    blocks: open.map((verdict) => (isOfDrift(verdict) ? keepingFirst(verdict, one.address) : blockOf(verdict))),
    accepted: all.filter(isAccepted).map(blockOf),
  };
}

/** What somebody did on the service comes with how to keep it first: the rest of the hint is about undoing it. */
function keepingFirst({ risk, ...block }: Verdict, address: Address): Block {
  const keep = `Somebody did this on the service. To keep it, ${importToKeep(address)}${risk ? "; if you accept the risk, apply undoes it" : ""}.`;
  const [hint, plainHint] = [block.hint, plainHintOf(block)].map((words) => `${keep} ${words}`.trim());
  return { ...block, hint: hint ?? "", ...(plainHint === hint ? {} : { plainHint: plainHint ?? "" }) };
}

/** The change without what the end of a phase reverts, if that phase accepts the risk. */
function besideEnds({ kind, wish }: Comparison, change: Change, risk: string): Change {
  const { action, origin, transition } = change;
  const ends = (wish?.own.ended ?? []).filter(({ allow }) => allow.includes(risk));
  if (ends.length === 0 || (action !== "update" && action !== "none")) return change;
  const isEnd = (of: Origin | undefined, name: string, from: unknown, to: unknown) =>
    of === "phase" && ends.some(({ field, before, after }) => field === name && before === from && after === to);
  const isBack = (edit: Edit) => isEnd(edit.origin, sentName(kind, edit.path.slice(1)), edit.before, edit.after);
  const isStatusBack = isEnd(origin, "status", transition?.from, transition?.to);
  const edits = change.edits.filter((edit) => !isBack(edit));
  return { ...change, edits, transition: isStatusBack ? null : transition };
}

function remarksOn(
  one: Comparison,
  event: EventComparison,
  factsOf: (one: Comparison) => Omit<Facts, "change">,
  { now, remember }: JudgeContext,
): readonly Diagnostic[] {
  const { wish, change, kind } = one;
  if (wish === null || kind.remarks === undefined) return [];
  const remembered = remember(one.address);
  const about: RemarkFacts = { wish, change, eventObstacles: event.self.obstacles, now, remembered, ...factsOf(one) };
  const found = kind.remarks.map((remark) => remark(about)).filter((remark) => remark !== null);
  if (found.length === 0) return found;
  const ignored = [...(wish.own.ignore ?? []), ...(event.self.wish?.own.ignore ?? [])];
  return found.filter(({ code }) => !ignored.includes(code));
}

/** An accepted risk is still reported, with its event: reviewers must know, and its place may be in a template. */
export function acceptedRisks(one: Comparison): readonly Diagnostic[] {
  const root = rootOf(one.address);
  const whose = root === one.address && dateOf(root) === null ? "" : ` for ${keyInAddress(root)}`;
  return (one.accepted ?? []).map(({ code, message }) => ({
    code,
    severity: "info",
    message: `Accepted${whose}: ${message}`,
    address: one.address,
    ...(one.wish == null || one.change?.source === null ? {} : { source: whereAccepted(one.wish, code) }),
  }));
}

/** The object itself, where another file accepts it. */
function whereAccepted({ own, places, source }: Wish, code: string): Source {
  return (own.allow?.some(({ risk }) => risk === code) === true && places.allow) || source;
}

/** The risks that the files accept on that day, for everything and for each event. */
export function acceptedByFiles({ settings: { allow }, events }: Pick<Project, "settings" | "events">, today: string) {
  const present = new Set(events.map(({ address }) => address));
  // What a date accepts under `dates` is for that date alone.
  const plain = events.filter(({ own }) => own.series?.namedBy.entry === false);
  const datesOf = groupBy(plain, ({ own }) => own.series?.of);
  const ownOf = (wish: Wish | null | undefined) => (wish ? ownRisks(wish, today) : []);
  /** A date that was removed from its series: what the file of the series accepts for all that are left. */
  const ofRemoved = (event: Address) => {
    const [one, ...others] = (present.has(event) ? undefined : datesOf.get(dateOf(event)?.series)) ?? [];
    // An entry that names a date counts for that one alone.
    const forRemoved = (left: Wish | undefined) => ownOf(left && { ...left, address: event });
    return forRemoved(one).filter((risk) => others.every((other) => forRemoved(other).includes(risk)));
  };
  return {
    everywhere: risksAccepted(allow, null, today),
    of: (event: Address, wish: Wish | null | undefined): readonly string[] =>
      [risksAccepted(allow, event, today), ownOf(wish), ofRemoved(event)].flat(),
  };
}

/** Also includes risks that were accepted only for the end of a phase: a saved plan is judged without the files. */
export function allowedFor(
  event: EventComparison,
  { allow, allowIn }: Pick<RuleContext, "allow" | "allowIn">,
): readonly string[] {
  const all = [...allow, ...(allowIn?.(event) ?? [])];
  const accepted = allComparisons(event).flatMap((one) => (one.accepted ?? []).map(({ code }) => code));
  return [...all, ...new Set(accepted.filter((code) => !all.includes(code)))];
}

/** What still has to be known about sales: whether a rule applies at all, or only the number in its message. */
type SalesNeed = "verdict" | "number" | null;

/** Asked before orders are read: a verdict that is the same with the fewest and the most sales needs none. */
export function salesNeed(event: EventComparison, context: RuleContext): SalesNeed {
  let need: SalesNeed = null;
  const factsOf = factsWithin(event, context);
  for (const one of allComparisons(event)) {
    const { change } = one;
    if (change === null || one.live === null || !isMatched(one)) continue;
    const facts = factsOf(one);
    const verdictsWith = (assume: (sold: Sold) => Sold) =>
      verdictsOn(one, { change, ...facts, sold: assume(facts.sold), eventSold: assume(facts.eventSold) }, []).blocks;
    const [fewest, most] = [verdictsWith(leastSold), verdictsWith(mostSold)];
    if (blockCodes(fewest) !== blockCodes(most)) return "verdict";
    if (most.some((verdict, index) => verdict.message !== fewest[index]?.message)) need = "number";
  }
  return need;
}

/** More orders than this are read only if a verdict needs them; a message that needs the number says "some". */
const worthCounting = 1000;

interface OrdersToRead {
  /** How many there are, or what they are of. */
  readonly read: "total" | "items";
  /** Ends it before the last. */
  readonly isEnough?: (part: OrderFigures) => boolean;
}

/** What to read of an event's orders in addition to what is known of them; null: nothing. */
export function ordersToRead(
  event: EventComparison,
  rules: Omit<RuleContext, "ordersOf">,
  known: OrderFigures | undefined,
): OrdersToRead | null {
  const needWith = (orders: OrderFigures | undefined) => salesNeed(event, { ...rules, ordersOf: () => orders });
  const need = needWith(known);
  // An event whose tickets were all refunded still has orders, which a deletion would remove.
  if (need === null) return known === undefined && event.self.change?.action === "delete" ? { read: "total" } : null;
  // If a quantity proves sales, only the items of orders can say more.
  if (known === undefined)
    return { read: need === "verdict" && soldOfEvent(event, undefined).any === true ? "items" : "total" };
  if (known.total === null || known.tickets !== undefined) return null;
  if (known.total <= worthCounting) return { read: "items" };
  return need === "verdict" ? { read: "items", isEnough: (part) => needWith(part) !== "verdict" } : null;
}

function leastSold({ count, any }: Sold): Sold {
  return count !== null ? { count, any } : any === true ? { count: 1, any } : nothingSold;
}

function mostSold({ count, any }: Sold): Sold {
  if (count !== null) return { count, any };
  return any === false ? { count: 0, any } : { count: Number.MAX_SAFE_INTEGER, any: true };
}

function blockCodes(blocks: readonly Block[]): string {
  return blocks.map(({ code }) => code).join(" ");
}

/** What the rules may know about each object of an event. The sales of the event are summed once, not per ticket type. */
function factsWithin(event: EventComparison, context: RuleContext): (one: Comparison) => Omit<Facts, "change"> {
  const { live, wish } = event.self;
  const orders = live === null ? undefined : context.ordersOf(live.id);
  const eventSold = live === null ? nothingSold : soldOfEvent(event, orders);
  return (one) => ({
    live: one.live,
    event: live,
    sold: one === event.self ? eventSold : one.live === null ? nothingSold : soldOfTicket(one.live, orders),
    eventSold,
    eventWish: event.self.wish,
    whyDateLeft: context.whyDateLeft?.(event.self.address),
    secretPlace: context.secretPlace,
    name: one.name,
    hasAllow: wish !== null && wish.places.allow?.file === wish.source.file,
  });
}
