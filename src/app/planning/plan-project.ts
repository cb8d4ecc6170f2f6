// `plan`: what an apply would do now, or what a pull request would change; saved if requested.
import { type Diagnostic, errorOf } from "../../model/diagnostic.ts";
import type { State } from "../../model/live.ts";
import { planErrors } from "../../model/plan.ts";
import type { Listener } from "../../service/calls.ts";
import { makeReader, type Reader } from "../../snapshot/reader.ts";
import { guardOrder } from "../session/checkout.ts";
import { lineOfTarget, openSession, type Session } from "../session/open-session.ts";
import { unopened } from "../session/prepare-session.ts";
import { emptyPlanKey } from "../session/secret-sink.ts";
import type { World } from "../world.ts";
import type { MadePlan } from "./make-plan.ts";
import { type PlanFlags, type PlanUse, settleMsOf } from "./plan-inputs.ts";
import { planOfNothing, planSession } from "./plan-session.ts";
import { hasActiveRun, surveyLeftovers } from "./recover-session.ts";
import { savePlan, whyNotSaved } from "./save-plan.ts";

export interface PlanRequest extends PlanFlags {
  readonly out?: string;
  readonly watch?: boolean;
}

/** Hears how far reading is; `end` removes what is shown of it. */
export interface ReadingProgress {
  readonly world: World;
  readonly listener: Listener;
  readonly onProgress: (done: number, total: number) => void;
  readonly end: () => void;
}

/** Gets the plan once it is shown. */
export type PlanReader = (made: MadePlan, state: State | null) => Promise<void>;

export interface PlanOptions {
  /** Why there is nothing to plan, if that is known already. */
  readonly refusal?: Diagnostic | null;
  /** The plan is published, not only shown here. */
  readonly isPublished?: boolean;
  readonly readerFor?: (session: Session, atWork: boolean) => Reader;
}

export interface Planned {
  readonly made: MadePlan;
  readonly state: State | null;
  /** Before everything was read. */
  readonly isStopped: boolean;
  /** Why the plan was not saved although it was to be. */
  readonly unsaved: Diagnostic | null;
}

export async function makeProjectPlan(
  progress: ReadingProgress,
  request: PlanRequest,
  how: PlanOptions,
): Promise<Planned> {
  const { world } = progress;
  const refusal = how.refusal ?? (await whyNotPlanned(world, request));
  if (refusal !== null) return { ...nothingPlanned, made: planOfNothing(world, unopened(world, request, [refusal])) };
  const session = await openSession(world, request, progress.listener);
  if (request.format === "json") world.stderr.write(`${lineOfTarget(session)}\n`);
  if (!session.ok) return { ...nothingPlanned, made: planOfNothing(world, session) };
  try {
    const made = await planOpened(progress, request, how, session);
    const isStopped = world.interrupted.aborted;
    const { state } = session;
    return { made, state, isStopped, unsaved: isStopped ? null : await saveIfAsked(world, request, made) };
  } finally {
    progress.end();
    await session.close();
  }
}

const nothingPlanned = { state: null, isStopped: false, unsaved: null };

async function planOpened(
  { world, onProgress }: ReadingProgress,
  request: PlanRequest,
  { isPublished, readerFor }: PlanOptions,
  session: Session,
): Promise<MadePlan> {
  const atWork = await hasActiveRun(session);
  const surveyed = atWork ? session : await surveyLeftovers(world, session, settleMsOf(request));
  // Without a fingerprint, no apply accepts it: a plan for another time, or one only shown to people, needs none.
  const { out, at, watch, format } = request;
  const isShown = watch === true || (out === undefined && format !== "json" && isPublished !== true);
  const sealed = !isShown && at === undefined;
  const isForReview = request.mergeInto !== undefined || (request.base !== undefined && request.base !== "last");
  // A pull request's plan holds nothing, and its branch may be behind. Any other shows what an apply would do now.
  const reviewed = isForReview ? {} : { reviewed: null };
  const reader = readerFor?.(surveyed, atWork) ?? "resume";
  const use: PlanUse = { purpose: sealed ? "save" : "show", sealed, ...reviewed, reader };
  const isApplied = !isForReview && isPublished !== true && at === undefined;
  const order = isApplied ? await guardOrder(session, session.checkout?.revision ?? null, request.allow) : null;
  const isRefused = order?.severity === "error" && order.code !== "shallow-clone";
  const remarks = isRefused ? [...surveyed.remarks, { ...order, severity: "warning" as const }] : surveyed.remarks;
  const made = await planSession(world, { ...surveyed, remarks }, request, use, onProgress);
  // It is planned for another time, and made now.
  return at === undefined ? made : { ...made, plan: { ...made.plan, createdAt: new Date(world.now()).toISOString() } };
}

async function saveIfAsked(world: World, { directory, out }: PlanRequest, { plan }: MadePlan) {
  if (out === undefined || planErrors(plan).length > 0) return null;
  const { renderPlanFile } = await import("../../report/plan.ts");
  const text = renderPlanFile(plan);
  return savePlan(directory, out, world.secrets?.mask(text) ?? text);
}

/** Problems known before anything is read: a plan that could not be signed as configured, or not saved. */
async function whyNotPlanned(world: World, { out, at, format, directory }: PlanRequest): Promise<Diagnostic | null> {
  if (out !== undefined && at !== undefined) return neverApplied;
  const unsigned = out === undefined && format !== "json" ? null : emptyPlanKey(world);
  return unsigned ?? (out === undefined ? null : whyNotSaved(directory, out));
}

const neverApplied = errorOf(
  "bad-option",
  "A plan made with --at is never applied, so it cannot be saved with --out.",
  "Leave out one of the two; --format json prints what would be due then.",
);

// What `plan --watch` has read from the service, for the next time that the files change.

const mostAgeMs = 5 * 60_000;

/**
 * Only for showing plans. It is forgotten after a few minutes, for another service or key, and once an apply has changed state.
 */
export function makeWatchedReading(world: World) {
  let last: { readonly reader: Reader; readonly source: string; readonly since: number } | null = null;
  return {
    /** Reads what was not read before. `afresh`: everything. */
    readerFor(session: Session, afresh: boolean): Reader {
      const source = JSON.stringify([session.environment, session.baseUrl, session.state]);
      const now = world.now();
      const isGood = last !== null && last.source === source && now - last.since < mostAgeMs;
      const kept = isGood && !afresh ? last : null;
      const reader = makeReader(session.target.client, kept?.reader.kept());
      last = { reader, source, since: kept?.since ?? now };
      return reader;
    },
    /** When the oldest of it was read; null: nothing was. */
    get since(): number | null {
      return last?.since ?? null;
    },
  };
}
