// The project at a git revision: what differs from it is planned.
import type { Environment } from "../../config/environment.ts";
import { gitFiles } from "../../config/files.ts";
import { loadProject, loadSettings, type Reading } from "../../config/project.ts";
import { type Diagnostic, noticeOf, warningOf } from "../../model/diagnostic.ts";
import type { State } from "../../model/live.ts";
import { formatCount, groupBy, pluralize } from "../../model/value.ts";
import type { AllowEntry, Project } from "../../model/wish.ts";
import { defaultBranchOf, fetchBranch, isShallow, mayBeRepository } from "../../system/git.ts";
import { isOnRunner, type World } from "../world.ts";
import { isHere, judgeOrder } from "./checkout.ts";
import type { Agreed } from "./guarded-settings.ts";
import type { SavedState } from "./saved-state.ts";

export interface LoadedBase {
  /** null: no base was asked for, or it cannot be read. */
  readonly project: Project | null;
  readonly comparedWith: Project | null;
  readonly sinceLast: boolean;
  readonly revision: string | null;
  /** The project file at the base. */
  readonly agreed: Agreed | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** `like`: the files as they are now; what is the same at the base is not read again. */
export async function loadBase(
  world: World,
  options: { base?: string; mergeInto?: string; directory: string; now: number; like: Reading },
  environment: Environment,
  { state, unverified }: SavedState,
  filesAreBroken: boolean,
): Promise<LoadedBase> {
  const { base, directory, now, like } = options;
  const isLast = base === "last";
  const wasDirty = state?.lastRun?.dirty === true;
  const last = wasDirty ? null : (state?.appliedRevision ?? null);
  const revision = isLast ? last : (base ?? null);
  const why = wasDirty
    ? "The last run applied files that were not committed"
    : "No revision has been fully applied yet";
  const diagnostics: readonly Diagnostic[] = [
    ...(isLast && revision === null ? [mayBeRepository(directory) ? fromStart(why) : outsideGit] : []),
    // Unverified data is good enough to show a plan: no write depends on it.
    ...(unverified === null ? [] : [{ ...unverified, severity: "warning" as const }]),
  ];
  const none = { project: null, comparedWith: null, sinceLast: false, revision: null, agreed: null, diagnostics };
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
  const agreed = { where, settings: loaded.settings, found: loaded.found };
  const order = isLast || last === null ? null : await orderOf(world, directory, found.commit, last);
  if (order?.isRewritten === true && options.mergeInto !== undefined) {
    // The merge would also take back what was applied on the line that was left, so it is planned in full.
    const remarks = [...diagnostics, { ...order.problem, severity: "warning" as const }];
    return { ...none, revision: found.commit, agreed, diagnostics: remarks };
  }
  const asOf = (time: number) => loadProject(found.files, { environment, env: world.env, now: time, loaded, like });
  const project = await asOf(now);
  // What was applied last was applied at its time: what is due since then differs from it.
  const then = timeOfLastRun(state) ?? now;
  const isTimed = project.changesWithTime && then !== now;
  const applied = isLast
    ? isTimed
      ? await asOf(then)
      : project
    : await appliedBefore(world, { directory, environment, then, like }, found.commit, last, order?.problem ?? null);
  return {
    project: applied === "unknown" || applied === "newer" ? project : (applied ?? project),
    comparedWith: applied === "newer" ? null : project,
    sinceLast: applied !== "unknown" && applied !== "newer",
    revision: found.commit,
    agreed,
    diagnostics: [...diagnostics, ...brokenBase(project, revision)],
  };
}

/**
 * How the base stands to what was applied last; null: it holds it. A commit that a clone lacks may also be one that was merged after the
 * clone was made: a job fetches once more, and anybody else is not taken for somebody who rewrote history.
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

/**
 * The project as it was applied last, if that is older than the base: what was merged since waits, and goes out with the next
 * apply. null: it is the base itself. "newer": the base does not hold it, so what it says beside it was not merged later.
 */
async function appliedBefore(
  world: World,
  { directory, environment, then, like }: { directory: string; environment: Environment; then: number; like: Reading },
  base: string,
  applied: string | null,
  order: Diagnostic | null,
): Promise<Project | null | "newer" | "unknown"> {
  if (applied === null) return "unknown";
  if (applied === base) return null;
  if (order !== null) return order.code === "shallow-clone" ? "unknown" : "newer";
  const found = await gitFiles(directory, applied);
  return found.ok ? loadProject(found.files, { environment, env: world.env, now: then, like }) : "unknown";
}

/** Of the last run that ended clean. */
export function timeOfLastRun(state: State | null): number | null {
  const { appliedAt, lastRun } = state ?? {};
  const at = Date.parse(appliedAt ?? (lastRun?.clean === true ? lastRun.at : ""));
  return Number.isNaN(at) ? null : at;
}

/** What guards later runs changes nothing on the service, so no change in the plan would show it. */
export function guardsChanged(project: Project, base: Project | null): readonly Diagnostic[] {
  const [now, before] = [guardsOf(project), guardsOf(base ?? project)];
  // Where there was no project yet, nothing was guarded.
  const isNew = base?.files === 0;
  const known = new Set(base?.events.map(({ address }) => address));
  const each = [...new Set([...now.keys(), ...before.keys()])].flatMap((name) => {
    const [, event] = /(events\/.*)$/.exec(name) ?? [];
    if (event !== undefined && !known.has(event)) return [];
    const [is, was] = [now.get(name) ?? [], before.get(name) ?? []];
    const [added, gone] = [is.filter((one) => !was.includes(one)), was.filter((one) => !is.includes(one))];
    if (!/^`allow`/.test(name))
      return added.length + gone.length === 0 ? [] : [`${name} is ${said(is)}${isNew ? "" : `, was ${said(was)}`}`];
    return [
      ...(added.length === 0 ? [] : [`${name} now accepts ${added.join(", ")}`]),
      ...(gone.length === 0 ? [] : [`${name} no longer accepts ${gone.join(", ")}`]),
    ];
  });
  if (each.length === 0) return [];
  const alike = groupBy(each, (text) => text.replace(/@\d{4}-\d\d-\d\d/, " (several dates)"));
  const texts = Array.from(alike, ([text, [first, ...others]]) => (others.length === 0 ? first : text));
  const more = texts.length > mostGuards ? `; and ${formatCount(texts.length - mostGuards)} more` : "";
  const message = `This ${isNew ? "sets" : "changes"} the safeguards of this environment: ${texts.slice(0, mostGuards).join("; ")}${more}.`;
  const isStricter = each.every((text) => /is true, was not set$|no longer accepts/.test(text));
  const hint = isStricter ? "It only forbids more." : "Check that later runs may do what these settings allow.";
  return [noticeOf("guards-changed", message, hint)];
}

const mostGuards = 10;
const said = (values: readonly string[]) => values[0] ?? "not set";

/** By what a sentence calls each of them. */
function guardsOf({ settings, events }: Project): ReadonlyMap<string, readonly string[]> {
  const { allow, maxDeletes, unreviewed, state } = settings;
  const stateWords = Object.entries(state).map(([field, value]) => `${field}: ${value}`);
  return new Map([
    ["`allow` in ticketing.yaml", allow.map(riskWords)],
    ["`maxDeletes`", [formatCount(maxDeletes)]],
    ["`review.unreviewed`", [unreviewed]],
    ["`state`", [`{ ${stateWords.join(", ")} }`]],
    ...events.flatMap(({ address, own }): (readonly [string, readonly string[]])[] => [
      ...(own.protected === true ? [[`\`protected\` of ${address}`, ["true"]] as const] : []),
      ...(own.allow === undefined ? [] : [[`\`allow\` of ${address}`, own.allow.map(riskWords)] as const]),
    ]),
  ]);
}

function riskWords({ risk, event, until }: AllowEntry): string {
  return `\`${risk}\`${event === undefined ? "" : ` for ${event}`}${until === undefined ? "" : ` until ${until}`}`;
}

function fromStart(why: string): Diagnostic {
  return { code: "no-last-revision", severity: "info", message: `${why}, so everything is planned.` };
}

const outsideGit: Diagnostic = {
  ...fromStart("This folder is not in a git repository"),
  hint: "To plan only what is new or due, keep the project in git: each complete apply then records its revision.",
};

/** A base with errors may hide what was there; its documents are still good for what they say. */
function brokenBase(base: Project, revision: string): readonly Diagnostic[] {
  const errors = base.diagnostics.filter((one) => one.severity === "error").length;
  if (errors === 0) return [];
  return [
    warningOf(
      "base-has-errors",
      `The files at ${revision} have ${pluralize(errors, "error")}, so what they describe is only partly known.`,
      "Choose a revision that validates, or plan without --base.",
    ),
  ];
}
