// Documents that git shows as deleted. Where nothing records what was applied, nothing else shows that their events were ours.
import type { Environment } from "../../config/environment.ts";
import { type FileSource, gitFiles, matcherOf } from "../../config/files.ts";
import { loadProject, loadSettings } from "../../config/project.ts";
import type { Address } from "../../model/address.ts";
import type { State } from "../../model/live.ts";
import type { Project, Settings, Wish } from "../../model/wish.ts";
import { gitText, isShallow, runGit } from "../../system/git.ts";
import { isHere } from "../session/checkout.ts";
import { currentRun } from "../session/environment-store.ts";
import type { World } from "../world.ts";

/** Whether anything is known of earlier runs. */
export function hasRecord(state: State | null): boolean {
  if (state === null) return false;
  return state.lastRun !== undefined || state.appliedRevision !== undefined || Object.keys(state.objects).length > 0;
}

export interface DeletedQuestion {
  readonly directory: string;
  readonly environment: Environment;
  readonly project: Project;
}

/** As they were last: since the push that started this run, else in the newest commits. */
export async function deletedDocuments(world: World, question: DeletedQuestion): Promise<readonly Wish[]> {
  const { directory, environment, project } = question;
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
export async function seesDeletions(world: World, directory: string): Promise<boolean> {
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
