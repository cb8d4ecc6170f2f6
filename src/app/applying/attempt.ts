// What an apply works from, whether its turn has come, and how it ended.
import type { Executed } from "../../apply/execute.ts";
import { type FileSource, gitFiles, matcherOf } from "../../config/files.ts";
import { loadProject, loadSettings } from "../../config/project.ts";
import type { Address } from "../../model/address.ts";
import { type Diagnostic, errorOf } from "../../model/diagnostic.ts";
import type { Attempt, LastRun, State } from "../../model/live.ts";
import { isDrift, type Plan } from "../../model/plan.ts";
import type { Settings, Wish } from "../../model/wish.ts";
import { differsFromBase } from "../../plan/compare.ts";
import { gitText, isShallow, runGit } from "../../system/git.ts";
import { wholeHistoryHint } from "../../system/git-hints.ts";
import type { MadePlan } from "../planning/make-plan.ts";
import type { PlanFlags } from "../planning/plan-session.ts";
import { isHere, readCheckout } from "../session/checkout.ts";
import { currentRun, runAddress } from "../session/environment-store.ts";
import type { Session } from "../session/open-session.ts";
import type { World } from "../world.ts";

/** Documents to be judged by hand, because state says nothing of them. */
export async function unjudgedDocuments(
  { world, session, flags }: { readonly world: World; readonly session: Session; readonly flags: PlanFlags },
  stored: State | null,
): Promise<readonly Wish[]> {
  return isJudged(session, flags, stored) ? [] : deletedDocuments(world, session);
}

function isJudged({ checkout, environment }: Session, { allow }: PlanFlags, stored: State | null): boolean {
  // Nothing of value is live in the embedded sandbox.
  return (
    hasRecord(stored) || allow?.includes(unjudgedCode) === true || checkout === null || environment.baseUrl === null
  );
}

export const unjudgedCode = "unjudged-deletions";

export function unjudgedOf({ diagnostics }: Plan): Diagnostic | null {
  return diagnostics.find(({ code }) => code === unjudgedCode) ?? null;
}

/** A clone that does not go back far enough shows no deletion: whatever is live and in no file may be one. */
export async function withUnseenDeletions(
  { world, session, flags }: { readonly world: World; readonly session: Session; readonly flags: PlanFlags },
  stored: State | null,
  made: MadePlan,
): Promise<MadePlan> {
  const { plan } = made;
  const isBased = flags.base !== undefined && flags.base !== "last";
  const isNone = plan.shard === undefined ? plan.summary.unmanaged === 0 : made.hasUnmanaged === false;
  if (isJudged(session, flags, stored) || isBased || isNone || plan.target.organization === null) return made;
  if (await seesDeletions(world, session.directory)) return made;
  const unseen = errorOf(
    unjudgedCode,
    "There is no record of what was applied, this clone does not hold the history that shows which documents were deleted, and events that are in no file are live.",
    `${wholeHistoryHint} To leave those events live and unmanaged, pass --allow ${unjudgedCode}.`,
  );
  return { ...made, plan: { ...plan, diagnostics: [unseen, ...plan.diagnostics] } };
}

/** Recorded before the first write. */
export function attemptOf(world: World, session: Session, { revision, shard }: Plan): Attempt {
  const url = runAddress(world.env);
  const dirty = revision?.dirty === true || session.checkout?.dirty === true;
  return {
    // A saved plan is what it was made from, whatever is checked out by now.
    revision: revision?.head ?? session.checkout?.revision ?? null,
    ...(dirty ? { dirty: true } : {}),
    // What comes due after the files were read is not applied by this run, however long it takes.
    at: new Date(session.now).toISOString(),
    ...(url === null ? {} : { url }),
    ...(shard === undefined ? {} : { shard }),
  };
}

/** Whether the same files say something else than at the time of the last run. */
export function hasComeDue({ project, earlier = null }: Session): boolean {
  if (earlier === null) return false;
  const before = new Map(earlier.events.map((wish) => [wish.address, wish]));
  return (
    project.events.length !== before.size ||
    project.events.some((wish) => differsFromBase(wish, before.get(wish.address)))
  );
}

/** Recorded at the end. */
export async function endOf(attempt: Attempt, session: Session, clean: boolean): Promise<LastRun> {
  if (attempt.revision === null) return { ...attempt, clean };
  const now = await readCheckout(session.directory, session.project.settings);
  // Of a commit or an edit made while the files were read, some may be in what was applied.
  const isSame = now?.revision === attempt.revision && !now.dirty;
  return { ...attempt, ...(isSame ? {} : { dirty: true }), clean };
}

/** Whether everything that the files say is live now. */
export function isComplete(
  plan: Plan,
  { report, notes }: Executed,
  flags: PlanFlags & { readonly planFile?: string },
): boolean {
  const { failed, skipped, unsure } = report.summary;
  const verified = notes.every((note) => note.code !== "verify");
  const sinceLast = flags.mergeInto === undefined && (flags.base === undefined || flags.base === "last");
  return (
    failed + skipped + unsure === 0 &&
    (plan.held ?? []).every(isDrift) &&
    verified &&
    sinceLast &&
    flags.planFile === undefined &&
    (flags.target ?? []).length === 0 &&
    plan.changes.every((change) => change.blockedBy.length === 0) &&
    plan.diagnostics.every((each) => each.code !== "webhooks-not-seen")
  );
}

// Documents that git shows as deleted. Where nothing records what was applied, nothing else shows that their events were ours.

/** Whether anything is known of earlier runs. */
function hasRecord(state: State | null): boolean {
  if (state === null) return false;
  return state.lastRun !== undefined || state.appliedRevision !== undefined || Object.keys(state.objects).length > 0;
}

/** As they were last: since the push that started this run, else in the newest commits. */
async function deletedDocuments(world: World, { directory, environment, project }: Session): Promise<readonly Wish[]> {
  const present = new Set(project.events.map(({ address }) => address));
  const deleted = new Map<Address, Wish>();
  for (const { commit, files } of await earlierVersions(directory, pushedFrom(world))) {
    const found = await gitFiles(directory, commit);
    if (!found.ok) continue;
    const loaded = await loadSettings(found.files);
    const source = files === null ? found.files : limited(found.files, loaded.settings, files);
    const { events } = await loadProject(source, { environment, env: world.env, now: world.now(), loaded });
    for (const wish of events) {
      if (!present.has(wish.address) && !deleted.has(wish.address)) deleted.set(wish.address, wish);
    }
  }
  return [...deleted.values()];
}

/** Where the branch was before the push that started this CI run. */
function pushedFrom({ env }: World): string | null {
  return currentRun(env)?.before ?? null;
}

interface Version {
  readonly commit: string;
  /** Those that matter in it, below the project's folder; null: all. */
  readonly files: ReadonlySet<string> | null;
}

/** So many merges are looked back over where nothing says what the push was. */
const newestCommits = 50;

/** Whether the history is here that shows deletions. */
async function seesDeletions(world: World, directory: string): Promise<boolean> {
  if (!(await isShallow(directory))) return true;
  const before = pushedFrom(world);
  if (before !== null && (await isHere(directory, before))) return true;
  // The oldest commit of a shallow clone shows what there was, and not what it deleted.
  const most = `--max-count=${newestCommits + 1}`;
  const count = await gitText(directory, ["rev-list", "--count", "--first-parent", most, "HEAD"]);
  return Number(count) > newestCommits;
}

/** Newest first. */
async function earlierVersions(directory: string, before: string | null): Promise<readonly Version[]> {
  if (before !== null && (await isHere(directory, before))) return [{ commit: before, files: null }];
  // A file of several documents may lose one of them.
  const which = ["--first-parent", "-m", `--max-count=${newestCommits}`, "--diff-filter=DM", "--no-renames"];
  const log = await runGit(directory, [
    "log",
    ...which,
    "--name-only",
    "--relative",
    "-z",
    "--format=%x01%H",
    "--",
    ".",
  ]);
  if (!log.ok) return [];
  return log.output
    .toString("utf8")
    .split("\x01")
    .flatMap((entry) => {
      const [commit = "", ...names] = entry.split("\0");
      const files = new Set(names.map((name) => name.replace(/^\n/, "")).filter((name) => name !== ""));
      return files.size === 0 ? [] : [{ commit: `${commit}^`, files }];
    });
}

/** Of the events only these, with everything that they are made of. */
function limited(files: FileSource, { events, templates }: Settings, names: ReadonlySet<string>): FileSource {
  const isEvent = matcherOf(events);
  const isTemplate = matcherOf(templates);
  return {
    ...files,
    async list(globs) {
      const listing = await files.list(globs);
      return {
        ...listing,
        files: listing.files.filter((file) => names.has(file) || isTemplate(file) || !isEvent(file)),
      };
    },
  };
}
