import {
  annotationsOf,
  type CiFlags,
  findReviewed,
  openJob,
  publishApply,
  type ReviewedRequest,
} from "../../app/ci.ts";
import { reportProblems } from "../../app/session.ts";
import type { World } from "../../app/world.ts";
import { type ApplyOptions, runApply } from "../commands/apply.ts";

type Options = CiFlags & ApplyOptions;

/** Another job may be at work; the queue of a host is longer than a person's patience. */
const lockTimeoutSeconds = 900;

export async function runCiApply(world: World, options: Options): Promise<number> {
  const opened = await openJob(world, options);
  if (!opened.ok) return reportProblems(world, options.format, opened.diagnostics);
  const { job } = opened;
  const { host } = job;
  let pullRequests: readonly ReviewedRequest[] = [];
  const flags: ApplyOptions = {
    ...options,
    yes: true,
    skipBlocked: true,
    ...(options.base === undefined && isMeantWhole(options) ? {} : { base: options.base ?? "last" }),
    lockTimeout: options.lockTimeout ?? lockTimeoutSeconds,
  };
  try {
    return await runApply(world, flags, {
      ...(host === null ? {} : { hasEnded: (run: string) => host.hasEnded(run) }),
      async reviewed({ state, project }) {
        // Also then the pull requests are looked for: the result goes into their comments.
        const isNeeded = (options.unreviewed ?? project.settings.unreviewed) !== "apply";
        const read = await findReviewed(world, job, options.directory, state?.appliedRevision ?? null);
        if (!read.ok) return isNeeded ? read : { ok: true, reviewed: null };
        pullRequests = read.found.pullRequests;
        if (isNeeded) reportProblems(world, "text", read.found.remarks);
        return { ok: true, reviewed: isNeeded ? read.found.digests : null };
      },
      async ended(applied) {
        const text = annotationsOf(job, applied.report.plan, applied.report);
        (options.format === "text" ? world.stdout : world.stderr).write(text);
        reportProblems(world, "text", await publishApply(world, job, options, applied, pullRequests));
      },
    });
  } finally {
    await job.close();
  }
}

/** Somebody who names an object, and means also what was not reviewed, wants it as the files say: drift is undone, too. */
function isMeantWhole({ target = [], unreviewed }: Options): boolean {
  return target.length > 0 && unreviewed === "apply";
}
