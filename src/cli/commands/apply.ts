import { relative } from "node:path";
import {
  type Applied,
  type ApplyFlags,
  type ApplyRan,
  applySession,
  guardedPlan,
  readReviewed,
  refusedReport,
  saidNo,
  shardOfPlanFile,
  stayForDue,
} from "../../app/apply.ts";
import {
  type LockedSession,
  lineOfTarget,
  type NoSession,
  openLockedSession,
  planOfNothing,
  planSession,
  renderPlan,
} from "../../app/plan.ts";
import { emptyPlanKey, keyNames, openSink, reportProblems } from "../../app/session.ts";
import { interruptedCode, sameTarget, type World } from "../../app/world.ts";
import { rootOf } from "../../model/address.ts";
import { type Diagnostic, errorOf, type Fallible } from "../../model/diagnostic.ts";
import { type ApplyReport, isDrift, type Plan } from "../../model/plan.ts";
import { shellWord } from "../../model/value.ts";
import { targetLine } from "../../report/text.ts";
import { applyProgress, openReading, reportStopping } from "../terminal/progress.ts";
import { ask, canAsk } from "../terminal/watch-rounds.ts";

/** What a CI job adds to an apply. */
interface ApplyHooks {
  /** Whether the CI host says that the run at this address has ended. */
  readonly hasEnded?: (run: string) => Promise<boolean>;
  /** Digests of what was reviewed, asked for once the lock is held; null: there is nothing to compare with. */
  readonly reviewed?: (session: LockedSession) => Promise<Fallible<{ readonly reviewed: ReadonlySet<string> | null }>>;
  /** Called with how it ended, before the command ends. */
  readonly ended?: (applied: Applied) => Promise<void>;
  /** Takes the report, in place of stdout. */
  readonly json?: (applied: Applied) => void;
}

export interface ApplyOptions extends Omit<ApplyFlags, "reviewed"> {
  /** A file: the plan that was reviewed. */
  readonly reviewed?: string;
  /** In seconds: how long to stay for what comes due. */
  readonly wait?: number;
}

export async function runApply(world: World, options: ApplyOptions, hooks: ApplyHooks = {}): Promise<number> {
  const { wait, planFile, target = [] } = options;
  if (wait === undefined) return (await applyOnce(world, options, hooks)).exitCode;
  if (planFile !== undefined) return reportProblems(world, options.format, [waitsForNothing]);
  const reports: Applied[] = [];
  const exitCode = await stayForDue(world, { waitMs: wait * 1000, targets: target }, (instant) =>
    applyOnce(world, instant === null ? options : { ...options, ahead: instant }, {
      ...hooks,
      json: (applied) => void reports.push(applied),
    }),
  );
  const last = reports.pop();
  if (last !== undefined) await writeJson(world, last, reports);
  return exitCode;
}

const waitsForNothing = errorOf(
  "bad-option",
  "--wait and a saved plan exclude each other: what comes due later is not in the plan.",
  "Apply the plan without --wait, or leave out the file.",
);

async function applyOnce(outside: World, options: ApplyOptions, hooks: ApplyHooks): Promise<ApplyRan> {
  const reading = openReading(outside);
  const { world } = reading;
  const { planFile } = options;
  const unsigned = emptyPlanKey(world);
  if (unsigned !== null) {
    const diagnostics = [unsigned];
    const environment = options.env ?? (world.env.TICKETING_ENV || "none");
    const none = { ok: false, environment, baseUrl: "", diagnostics } as const;
    return { exitCode: await cannotBegin(world, options, none, hooks), upcoming: null };
  }
  const part = planFile === undefined ? {} : await shardOfPlanFile(options.directory, planFile);
  const recorded = { ...part, ...options, command: "apply", hasEnded: hooks.hasEnded };
  const session = await openLockedSession(world, recorded, reading.listener);
  if (options.format === "json") world.stderr.write(`${lineOfTarget(session)}\n`);
  if (!session.ok) return { exitCode: await cannotBegin(world, options, session, hooks), upcoming: null };
  const { upcoming } = session.project;
  let exitCode = 1;
  try {
    const reviews = await findReviews(options, session, hooks);
    if (!reviews.ok) {
      const { environment, baseUrl, remarks } = session;
      const diagnostics = [...remarks, ...reviews.diagnostics];
      const none = { ok: false, environment: environment.name, baseUrl, diagnostics } as const;
      exitCode = await cannotBegin(world, options, none, hooks);
    } else {
      const flags = { ...options, reviewed: reviews.reviewed };
      exitCode = await applyLocked(world, flags, session, reading, hooks);
    }
  } finally {
    reading.end();
    const left = await session.close();
    if (left !== null) exitCode = Math.max(exitCode, reportProblems(world, "text", [left]));
  }
  return { exitCode, upcoming };
}

/** By a file, by the CI host, or by both. */
async function findReviews(
  { reviewed: file }: ApplyOptions,
  session: LockedSession,
  hooks: ApplyHooks,
): Promise<Fallible<{ readonly reviewed: ReadonlySet<string> | null }>> {
  const found = (await hooks.reviewed?.(session)) ?? { ok: true, reviewed: null };
  if (!found.ok || file === undefined) return found;
  const read = await readReviewed(file, session);
  return read.ok ? { ok: true, reviewed: new Set([...(found.reviewed ?? []), ...read.reviewed]) } : read;
}

/** A log that lists more changes than this is too long to read. */
const mostListed = 1000;

async function applyLocked(
  world: World,
  options: ApplyFlags,
  session: LockedSession,
  reading: ReturnType<typeof openReading>,
  hooks: ApplyHooks,
): Promise<number> {
  const json = options.format === "json";
  let shown: Plan | null = null;
  let hush = reportStopping(world);

  async function show(plan: Plan): Promise<void> {
    reading.end();
    if (shown !== null || (json && !canAsk(world))) return;
    shown = plan;
    const out = json ? world.stderr : world.stdout;
    const { skipBlocked = false, verbose } = options;
    // With --yes there is no prompt, and each operation is reported as it is done.
    const brief = options.yes === true && !verbose && plan.changes.length > mostListed;
    out.write(await renderPlan({ plan }, { ...options, format: "text", columns: out.columns, skipBlocked, brief }));
  }

  const applied = await applySession({
    world,
    session,
    flags: options,
    lock: session.lock,
    sink: openSink(
      world,
      options.directory,
      session.sink,
      keyNames(world, session.project.settings, session.environment),
    ),
    async plan(current) {
      const { planFile } = options;
      const made = await (planFile === undefined
        ? planSession(world, current, { ...options, unsealed: !json, mayRest: true }, reading.onProgress)
        : guardedPlan(world, current, planFile, options));
      await show(made.shown ?? made.plan);
      return made;
    },
    async approve() {
      if (options.yes === true || world.interrupted.aborted) return null;
      // Nothing is under way while somebody thinks.
      hush();
      const yes = await ask(world, "", "apply");
      hush = reportStopping(world);
      return yes ? null : saidNo;
    },
    approvable: options.yes === true || canAsk(world),
    progress: (total) => applyProgress(reading.screen, total, json, options.parallelism ?? 8),
  }).finally(() => hush());
  return finishApply(world, options, applied, shown, hooks);
}

async function finishApply(world: World, options: ApplyFlags, applied: Applied, shown: Plan | null, hooks: ApplyHooks) {
  const { report, notes, refusal, problem } = applied;
  if (options.format === "json") {
    if (hooks.json === undefined) await writeJson(world, applied, []);
    else hooks.json(applied);
  } else if (refusal === null && report.outcomes.length > 0) {
    const { renderApplyText } = await import("../../report/apply.ts");
    const text = {
      columns: world.stdout.columns,
      color: options.color,
      notes,
      goOn: goOnCommand(world, options, report),
    };
    world.stdout.write(`\n${renderApplyText(report, text)}`);
  } else {
    const { environment, baseUrl } = report.plan.target;
    if (shown === null) world.stdout.write(`${targetLine(environment, baseUrl)}\n`);
    reportProblems(world, "text", notes);
  }
  reportProblems(
    world,
    "text",
    [refusal === null ? null : nothingApplied(world, refusal, shown), problem].filter((each) => each !== null),
  );
  await hooks.ended?.(applied);
  if (world.interrupted.aborted) return interruptedCode;
  const complete = report.summary.done === report.outcomes.length;
  const blocked = report.plan.changes.some((change) => change.blockedBy.length > 0);
  const held = (report.plan.held ?? []).some((change) => !isDrift(change));
  const unverified = notes.some((note) => note.code === "verify");
  return refusal === null && problem === null && complete && !blocked && !held && !unverified ? 0 : 1;
}

async function writeJson(world: World, applied: Applied, earlier: readonly Applied[]): Promise<void> {
  const { renderApplyJson } = await import("../../report/apply.ts");
  world.stdout.write(renderApplyJson(applied, earlier));
}

/** The reason is on stderr for whoever reads that alone. A person who has just read it in the plan does not get it twice. */
function nothingApplied({ stdout, stderr }: World, refusal: Diagnostic, shown: Plan | null): Diagnostic {
  const { code, severity, message } = refusal;
  const isRead = shown?.diagnostics.some((each) => each.code === code && each.message === message) === true;
  if (isRead && stdout.isTerminal && stderr.isTerminal)
    return { code, severity, message: "Nothing was applied, for the reason above." };
  return { ...refusal, message: `${message} Nothing was applied.` };
}

async function cannotBegin(world: World, options: Omit<ApplyFlags, "reviewed">, none: NoSession, hooks: ApplyHooks) {
  const { plan } = planOfNothing(world, none);
  const isShown = options.format !== "json" && !world.interrupted.aborted;
  if (isShown) world.stdout.write(await renderPlan({ plan }, { ...options, columns: world.stdout.columns }));
  const refusal: Diagnostic = none.diagnostics.find((each) => each.severity === "error") ?? {
    code: "failed",
    severity: "error",
    message: "The command could not start.",
  };
  const applied = { report: refusedReport(plan, refusal), notes: [], refusal, problem: null };
  return finishApply(world, options, applied, isShown ? plan : null, hooks);
}

/** A command with more targets than this is too long to read; the plan shows what it covers anyway. */
const mostTargets = 10;

/**
 * The command to type next, as the shell wants it. A saved plan is done with: what is left of it needs a new one, of the
 * same objects and no others, for somebody to look at.
 */
function goOnCommand(world: World, options: ApplyFlags, report: ApplyReport): string {
  return ["ticketing", ...(options.planFile === undefined ? world.argv : newPlan(world, options, report))]
    .map(shellWord)
    .join(" ");
}

function newPlan(world: World, options: ApplyFlags, report: ApplyReport): readonly string[] {
  const folder = relative(world.cwd, options.directory);
  const targets = openTargets(report);
  return [
    "plan",
    ...(folder === "" ? [] : ["-C", folder]),
    ...sameTarget(options),
    ...(targets.length > mostTargets ? [] : targets.flatMap((target) => ["--target", target])),
    "--out",
    options.planFile ?? "",
  ];
}

/** The events and webhooks of which something is left to do. */
function openTargets({ plan, outcomes }: ApplyReport): readonly string[] {
  const done = new Set(outcomes.filter(({ result }) => result === "done").map(({ operation }) => operation));
  const open = plan.operations.filter((operation) => !done.has(operation.id));
  return [...new Set(open.map(({ address }) => rootOf(address)))];
}
