// A saved plan, held against what is live now: exactly that plan, or none.

import { idsIn } from "../../apply/journal.ts";
import { type Address, idKey, rootOf, sameId } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Account, State, StateEntry } from "../../model/live.ts";
import type { Plan, Seen } from "../../model/plan.ts";
import { formatCount } from "../../model/value.ts";
import { eventFilter, targetFilter } from "../../plan/compare.ts";
import { checkAccount, checkWriteScopes } from "../../plan/judge.ts";
import { makeOrderReader, readAccount } from "../../snapshot/read-organization.ts";
import { makeReader, ReadFailure } from "../../snapshot/reader.ts";
import type { MadePlan } from "../planning/make-plan.ts";
import { clockOf, type Session } from "../planning/open-session.ts";
import { isFresh } from "../planning/plan-inputs.ts";
import { type PlanFlags, planOfNothing } from "../planning/plan-session.ts";
import { planKeyOf } from "../session/secret-settings.ts";
import { problemDiagnostic } from "../session/service-problem.ts";
import { isOnRunner, type World } from "../world.ts";
import { readPlanFile } from "./plan-file.ts";
import { refusal } from "./refusal.ts";
import { differencesOf, newVerdicts, type Retrial, readSeen, type SeenAgain } from "./stale.ts";

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
    const again = await readSeen(reader, { plan, now: world.now(), remembered });
    const isNew = (entry: StateEntry) => isFresh(entry.madeAt, freshness(world, session, flags));
    const reasons = [...madeMeanwhile(made, again, isNew), ...differencesOf(plan, again, session.state)];
    const verdicts =
      reasons.length > 0
        ? []
        : await newVerdicts(plan, again, { ...rulesOf(session, plan, flags), orders: makeOrderReader(reader) });
    const all = [...reasons, ...verdicts];
    if (all.length > 0) return withProblems(plan, account, [stale(file, all)]);
    // What the key that made it may not do says nothing of this one, which was asked above.
    const own = { ...plan, diagnostics: plan.diagnostics.filter(({ code }) => code !== "scope-missing") };
    return {
      plan: own,
      ...(plan.signature === undefined ? { shown: withoutHearsay(own) } : {}),
      matched: matchedOf(plan, session),
      forgotten: plan.forgotten ?? [],
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

/** What a venue is called and how much is sold was not read again: without a signature, a plan shows the id and no number. */
function withoutHearsay(plan: Plan): Plan {
  const changes = plan.changes.map((change) => {
    const { names: _, sold: __, ...context } = change.context ?? {};
    return change.context === undefined ? change : { ...change, context };
  });
  return { ...plan, changes };
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
  again: SeenAgain,
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
function rulesOf({ project, sink, state }: Session, plan: Plan, flags: PlanFlags): Omit<Retrial, "orders"> {
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
 * What the plan matched, to be remembered. What it changes is remembered as it was seen; what it leaves alone as the plan
 * says, where a document goes by that address and state does not know better.
 */
function matchedOf(plan: Plan, { state, project }: Session): Readonly<Record<Address, StateEntry>> {
  const byId = new Map(Object.values(state?.objects ?? {}).map((entry) => [idKey(entry.id), entry]));
  const changed = new Map(plan.changes.map((change) => [change.address, change]));
  const documents = documentsOf(project);
  const entries: Record<Address, StateEntry> = {};
  for (const [address, entry] of Object.entries(plan.matched ?? {})) {
    if (changed.has(address) || !documents.has(address)) continue;
    const known = state?.objects[address];
    entries[address] = sameId(known?.id, entry.id) && known !== undefined ? known : entry;
  }
  for (const seen of plan.seen) {
    const change = changed.get(seen.address);
    // What is seen without a change is an event whose lists change, or is named by what changes and need not be ours.
    const isOurs = change === undefined ? seen.lists !== undefined : change.action !== "delete";
    if (seen.id === null || !isOurs) continue;
    const differing = new Set(change?.edits.map((edit) => edit.path.slice(1)));
    // A plan file knows what it saw; what the service does not show is remembered by state, or by the plan's own memory.
    const planned = plan.matched?.[seen.address];
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

function without(seen: Seen, names: ReadonlySet<string>): StateEntry["applied"] {
  return Object.fromEntries(Object.entries(seen.fields).filter(([field]) => !names.has(field)));
}
