import {
  type CiFlags,
  checkForDrift,
  type DriftFlags,
  driftReport,
  openJob,
  publishDrift,
  rememberVerified,
} from "../../app/ci.ts";
import { lineOfTarget, openSession } from "../../app/plan.ts";
import { reportProblems } from "../../app/session.ts";
import { interruptedCode, type World } from "../../app/world.ts";
import { renderDriftJson, renderDriftText } from "../../report/comment.ts";
import { liveScreen } from "../terminal/live-screen.ts";
import { readingProgress } from "../terminal/progress.ts";

/** 2: drift; 1: the check failed; 0: neither. */
export async function runCiDrift(outside: World, options: CiFlags & DriftFlags): Promise<number> {
  const screen = liveScreen(outside);
  const { world } = screen;
  const progress = readingProgress(screen);
  const opened = await openJob(world, options);
  if (!opened.ok) return reportProblems(world, options.format, opened.diagnostics);
  const { job } = opened;
  const session = await openSession(world, options, progress.listener);
  try {
    if (!session.ok) return reportProblems(world, options.format, session.diagnostics);
    const findings = await checkForDrift(world, session, options, progress.onProgress);
    progress.end();
    if (world.interrupted.aborted) return interruptedCode;
    const report = driftReport(job, session, findings, world.now());
    const out = options.format === "json" ? world.stderr : world.stdout;
    out.write(`${lineOfTarget(session)}\n`);
    world.stdout.write(options.format === "json" ? renderDriftJson(report) : renderDriftText(report));
    const unremembered = await rememberVerified(session, findings, world.now(), world.interrupted);
    const unpublished = await publishDrift(world, job, options, report);
    reportProblems(world, "text", [...(unremembered === null ? [] : [unremembered]), ...unpublished]);
    if (report.drifted.length > 0) return 2;
    return report.errors.length > 0 ? 1 : 0;
  } finally {
    progress.end();
    if (session.ok) await session.close();
    await job.close();
  }
}
