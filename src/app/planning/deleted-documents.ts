// Documents that git shows as deleted. If nothing records what was applied, nothing else shows that their events were ours.
import { posix } from "node:path";
import { type FileSource, gitFiles, matcherOf } from "../../config/files.ts";
import { loadProject, loadSettings } from "../../config/project.ts";
import { errorOf } from "../../model/diagnostic.ts";
import { projectFile, type Settings, type Wish } from "../../model/wish.ts";
import { formerEvents } from "../../plan/compare.ts";
import { gitText, isShallow, runGit } from "../../system/git.ts";
import { wholeHistoryHint } from "../../system/git-output.ts";
import { isHere } from "../session/checkout.ts";
import { currentRun } from "../session/environment-store.ts";
import type { Session } from "../session/open-session.ts";
import type { World } from "../world.ts";
import type { MadePlan } from "./make-plan.ts";
import type { PlanFlags } from "./plan-inputs.ts";

export const unjudgedCode = "unjudged-deletions";

type Flags = Pick<PlanFlags, "base" | "mergeInto" | "allow">;

function isJudged({ checkout, environment, recorded }: Session, { allow }: Flags): boolean {
  if (recorded || allow?.includes(unjudgedCode) === true) return true;
  // Nothing of value is live in the embedded sandbox.
  return checkout === null || environment.baseUrl === null;
}

/** Documents that people must judge, because state does not know them. A merge is applied without the base it is planned with. */
export async function unjudgedDocuments(world: World, session: Session, flags: Flags): Promise<readonly Wish[]> {
  if (isJudged(session, flags)) return [];
  const { project, state, base } = session;
  const [known, merged] = flags.mergeInto === undefined ? [base, null] : [null, base];
  const former = new Set(formerEvents(project, state, known?.events ?? null).map(({ address }) => address));
  const deleted = await deletedDocuments(world, session, merged?.events ?? []);
  return deleted.filter(({ address }) => !former.has(address));
}

/** A clone that does not go back far enough shows no deletion: any live event without a file may be one. */
export async function withUnreadDeletions(session: Session, flags: Flags, made: MadePlan): Promise<MadePlan> {
  const { plan } = made;
  const base = flags.mergeInto ?? flags.base ?? "last";
  const isNone = plan.shard === undefined ? plan.summary.unmanaged === 0 : made.hasUnmanaged === false;
  if (isJudged(session, flags) || base !== "last" || isNone || plan.target.organization === null) return made;
  // Those that are seen are to be decided first.
  if (plan.diagnostics.some(({ code }) => code === unjudgedCode)) return made;
  if (await seesDeletions(session.directory)) return made;
  const unread = errorOf(
    unjudgedCode,
    "Some live events have no file, and it is not known whether their files were deleted: there is no record of what was applied, and this clone lacks a part of the git history.",
    wholeHistoryHint,
    `To leave those events live and unmanaged, pass --allow ${unjudgedCode}.`,
  );
  return { ...made, plan: { ...plan, diagnostics: [unread, ...plan.diagnostics] } };
}

/** As they were last: since the push that started this run, and in the newest commits. */
async function deletedDocuments(world: World, { directory, environment, project }: Session, merged: readonly Wish[]) {
  const present = new Set(project.events.map(({ address }) => address));
  const deleted = new Map(merged.filter(({ address }) => !present.has(address)).map((wish) => [wish.address, wish]));
  for (const { commit, folder, files } of await earlierVersions(directory, pushedFrom(world))) {
    const found = await gitFiles(directory, commit, folder);
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

interface RevisionFiles {
  readonly commit: string;
  /** Where the project was then, if it was moved since. */
  readonly folder?: string;
  /** Those that matter in it, below the project's folder; null: all. */
  readonly files: ReadonlySet<string> | null;
}

/** At most this many merges are looked back over, besides the push that started this run. */
const newestCommits = 50;

/** Whether the history is here that shows deletions. */
async function seesDeletions(directory: string): Promise<boolean> {
  if (!(await isShallow(directory))) return true;
  // The oldest commit of a shallow clone shows what there was, but not what it deleted.
  const most = `--max-count=${newestCommits + 1}`;
  const count = await gitText(directory, ["rev-list", "--count", "--first-parent", most, "HEAD"]);
  return Number(count) > newestCommits;
}

/** Before the push, and before each of the newest commits: a run of an earlier push may have failed, or never have begun. */
async function earlierVersions(directory: string, before: string | null): Promise<readonly RevisionFiles[]> {
  // A file of several documents may lose one of them.
  const losses = ["--diff-filter=DM", "--no-renames", "--name-only", "--relative", `--max-count=${newestCommits}`];
  const edited = await namesChanged(directory, losses, ".");
  const oldest = `HEAD~${newestCommits}`;
  const moves = await movesOf(directory, (await isHere(directory, oldest)) ? ["HEAD", `^${oldest}`] : ["HEAD"]);
  const isPushHere = before !== null && (await isHere(directory, before));
  return [
    ...(isPushHere ? [{ commit: before, files: null }] : []),
    ...edited.map(({ commit, names }) => ({ commit: `${commit}^`, files: new Set(names) })),
    ...moves.map(({ commit, folder }) => ({ commit: `${commit}^`, folder, files: null })),
  ];
}

/** The commits that moved the project here, and the folder that it was in before. */
async function movesOf(directory: string, range: readonly string[]) {
  const renames = ["--follow", "--diff-filter=R", "--name-status", ...range];
  const renamed = await namesChanged(directory, renames, projectFile);
  return renamed.flatMap(({ commit, names: [, from = ""] }) =>
    posix.basename(from) === projectFile ? [{ commit, folder: from.slice(0, -projectFile.length) }] : [],
  );
}

/** What git lists below each commit of the branch itself that has something to list. */
async function namesChanged(directory: string, which: readonly string[], path: string) {
  const log = await runGit(directory, ["log", "--first-parent", "-m", "-z", "--format=%x01%H", ...which, "--", path]);
  const entries = log.ok ? log.output.toString("utf8").split("\x01") : [];
  return entries.flatMap((entry) => {
    const [commit = "", ...rest] = entry.split("\0");
    const names = rest.map((name) => name.replace(/^\n/, "")).filter((name) => name !== "");
    return names.length === 0 ? [] : [{ commit, names }];
  });
}

/** Only these of the events, with everything that they are made of. */
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
