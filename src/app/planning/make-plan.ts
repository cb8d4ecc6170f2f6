// From wishes to a plan. What is read depends on what is already known; every decision is made in the pure rooms.
import { type KindName, rootOf } from "../../model/address.ts";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import type { Account, CardPair, State } from "../../model/live.ts";
import type { Change, Plan, PlannedPhase } from "../../model/plan.ts";
import { dayIn, type Project, type Wish } from "../../model/wish.ts";
import { type Assembled, assemblePlan, openEvents } from "../../plan/assemble.ts";
import { allComparisons, type EventComparison, pairCards, targetFilter } from "../../plan/compare.ts";
import {
  acceptedByFiles,
  allowedFor,
  blockedOnceSold,
  checkAccount,
  checkReadScopes,
  checkWriteScopes,
  heldLater,
  heldRemarks,
  laterRemarks,
  overwriteRemarks,
  raisedLimit,
  remarksOnPlanned,
  revertedAmong,
  revertedRemarks,
  tooManyDeletes,
  unreadableRemarks,
  withChanges,
} from "../../plan/judge.ts";
import { recallFrom } from "../../plan/match.ts";
import { webhookRemarks } from "../../plan/webhooks.ts";
import { readAccount } from "../../snapshot/read-organization.ts";
import { judgePlannedEvents } from "./judged-events.ts";
import {
  allOf,
  choosePlanned,
  isOfEverything,
  limitOfDeletes,
  type PlanInputs,
  targetsWithoutMatch,
  venueNames,
  venuesRead,
} from "./plan-inputs.ts";
import { allTargets, needOfWebhooks, readPlannedWebhooks, webhookList, webhooksMatter } from "./read-children.ts";

export interface MadePlan extends Assembled {
  /** Addresses that state need not remember any longer. */
  readonly forgotten: readonly string[];
  /** The plan as people should see it, if that is not all of it. */
  readonly shown?: Plan;
  /** Events that change, as buyers see them before and after; created on request. */
  readonly cards?: () => readonly CardPair[];
  /** Names of the venues that were read, by the keys of their ids. */
  readonly venues?: () => NonNullable<State["venues"]>;
  /** Whether this shard found live objects that no file describes; another shard may count them. */
  readonly hasUnmanaged?: boolean;
  /** Ids of everything that was read: an apply of this plan creates none of it. */
  readonly known?: () => readonly string[];
  /** Operations of a saved plan whose effect is live already: they count as done, and are not sent. */
  readonly reached?: ReadonlySet<string>;
}

export async function makePlan(inputs: PlanInputs): Promise<MadePlan> {
  const { project, base, state, flags, use, now } = inputs;
  if (hasErrors(inputs.remarks)) return emptyPlan(inputs, null, inputs.remarks);
  const targets = allTargets(inputs);
  const isTargeted = targetFilter(targets);
  const selected = choosePlanned(inputs);
  const { ofShard, planned, former } = selected;
  const events = ofShard(planned);
  const isWhole = base === null && targets.length === 0;
  const countsUnmanaged = selected.isOwn(webhookList);
  const isIdle = events.length + ofShard(former).length + selected.deleted.length === 0;
  const readsService = !isIdle || (countsUnmanaged && isWhole);
  const account = (isIdle ? restingAccount(inputs) : null) ?? (await readAccount(inputs.reader));
  const concerns = checkAccount(account, inputs.organizationPin, state, inputs.keyNow());
  const webhookNeed = needOfWebhooks(inputs, account, planned.length + former.length);
  const scopes = checkReadScopes(account, neededKinds(planned, former.length > 0, webhookNeed.read));
  if (hasErrors([...concerns, ...scopes]))
    return emptyPlan(inputs, account, [...inputs.remarks, ...concerns, ...scopes]);

  const accepted = acceptedByFiles(project, dayIn(project.settings.timezone, now));
  const allow = [...accepted.everywhere, ...(flags.allow ?? [])];
  const allowIn = ({ self }: EventComparison) => accepted.of(self.address, self.wish);
  const read = await judgePlannedEvents({
    ...selected,
    inputs,
    events: readsService ? planned : [],
    former: readsService ? former : [],
    remember: recallPlanned(inputs, planned),
    allow,
    allowIn,
    deletes: limitOfDeletes(project, flags, former.length),
    isTargeted,
  });
  const { remember } = read;
  const webhooks = await readPlannedWebhooks(inputs, account, webhookNeed, remember, allow);
  const isUnread = webhooks.unread.length > 0;
  const open = openEvents(read.events);
  const comparisons = [...open.flatMap(allComparisons), ...webhooks.judged];
  const addresses = events.map(({ address }) => address);
  const remarks = remarksOnPlanned(inputs.remarks, addresses);
  const unmatched = targetsWithoutMatch(inputs, selected, comparisons);
  if (unmatched.length > 0) return emptyPlan(inputs, account, [...remarks, ...concerns, ...unmatched]);
  const changes = comparisons.flatMap(({ change }) => change ?? []);
  const coming = comingOf(project, events, { ...read, changes, flags: flags.allow ?? [] });
  const heldNow = [...read.held, ...webhooks.held];
  const present = [...changes, ...heldNow];
  const { held, heldSaid } = whatIsHeld(inputs, { coming, heldNow, present, targets });
  const upcoming = coming.map(({ around: _, ...phase }): PlannedPhase => phase);
  const assembled = assemblePlan({
    ...frameOf(inputs, account),
    events: read.events,
    webhooks: webhooks.judged,
    held,
    againstBase: read.againstBase,
    guards: inputs.guards ?? [],
    diagnostics: [
      ...heldSaid,
      ...remarks.filter((remark) => !isKnownBetter(remark, read.diagnostics)),
      ...concerns,
      ...webhooks.unread,
      ...read.diagnostics,
      ...(tooManyDeletes(open, read.deletes) === null
        ? raisedLimit(open, { ...read.deletes, maxDeletes: project.settings.maxDeletes, stated: false })
        : []),
      ...unreadableRemarks(comparisons),
      ...overwriteRemarks(comparisons, remember, isTargeted),
      ...webhookRemarks(
        webhooks.judged.filter(({ address }) => isTargeted(address)),
        inputs,
      ),
    ],
    isTargeted,
    allowFor: (event) => (event === null ? allow : allowedFor(event, { allow, allowIn })),
    unmanaged:
      isUnread || !countsUnmanaged
        ? null
        : unmanagedCount(isWhole ? read.unmanaged : null, webhooks.unmanaged, project.events.length > 0),
    compared:
      base === null && !isUnread
        ? null
        : {
            base: base === null ? null : (inputs.baseName ?? "the base"),
            events: events.length,
            ofEvents: ofShard(selected.targeted).length,
            removed: read.removed,
            webhooks: webhooks.unmanaged !== null,
            ...(isUnread ? { webhooksUnread: true as const } : {}),
          },
    upcoming,
    changing: eventsWithPhases(events, upcoming, inputs.comparedWith),
    estimateSeconds: inputs.estimateSeconds,
    sealed: use.sealed,
    forgotten: use.purpose === "save" ? read.forgotten : null,
    whole: use.purpose === "save" && isOfEverything(flags),
    remember,
    lastDiagnostics: (operations) => [
      ...(use.purpose === "compare" ? [] : checkWriteScopes(account, operations)),
      ...inputs.budget(operations.length),
    ],
  });
  const cards = () => pairCards(open, venueNames(inputs.reader, state), project.events);
  const hasUnmanaged = readsService && read.unmanaged !== 0;
  const venues = () => venuesRead(inputs.reader);
  return { ...assembled, hasUnmanaged, forgotten: read.forgotten, cards, venues };
}

interface Holding {
  readonly coming: Parameters<typeof heldLater>[0]["coming"];
  readonly heldNow: readonly Change[];
  /** What is planned or held now. */
  readonly present: readonly Change[];
  readonly targets: readonly string[];
}

/** What is held, now and at later times, and what people should know about it. */
function whatIsHeld(
  { review, comparedWith, state }: PlanInputs,
  { coming, heldNow, present, targets }: Holding,
): { readonly held: readonly Change[]; readonly heldSaid: readonly Diagnostic[] } {
  const isTargeted = targetFilter(targets);
  const ownOf = (changes: readonly Change[]) => changes.filter(({ address }) => isTargeted(address));
  const laterBy = (policy: typeof review, listed: readonly Change[]) =>
    ownOf(heldLater({ coming, review: policy, base: comparedWith, held: state?.held, present: listed }));
  const [now, later] = [ownOf(heldNow), laterBy(review, present)];
  const held = [...now, ...later];
  if (review.mode === "list") return { held, heldSaid: [] };
  const kept = targets.length === 0 ? [] : laterBy({ mode: "keep", held: new Set() }, [...present, ...later]);
  const reverted = revertedRemarks(revertedAmong(held, review));
  return { held, heldSaid: [...heldRemarks({ now, later }, targets), ...reverted, ...laterRemarks(kept)] };
}

function recallPlanned({ state, base, comparedWith, earlier }: PlanInputs, planned: readonly Wish[]) {
  return recallFrom(state, base && allOf(base), planned, {
    revision: comparedWith && allOf(comparedWith),
    earlier: earlier ?? null,
  });
}

/** Those that change with time, now or before. */
function eventsWithPhases(
  events: readonly Wish[],
  upcoming: readonly { readonly address: string }[],
  comparedWith: Project | null,
): readonly Wish[] {
  const before = comparedWith?.events.filter(({ own }) => own.timeless !== undefined) ?? [];
  const changing = new Set([...upcoming, ...before].map(({ address }) => address));
  return events.filter(({ address }) => changing.has(address));
}

/** Leaves out phases that would have nothing to do: an archived event stays as it is. */
function comingOf(
  { upcoming, settings }: Project,
  events: readonly Wish[],
  {
    diagnostics,
    ahead,
    archived,
    changes,
    flags,
  }: Pick<Awaited<ReturnType<typeof judgePlannedEvents>>, "diagnostics" | "ahead" | "archived"> & {
    readonly changes: readonly Change[];
    readonly flags: readonly string[];
  },
) {
  if (upcoming.length === 0) return [];
  const idle = new Set(diagnostics.flatMap(({ code, address }) => (code === "nothing-to-do" ? address : [])));
  const lasting = events.filter(
    ({ address, own }) => !archived.has(address) && (!own.series?.isPast || !idle.has(address)),
  );
  const planned = new Set(lasting.map(({ address }) => address));
  const isPlanned = ({ address, fields }: PlannedPhase) => planned.has(address) && fields.length > 0;
  const blocked = [
    ...changes.map(({ address, blockedBy }) => [address, blockedBy] as const),
    ...[...ahead.values()].flatMap((blocks) => [...blocks]),
  ];
  // Not repeated for changes that the same risk or rule blocks already.
  const known = new Set(blocked.flatMap(([address, blocks]) => blocks.map(({ code }) => `${rootOf(address)} ${code}`)));
  return upcoming.filter(isPlanned).map((one) => {
    const phase = withChanges(one, ahead.get(one));
    const onceSold = blockedOnceSold(one, phase.changes ?? [], { settings, flags });
    const risks = onceSold.filter((code) => !known.has(`${one.address} ${code}`));
    return { ...one, ...phase, ...(risks.length === 0 ? {} : { blockedOnceSold: risks }) };
  });
}

/** A plan that plans nothing, because something must be fixed first. */
export function emptyPlan(inputs: Frame, account: Account | null, diagnostics: readonly Diagnostic[]): MadePlan {
  return { ...assemblePlan({ ...frameOf(inputs, account), diagnostics }), forgotten: [] };
}

type Frame = Pick<
  PlanInputs,
  "target" | "version" | "now" | "planKey" | "flags" | "advise" | "revision" | "leftovers"
> & {
  readonly client: { readonly counts: { readonly reads: number } };
};

/** What every plan says, whatever it plans. */
function frameOf(frame: Frame, account: Account | null) {
  const { target, version, now, planKey, flags, advise, client, revision, leftovers = [] } = frame;
  return {
    target: { ...target, organization: account?.organization ?? null },
    version,
    now,
    planKey,
    revision: revision ?? null,
    leftovers,
    ...(advise && { advise }),
    shard: flags.shard ?? null,
    reads: client.counts.reads,
  };
}

/** The organization that state records; null: ask the service. A run that finds nothing due and nothing open, as most scheduled runs do, makes no call at all. */
function restingAccount(inputs: PlanInputs): Account | null {
  const { flags, use, base, sinceLast, state } = inputs;
  if (use.purpose !== "apply" || base === null || sinceLast !== true || flags.target?.length) return null;
  const { organization = null, lastRun, held = {} } = state ?? {};
  const isOpen = lastRun?.clean === false || Object.keys(held).length > 0 || webhooksMatter(inputs);
  return organization === null || isOpen ? null : { keyName: null, scopes: null, expiresAt: null, organization };
}

function neededKinds(events: readonly Wish[], someAreRemoved: boolean, webhooks: boolean): ReadonlySet<KindName> {
  return new Set<KindName>([
    ...(events.length > 0 || someAreRemoved ? ["event" as const] : []),
    ...events.flatMap((wish) => Object.keys(wish.children) as KindName[]),
    ...(webhooks ? ["webhook" as const] : []),
  ]);
}

/** A remark on the files is dropped where the plan makes the same one with what is live in view. Files alone can only guess whether a ticket type is created sold out. */
function isKnownBetter({ code, address }: Diagnostic, others: readonly Diagnostic[]): boolean {
  if (code === "born-sold-out") return true;
  return address !== undefined && others.some((other) => other.code === code && other.address === address);
}

/** A count of webhooks alone would suggest that there are no unmanaged events. */
function unmanagedCount(events: number | null, webhooks: number | null, hasEvents: boolean): number | null {
  if (events === null && (hasEvents || webhooks === null)) return null;
  return (events ?? 0) + (webhooks ?? 0);
}
