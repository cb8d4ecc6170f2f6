// A plan within a session: shared by plan and apply, so that both see the same.
import { idsIn } from "../../apply/known-ids.ts";
import { ReadFailure } from "../../snapshot/read-failure.ts";
import { makeReader } from "../../snapshot/reader.ts";
import { openSnapshot } from "../local-data.ts";
import { planKeyOf } from "../plan-key.ts";
import { problemDiagnostic } from "../service-problem.ts";
import { version } from "../version.ts";
import { isOnRunner, type World } from "../world.ts";
import { budgetRemark } from "./budget-remark.ts";
import { emptyPlan } from "./empty-plan.ts";
import { type MadePlan, makePlan } from "./make-plan.ts";
import type { NoSession, Session, SessionOptions } from "./open-session.ts";
import { keepForNextRun, resumeReader } from "./resumable-reader.ts";
import { readSecretHolder } from "./secret-holder.ts";

export interface PlanFlags extends SessionOptions {
  readonly target?: readonly string[];
  readonly allow?: readonly string[];
  readonly maxDeletes?: number;
  readonly resendUnreadable?: boolean;
  /** The plan is applied at once and shown to nobody as JSON. */
  readonly unsealed?: boolean;
  /** The plan may be saved: it carries what whoever applies it is to remember. */
  readonly savable?: boolean;
  /** In seconds. */
  readonly settle?: number;
  /** Goes on with what an interrupted run has read. Only for looking: what is written must rest on what is so now. */
  readonly resume?: boolean;
}

export async function planSession(
  world: World,
  session: Session,
  flags: PlanFlags,
  onProgress: (done: number, total: number) => void,
): Promise<MadePlan> {
  const { client } = session.target;
  const kept = openSnapshot(world, flags.directory, session.environment);
  const reader =
    flags.resume === true
      ? await resumeReader(client, kept, world.now(), session.hidden)
      : makeReader(client, {}, session.hidden);
  const common = {
    target: { environment: session.environment.name, baseUrl: session.baseUrl },
    version,
    now: world.now(),
    planKey: planKeyOf(world),
    client,
  };
  try {
    const made = await makePlan({
      ...common,
      project: session.project,
      remarks: session.remarks,
      base: session.base,
      sinceLast: flags.base === "last",
      state: session.state,
      sealed: flags.unsealed !== true,
      savable: flags.savable === true,
      reader,
      organizationPin: session.environment.organization,
      options: {
        targets: flags.target ?? [],
        allow: flags.allow ?? [],
        maxDeletes: flags.maxDeletes ?? null,
        resendUnreadable: flags.resendUnreadable === true,
        settleMs: (flags.settle ?? 2) * 1000,
      },
      secretSink: session.sink?.sink ?? null,
      holdsSecret: await readSecretHolder(session),
      onRunner: isOnRunner(world),
      budget: (writes) => budgetRemark(client.limits, writes, client.estimateSeconds(writes)),
      estimateSeconds: (writes) => client.estimateSeconds(writes),
      serverNow: () => client.serverDate?.getTime() ?? null,
      onProgress,
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    });
    await kept.clear();
    return { ...made, known: () => idsIn(Object.values(reader.kept())) };
  } catch (error) {
    if (!(error instanceof ReadFailure)) throw error;
    // What was read is good for the next run: at a rate limit a large project is read in several goes.
    const cutShort = error.problem.code === "rate-limited-too-long" || world.interrupted.aborted;
    const resumable = cutShort && flags.resume === true;
    if (resumable) await keepForNextRun(reader, kept, world.now());
    return emptyPlan(common, null, [...session.remarks, problemDiagnostic(error.problem, resumable)]);
  }
}

/** A plan that says what keeps it from being made. */
export function planOfNothing(world: World, none: NoSession): MadePlan {
  const target = { environment: none.environment, baseUrl: none.baseUrl };
  const common = { target, version, now: world.now(), planKey: null, client: { counts: { reads: 0 } } };
  return emptyPlan(common, null, none.diagnostics);
}
