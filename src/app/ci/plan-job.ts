// ticketing ci plan: finds what a pull request is about, plans it, and maintains the one comment about it.
import { diskFiles, matcherOf, realPlaces } from "../../config/files.ts";
import { allowedBy, type LoadedSettings, loadProject, loadSettings, projectFile } from "../../config/project.ts";
import type { HostFailure } from "../../host/host.ts";
import { type ListedReview, markerStart, reviewMarker, unlistedWarning } from "../../host/review.ts";
import { type Diagnostic, errorOf, type Fallible, failed, warningOf } from "../../model/diagnostic.ts";
import type { Plan } from "../../model/plan.ts";
import { eventDigests, reviewedDigests } from "../../plan/judge.ts";
import { renderPlanComment, renderUntouchedComment } from "../../report/comment.ts";
import { renderPlanJson, renderPlanMarkdown } from "../../report/plan.ts";
import { clonedDefaultBranch, commitOf, differingFiles, fetchBranch } from "../../system/git.ts";
import type { MadePlan } from "../planning/make-plan.ts";
import type { PlanFlags } from "../planning/plan-inputs.ts";
import type { PlanReader } from "../planning/plan-project.ts";
import { planOfNothing } from "../planning/plan-session.ts";
import { renderPlanPage } from "../planning/save-plan.ts";
import { isAncestor, readCheckout } from "../session/checkout.ts";
import { withoutTwice } from "../session/prepare-session.ts";
import { reportProblems } from "../session/report-problems.ts";
import { planKeyOf } from "../session/secret-sink.ts";
import { chooseTarget } from "../session/target.ts";
import type { World } from "../world.ts";
import {
  annotate,
  type CiFlags,
  type CiJob,
  freshRequest,
  hostHint,
  masked,
  mostInComment,
  requestName,
  withJob,
  writeArtifacts,
  writeCommentFile,
  writeSummary,
} from "./ci-job.ts";

type PlanJobFlags = CiFlags & Pick<PlanFlags, "base" | "mergeInto" | "target">;

/** Each shows what the command of that name shows. */
interface PlanJobSteps {
  plan(merging: Pick<PlanFlags, "mergeInto">, also: PlanReader): Promise<number>;
  showUnplanned(made: MadePlan): Promise<void>;
  validate(format: "text" | "json" | "github"): Promise<number>;
}

export async function runPlanJob(world: World, flags: PlanJobFlags, steps: PlanJobSteps): Promise<number> {
  return withJob(world, flags, async (job) => {
    const loaded = await loadSettings(diskFiles(flags.directory));
    const chosen = chooseTarget(world, flags, loaded.settings);
    const apiKeyEnv = chosen.ok ? chosen.environment.apiKeyEnv : null;
    if (job.run?.isFork === true && apiKeyEnv !== null && (world.env[apiKeyEnv] ?? "").trim() === "")
      return validateFork(world, job, flags, steps);
    // Checked even if nothing differs: a job with a misspelled environment must not pass until something does.
    const found = chosen.ok
      ? await findSubject(world, job, flags, loaded)
      : failed(...withoutTwice([...loaded.diagnostics, ...chosen.diagnostics]));
    const subject = found.ok ? found.subject : noSubject;
    const publish: PlanReader = async (made, state) => {
      annotate(world, job, flags, made.plan);
      const held = new Set(Object.keys(state?.held ?? {}));
      reportProblems(world, "text", await publishPlan(world, job, flags, subject, made, held));
    };
    if (!found.ok) {
      const made = planOfNothing(world, { ...found, environment: job.scope.environment, baseUrl: "" });
      await steps.showUnplanned(made);
      await publish(made, null);
      return 1;
    }
    reportProblems(world, "text", subject.remarks);
    if (!subject.isTouched) {
      if (!subject.isMerged) reportProblems(world, "text", await publishUntouched(world, job, flags));
      const isDirty = (await readCheckout(flags.directory, loaded.settings))?.dirty === true;
      const uncommitted = isDirty ? " There are uncommitted edits, but only commits are planned here." : "";
      world.stderr.write(`Nothing to plan: no file of the project differs from the default branch.${uncommitted}\n`);
      const none = { ok: false, environment: job.scope.environment, baseUrl: "", diagnostics: [] } as const;
      if (flags.format === "json") await steps.showUnplanned(planOfNothing(world, none));
      return 0;
    }
    return steps.plan(subject.mergeInto === null ? {} : { mergeInto: subject.mergeInto }, publish);
  });
}

/** A fork's job has no secrets, so there is no key: its files are checked, and a comment says why there is no plan. */
async function validateFork(world: World, job: CiJob, flags: CiFlags, steps: PlanJobSteps) {
  const why =
    "No plan: this branch comes from a fork, whose jobs get no secrets, so this job has no API key. The files were validated. A maintainer who has read the changes can push the branch to this repository to plan it.";
  const code = await steps.validate(flags.format === "json" ? "json" : job.run?.host === "github" ? "github" : "text");
  world.stderr.write(`${why}\n`);
  const title = `### Ticketing: ${code === 0 ? "the files are valid" : "the files have errors"}`;
  const unwritten = await writeSummary(world, job.run, () => `${title}\n\n${why}\n`);
  if (unwritten !== null) reportProblems(world, "text", [unwritten]);
  return code;
}

// What the plan of a pull request is about: its head merged into the current default branch, or nothing of this project.

interface PlanSubject {
  /** The branch to merge into, as git knows it; null: another base was asked for. */
  readonly mergeInto: string | null;
  readonly merged: { readonly head: string; readonly into: string; readonly branch: string } | null;
  /** False: nothing of the project differs from the branch. */
  readonly isTouched: boolean;
  /** It was merged before it was planned. Its comment stays, because an apply reads from it what was reviewed. */
  readonly isMerged: boolean;
  readonly remarks: readonly Diagnostic[];
}

/** If --base names a revision, or no branch to merge into was found. */
const noSubject: PlanSubject = { mergeInto: null, merged: null, isTouched: true, isMerged: false, remarks: [] };

const remote = "origin";

async function findSubject(
  world: World,
  { run, scope }: CiJob,
  flags: PlanJobFlags,
  loaded: LoadedSettings,
): Promise<Fallible<{ readonly subject: PlanSubject }>> {
  const { directory } = flags;
  if (flags.base !== undefined) return { ok: true, subject: noSubject };
  const branch = flags.mergeInto ?? run?.defaultBranch ?? (await defaultBranch(directory));
  if (branch === null) return failed(noDefaultBranch);
  const ref = flags.mergeInto ?? `${remote}/${branch}`;
  const fetched =
    flags.mergeInto === undefined ? await fetchBranch(directory, remote, branch, world.interrupted) : null;
  const [into, head] = await Promise.all([commitOf(directory, ref), commitOf(directory, "HEAD")]);
  if (into === null || head === null)
    return failed(notFetched(ref, fetched === null || fetched.ok ? "" : fetched.message));
  const remarks = fetched === null || fetched.ok ? [] : [perhapsOld(ref, fetched.message)];
  const merged = { head: run?.head ?? head, into, branch };
  // null: two lines without a common commit, or a clone that is cut off before it.
  const changed = await differingFiles(directory, `${into}...${head}`);
  const touched = changed === null || (await isTouched(world, directory, scope.environment, loaded, changed));
  const isMerged = !touched && (await isAncestor(directory, merged.head, into));
  return { ok: true, subject: { mergeInto: ref, merged, isTouched: touched, isMerged, remarks } };
}

/** Whether one of these files is of the project. */
async function isTouched(
  world: World,
  directory: string,
  environment: string,
  loaded: LoadedSettings,
  changed: readonly string[],
): Promise<boolean> {
  const { events, templates, webhooks } = loaded.settings;
  if (changed.some(matcherOf([projectFile, ...events, ...templates, ...webhooks, "**/*.csv"]))) return true;
  if (changed.length === 0) return false;
  // The sheet of a series may have any name: only the documents know it. A link may lead to any other file of the project.
  const asked = { environment: { name: environment }, env: world.env, now: world.now(), loaded };
  const source = diskFiles(directory);
  const { sheets = [] } = await loadProject(source, asked);
  const { files } = await source.list([...events, ...templates, ...webhooks]);
  const read = [...sheets, ...files];
  return [...sheets, ...realPlaces(directory, read)].some((file) => changed.includes(file));
}

async function defaultBranch(directory: string): Promise<string | null> {
  const named = await clonedDefaultBranch(directory, remote);
  if (named !== null) return named;
  for (const name of ["main", "master"]) if ((await commitOf(directory, `${remote}/${name}`)) !== null) return name;
  return null;
}

const noDefaultBranch = errorOf(
  "no-default-branch",
  "The branch to merge into is not known.",
  "Name it with --merge-into, such as --merge-into origin/main; without a remote, a local branch: --merge-into main.",
);

function notFetched(ref: string, said: string): Diagnostic {
  const why = said === "" ? "" : `: ${said.split("\n")[0]}`;
  const message = `${ref} is not in this clone and could not be fetched${why}.`;
  const hint =
    "Fetch it first, or let the checkout step keep its credentials and fetch all history: `fetch-depth: 0` on GitHub, `GIT_DEPTH: 0` on GitLab.";
  return errorOf("unknown-revision", message, hint);
}

function perhapsOld(ref: string, said: string): Diagnostic {
  const message = `${ref} could not be fetched (${said.split("\n")[0] ?? ""}), so the plan is for the branch as this clone knows it.`;
  const hint =
    "Run the job again; if the remote refused the fetch, let the checkout step keep its credentials (`persist-credentials: true` on GitHub).";
  return warningOf("branch-not-fetched", message, hint);
}

// The one comment of a project and environment on a pull request: found by its marker, edited in place, posted again if it is gone.

/**
 * Returns warnings: a comment that cannot be posted fails no job, but `consequence` says what follows. `onlyIfThere`: edits an existing
 * comment, never posts one. What is merged gets none: an apply reads from its comment what was reviewed before that.
 */
async function postComment(
  world: World,
  job: CiJob,
  flags: CiFlags,
  body: string,
  consequence: string,
  onlyIfThere = false,
): Promise<readonly Diagnostic[]> {
  const text = masked(world, body);
  const unwritten = await writeCommentFile(world, flags, text);
  const warnings = unwritten === null ? [] : [unwritten];
  const { host, run, scope, commentWarning } = job;
  if (flags.comment === false || run?.isMergeQueue === true || scope.pullRequest === null) return warnings;
  if (host === null)
    return commentWarning === null || onlyIfThere
      ? warnings
      : [...warnings, { ...commentWarning, message: `${commentWarning.message} ${consequence}` }];
  const found = await host.findComment(scope.pullRequest, markerStart("plan", scope));
  if (onlyIfThere && found.ok && found.value === null) return warnings;
  if (found.ok && (await host.isMerged(scope.pullRequest)))
    return onlyIfThere ? warnings : [...warnings, postedTooLate(job)];
  const posted = found.ok ? await host.putComment(scope.pullRequest, found.value, text) : found;
  return posted.ok ? warnings : [...warnings, notPosted(job, posted, consequence)];
}

function notPosted(job: CiJob, failure: HostFailure, consequence: string): Diagnostic {
  return warningOf(
    "comment-not-posted",
    `The comment on ${requestName(job, job.scope.pullRequest)} could not be written: ${failure.message}. ${consequence}`,
    hostHint(job, failure),
  );
}

function postedTooLate(job: CiJob): Diagnostic {
  const request = requestName(job, job.scope.pullRequest);
  return warningOf(
    "comment-not-posted",
    `This plan is not posted: ${request} was merged before anyone could review the plan.`,
    `Changes that no earlier comment lists will be held: ${freshRequest(job)}, or check them and apply with --unreviewed apply.`,
  );
}

/** The result of the apply is added to the comment later. */
const roomForResult = 5_000;

const willBeHeld = "When this branch is merged, its changes will be held: nothing shows that they were reviewed.";

/** Returns warnings. `held`: digests that earlier runs held. */
async function publishPlan(
  world: World,
  job: CiJob,
  flags: PlanJobFlags,
  { merged }: Pick<PlanSubject, "merged">,
  { plan: made, cards }: Pick<MadePlan, "plan" | "cards">,
  held: ReadonlySet<string>,
): Promise<readonly Diagnostic[]> {
  const { codeEntry: explain } = await import("../../report/reference.ts");
  const listed = reviewedIn(made, merged?.into ?? null);
  const marker = reviewMarker(job.scope, listed, planKeyOf(world));
  const unlisted = unlistedWarning(listed);
  const plan = unlisted === null ? made : { ...made, diagnostics: [unlisted, ...made.diagnostics] };
  const room = mostInComment - roomForResult - marker.length;
  const { place, scope } = job;
  const blocked = plan.changes.flatMap(({ source, blockedBy }) =>
    source && blockedBy.length > 0 ? [source.file] : [],
  );
  const files = diskFiles(flags.directory);
  const read = [...new Set([projectFile, ...blocked])].map(
    async (file) => [file, await allowedBy(files, file)] as const,
  );
  const allowed = new Map(await Promise.all(read));
  const targets = flags.target ?? [];
  const input = { plan, project: scope.project, place, merged, held, targets, allowed, room, explain };
  const comment = renderPlanComment(input);
  const sizeOf = Buffer.byteLength;
  const summary = (room: number) => renderPlanMarkdown(plan, { room, sizeOf, full: true, skipBlocked: true, explain });
  const written = await Promise.all([
    writeSummary(world, job.run, summary),
    writeArtifacts(world, flags, {
      "plan.html": await renderPlanPage({ plan, cards }, true),
      "plan.json": renderPlanJson(made),
    }),
  ]);
  const posted = await postComment(world, job, flags, `${marker}\n${comment}`, willBeHeld);
  return [unlisted, ...written, ...posted].filter((each) => each !== null);
}

/** Held changes and drift are listed, too: whoever merges the pull request has seen them. */
function reviewedIn(plan: Plan, into: string | null): ListedReview {
  const { changes, unseen = [], documents = {}, guards = [] } = plan;
  const events = [...guards.map(({ digest }) => digest), ...eventDigests([...changes, ...unseen]).values()];
  const digests = reviewedDigests({ ...plan, already: [], upcoming: [] });
  const also = [...reviewedDigests(plan)].filter((digest) => !digests.has(digest));
  return { digests: [...digests], also, events, documents: Object.values(documents), into };
}

/** A pull request that no longer touches the project: its old comment must not stay as it is. */
async function publishUntouched(world: World, job: CiJob, flags: CiFlags): Promise<readonly Diagnostic[]> {
  const marker = reviewMarker(job.scope, { digests: [], events: [] }, planKeyOf(world));
  const text = renderUntouchedComment(job.scope, job.place);
  const unwritten = await writeSummary(world, job.run, () => text);
  const posted = await postComment(world, job, flags, `${marker}\n${text}`, "It still shows an old plan.", true);
  return [...(unwritten === null ? [] : [unwritten]), ...posted];
}
