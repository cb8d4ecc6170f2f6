// ticketing ci drift: checks the service, remembers what was compared, and maintains one issue per project and environment.

import type { HostFailure } from "../../host/host.ts";
import { markerStart } from "../../host/review.ts";
import { howToLeave } from "../../kinds/lint-rules.ts";
import { type Address, dateOf } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { errorOf, warningOf } from "../../model/diagnostic.ts";
import type { Live } from "../../model/live.ts";
import { compareText } from "../../model/value.ts";
import { type DriftReport, driftHeading, driftTitle, renderDriftIssue, reportsDrift } from "../../report/comment.ts";
import type { ReadingProgress } from "../planning/plan-project.ts";
import { guardOrder } from "../session/checkout.ts";
import { openSession, type Session } from "../session/open-session.ts";
import { reportProblems } from "../session/report-problems.ts";
import { interruptedCode, sameTarget, sameTargetInJob, type World } from "../world.ts";
import {
  checkForDrift,
  comparedAt,
  type DriftFindings,
  type DriftFlags,
  oldestDays,
  rememberVerified,
} from "./check-drift.ts";
import {
  type CiFlags,
  type CiJob,
  hostHint,
  masked,
  mostInComment,
  placeAt,
  withJob,
  writeCommentFile,
  writeSummary,
} from "./ci-job.ts";

/** `show` gets the findings before they are written anywhere. 2: drift; 1: the check failed; 0: neither. */
export async function checkDriftJob(
  progress: ReadingProgress,
  flags: CiFlags & DriftFlags,
  show: (report: DriftReport, session: Session) => void,
): Promise<number> {
  const { world } = progress;
  return withJob(world, flags, async (job) => {
    const session = await openSession(world, { ...flags, follows: true }, progress.listener);
    try {
      if (!session.ok) return reportProblems(world, flags.format, session.diagnostics);
      const order = await guardOrder(session, session.checkout?.revision ?? null);
      // Changes that were merged and applied since would look like drift.
      if (order?.code === "older-than-applied")
        return reportProblems(world, flags.format, [errorOf(order.code, order.message, checkNewer)]);
      const findings = await checkForDrift(world, session, flags, progress.onProgress);
      progress.end();
      if (world.interrupted.aborted) return interruptedCode;
      const report = driftReport(world, job, session, findings);
      show(report, session);
      const unremembered = await rememberVerified(session, findings, world.now(), world.interrupted);
      const place = job.place && placeAt(job.place, session.checkout?.revision);
      const unpublished = await publishDrift(
        world,
        { ...job, place },
        flags,
        report,
        mayHaveDrifted(session, findings),
      );
      reportProblems(world, "text", [...(unremembered === null ? [] : [unremembered]), ...unpublished]);
      if (report.drifted.length > 0) return 2;
      return report.errors.length > 0 ? 1 : 0;
    } finally {
      progress.end();
      if (session.ok) await session.close();
    }
  });
}

function driftReport(world: World, { scope }: CiJob, session: Session, findings: DriftFindings): DriftReport {
  const checked = new Set(findings.checked);
  return {
    ...findings,
    environment: session.environment.name,
    flags: sameTarget(world),
    flagsInJob: sameTargetInJob(world),
    project: scope.project,
    unmanaged: findings.unmanaged?.map(unmanagedEvent).sort(earlierFirst) ?? null,
    leaving: Object.fromEntries(
      session.project.events.flatMap(({ address, own: { series } }) =>
        series !== undefined && findings.drifted.some((change) => change.address === address)
          ? [[address, howToLeave(series, dateOf(address)?.day)]]
          : [],
      ),
    ),
    oldestDays: oldestDays(session, findings.checked, world.now()),
    never: session.project.events.filter(
      ({ address }) => !checked.has(address) && comparedAt(session, address) === undefined,
    ).length,
    driftedBefore: session.project.events.flatMap(({ address }) =>
      checked.has(address) || session.state?.drifted?.[address] === undefined ? [] : address,
    ),
  };
}

function unmanagedEvent({ id, status, fields }: Live) {
  const { name, dateTime } = fields;
  return { id, name: String(name ?? "(no name)"), status, dateTime: typeof dateTime === "string" ? dateTime : null };
}

function earlierFirst(one: ReturnType<typeof unmanagedEvent>, other: ReturnType<typeof unmanagedEvent>): number {
  return compareText(one.dateTime ?? "", other.dateTime ?? "") || compareText(one.name, other.name);
}

/** Whether something that was not compared this time may have drifted: an event that had the last time, or was never compared; or what an issue names. */
function mayHaveDrifted({ project, state }: Session, findings: DriftFindings): (issue: string) => boolean {
  const compared = new Set([...findings.checked, ...findings.webhooks]);
  const isLeft = ({ address }: { readonly address: Address }) => !compared.has(address);
  const events = project.events.filter(isLeft);
  const others = [...events, ...project.webhooks.filter(isLeft)];
  return (issue) =>
    events.some(({ address }) => state?.verified?.[address] === undefined) ||
    others.some(({ address }) => reportsDrift(issue, address));
}

const checkNewer = "Check out the commit that was applied last, or a newer one, then run the check again.";

/** Returns warnings. No issue is written if the check failed: an open one may still be right. */
async function publishDrift(
  world: World,
  job: CiJob,
  flags: CiFlags,
  report: DriftReport,
  mayHave: (named: string) => boolean,
): Promise<readonly Diagnostic[]> {
  const { host, run, scope, place, commentWarning } = job;
  const marker = `${markerStart("drift", scope)}-->\n`;
  const text = masked(world, renderDriftIssue(report, place, mostInComment - marker.length));
  const written = await Promise.all([
    writeSummary(world, run, () => `## ${driftHeading(report)}\n\n${text}`),
    writeCommentFile(world, flags, text),
  ]);
  const warnings = written.filter((each) => each !== null);
  const hasDrift = report.drifted.length > 0;
  if (flags.comment === false || (report.errors.length > 0 && !hasDrift)) return warnings;
  if (host === null) return commentWarning === null || !hasDrift ? warnings : [...warnings, commentWarning];
  const found = await host.findIssue(marker.trimEnd());
  if (!found.ok) return [...warnings, issueNotWritten(job, found)];
  const existing = found.value;
  if (!hasDrift && (existing === null || !existing.isOpen || mayHave(existing.body))) return warnings;
  const put = await host.putIssue(existing, {
    title: driftTitle(report),
    body: `${marker}${text}`,
    isOpen: hasDrift,
  });
  return put.ok ? warnings : [...warnings, issueNotWritten(job, put)];
}

function issueNotWritten(job: CiJob, failure: HostFailure): Diagnostic {
  return warningOf(
    "issue-not-written",
    `The issue about drift could not be written: ${failure.message}.`,
    hostHint(job, failure),
  );
}
