// The job that a `ci` command runs in: host, pull request, project, and where its reports go.

import { appendFile, mkdir, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { sandboxName } from "../../config/environment.ts";
import { projectFile } from "../../config/project.ts";
import type { CiRun } from "../../host/ci-run.ts";
import type { Host, HostFailure } from "../../host/host.ts";
import { openHost } from "../../host/hosts.ts";
import type { ReviewScope } from "../../host/review.ts";
import { type Diagnostic, errorOf, type Fallible, failed, warningOf } from "../../model/diagnostic.ts";
import { type ApplyReport, originOfChange, type Plan } from "../../model/plan.ts";
import { type CommentPlace, forReview } from "../../report/comment.ts";
import { renderAnnotations } from "../../report/diagnostics.ts";
import { systemClock } from "../../service/clock.ts";
import { outsideCalls } from "../../service/transport.ts";
import { placeInRepository } from "../../system/git.ts";
import { gitHint } from "../../system/git-output.ts";
import { explainRefusal } from "../../system/refusal.ts";
import { currentRun } from "../session/environment-store.ts";
import { noSuchFolder, reportProblems } from "../session/report-problems.ts";
import type { CommonOptions, World } from "../world.ts";

export interface CiFlags extends CommonOptions {
  readonly pullRequest?: number;
  /** False: no comment and no issue is written. */
  readonly comment?: boolean;
  readonly commentFile?: string;
  readonly artifacts?: string;
}

export interface CiJob {
  /** null: no host that is known. */
  readonly run: CiRun | null;
  /** null: none is known, or the job has no token for it. */
  readonly host: Host | null;
  readonly scope: ReviewScope;
  readonly place: CommentPlace | null;
  /** Why comments and issues cannot be written, where a host is known; null: they can. */
  readonly commentWarning: Diagnostic | null;
  close(): Promise<void>;
}

export async function withJob(world: World, flags: CiFlags, work: (job: CiJob) => Promise<number>): Promise<number> {
  const opened = await openJob(world, flags);
  if (!opened.ok) return reportProblems(world, flags.format, opened.diagnostics);
  return work(opened.job).finally(() => opened.job.close());
}

async function openJob(world: World, flags: CiFlags): Promise<Fallible<{ readonly job: CiJob }>> {
  const refusal = whyNotNamed(world, flags) ?? noSuchFolder(world, flags.directory);
  if (refusal !== null) return failed(refusal);
  const checkout = await placeInRepository(flags.directory);
  if (!checkout.ok) return failed(notReadable(checkout.message));
  const { folder } = checkout;
  const run = currentRun(world.env);
  if (run?.token) world.secrets?.keep(run.token);
  const { send, close } = outsideCalls(world.env);
  const { sleep = systemClock.sleep } = world;
  const host =
    run === null || run.token === null
      ? null
      : openHost(run.host, {
          apiUrl: run.apiUrl,
          repository: run.repository,
          token: run.token,
          send,
          sleep: (ms) => sleep(ms, world.interrupted),
          // A host's times are by its own clock, even if TICKETING_NOW is set.
          now: systemClock.now,
        });
  return {
    ok: true,
    job: {
      run,
      host,
      scope: {
        project: folder,
        environment: flags.env ?? (world.env.TICKETING_ENV || "default"),
        repository: run?.repository ?? "",
        pullRequest: flags.pullRequest ?? run?.pullRequest ?? null,
      },
      place:
        run === null
          ? null
          : {
              host: run.host,
              repositoryUrl: run.repositoryUrl,
              runUrl: run.url === "" ? null : run.url,
              head: run.head,
              prefix: folder === "" ? "" : `${folder}/`,
            },
      commentWarning: run !== null && run.token === null ? noToken(run) : null,
      close,
    },
  };
}

/** With the commit whose files were read: the job may have continued with a newer one than it checked out. */
export function placeAt(place: CommentPlace, commit: string | null | undefined): CommentPlace {
  return { ...place, head: commit ?? place.head };
}

const ifNone = "If ticketing.yaml has none, add one under `environments`, with the `baseUrl` of your service.";

/** A live service is reached from CI only if it is named, and a plan of the sandbox would say nothing. */
function whyNotNamed(world: World, { env, baseUrl }: CommonOptions): Diagnostic | null {
  const named = env ?? (world.env.TICKETING_ENV || undefined);
  if (named === sandboxName)
    return errorOf(
      "sandbox-in-ci",
      "`ticketing ci` works on a live service: in a job, the sandbox starts empty, so there is nothing to compare the files with.",
      `Use --env with an environment from ticketing.yaml. ${ifNone}`,
    );
  if (named !== undefined || baseUrl !== undefined || (world.env.TICKETING_BASE_URL ?? "") !== "") return null;
  return errorOf(
    "environment-not-chosen",
    "No environment is named, and a job must say which service it works on.",
    `Choose an environment from ticketing.yaml with --env or the variable TICKETING_ENV. ${ifNone}`,
  );
}

/** A folder owned by another user, as in a job's container, is still a repository. */
function notReadable(message: string): Diagnostic {
  if (!/not a git repository/i.test(message))
    return errorOf(
      "git-failed",
      `git cannot read the repository: ${message.split("\n")[0] ?? ""}`,
      gitHint(message) ?? "Check that the repository is complete (`git fsck`).",
    );
  return errorOf(
    "not-a-repository",
    "This folder is not in a git repository, and `ticketing ci` works on a git revision.",
    "Run the command in a checkout of the project's repository (`git init` and a commit start one); a CI job needs its checkout step first.",
  );
}

function noToken({ host, tokenVariable }: CiRun): Diagnostic {
  const hint =
    host === "github"
      ? `Add to the step: \`env: { GITHUB_TOKEN: "\${{ github.token }}" }\`, and to the job the permission \`pull-requests: write\`, or \`issues: write\` if the job checks for drift.`
      : "Make a project access token with the scopes `api` and `write_repository` and the role Developer, and store it as the masked CI/CD variable GITLAB_TOKEN: the job's own token can neither write notes nor push.";
  return warningOf(
    "no-host-token",
    `${tokenVariable} is not set, so this job can neither read nor write comments and issues.`,
    hint,
  );
}

/** Writes a comment's text to a file of the runner, for a host that is not known. */
export async function writeCommentFile(
  world: World,
  { directory, commentFile }: CiFlags,
  text: string,
): Promise<Diagnostic | null> {
  if (commentFile === undefined) return null;
  return tryWrite(commentFile, () => writeFile(resolve(directory, commentFile), masked(world, text)));
}

export async function writeArtifacts(
  world: World,
  { directory, artifacts }: CiFlags,
  files: Readonly<Record<string, string>>,
): Promise<Diagnostic | null> {
  if (artifacts === undefined) return null;
  const folder = resolve(directory, artifacts);
  return tryWrite(artifacts, async () => {
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), masked(world, text));
  });
}

/** The longest comment or issue that a host accepts: GitHub counts characters, GitLab accepts more. */
export const mostInComment = 65_536;
/** In bytes of UTF-8, for all that one step writes: GitHub drops a summary of more than a MiB as a whole. */
const mostInSummary = 1_000_000;

/** The host's page of the job. `render` gets the number of bytes that are left: a job that waits for phases writes several times. */
export async function writeSummary(
  world: World,
  run: CiRun | null,
  render: (room: number) => string,
): Promise<Diagnostic | null> {
  const file = run?.summaryFile ?? null;
  if (file === null) return null;
  const written = await stat(file).then(
    ({ size }) => size,
    () => 0,
  );
  const text = masked(world, render(mostInSummary - written));
  return tryWrite(file, () => appendFile(file, `${text}\n`));
}

export function masked(world: World, text: string): string {
  return world.secrets?.mask(text) ?? text;
}

async function tryWrite(place: string, write: () => Promise<unknown>): Promise<Diagnostic | null> {
  try {
    await write();
    return null;
  } catch (error) {
    const { reason, fix } = explainRefusal(error);
    return warningOf("not-written", `${place} cannot be written (${reason}).`, fix ?? "Choose another file.");
  }
}

/** What is merged there, as the host calls it. */
export function requestName(job: CiJob, number: number | null): string {
  return `${requestWord(job)} ${number}`;
}

function requestWord({ run }: CiJob): string {
  return `${run?.host === "gitlab" ? "merge" : "pull"} request`;
}

/** A new pull request, whose plan lists everything that waits. It must touch the project: otherwise it gets no plan. */
export function freshRequest(job: CiJob): string {
  return `open a new ${requestWord(job)} that changes a file of the project (a comment line in ${projectFile} is enough), wait for its plan and merge it`;
}

/** What helps if the host did not do what was requested. */
export function hostHint({ run }: CiJob, { reason }: HostFailure): string {
  if (reason === "unreachable") return "Run the job again.";
  if (reason === "limited") return "Run the job again once that time is over.";
  if (reason === "refused")
    return "The host will refuse this again: correct what the message names, then run the job again.";
  return run?.host !== "gitlab"
    ? "Give the job the permission `pull-requests: write`, and the job that checks for drift `issues: write`. A pull request from a fork gets a token that can only read."
    : "GITLAB_TOKEN must be a token with the scope `api` and at least the role Developer: the job's own token cannot write notes.";
}

// Problems at the lines of files, as GitHub shows them next to a change. GitLab shows the log, which has them already.

/** Lines of the log, in addition to what the command prints itself. */
export function annotate(world: World, job: CiJob, flags: CiFlags, plan: Plan, applied?: ApplyReport): void {
  const { run, scope } = job;
  if (run?.host !== "github") return;
  const sources = new Map(plan.changes.map(({ address, source }) => [address, source]));
  const at = (address: string) => {
    const source = sources.get(address) ?? null;
    return source === null ? {} : { source };
  };
  const blocks = forReview(plan).changes.flatMap((change) => {
    // What was merged before is not a failure of this pull request.
    const severity = applied === undefined && originOfChange(change) !== "edit" ? "warning" : "error";
    return change.blockedBy.map((block) => ({ ...block, severity, ...at(change.address) }) as const);
  });
  const causes = new Map(plan.operations.map(({ id, because }) => [id, because]));
  const failures = (applied?.outcomes ?? []).flatMap(({ operation, result, error }): readonly Diagnostic[] => {
    if (result === "done" || result === "skipped" || error === undefined) return [];
    const { code, message, hint } = error;
    return [
      { code, severity: "error", message, ...(hint === null ? {} : { hint }), ...at(causes.get(operation) ?? "") },
    ];
  });
  // Pull requests should have a read-only key, so there is no need to mention it in each of them.
  const unsaid = applied === undefined ? "scope-missing" : null;
  const remarks = plan.diagnostics.filter(
    ({ severity, code }) => severity === "error" || (severity === "warning" && code !== unsaid),
  );
  const prefix = scope.project === "" ? "" : `${scope.project}/`;
  const out = flags.format === "text" ? world.stdout : world.stderr;
  out.write(renderAnnotations([...remarks, ...blocks, ...failures], prefix));
}
