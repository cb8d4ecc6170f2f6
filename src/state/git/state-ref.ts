// A ref on the repository's own remote as a place for a few small files: read by one fetch, written by compare and swap.
// It works in a bare repository of its own, made for this run: the checkout's index, work tree, branches and objects are
// never touched, and nothing that a pull request brings along is believed.
import { setMaxListeners } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type GitAnswer, runGitRemote } from "../../system/git.ts";
import {
  checkMarker,
  closedStore,
  type FilesVersion,
  longestCallMs,
  markerIn,
  readAgain,
  type SharedFiles,
  type StoredFiles,
  type StoreFailure,
  type StoreResult,
  storeFailure,
  tipTimeoutMs,
  withMarker,
} from "../shared/shared-files.ts";
import { failureOf, isMoved } from "./ref-failure.ts";
import { findRemote, type RemotePlace, type RemoteSetup } from "./remote-place.ts";

/** Commits before these are dropped: the files hold all that is needed. */
const longestHistory = 200;

export async function openStateRef(setup: RemoteSetup): Promise<StoreResult<SharedFiles>> {
  const [place, folder] = await Promise.all([findRemote(setup), makeRepository()]);
  if (!place.ok && folder.ok) await rm(folder.value, { recursive: true, force: true });
  if (!place.ok) return place;
  return folder.ok ? { ok: true, value: stateRef(folder.value, place.value) } : folder;
}

async function makeRepository(): Promise<StoreResult<string>> {
  try {
    const gitDir = await mkdtemp(join(tmpdir(), "ticketing-state-"));
    const args = ["init", "--quiet", "--bare", "--template="];
    const made = await runGitRemote({ gitDir, args, settings: [], timeoutMs: 10_000 });
    return made.ok ? { ok: true, value: gitDir } : notMade(made.message);
  } catch (error) {
    return notMade(error instanceof Error ? error.message : String(error));
  }
}

function notMade(why: string): StoreFailure {
  return storeFailure("setup", `A working folder for git could not be created: ${why}`);
}

function stateRef(gitDir: string, place: RemotePlace): SharedFiles {
  const { settings, name, environment, remote, fetchFrom, pushTo } = place;
  /** What was read or written last of each file: a large state that stays as it is goes through git once. */
  const blobs = new Map<string, { readonly content: string; readonly blob: string }>();
  const closing = new AbortController();
  // Each git that runs listens for it, one for every file that shards have: that is not a leak to warn about.
  setMaxListeners(0, closing.signal);
  const running = new Set<Promise<unknown>>();
  /** One fetch after the other: git lets no second one into the repository, as when shards are looked for and written to at once. */
  let fetching: Promise<unknown> = Promise.resolve();

  async function git(args: readonly string[], input = "", timeoutMs = longestCallMs): Promise<GitAnswer> {
    if (closing.signal.aborted) return { ok: false, reason: "refused", message: closedStore };
    const call = runGitRemote({ gitDir, args, input, settings, timeoutMs, signal: closing.signal });
    running.add(call);
    try {
      return await call;
    } finally {
      running.delete(call);
    }
  }

  /** What works in a repository of our own, unless the machine is broken. */
  async function local(args: readonly string[], input = ""): Promise<Buffer> {
    const answer = await git(args, input);
    if (!answer.ok) throw new LocalTrouble(`git ${args[0]} failed: ${answer.message}`);
    return answer.output;
  }

  async function tipAt(url: string): Promise<StoreResult<string | null>> {
    const answer = await git(["ls-remote", "--quiet", "--", url, name], "", tipTimeoutMs);
    if (!answer.ok) return failureOf(answer);
    const line = textOf(answer.output)
      .split("\n")
      .find((each) => each.endsWith(`\t${name}`));
    return { ok: true, value: line === undefined ? null : (line.split("\t")[0] ?? null) };
  }

  async function readFrom(url: string): Promise<StoreResult<FilesVersion | null>> {
    const fetched = await git(["fetch", "--quiet", "--depth=1", "--no-tags", "--", url, `+${name}:refs/read`]);
    if (!fetched.ok) {
      const failure = failureOf(fetched);
      if (!/couldn't find remote ref/.test(fetched.message)) return failure;
      // A remote that cannot be read well is not one without state.
      const tip = await tipAt(url);
      return tip.ok && tip.value !== null ? failure : (tip as StoreResult<null>);
    }
    const commit = textOf(await local(["rev-parse", "--verify", "refs/read^{}"]));
    return filesOf(commit);
  }

  async function filesOf(commit: string): Promise<StoreResult<FilesVersion>> {
    const foreign = storeFailure(
      "foreign",
      `${name} on '${remote}' holds something that was not written by this program.`,
    );
    const listed = await git(["ls-tree", "-z", `${commit}^{tree}`]);
    if (!listed.ok) return foreign;
    const files = new Map<string, string>();
    for (const line of listed.output.toString("utf8").split("\0").filter(Boolean)) {
      const [meta = "", file = ""] = line.split("\t");
      const [, type, blob = ""] = meta.split(" ");
      if (type !== "blob") return foreign;
      const content = (await local(["cat-file", "blob", blob])).toString("utf8");
      files.set(file, content);
      blobs.set(file, { content, blob });
    }
    return checkMarker(files, environment, `${name} on '${remote}'`) ?? { ok: true, value: { id: commit, files } };
  }

  async function commitOf(files: StoredFiles, parent: string | null, subject: string): Promise<string> {
    const entries = await Promise.all(
      [...files]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(async ([file, content]) => {
          const known = blobs.get(file);
          const blob =
            known?.content === content
              ? known.blob
              : textOf(await local(["hash-object", "-w", "--no-filters", "--stdin"], content));
          return { file, content, blob };
        }),
    );
    blobs.clear();
    for (const { file, content, blob } of entries) blobs.set(file, { content, blob });
    const listing = entries.map(({ file, blob }) => `100644 blob ${blob}\t${file}\n`).join("");
    const tree = textOf(await local(["mktree"], listing));
    return textOf(await local(["commit-tree", tree, ...(parent === null ? [] : ["-p", parent])], `${subject}\n`));
  }

  function push(commit: string, before: FilesVersion | null): Promise<GitAnswer> {
    return git([
      ...["-c", "push.gpgSign=false", "-c", "push.followTags=false", "-c", "push.recurseSubmodules=no"],
      "push",
      "--porcelain",
      "--no-verify",
      `--force-with-lease=${name}:${before?.id ?? ""}`,
      "--",
      pushTo,
      `${commit}:${name}`,
    ]);
  }

  async function pushFiles(
    files: StoredFiles,
    before: FilesVersion | null,
    subject: string,
    onVersion?: (version: FilesVersion) => void,
  ): Promise<StoreResult<FilesVersion>> {
    const length = before === null ? 0 : historyOf(before.files);
    // A remote that lets no history be dropped gets all of it.
    for (const isRoot of length >= longestHistory ? [true, false] : [before === null]) {
      const whole = withMarker(files, environment, { commits: isRoot ? 1 : length + 1 });
      const commit = await commitOf(whole, isRoot ? null : (before?.id ?? null), subject);
      const version = { id: commit, files: whole };
      onVersion?.(version);
      const pushed = await push(commit, before);
      if (pushed.ok) return { ok: true, value: version };
      // What was lost may be no more than the response.
      const tip = await tipAt(pushTo);
      if (tip.ok && tip.value === commit) return { ok: true, value: version };
      if (tip.ok && tip.value !== (before?.id ?? null))
        return storeFailure("moved", `${name} on '${remote}' was written by somebody else.`);
      const failure = failureOf(pushed);
      if (isRoot && before !== null && tip.ok && failure.reason !== "unreachable") continue;
      return isMoved(pushed) ? storeFailure(tip.ok ? "refused" : "unreachable", failure.message) : failure;
    }
    return storeFailure("refused", `${name} on '${remote}' could not be written.`);
  }

  /** The state of this machine is a failure as well, not a reason to crash. */
  async function guarded<Value>(work: () => Promise<StoreResult<Value>>): Promise<StoreResult<Value>> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof LocalTrouble) return storeFailure("setup", error.message);
      throw error;
    }
  }

  return {
    name,
    tip: () => tipAt(pushTo),
    read(toWrite = false) {
      const once = () => guarded(() => readFrom(toWrite ? pushTo : fetchFrom));
      const turn = fetching.then(() => readAgain(once, closing.signal));
      fetching = turn.catch(() => undefined);
      return turn;
    },
    write: (...args) => guarded(() => pushFiles(...args)),
    async close() {
      closing.abort();
      await Promise.allSettled(running);
      await rm(gitDir, { recursive: true, force: true });
    },
  };
}

class LocalTrouble extends Error {}

/** How many commits the ref's history has. */
function historyOf(files: StoredFiles): number {
  const commits = markerIn(files)?.commits;
  return typeof commits === "number" ? commits : longestHistory;
}

function textOf(output: Buffer): string {
  return output.toString("utf8").trim();
}
