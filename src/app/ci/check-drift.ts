// Compares the service with what was merged: everything, or the events compared longest ago, with few enough calls to leave room for an apply.
import { hasAppliedStatus, kindOf, sentName, showsApplied } from "../../kinds/index.ts";
import { type Address, idKey, rootOf, sameId } from "../../model/address.ts";
import { type Diagnostic, errorOf } from "../../model/diagnostic.ts";
import type { Live, State } from "../../model/live.ts";
import { type Change, type Edit, type Plan, planErrors } from "../../model/plan.ts";
import { dayMs } from "../../model/time.ts";
import { compareText, formatCount, isReference } from "../../model/value.ts";
import { familyOf, type Wish } from "../../model/wish.ts";
import { eventFilter, targetFilter } from "../../plan/compare.ts";
import type { DriftReport } from "../../report/comment.ts";
import { problemOf } from "../../service/problem.ts";
import { makeEventPool, openStatuses } from "../../snapshot/find-events.ts";
import { attemptRead, makeReader, type Reader } from "../../snapshot/reader.ts";
import { showingWrites } from "../../snapshot/recent-writes.ts";
import type { StateStore } from "../../state/store.ts";
import type { PlanFlags, PlanUse } from "../planning/plan-inputs.ts";
import { patienceOf } from "../planning/plan-inputs.ts";
import { planSession } from "../planning/plan-session.ts";
import type { Session } from "../session/open-session.ts";
import type { World } from "../world.ts";

export interface DriftFlags extends PlanFlags {
  /** The most calls to the service; left out: as many as it takes. */
  readonly budget?: number;
}

/** `drifted`: what was changed on the service, with only those edits; `errors`: why something could not be compared. */
export interface DriftFindings
  extends Pick<
    DriftReport,
    "drifted" | "unapplied" | "webhooksChecked" | "checked" | "events" | "diagnostics" | "errors" | "calls"
  > {
  /** Live events that no file describes; null: not read. */
  readonly unmanaged: readonly Live[] | null;
  /** Webhooks that were compared. */
  readonly webhooks: readonly Address[];
}

export async function checkForDrift(
  world: World,
  session: Session,
  flags: DriftFlags,
  onProgress: (done: number, total: number) => void,
): Promise<DriftFindings> {
  const { client } = session.target;
  const calls = makeCallBudget(session, flags.budget);
  const budgeted = makeReader({ request: calls.request, pause: (ms) => client.pause(ms) });
  const reader = showingWrites(budgeted, session.state, patienceOf(world, session, flags), session.leftovers);
  const plans: Plan[] = [];
  const checked = new Set<Address>();
  const found = new Set<string>();
  async function check(target: readonly string[], events: readonly Wish[], alsoWebhooks = false): Promise<boolean> {
    const use: PlanUse = { purpose: "compare", sealed: false, reader, alsoWebhooks };
    const { plan, matched } = await planSession(world, session, { ...flags, target }, use, onProgress);
    // What was not read is unknown, whatever the plan concludes.
    if (calls.isEmpty()) return false;
    plans.push(plan);
    if (planErrors(plan).length > 0) return false;
    for (const { address } of events) checked.add(address);
    for (const { id } of Object.values(matched)) found.add(idKey(id));
    return true;
  }

  const targets = flags.target ?? [];
  const { events } = session.project;
  const isIncluded = eventFilter(
    targets,
    events.flatMap(familyOf).map(({ address }) => address),
  );
  const all = events.filter(({ address }) => isIncluded(address));
  const withWebhooks = session.project.webhooksManaged && targets.length === 0;
  const checkBatch = (batch: readonly Wish[], isFirst: boolean) =>
    check(
      batch.map(({ address }) => address),
      batch,
      isFirst && withWebhooks,
    );
  if (flags.budget === undefined) await check(targets, all);
  else await checkOldestFirst(all, session, calls, checkBatch);
  const changes = plans.flatMap((plan) => plan.changes);
  const isAllKnown = all.every(({ address }) => checked.has(address) || session.state?.objects[address] !== undefined);
  const errors = plans.flatMap(planErrors);
  const areWebhooksRead = plans.every(({ compared }) => compared?.webhooksUnread !== true);
  const isTargeted = targetFilter(targets);
  const webhooks = session.project.webhooks.flatMap(({ address }) => (isTargeted(address) ? address : []));
  if (all.length > 0 && checked.size === 0 && errors.length === 0)
    errors.push(tooFewCalls(session, inTurn(all, session).flat()[0]));
  return {
    drifted: changes.flatMap((change) => driftPart(withHiddenDrift(change, session), session, true)),
    unapplied: changes.flatMap((change) => driftPart(change, session, false)),
    unmanaged:
      isAllKnown && errors.length === 0 && targets.length === 0 && calls.left() >= listCost(session)
        ? await unmanagedEvents(reader, session, found)
        : null,
    webhooks: areWebhooksRead && plans.length > 0 ? webhooks : [],
    webhooksChecked: session.project.webhooksManaged && areWebhooksRead,
    checked: [...checked],
    events: all.length,
    diagnostics: plans.flatMap(({ diagnostics }) => diagnostics.filter(({ severity }) => severity !== "error")),
    errors,
    calls: client.counts.reads,
  };
}

/** In batches, as far as the calls allow; `check` returns whether to continue. */
async function checkOldestFirst(
  events: readonly Wish[],
  session: Session,
  calls: { left(): number },
  check: (batch: readonly Wish[], isFirst: boolean) => Promise<boolean>,
): Promise<void> {
  let [drifted, others] = inTurn(events, session);
  for (let isFirst = true; ; isFirst = false) {
    const left = calls.left() - (isFirst ? listCost(session) : 0);
    // Drift that stays undecided must not keep the other events from being compared.
    const again = withinBudget(drifted, others.length === 0 ? left : left / 2);
    const certain = [...again, ...withinBudget(others, left - costOf(again))];
    // Most events cost fewer calls than estimated, so one is tried with what is left.
    const batch = certain.length > 0 ? certain : [...others, ...drifted].slice(0, 1);
    if (batch.length === 0 || calls.left() < 1 || !(await check(batch, isFirst))) return;
    const done = new Set(batch);
    const isLeft = (wish: Wish) => !done.has(wish);
    [drifted, others] = [drifted.filter(isLeft), others.filter(isLeft)];
  }
}

type Turn = readonly Wish[];

/** Those that had drifted when they were compared last, and the others; never compared or longest ago first. */
function inTurn(events: readonly Wish[], { state }: Session): [drifted: Turn, others: Turn] {
  const sorted = (all: Turn, at: (wish: Wish) => string) =>
    [...all].sort((one, other) => compareText(at(one), at(other)));
  const driftedAt = ({ address }: Wish) => state?.drifted?.[address] ?? "";
  return [
    sorted(
      events.filter((wish) => driftedAt(wish) !== ""),
      driftedAt,
    ),
    sorted(
      events.filter((wish) => driftedAt(wish) === ""),
      ({ address }) => state?.verified?.[address] ?? "",
    ),
  ];
}

function costOf(events: readonly Wish[]): number {
  return events.reduce((sum, wish) => sum + eventCost(wish), 0);
}

function tooFewCalls(session: Session, next: Wish | undefined): Diagnostic {
  const enough = listCost(session) + (next === undefined ? 0 : eventCost(next));
  return errorOf(
    "budget-too-small",
    "--budget allows too few calls to check even one event, so nothing is known about drift.",
    `Raise --budget to ${formatCount(enough)} or more: that is enough for the lists and one event.`,
  );
}

/** Allows this many calls and no more. */
function makeCallBudget({ target: { client } }: Session, budget = Number.POSITIVE_INFINITY) {
  let underWay = 0;
  let wasEmpty = false;
  const left = () => budget - client.counts.reads - underWay;
  return {
    left,
    isEmpty: () => wasEmpty,
    async request(...call: Parameters<typeof client.request>): ReturnType<typeof client.request> {
      if (left() < 1) {
        wasEmpty = true;
        return { ok: false, problem: problemOf("not-sent", "interrupted", "The calls of this run are used up.", "") };
      }
      underWay += 1;
      try {
        return await client.request(...call);
      } finally {
        underWay -= 1;
      }
    },
  };
}

/** As many events as this many calls are certain to cover. */
function withinBudget(events: readonly Wish[], calls: number): readonly Wish[] {
  let left = calls;
  const end = events.findIndex((wish) => {
    left -= eventCost(wish);
    return left < 0;
  });
  return end === -1 ? events : events.slice(0, end);
}

/** The event itself, its lists, those that entries refer to, and its orders if a change depends on sales. */
function eventCost(wish: Wish): number {
  const refers = familyOf(wish).some(({ fields }) => Object.values(fields).some(isReference));
  return 2 + Object.keys(wish.children).length + (refers ? 1 : 0);
}

const perPage = 100;

/** Whose key it is, the webhooks, and the pages of the lists of events. */
function listCost({ project }: Session): number {
  return (project.webhooksManaged ? 3 : 1) + 2 * openStatuses.length + Math.ceil(project.events.length / perPage);
}

/** Live events that neither a document nor state knows. */
async function unmanagedEvents(reader: Reader, { state, project }: Session, matched: ReadonlySet<string>) {
  const pool = makeEventPool(reader, project.events.length > 10);
  const remembered = Object.values(state?.objects ?? {}).map(({ id }) => idKey(id));
  const known = new Set([...matched, ...remembered]);
  const read = await attemptRead(async () => {
    for (const status of openStatuses) await pool.readList(status);
    return pool.complete([]);
  });
  return read.ok ? read.value.filter(({ id }) => !known.has(idKey(id))) : null;
}

/** Without a record, drift looks like an unapplied merge: then only what is not live yet counts as one. */
function countsAsDrift(origin: Change["origin"], { action }: Change, { state }: Session): boolean {
  if (origin === "drift") return true;
  return origin === "edit" && state?.appliedRevision === undefined && action !== "create" && action !== "delete";
}

/** The change with drift in fields that the files edit, too: an unapplied edit must not hide it. */
function withHiddenDrift(change: Change, { state }: Session): Change {
  const entry = state?.objects[change.address];
  if (entry === undefined || change.id === null || !sameId(entry.id, change.id)) return change;
  const kind = kindOf(change.kind);
  const isMoved = ({ path, before, sentAlong, unreadable }: Edit) => {
    const policy = kind.fields[path.slice(1)];
    if (policy?.role !== "value" || sentAlong || unreadable) return false;
    return !showsApplied(policy, sentName(kind, path.slice(1)), before, entry);
  };
  const from = change.transition?.from ?? null;
  const isStatusMoved = !hasAppliedStatus({ status: from }, entry);
  const edits = change.edits.map((edit) => (isMoved(edit) ? { ...edit, origin: "drift" as const } : edit));
  return { ...change, edits, ...(isStatusMoved ? { origin: "drift" as const } : {}) };
}

/** The part of a change that is drift, or the other part. If the object itself drifted, all differences are drift. */
function driftPart(change: Change, session: Session, drift: boolean): readonly Change[] {
  const isOfPart = ({ origin }: Edit | Change) => countsAsDrift(origin, change, session) === drift;
  const isWhole = change.origin !== undefined && isOfPart(change);
  const edits = isWhole && drift ? change.edits : change.edits.filter(isOfPart);
  // Also without edits or a status: an id that no longer exists.
  if (edits.length === 0 && !isWhole) return [];
  return [{ ...change, edits, transition: isWhole ? change.transition : null }];
}

/** When the event was last compared, whatever came of it; undefined: never. */
export function comparedAt({ state }: Session, address: Address): string | undefined {
  return state?.verified?.[address] ?? state?.drifted?.[address];
}

/** How old the oldest comparison is, once these are made; null: some events were never compared. */
export function oldestDays(session: Session, checked: readonly Address[], now: number): number | null {
  const fresh = new Set(checked);
  const ages = session.project.events.map(({ address }) => {
    const at = fresh.has(address) ? now : Date.parse(comparedAt(session, address) ?? "");
    return (now - at) / dayMs;
  });
  return ages.some(Number.isNaN) ? null : Math.ceil(Math.max(0, ...ages));
}

/**
 * Records when events were compared, and with what result, unless an apply is running. Returns what could not be written; the comparison
 * is valid either way.
 */
export async function rememberVerified(
  { store, project }: Session,
  { drifted, checked }: DriftFindings,
  now: number,
  signal: AbortSignal,
): Promise<Diagnostic | null> {
  if (checked.length === 0 || store.stateless === true) return null;
  const locked = await store.lock({ command: "ci drift", timeoutMs: 0, signal });
  if (!locked.ok) return null;
  const unsaved = await saveCompared(
    store,
    project,
    new Set(drifted.map(({ address }) => rootOf(address))),
    checked,
    new Date(now).toISOString(),
  );
  const left = await locked.lock.release();
  const problem = unsaved ?? left;
  return problem === null ? null : { ...problem, severity: "warning" };
}

async function saveCompared(
  store: StateStore,
  { events }: Session["project"],
  drifted: ReadonlySet<Address>,
  checked: readonly Address[],
  at: string,
) {
  const loaded = await store.load();
  if (!loaded.ok || loaded.state === null || loaded.unverified !== null) return null;
  const { state } = loaded;
  const compared = new Set(checked);
  const left = new Set(events.map(({ address }) => address).filter((address) => !compared.has(address)));
  const next = (before: State["verified"], now: readonly Address[]) => ({
    ...Object.fromEntries(Object.entries(before ?? {}).filter(([address]) => left.has(address))),
    ...Object.fromEntries(now.map((address) => [address, at])),
  });
  const [changed, same] = [checked.filter((one) => drifted.has(one)), checked.filter((one) => !drifted.has(one))];
  const records = { verified: next(state.verified, same), drifted: next(state.drifted, changed) };
  return store.save({ ...state, serial: state.serial + 1, ...records }, state);
}
