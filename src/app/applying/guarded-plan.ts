// A saved plan, held against what is live now: exactly that plan, or none.
import { idsIn } from "../../apply/journal.ts";
import { parentAddress, riskCodes } from "../../kinds/index.ts";
import { type Address, idKey, rootOf, sameId } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Account, State, StateEntry } from "../../model/live.ts";
import { type Observed, type Plan, planErrors } from "../../model/plan.ts";
import { formatCount } from "../../model/value.ts";
import { eventFilter, targetFilter } from "../../plan/compare.ts";
import { checkAccount, checkWriteScopes } from "../../plan/judge.ts";
import { makeOrderReader, readAccount } from "../../snapshot/read-organization.ts";
import { makeReader, ReadFailure } from "../../snapshot/reader.ts";
import { loadProjectAt } from "../planning/load-wishes.ts";
import type { MadePlan } from "../planning/make-plan.ts";
import { clockOf, type Session } from "../planning/open-session.ts";
import { isFresh } from "../planning/plan-inputs.ts";
import { type PlanFlags, planOfNothing, planSession } from "../planning/plan-session.ts";
import { planKeyOf } from "../session/secret-settings.ts";
import { problemDiagnostic } from "../session/service-problem.ts";
import { isOnRunner, type World } from "../world.ts";
import { readPlanFile } from "./plan-file.ts";
import { refusal } from "./refusal.ts";
import { differencesOf, newVerdicts, type Reread, type RuleInput, readObserved, withoutHearsay } from "./stale.ts";

// Options that come too late: a saved plan is done as it stands, so what would make it another plan is refused.

/** Those that change nothing about the plan may stand beside it: people repeat what they typed. */
export function lateOptions(plan: Plan, flags: PlanFlags, file: string): readonly Diagnostic[] {
  const late = [
    ...(isWiderThan(plan, flags.target ?? []) ? ["--target"] : []),
    ...(isBlockedBy(plan, flags.allow ?? []) ? ["--allow"] : []),
    ...(flags.maxDeletes !== undefined && isBlockedBy(plan, ["too-many-deletes"]) ? ["--max-deletes"] : []),
    ...(flags.resendUnreadable === true ? ["--resend-unreadable"] : []),
  ];
  if (late.length === 0) return [];
  return [
    refusal(
      "plan-is-made",
      `${file} is done exactly as it was saved, so ${late.join(" and ")} cannot change it any more.`,
      `Make a plan with ${late.join(" and ")} and \`--out\`, review it, and apply that.`,
    ),
  ];
}

function isWiderThan(plan: Plan, targets: readonly string[]): boolean {
  const isTargeted = targetFilter(targets);
  const isAround = eventFilter(targets);
  // What a target needs to be made at all is made along with it.
  return plan.changes.some(
    ({ address, action }) => !isTargeted(address) && !(action === "create" && isAround(rootOf(address))),
  );
}

function isBlockedBy(plan: Plan, codes: readonly string[]): boolean {
  return plan.changes.some(({ blockedBy }) => blockedBy.some(({ code }) => codes.includes(code)));
}

export async function guardedPlan(world: World, session: Session, file: string, flags: PlanFlags): Promise<MadePlan> {
  const read = await readPlanFile({
    directory: session.directory,
    file,
    environment: session.environment.name,
    baseUrl: session.baseUrl,
    planKey: planKeyOf(world),
    onRunner: isOnRunner(world),
  });
  if (!read.ok) return unplanned(world, session, read.diagnostic);
  const { plan } = read;
  const late = lateOptions(plan, flags, file);
  if (late.length > 0) return withProblems(plan, null, late);
  const reader = makeReader(session.target.client, {}, session.hidden);
  try {
    const account = await readAccount(reader);
    const concerns = [
      ...checkAccount(account, session.environment.organization, session.state, clockOf(world, session)),
      ...checkWriteScopes(account, plan.operations).map((each) => ({ ...each, severity: "error" as const })),
      ...foreignPlan(plan, account, file),
    ].filter((each) => each.severity === "error");
    if (concerns.length > 0) return withProblems(plan, account, concerns);
    const made = rememberedAsMade(plan, session.state);
    const remembered = new Map(made.map(({ address, entry }) => [address, entry.id]));
    const again = await readObserved(reader, { plan, now: world.now(), remembered });
    const isNew = (entry: StateEntry) => isFresh(entry.madeAt, freshness(world, session, flags));
    const reasons = [...madeMeanwhile(made, again, isNew), ...differencesOf(plan, again, session)];
    if (reasons.length > 0) return withProblems(plan, account, [stale(file, reasons)]);
    const isSigned = plan.signature !== undefined;
    const meant = isSigned ? takenAtItsWord(plan) : await meantToday(world, session, plan, flags);
    const strange = [...meant.problems, ...strangers(plan, meant, file)];
    if (strange.length > 0) return withProblems(plan, account, strange);
    const rules = { ...rulesOf(session, plan, flags), orders: makeOrderReader(reader) };
    const verdicts = await newVerdicts(plan, again, rules);
    if (verdicts.reasons.length > 0) return withProblems(plan, account, [stale(file, verdicts.reasons)]);
    // What the key that made it may not do says nothing of this one, which was asked above.
    const told = plan.diagnostics.filter(({ code }) => code !== "scope-missing");
    const own = { ...plan, diagnostics: isSigned ? told : inOwnWords(told, verdicts.accepted) };
    return {
      plan: own,
      ...(isSigned ? {} : { shown: withoutHearsay(own, again) }),
      matched: matchedOf(plan, session, meant),
      forgotten: meant.forgotten,
      account,
      known: () => idsIn(Object.values(reader.kept())),
    };
  } catch (error) {
    if (!(error instanceof ReadFailure)) throw error;
    return withProblems(plan, null, [problemDiagnostic(error.problem)]);
  }
}

function unplanned(world: World, session: Session, problem: Diagnostic): MadePlan {
  const { environment, baseUrl } = session;
  return planOfNothing(world, { ok: false, environment: environment.name, baseUrl, diagnostics: [problem] });
}

function withProblems(plan: Plan, account: Account | null, problems: readonly Diagnostic[]): MadePlan {
  return {
    plan: { ...plan, diagnostics: [...problems, ...plan.diagnostics] },
    matched: {},
    forgotten: [],
    account,
  };
}

/** A risk that was accepted is told in the words of its rule, whatever the file says about it. */
function inOwnWords(told: readonly Diagnostic[], accepted: readonly Diagnostic[]): readonly Diagnostic[] {
  const codes: ReadonlySet<string> = new Set([...riskCodes, "too-many-deletes"]);
  const nameOf = ({ code, address }: Diagnostic) => `${code} ${address ?? ""}`;
  const rest = new Map(accepted.map((each) => [nameOf(each), each]));
  const kept = told.flatMap((each) => {
    if (!codes.has(each.code)) return [each];
    const own = rest.get(nameOf(each));
    rest.delete(nameOf(each));
    return own === undefined ? [] : [{ ...own, ...(each.source === undefined ? {} : { source: each.source }) }];
  });
  return [...kept, ...rest.values()];
}

// Which live object an address means, and what is worth remembering, a signed plan may say. Of any other plan, what files,
// state and the base that it names say today counts.

interface Meant {
  /** Whether this live object is what an event or a webhook of that address means. */
  readonly isMeant: (address: Address, id: string) => boolean;
  readonly matched: Readonly<Record<Address, StateEntry>>;
  readonly forgotten: readonly Address[];
  /** Why it cannot be told. */
  readonly problems: readonly Diagnostic[];
}

function takenAtItsWord({ matched = {}, forgotten = [] }: Plan): Meant {
  return { isMeant: () => true, matched, forgotten, problems: [] };
}

async function meantToday(world: World, session: Session, plan: Plan, flags: PlanFlags): Promise<Meant> {
  const objects = session.state?.objects ?? {};
  const isKept = (address: Address, id: string) => sameId(objects[address]?.id, id);
  const roots = plan.seen.flatMap(({ address, id }) =>
    parentAddress(address) === null && id !== null ? [{ address, id }] : [],
  );
  const documents = documentsOf(session.project);
  const unchanged = Object.entries(plan.matched ?? {}).map(([address, { id }]) => ({ address, id }));
  const open = [...roots, ...unchanged.filter(({ address }) => documents.has(address))];
  // State is sealed: where it knows everything, nothing else is asked.
  if ((plan.forgotten ?? []).length === 0 && open.every(({ address, id }) => isKept(address, id))) {
    return { isMeant: isKept, matched: {}, forgotten: [], problems: [] };
  }
  const { directory, environment } = session;
  const revision = plan.revision?.base ?? null;
  const base = revision === null ? null : await loadProjectAt(world, directory, environment, revision);
  const anew = await planSession(
    world,
    { ...session, base },
    { ...flags, target: [], unsealed: true },
    () => undefined,
  );
  const ids = new Map(Object.entries(anew.matched).map(([address, { id }]) => [address, id]));
  for (const { address, id, blockedBy } of anew.plan.changes) {
    // One of several that a document may mean is not the one that it means.
    if (id !== null && !blockedBy.some(({ code }) => code.startsWith("ambiguous-"))) ids.set(address, id);
  }
  const gone = new Set(anew.forgotten);
  return {
    isMeant: (address, id) => isKept(address, id) || sameId(ids.get(address), id),
    matched: anew.matched,
    forgotten: (plan.forgotten ?? []).filter((address) => gone.has(address)),
    problems: planErrors(anew.plan),
  };
}

function strangers(plan: Plan, { isMeant }: Meant, file: string): readonly Diagnostic[] {
  const touched = new Set(
    plan.changes.filter(({ blockedBy }) => blockedBy.length === 0).map(({ address }) => rootOf(address)),
  );
  const strange = plan.seen.find(
    ({ address, id }) =>
      id !== null && touched.has(address) && parentAddress(address) === null && !isMeant(address, id),
  );
  if (strange === undefined) return [];
  return [
    refusal(
      "plan-unsigned",
      `${file} is not signed and changes ${strange.address} (${strange.id}), which neither the files, state nor the plan's base revision know as that.`,
      "Make a new plan here, or set TICKETING_PLAN_KEY to the same secret where plans are made and where they are applied.",
    ),
  ];
}

function foreignPlan(plan: Plan, account: Account, file: string): readonly Diagnostic[] {
  const made = plan.target.organization;
  if (made !== null && made.id === account.organization.id) return [];
  return [
    refusal(
      "plan-of-another-target",
      `${file} was made for the organization '${made?.slug ?? "none"}', and the key belongs to '${account.organization.slug}'.`,
      "Use the key of that organization, or make a new plan with `ticketing plan --out FILE`.",
    ),
  ];
}

interface Remembered {
  readonly address: Address;
  readonly entry: StateEntry;
}

/** What the plan is to make and state holds, except for what the plan itself found to be gone. */
function rememberedAsMade(plan: Plan, state: State | null): readonly Remembered[] {
  return plan.seen.flatMap(({ address, id, former }) => {
    const entry = state?.objects[address];
    return id === null && entry !== undefined && !sameId(entry.id, former) ? [{ address, entry }] : [];
  });
}

/** An earlier run of this very plan made it: it is live, or so new that a list may not show it yet. */
function madeMeanwhile(
  made: readonly Remembered[],
  again: Reread,
  isNew: (entry: StateEntry) => boolean,
): readonly string[] {
  return made
    .filter(({ entry }) => again.isLive(entry.id) || isNew(entry))
    .map(({ address }) => `${address} was made already`);
}

function freshness(world: World, session: Session, flags: PlanFlags): Parameters<typeof isFresh>[1] {
  const now = clockOf(world, session);
  return { now, serverNow: () => now, options: { settleMs: (flags.settle ?? 2) * 1000 } };
}

/** What is accepted and protected by the files, and by this command: a plan file cannot speak for them. */
function rulesOf({ project, sink, state }: Session, plan: Plan, flags: PlanFlags): Omit<RuleInput, "orders"> {
  const wishes = new Map(project.events.map((wish) => [wish.address, wish]));
  const gone = plan.changes.filter(({ action, kind }) => action === "delete" && kind === "event");
  return {
    secretSink: sink !== null,
    allowFor: (address) => [
      ...project.settings.allow,
      ...(flags.allow ?? []),
      ...(wishes.get(rootOf(address))?.own.allow ?? []),
    ],
    isProtected: (address) => (wishes.get(address)?.own ?? state?.objects[address])?.protected === true,
    deletes: {
      maxDeletes: flags.maxDeletes ?? project.settings.maxDeletes,
      stated: flags.maxDeletes !== undefined,
      events: wishes.size + gone.filter(({ address }) => !wishes.has(address)).length,
    },
  };
}

const mostReasons = 10;

function stale(file: string, reasons: readonly string[]): Diagnostic {
  const shown = reasons
    .slice(0, mostReasons)
    .map((reason) => reason.replace(/\.$/, ""))
    .join("; ");
  const more = reasons.length > mostReasons ? `; and ${formatCount(reasons.length - mostReasons)} more` : "";
  return refusal(
    "stale-plan",
    `${file} is stale: ${shown}${more}.`,
    "Make a new plan with `ticketing plan --out FILE`, review it, and apply that.",
  );
}

/**
 * What the plan matched, to be remembered. What it changes is remembered as it was seen; what it leaves alone where a document
 * goes by that address and it is what that means, as state or whoever says so knows it.
 */
function matchedOf(plan: Plan, { state, project }: Session, meant: Meant): Readonly<Record<Address, StateEntry>> {
  const byId = new Map(Object.values(state?.objects ?? {}).map((entry) => [idKey(entry.id), entry]));
  const changed = new Map(plan.changes.map((change) => [change.address, change]));
  const documents = documentsOf(project);
  const entries: Record<Address, StateEntry> = {};
  for (const [address, entry] of Object.entries(plan.matched ?? {})) {
    if (changed.has(address) || !documents.has(address)) continue;
    const known = state?.objects[address];
    const found = sameId(known?.id, entry.id) ? known : meant.matched[address];
    if (found !== undefined && sameId(found.id, entry.id)) entries[address] = found;
  }
  for (const seen of plan.seen) {
    const change = changed.get(seen.address);
    // What is seen without a change is an event whose lists change, or is named by what changes and need not be ours.
    const isOurs = change === undefined ? seen.lists !== undefined : change.action !== "delete";
    if (seen.id === null || !isOurs) continue;
    if (!meant.isMeant(rootOf(seen.address), seen.parentId ?? seen.id)) continue;
    const differing = new Set(change?.edits.map((edit) => edit.path.slice(1)));
    // A plan file knows what it saw; what the service does not show is remembered by state, or by the plan's own memory.
    const planned = meant.matched[seen.address];
    const known = byId.get(idKey(seen.id)) ?? (sameId(planned?.id, seen.id) ? planned : undefined);
    const applied = {
      ...known?.applied,
      ...without(seen, new Set([...differing, ...Object.keys(known?.returned ?? {})])),
    };
    entries[seen.address] = { ...known, kind: seen.kind, id: seen.id, applied };
  }
  return entries;
}

function documentsOf({ events, webhooks }: Session["project"]): ReadonlySet<Address> {
  const all = [...events, ...webhooks].flatMap((wish) => [wish, ...Object.values(wish.children).flat()]);
  return new Set(all.map(({ address }) => address));
}

function without(seen: Observed, names: ReadonlySet<string>): StateEntry["applied"] {
  return Object.fromEntries(Object.entries(seen.fields).filter(([field]) => !names.has(field)));
}
