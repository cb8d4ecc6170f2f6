// A saved plan, checked against what is live now: exactly that plan, or none.
import { idsIn } from "../../apply/journal.ts";
import { describeAddress } from "../../apply/run.ts";
import { namedTwice } from "../../config/environment.ts";
import { parentAddress } from "../../kinds/index.ts";
import { type Address, idKey, rootOf, sameId } from "../../model/address.ts";
import { acceptableCodes, type Code, type Diagnostic, errorOf } from "../../model/diagnostic.ts";
import { type Account, hasEnded, type State } from "../../model/live.ts";
import type { Plan } from "../../model/plan.ts";
import { formatCount, type VenueQuery } from "../../model/value.ts";
import type { Project, Wish } from "../../model/wish.ts";
import { eventFilter, findRemoved, formerEvents, targetFilter, unjudgedDeletions } from "../../plan/compare.ts";
import { checkAccount, checkWriteScopes } from "../../plan/judge.ts";
import { findEvents } from "../../snapshot/find-events.ts";
import { findVenues, makeOrderReader, readAccount } from "../../snapshot/read-organization.ts";
import { attemptRead, makeReader, type Reader } from "../../snapshot/reader.ts";
import { showingWrites } from "../../snapshot/recent-writes.ts";
import { unjudgedDocuments, withUnreadDeletions } from "../planning/deleted-documents.ts";
import type { MadePlan } from "../planning/make-plan.ts";
import type { PlanFlags } from "../planning/plan-inputs.ts";
import { patienceOf, venueNames, venuesRead, wantedFormer } from "../planning/plan-inputs.ts";
import { planOfNothing } from "../planning/plan-session.ts";
import { guardOrder } from "../session/checkout.ts";
import { keyNow, type Session } from "../session/open-session.ts";
import { endedSession } from "../session/prepare-session.ts";
import { problemDiagnostic } from "../session/report-problems.ts";
import { secretPlaceOf } from "../session/secret-sink.ts";
import { advise, type World } from "../world.ts";
import type { WhatToApply } from "./attempt.ts";
import { differencesOf, reachedCalls, withVerifiedContext } from "./differences.ts";
import { newVerdicts, type Reread, readObserved } from "./judge-again.ts";
import { readPlanFile } from "./plan-file.ts";
import { findSavedMatches, matchedOf, type SavedMatches } from "./saved-matches.ts";

export async function guardedPlan(world: World, session: Session, file: string, asked: WhatToApply): Promise<MadePlan> {
  const { flags } = asked;
  const given = await readPlanFile(world, session, file);
  if (!given.ok) return planOfNothing(world, endedSession(session, given.diagnostics));
  const { plan } = given;
  const refuse = (problems: readonly Diagnostic[]) => withProblems(plan, advise(world, problems));
  const late = lateOptions(plan, flags, file);
  if (late.length > 0) return refuse(late);
  const [made, here = null] = [plan.revision?.head, session.checkout?.revision];
  const isOfOther = made != null && made !== here;
  const order = await guardOrder(session, made ?? here, flags.allow, isOfOther ? file : undefined);
  if (order?.severity === "error")
    return refuse([isOfOther && order.code !== "shallow-clone" ? errorOf(order.code, order.message, newPlan) : order]);
  const { target, state, leftovers } = session;
  const reader = showingWrites(makeReader(target.client), state, patienceOf(world, session, flags), leftovers);
  const read = await attemptRead(async () => {
    const account = await readAccount(reader);
    const concerns = [
      ...checkAccount(account, session.environment.organization, session.state, keyNow(world, session)),
      ...checkWriteScopes(account, plan.operations).map((each) => ({ ...each, severity: "error" as const })),
      ...foreignPlan(plan, account, file),
    ].filter((each) => each.severity === "error");
    if (concerns.length > 0) return refuse(concerns);
    // Objects that the plan would create although state has them, unless the plan itself found them gone.
    const made = plan.observed.flatMap(({ address, id, former }) => {
      const entry = session.state?.objects[address];
      return id === null && entry !== undefined && !sameId(entry.id, former) ? [{ address, ...entry }] : [];
    });
    const remembered = new Map(made.map(({ address, id }) => [address, id]));
    const again = await readObserved(reader, plan, world.now(), remembered);
    // An earlier run of this same plan created it.
    const created = made.filter(({ id }) => again.isLive(id));
    const reasons = [
      // Other differences are then that run's work, too.
      ...(created.length > 0
        ? createdAlready(created.map(({ address }) => address))
        : differencesOf(plan, again, session)),
      ...phasesDue(plan, world.now()),
      ...overSince(plan, again, session.project, world.now()),
    ];
    if (reasons.length > 0) return refuse([stale(file, reasons)]);
    const meant = await findSavedMatches(world, session, plan, asked);
    const strange = [...meant.problems, ...strangers(plan, meant, file)];
    if (strange.length > 0) return refuse(strange);
    const unjudged = await unjudgedDocuments(world, session, flags);
    const open = await liveDeletions(reader, plan, session, unjudged, world.now());
    if (open.length > 0) return refuse(open);
    const verdicts = await newVerdicts(plan, again, session, flags, {
      orderReader: makeOrderReader(reader),
      secretPlace: secretPlaceOf(world, session),
      now: world.now(),
    });
    if (verdicts.reasons.length > 0) return refuse([stale(file, verdicts.reasons)]);
    const isSigned = plan.signature !== undefined;
    if (!isSigned) await findVenues(reader, venuesIn(plan, session));
    // What the key that made the plan could not do says nothing about this one, which was checked above.
    const said = plan.diagnostics.filter(({ code }) => code !== "scope-missing");
    const shown = [...said, ...namedTwice(session.project.settings, session.environment)];
    const own = { ...plan, diagnostics: isSigned ? shown : withOwnRisks(shown, advise(world, verdicts.accepted)) };
    return withUnreadDeletions(session, flags, {
      plan: own,
      ...(isSigned ? {} : { shown: withVerifiedContext(own, again, venueNames(reader, session.state)) }),
      matched: matchedOf(plan, session, meant),
      forgotten: meant.forgotten,
      venues: () => ({ ...(isSigned ? venueNamesOf(plan) : {}), ...venuesRead(reader) }),
      known: () => idsIn(reader.kept()),
      reached: reachedCalls(plan, again),
    });
  });
  return read.ok ? read.value : refuse([problemDiagnostic(read.problem)]);
}

/** What was created within a new event is not listed separately. */
function createdAlready(addresses: readonly Address[]): readonly string[] {
  const roots = new Set(addresses.filter((address) => address === rootOf(address)));
  return addresses
    .filter((address) => roots.has(address) || !roots.has(rootOf(address)))
    .map((address) => `${describeAddress(address)} already exists`);
}

/** Venue names as the documents give them: names in an unsigned plan are not shown. */
function venuesIn({ changes }: Plan, { project }: Session): readonly VenueQuery[] {
  const sent = changes.filter(({ edits }) => edits.some(({ path }) => path === "/venueId"));
  const addresses = new Set(sent.map(({ address }) => address));
  return project.events.flatMap(({ address, own }) => (addresses.has(address) ? (own.venue ?? []) : []));
}

function venueNamesOf({ changes }: Plan): NonNullable<State["venues"]> {
  const names = changes.flatMap(({ context }) => Object.entries(context?.names ?? {}));
  return Object.fromEntries(names.map(([id, name]) => [idKey(id), name]));
}

/** Documents that git shows as deleted, that the plan says nothing of, and whose events are live. */
async function liveDeletions(reader: Reader, plan: Plan, { project }: Session, deleted: readonly Wish[], now: number) {
  const planned = new Set(plan.changes.map(({ address }) => address));
  const former = formerEvents(project, null, deleted).filter(({ address }) => !planned.has(address));
  if (former.length === 0) return [];
  const { events: lives } = await findEvents(reader, former.map(wantedFormer));
  const matchedIds = new Set([...plan.observed, ...Object.values(plan.matched ?? {})].flatMap(({ id }) => id ?? []));
  const names = new Set(project.events.map((wish) => wish.fields.name));
  return unjudgedDeletions(findRemoved({ former, lives, matchedIds, contested: new Map(), names, now }));
}

/** Options that would make it a different plan. Others are ignored: people repeat what they typed. */
function lateOptions(plan: Plan, flags: PlanFlags, file: string): readonly Diagnostic[] {
  const late = [
    ...(isWiderThan(plan, flags.target ?? []) ? ["--target"] : []),
    ...(flags.shard !== undefined && flags.shard !== plan.shard ? ["--shard"] : []),
    ...(isBlockedBy(plan, flags.allow ?? []) ? ["--allow"] : []),
    ...(flags.maxDeletes !== undefined && isBlockedBy(plan, ["too-many-deletes"]) ? ["--max-deletes"] : []),
    ...(flags.resendUnreadable === true ? ["--resend-unreadable"] : []),
  ];
  if (late.length === 0) return [];
  return [
    errorOf(
      "plan-is-made",
      `${file} is applied exactly as it was saved, so ${late.join(" and ")} cannot change it.`,
      `Make a plan with ${late.join(" and ")} and \`--out\`, review it, and apply that.`,
    ),
  ];
}

function isWiderThan(plan: Plan, targets: readonly string[]): boolean {
  const isTargeted = targetFilter(targets);
  const isAround = eventFilter(
    targets,
    plan.changes.map(({ address }) => address),
  );
  // Objects that a target needs are created along with it.
  return plan.changes.some(
    ({ address, action }) => !isTargeted(address) && !(action === "create" && isAround(rootOf(address))),
  );
}

function isBlockedBy(plan: Plan, codes: readonly string[]): boolean {
  return plan.changes.some(({ blockedBy }) => blockedBy.some(({ code }) => codes.includes(code)));
}

function withProblems(plan: Plan, problems: readonly Diagnostic[]): MadePlan {
  return { plan: { ...plan, diagnostics: [...problems, ...plan.diagnostics] }, matched: {}, forgotten: [] };
}

/** An accepted risk is shown as its rule describes it, whatever the file says about it. */
function withOwnRisks(shown: readonly Diagnostic[], accepted: readonly Diagnostic[]): readonly Diagnostic[] {
  const nameOf = ({ code, address }: Diagnostic) => `${code} ${address ?? ""}`;
  const rest = new Map(accepted.map((each) => [nameOf(each), each]));
  const kept = shown.flatMap((each) => {
    if (!acceptableCodes.includes(each.code)) return [each];
    const own = rest.get(nameOf(each));
    rest.delete(nameOf(each));
    return own === undefined ? [] : [{ ...own, ...(each.source === undefined ? {} : { source: each.source }) }];
  });
  return [...kept, ...rest.values()];
}

/** Live objects that the plan changes and no document means. */
function strangers(plan: Plan, { isMeant }: SavedMatches, file: string): readonly Diagnostic[] {
  const touched = new Set(
    plan.changes.filter(({ blockedBy }) => blockedBy.length === 0).map(({ address }) => rootOf(address)),
  );
  const strange = plan.observed.find(
    ({ address, id }) =>
      id !== null && touched.has(address) && parentAddress(address) === null && !isMeant(address, id),
  );
  if (strange === undefined) return [];
  return [
    errorOf(
      "plan-unsigned",
      `${file} is not signed, and it changes the live object ${strange.id} as ${strange.address}. Neither the files, the state nor the plan's base revision links the two.`,
      "Make a new plan here, or set TICKETING_PLAN_KEY to the same secret where plans are made and where they are applied.",
    ),
  ];
}

function foreignPlan(plan: Plan, account: Account, file: string): readonly Diagnostic[] {
  const made = plan.target.organization;
  if (made !== null && made.id === account.organization.id) return [];
  return [
    errorOf(
      "plan-of-another-target",
      `${file} was made for the organization "${made?.slug ?? "none"}", but the API key belongs to "${account.organization.slug}".`,
      "Use the API key of that organization, or make a new plan with `ticketing plan --out FILE`.",
    ),
  ];
}

/** Phases of what the plan touches that have started or ended since it was made. */
function phasesDue({ upcoming, changes }: Plan, now: number): readonly string[] {
  const touched = new Set(changes.map(({ address }) => rootOf(address)));
  return upcoming
    .filter(({ at, address }) => touched.has(address) && Date.parse(at) <= now)
    .map(({ address, phase, type }) => {
      const what = phase === null ? "a phase" : `the phase ${phase}`;
      return `${what} of ${address} has ${type === "phase-end" ? "ended" : "started"}`;
    });
}

const pastStart: Code = "starts-in-the-past";

/** New events that have started, and removed events that have ended, since the plan was made: a plan made now would leave both alone. */
function overSince(
  { operations, changes, createdAt }: Plan,
  { lives }: Reread,
  { events }: Project,
  now: number,
): readonly string[] {
  const mayBePast = new Set(events.flatMap(({ address, own }) => (own.ignore?.includes(pastStart) ? [address] : [])));
  const started = operations.flatMap(({ address, verb, body }) => {
    const isNew = verb === "create" && parentAddress(address) === null && !mayBePast.has(address);
    const start = isNew ? body?.dateTime : null;
    const isPast = typeof start === "string" && start >= createdAt && Date.parse(start) < now;
    return isPast ? [`the start of ${describeAddress(address)} has passed`] : [];
  });
  const ended = changes.flatMap(({ address, action, source }) => {
    const live = action === "delete" && source === null && address === rootOf(address) ? lives.get(address) : null;
    const isOver = live && hasEnded(live, now) && !hasEnded(live, Date.parse(createdAt));
    return isOver ? [`${describeAddress(address)} is over, so a plan made now would not delete it`] : [];
  });
  return [...started, ...ended];
}

const newPlan = "Make a new plan with `ticketing plan --out FILE`, review it, and apply that.";

const mostReasons = 10;

function stale(file: string, reasons: readonly string[]): Diagnostic {
  const shown = reasons
    .slice(0, mostReasons)
    .map((reason) => reason.replace(/\.$/, ""))
    .join("; ");
  const more = reasons.length > mostReasons ? `; and ${formatCount(reasons.length - mostReasons)} more` : "";
  const message = `${file} is stale: ${shown}${more}.`;
  return errorOf("stale-plan", message, newPlan);
}
