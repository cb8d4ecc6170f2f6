// A saved plan, held against what is live now: exactly that plan, or none.
import { idsIn } from "../../apply/known-ids.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Plan, Seen } from "../../model/plan.ts";
import type { Account } from "../../model/snapshot.ts";
import type { State, StateEntry } from "../../model/state.ts";
import { checkAccount, checkWriteScopes } from "../../plan/check-account.ts";
import { readAccount } from "../../snapshot/read-account.ts";
import { ReadFailure } from "../../snapshot/read-failure.ts";
import { makeOrderReader } from "../../snapshot/read-orders.ts";
import { makeReader } from "../../snapshot/reader.ts";
import { clockOf } from "../planning/clock-of.ts";
import type { MadePlan } from "../planning/make-plan.ts";
import type { Session } from "../planning/open-session.ts";
import { type PlanFlags, planOfNothing } from "../planning/plan-session.ts";
import { problemDiagnostic } from "../service-problem.ts";
import type { World } from "../world.ts";
import { lateOptions } from "./late-options.ts";
import { readPlanFile } from "./plan-file.ts";
import { readSeen } from "./read-seen.ts";
import { refusal } from "./refusal.ts";
import { differencesOf, newVerdicts } from "./stale.ts";

export async function guardedPlan(world: World, session: Session, file: string, flags: PlanFlags): Promise<MadePlan> {
  const planKey = world.env.TICKETING_PLAN_KEY || null;
  const read = await readPlanFile({ directory: session.directory, file, baseUrl: session.baseUrl, planKey });
  if (!read.ok) return unplanned(world, session, read.diagnostic);
  const { plan } = read;
  const late = lateOptions(plan, flags, file);
  if (late.length > 0) return withProblems(plan, null, late);
  const reader = makeReader(session.target.client);
  try {
    const account = await readAccount(reader);
    const concerns = [
      ...checkAccount(account, session.environment.organization, session.state, clockOf(world, session)),
      ...checkWriteScopes(account, plan.operations).map((each) => ({ ...each, severity: "error" as const })),
      ...foreignPlan(plan, account, file),
    ].filter((each) => each.severity === "error");
    if (concerns.length > 0) return withProblems(plan, account, concerns);
    const again = await readSeen(reader, plan, world.now());
    const reasons = [...madeMeanwhile(plan, session.state), ...differencesOf(plan, again)];
    const verdicts =
      reasons.length > 0
        ? []
        : await newVerdicts(plan, again, {
            secretSink: session.sink !== null,
            orders: makeOrderReader(reader),
          });
    const all = [...reasons, ...verdicts];
    if (all.length > 0) return withProblems(plan, account, [stale(file, all)]);
    return {
      plan,
      matched: matchedOf(plan, session.state),
      forgotten: [],
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

/** What the plan was to make and state holds already: an earlier run of this very plan. */
function madeMeanwhile(plan: Plan, state: State | null): readonly string[] {
  const made = plan.seen.filter((seen) => seen.id === null && state?.objects[seen.address] !== undefined);
  return made.map((seen) => `${seen.address} was made already`);
}

const mostReasons = 10;

function stale(file: string, reasons: readonly string[]): Diagnostic {
  const shown = reasons
    .slice(0, mostReasons)
    .map((reason) => reason.replace(/\.$/, ""))
    .join("; ");
  const more = reasons.length > mostReasons ? `; and ${reasons.length - mostReasons} more` : "";
  return refusal(
    "stale-plan",
    `${file} is stale: ${shown}${more}.`,
    "Make a new plan with `ticketing plan --out FILE`, look at it, and apply that.",
  );
}

/** What is not changed is remembered as it was seen. */
function matchedOf(plan: Plan, state: State | null): Readonly<Record<string, StateEntry>> {
  const changed = new Map(plan.changes.map((change) => [change.address, change]));
  const entries: Record<string, StateEntry> = {};
  for (const seen of plan.seen) {
    const change = changed.get(seen.address);
    if (seen.id === null || change?.action === "delete") continue;
    const differing = new Set(change?.edits.map((edit) => edit.path.slice(1)));
    // A plan file knows what it saw; what the service does not show is remembered by state alone.
    const remembered = state?.objects[seen.address];
    const known = remembered?.id === seen.id ? remembered : undefined;
    const applied = {
      ...known?.applied,
      ...without(seen, new Set([...differing, ...Object.keys(known?.returned ?? {})])),
    };
    entries[seen.address] = { ...known, kind: seen.kind, id: seen.id, applied };
  }
  return entries;
}

function without(seen: Seen, names: ReadonlySet<string>): StateEntry["applied"] {
  return Object.fromEntries(Object.entries(seen.fields).filter(([field]) => !names.has(field)));
}
