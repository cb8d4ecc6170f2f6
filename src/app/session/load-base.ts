// The project at a git revision: what differs from it is planned.
import type { Environment } from "../../config/environment.ts";
import { gitFiles } from "../../config/files.ts";
import { loadProject, loadSettings, type Reading } from "../../config/project.ts";
import { type Address, dateOf } from "../../model/address.ts";
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
  const last = state?.lastRun?.dirty === true ? null : (state?.appliedRevision ?? null);
  const revision = isLast ? last : (base ?? null);
  const diagnostics: readonly Diagnostic[] = [
    ...(isLast && revision === null ? [withoutLast(directory, state)] : []),
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
    // The merge would also revert what was applied on the abandoned line, so everything is planned.
    const remarks = [...diagnostics, { ...order.problem, severity: "warning" as const }];
    return { ...none, revision: found.commit, agreed, diagnostics: remarks };
  }
  const asOf = (time: number, through = time) =>
    loadProject(found.files, { environment, env: world.env, now: time, loaded, like, through });
  const project = await asOf(now, Number.POSITIVE_INFINITY);
  // What was applied last was applied at its time: anything due since then is a difference.
  const then = timeOfLastRun(state) ?? now;
  const isTimed = project.changesWithTime && then !== now;
  const applied = isLast
    ? { order: "same" as const, project: isTimed ? await asOf(then) : null }
    : await appliedBefore(world, { directory, environment, then, like }, found.commit, last, order?.problem ?? null);
  return {
    project: applied.project ?? project,
    comparedWith: applied.order === "newer" ? null : project,
    sinceLast: applied.order === "same" || applied.order === "older",
    revision: found.commit,
    agreed,
    diagnostics: [...diagnostics, ...brokenBase(project, revision)],
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

/** How what was applied last stands to the base. */
interface AppliedLast {
  /** `older`: what was merged since is part of the next apply. `newer`: the base does not contain it. */
  readonly order: "same" | "older" | "newer" | "unknown";
  /** The project as it was applied last, if that is not the base. */
  readonly project: Project | null;
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
  return { order: "older", project: await loadProject(found.files, { environment, env: world.env, now: then, like }) };
}

/** Of the last run that ended clean. */
export function timeOfLastRun(state: State | null): number | null {
  const { appliedAt, lastRun } = state ?? {};
  const at = Date.parse(appliedAt ?? (lastRun?.clean === true ? lastRun.at : ""));
  return Number.isNaN(at) ? null : at;
}

/** A setting that guards later runs; `event`: whose it is, null for the project's own. */
interface Guard {
  readonly setting: "allow" | "maxDeletes" | "review.unreviewed" | "state" | "protected";
  readonly event: Address | null;
  readonly values: readonly string[];
}

interface GuardChange extends Guard {
  readonly was: readonly string[];
  readonly added: readonly string[];
  readonly gone: readonly string[];
}

/** A changed safeguard changes nothing on the service, so no change in the plan would show it. */
export function guardsChanged(project: Project, base: Project | null): readonly Diagnostic[] {
  const [now, before] = [guardsOf(project), guardsOf(base ?? project)];
  // Where there was no project yet, nothing was guarded.
  const isNew = base?.files === 0;
  const known = new Set(base?.events.map(({ address }) => address));
  const changes = [...new Map([...now, ...before])].flatMap(([key, guard]): readonly GuardChange[] => {
    if (guard.event !== null && !known.has(guard.event)) return [];
    const [values, was] = [now.get(key)?.values ?? [], before.get(key)?.values ?? []];
    const [added, gone] = [values.filter((one) => !was.includes(one)), was.filter((one) => !values.includes(one))];
    return added.length + gone.length === 0 ? [] : [{ ...guard, values, was, added, gone }];
  });
  if (changes.length === 0) return [];
  const alike = groupBy(changes, (change) => guardWords(change, isNew, true));
  const texts = Array.from(alike, ([text, [first, ...others]]) =>
    first === undefined || others.length > 0 ? text : guardWords(first, isNew, false),
  );
  const more = texts.length > mostGuards ? `; and ${formatCount(texts.length - mostGuards)} more` : "";
  const message = `This ${isNew ? "sets" : "changes"} the safeguards of this environment: ${texts.slice(0, mostGuards).join("; ")}${more}.`;
  const isStricter = changes.every(({ setting, added }) =>
    setting === "allow" ? added.length === 0 : setting === "protected" && added.length > 0,
  );
  const hint = isStricter ? "It only forbids more." : "Check this: every later run may do what these settings allow.";
  return [noticeOf("guards-changed", message, hint)];
}

const mostGuards = 10;

/** `ofSeries`: in words that all dates of a series share. */
function guardWords({ setting, event, values, was, added, gone }: GuardChange, isNew: boolean, ofSeries: boolean) {
  const date = ofSeries && event !== null ? dateOf(event) : null;
  const place = date === null ? event : `${date.series} (several dates)`;
  const name = `\`${setting}\`${place === null ? "" : ` of ${place}`}`;
  const said = (all: readonly string[]) => all[0] ?? "not set";
  if (setting !== "allow") return `${name} is ${said(values)}${isNew ? "" : `, was ${said(was)}`}`;
  const whose = place === null ? `${name} in ticketing.yaml` : name;
  return [
    ...(added.length === 0 ? [] : [`${whose} now accepts ${added.join(", ")}`]),
    ...(gone.length === 0 ? [] : [`${whose} no longer accepts ${gone.join(", ")}`]),
  ].join("; ");
}

function guardsOf({ settings, events }: Project): ReadonlyMap<string, Guard> {
  const { allow, maxDeletes, unreviewed, state } = settings;
  const stateWords = Object.entries(state).map(([field, value]) => `${field}: ${value}`);
  const guards: readonly Guard[] = [
    { setting: "allow", event: null, values: allow.map(riskWords) },
    { setting: "maxDeletes", event: null, values: [formatCount(maxDeletes)] },
    { setting: "review.unreviewed", event: null, values: [unreviewed] },
    { setting: "state", event: null, values: [`\`{ ${stateWords.join(", ")} }\``] },
    ...events.flatMap(({ address: event, own }): readonly Guard[] => [
      ...(own.protected === true ? [{ setting: "protected" as const, event, values: ["true"] }] : []),
      ...(own.allow === undefined ? [] : [{ setting: "allow" as const, event, values: own.allow.map(riskWords) }]),
    ]),
  ];
  return new Map(guards.map((guard) => [`${guard.setting} ${guard.event ?? ""}`, guard]));
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

/** A base with errors may hide what was there, but its documents are still good for what they say. */
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
