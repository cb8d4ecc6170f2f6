// The project at a git revision: what differs from it is planned.
import type { Environment } from "../../config/environment.ts";
import { gitFiles } from "../../config/files.ts";
import { loadProject, loadSettings, type Reading } from "../../config/project.ts";
import { type Diagnostic, warningOf } from "../../model/diagnostic.ts";
import type { State } from "../../model/live.ts";
import { pluralize } from "../../model/value.ts";
import type { Project } from "../../model/wish.ts";
import { defaultBranchOf, fetchBranch, isShallow, mayBeRepository } from "../../system/git.ts";
import { isOnRunner, type World } from "../world.ts";
import { isHere, judgeOrder } from "./checkout.ts";
import { type Agreed, agreedAt } from "./guarded-settings.ts";
import type { SavedState } from "./saved-state.ts";

export interface LoadedBase {
  /** null: no base was asked for, or it cannot be read. */
  readonly project: Project | null;
  readonly comparedWith: Project | null;
  /** Whose safeguards were reviewed: as it was applied last, else the base. */
  readonly guarded: Project | null;
  readonly sinceLast: boolean;
  readonly revision: string | null;
  /** The project file at the base. */
  readonly agreed: Agreed | null;
  readonly diagnostics: readonly Diagnostic[];
}

interface BaseOptions {
  readonly base?: string;
  readonly mergeInto?: string;
}

/** `like`: the files as they are now; what is the same at the base is not read again. */
export async function loadBase(
  world: World,
  options: BaseOptions & { directory: string; now: number; like: Reading },
  environment: Environment,
  { state, unverified }: SavedState,
  filesAreBroken: boolean,
): Promise<LoadedBase> {
  const { base, directory, now, like } = options;
  const isLast = base === "last";
  const last = state?.lastRun?.dirty === true ? null : (state?.appliedRevision ?? null);
  const revision = isLast ? last : (base ?? null);
  const diagnostics: readonly Diagnostic[] = [
    ...(isLast && revision === null ? [withoutLast(directory, state)] : []),
    // Unverified data is good enough to show a plan: no write depends on it.
    ...(unverified === null ? [] : [{ ...unverified, severity: "warning" as const }]),
  ];
  const nothing = { project: null, comparedWith: null, guarded: null };
  const none = { ...nothing, sinceLast: false, revision: null, agreed: null, diagnostics };
  if (revision === null || filesAreBroken) return none;
  const found = await gitFiles(directory, revision);
  if (!found.ok) {
    const isLost = isLast && found.diagnostics.some(({ code }) => code === "unknown-revision");
    const lost = fromStart(`Git does not have ${revision.slice(0, 12)}, which was applied last`);
    return { ...none, diagnostics: [...diagnostics, ...(isLost ? [lost] : found.diagnostics)] };
  }
  const loaded = await loadSettings(found.files);
  const isOwnRecord = isLast && unverified === null;
  const where = isOwnRecord ? "at the revision that was applied last" : "at the base revision";
  const agreed = agreedAt(where, loaded);
  const order = isLast || last === null ? null : await orderOf(world, directory, found.commit, last);
  const asOf = (time: number, through = time) =>
    loadProject(found.files, { environment, env: world.env, now: time, loaded, like, through });
  const project = await asOf(now, Number.POSITIVE_INFINITY);
  if (order?.isRewritten === true && options.mergeInto !== undefined) {
    // The merge would also revert what was applied on the abandoned line, so everything is planned. The base still shows which changes are the branch's own.
    const rewritten = { ...order.problem, severity: "warning" as const };
    const remarks = [...diagnostics, rewritten, ...brokenBase(project, revision, options)];
    return { ...none, comparedWith: project, revision: found.commit, agreed, diagnostics: remarks };
  }
  // What was applied last was applied at its time: anything due since then is a difference.
  const then = timeOfLastRun(state) ?? now;
  const isTimed = project.changesWithTime && then !== now;
  const applied = isLast
    ? { order: "same" as const, project: isTimed ? await asOf(then) : null }
    : await appliedBefore(world, { directory, environment, then, like }, found.commit, last, order?.problem ?? null);
  return {
    project: applied.project ?? project,
    ...comparedBy(applied, project),
    sinceLast: applied.order === "same" || applied.order === "older",
    revision: found.commit,
    agreed,
    diagnostics: [...diagnostics, ...brokenBase(project, revision, options)],
  };
}

function withoutLast(directory: string, state: State | null): Diagnostic {
  if (!mayBeRepository(directory)) return outsideGit;
  if (state?.lastRun?.dirty === true) return fromStart("The last run applied files that were not committed");
  return fromStart("No revision has been fully applied yet");
}

/**
 * How the base relates to what was applied last; null: it contains it. A commit missing from the clone may have been merged after cloning:
 * a job fetches once more, and other users are not accused of rewriting history.
 */
async function orderOf(world: World, directory: string, base: string, applied: string) {
  const isJob = isOnRunner(world);
  if (isJob && !(await isHere(directory, applied)) && !(await isShallow(directory))) {
    const branch = await defaultBranchOf(directory, "origin");
    if (branch !== null) await fetchBranch(directory, "origin", branch, world.interrupted);
  }
  const problem = await judgeOrder(directory, base, applied, "The base");
  if (problem === null) return null;
  const isRewritten = problem.code === "diverged-from-applied" && (isJob || (await isHere(directory, applied)));
  return { problem, isRewritten };
}

/** What was applied last, compared with the base. */
interface AppliedLast {
  /** `older`: what was merged since is part of the next apply. `newer`: the base does not contain it. */
  readonly order: "same" | "older" | "newer" | "unknown";
  /** The project as it was applied last, if that is not the base. */
  readonly project: Project | null;
}

/** At the base, phases to come are known only as of now. */
function comparedBy({ order, project }: AppliedLast, base: Project) {
  if (order === "newer") return { comparedWith: null, guarded: null };
  return { comparedWith: base, guarded: order === "older" ? project : base };
}

async function appliedBefore(
  world: World,
  { directory, environment, then, like }: { directory: string; environment: Environment; then: number; like: Reading },
  base: string,
  applied: string | null,
  order: Diagnostic | null,
): Promise<AppliedLast> {
  const unknown = { order: "unknown", project: null } as const;
  if (applied === null) return unknown;
  if (applied === base) return { order: "same", project: null };
  if (order !== null) return order.code === "shallow-clone" ? unknown : { order: "newer", project: null };
  const found = await gitFiles(directory, applied);
  if (!found.ok) return unknown;
  const timed = { now: then, through: Number.POSITIVE_INFINITY };
  return { order: "older", project: await loadProject(found.files, { environment, env: world.env, like, ...timed }) };
}

/** Of the last run that ended clean. */
export function timeOfLastRun(state: State | null): number | null {
  const { appliedAt, lastRun } = state ?? {};
  const at = Date.parse(appliedAt ?? (lastRun?.clean === true ? lastRun.at : ""));
  return Number.isNaN(at) ? null : at;
}

function fromStart(why: string): Diagnostic {
  return { code: "no-last-revision", severity: "info", message: `${why}, so everything is planned.` };
}

const outsideGit: Diagnostic = {
  ...fromStart("This folder is not in a git repository"),
  hint: "To plan only what is new or due, keep the project in git: each complete apply then records its revision.",
};

/** A base with errors may hide what was there, but its documents are still good for what they say. */
function brokenBase(base: Project, revision: string, named: BaseOptions): readonly Diagnostic[] {
  const errors = base.diagnostics.filter((one) => one.severity === "error").length;
  if (errors === 0) return [];
  const hint =
    named.mergeInto !== undefined
      ? `Correct them on ${named.mergeInto} first, in a separate pull request. If this branch corrects them, check its files as well as this plan.`
      : named.base === "last"
        ? "Nothing to do if the files have no errors now: the next complete apply records their revision."
        : "Choose a revision that validates, or plan without --base.";
  const message = `The files at ${revision} have ${pluralize(errors, "error")}, so what they describe is only partly known.`;
  return [warningOf("base-has-errors", message, hint)];
}
