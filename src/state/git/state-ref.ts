// A ref on the repository's own remote as a place for a few small files: read by one fetch, written by compare and swap.
// It works in a bare repository of its own, made for this run: the checkout's index, work tree, branches and objects are
// never touched, and nothing that a pull request brings along is believed.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type GitAnswer, runGitRemote } from "../../system/git.ts";
import { closedStore, failureOf, isMoved, type RefFailure, type RefResult, refFailure } from "./ref-failure.ts";
import { findRemote, type RemotePlace, type RemoteSetup } from "./remote-place.ts";

/** What the ref holds, by file name. */
export type RefFiles = ReadonlyMap<string, string>;

export interface RefVersion {
  readonly commit: string;
  readonly files: RefFiles;
}

export interface StateRef {
  /** `refs/ticketing/root/production` */
  readonly name: string;
  /** The commit that the ref is at on the remote; null where there is no such ref. */
  tip(): Promise<RefResult<string | null>>;
  /** null: there is no such ref. `toWrite`: from where it is written, if that is another address than where it is read. */
  read(toWrite?: boolean): Promise<RefResult<RefVersion | null>>;
  /** Writes only where the ref is still at `before`. `onCommit` is told what will be there before it may be. */
  write(
    files: RefFiles,
    before: RefVersion | null,
    subject: string,
    onCommit?: (version: RefVersion) => void,
  ): Promise<RefResult<RefVersion>>;
  /** Ends what is under way; afterwards nothing is read or written any more. */
  close(): Promise<void>;
}

/** Commits before these are dropped: the files hold all that is needed. */
const longestHistory = 200;
const remoteTimeoutMs = 60_000;
/** Calls may be waiting for this one. */
const tipTimeoutMs = 15_000;
const marker = "ticketing.json";

export async function openStateRef(setup: RemoteSetup): Promise<RefResult<StateRef>> {
  const [place, folder] = await Promise.all([findRemote(setup), makeRepository()]);
  if (!place.ok && folder.ok) await rm(folder.value, { recursive: true, force: true });
  if (!place.ok) return place;
  return folder.ok ? { ok: true, value: stateRef(folder.value, place.value) } : folder;
}

async function makeRepository(): Promise<RefResult<string>> {
  try {
    const gitDir = await mkdtemp(join(tmpdir(), "ticketing-state-"));
    const args = ["init", "--quiet", "--bare", "--template="];
    const made = await runGitRemote({ gitDir, args, settings: [], timeoutMs: 10_000 });
    return made.ok ? { ok: true, value: gitDir } : notMade(made.message);
  } catch (error) {
    return notMade(error instanceof Error ? error.message : String(error));
  }
}

function notMade(why: string): RefFailure {
  return refFailure("setup", `A place for git to work in could not be made: ${why}`);
}

function stateRef(gitDir: string, place: RemotePlace): StateRef {
  const { settings, name, environment, remote, fetchFrom, pushTo } = place;
  const blobs = new Map<string, string>();
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();

  async function git(args: readonly string[], input = "", timeoutMs = remoteTimeoutMs): Promise<GitAnswer> {
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

  async function tipAt(url: string): Promise<RefResult<string | null>> {
    const answer = await git(["ls-remote", "--quiet", "--", url, name], "", tipTimeoutMs);
    if (!answer.ok) return failureOf(answer);
    const line = textOf(answer.output)
      .split("\n")
      .find((each) => each.endsWith(`\t${name}`));
    return { ok: true, value: line === undefined ? null : (line.split("\t")[0] ?? null) };
  }

  async function readFrom(url: string): Promise<RefResult<RefVersion | null>> {
    const fetched = await git(["fetch", "--quiet", "--depth=1", "--no-tags", "--", url, `+${name}:refs/read`]);
    if (!fetched.ok) {
      const failure = failureOf(fetched);
      if (!/couldn't find remote ref/.test(fetched.message)) return failure;
      // A remote that cannot be read well is not one without state.
      const tip = await tipAt(url);
      return tip.ok && tip.value !== null ? failure : (tip as RefResult<null>);
    }
    const commit = textOf(await local(["rev-parse", "--verify", "refs/read^{}"]));
    return filesOf(commit);
  }

  async function filesOf(commit: string): Promise<RefResult<RefVersion>> {
    const foreign = refFailure(
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
      files.set(file, (await local(["cat-file", "blob", blob])).toString("utf8"));
    }
    const format = formatOf(files);
    if (format === null) return foreign;
    if (format.version > 1) {
      return refFailure("too-new", `${name} on '${remote}' was written by a newer version of this program.`);
    }
    if (format.environment !== environment) {
      const other = `${name} on '${remote}' holds the state of the environment '${format.environment}'.`;
      return refFailure("foreign", other);
    }
    return { ok: true, value: { commit, files } };
  }

  async function read(toWrite = false): Promise<RefResult<RefVersion | null>> {
    const url = toWrite ? pushTo : fetchFrom;
    for (let again = 2; ; again -= 1) {
      const found = await guarded(() => readFrom(url));
      if (found.ok || found.reason !== "unreachable" || again === 0 || closing.signal.aborted) return found;
      await sleep(500);
    }
  }

  async function commitOf(files: RefFiles, parent: string | null, subject: string): Promise<string> {
    const entries = await Promise.all(
      [...files]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(async ([file, content]) => {
          const known = blobs.get(`${file}\0${content}`);
          const blob = known ?? textOf(await local(["hash-object", "-w", "--no-filters", "--stdin"], content));
          return { file, content, blob };
        }),
    );
    blobs.clear();
    for (const { file, content, blob } of entries) blobs.set(`${file}\0${content}`, blob);
    const listing = entries.map(({ file, blob }) => `100644 blob ${blob}\t${file}\n`).join("");
    const tree = textOf(await local(["mktree"], listing));
    return textOf(await local(["commit-tree", tree, ...(parent === null ? [] : ["-p", parent])], `${subject}\n`));
  }

  function push(commit: string, before: RefVersion | null): Promise<GitAnswer> {
    return git([
      ...["-c", "push.gpgSign=false", "-c", "push.followTags=false", "-c", "push.recurseSubmodules=no"],
      "push",
      "--porcelain",
      "--no-verify",
      `--force-with-lease=${name}:${before?.commit ?? ""}`,
      "--",
      pushTo,
      `${commit}:${name}`,
    ]);
  }

  async function pushFiles(
    files: RefFiles,
    before: RefVersion | null,
    subject: string,
    onCommit: (version: RefVersion) => void,
  ): Promise<RefResult<RefVersion>> {
    const length = before === null ? 0 : (formatOf(before.files)?.commits ?? longestHistory);
    // A remote that lets no history be dropped gets all of it.
    for (const isRoot of length >= longestHistory ? [true, false] : [before === null]) {
      const format = { formatVersion: 1, environment, commits: isRoot ? 1 : length + 1 };
      const whole = new Map(files).set(marker, `${JSON.stringify(format)}\n`);
      const commit = await commitOf(whole, isRoot ? null : (before?.commit ?? null), subject);
      const version = { commit, files: whole };
      onCommit(version);
      const pushed = await push(commit, before);
      if (pushed.ok) return { ok: true, value: version };
      // What was lost may be no more than the response.
      const tip = await tipAt(pushTo);
      if (tip.ok && tip.value === commit) return { ok: true, value: version };
      if (tip.ok && tip.value !== (before?.commit ?? null))
        return refFailure("moved", `${name} on '${remote}' was written by somebody else.`);
      const failure = failureOf(pushed);
      if (isRoot && before !== null && tip.ok && failure.reason !== "unreachable") continue;
      return isMoved(pushed) ? refFailure(tip.ok ? "refused" : "unreachable", failure.message) : failure;
    }
    return refFailure("refused", `${name} on '${remote}' could not be written.`);
  }

  /** The state of this machine is a failure as well, not a reason to crash. */
  async function guarded<Value>(work: () => Promise<RefResult<Value>>): Promise<RefResult<Value>> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof LocalTrouble) return refFailure("setup", error.message);
      throw error;
    }
  }

  return {
    name,
    tip: () => tipAt(pushTo),
    read,
    write: (files, before, subject, onCommit = () => undefined) =>
      guarded(() => pushFiles(files, before, subject, onCommit)),
    async close() {
      closing.abort();
      await Promise.allSettled(running);
      await rm(gitDir, { recursive: true, force: true });
    },
  };
}

class LocalTrouble extends Error {}

interface RefFormat {
  readonly version: number;
  readonly environment: unknown;
  readonly commits: number;
}

function formatOf(files: RefFiles): RefFormat | null {
  const text = files.get(marker);
  if (text === undefined) return null;
  try {
    const { formatVersion, environment, commits } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (typeof formatVersion !== "number") return null;
    if (formatVersion === 1 && typeof environment !== "string") return null;
    return { version: formatVersion, environment, commits: typeof commits === "number" ? commits : longestHistory };
  } catch {
    return null;
  }
}

function textOf(output: Buffer): string {
  return output.toString("utf8").trim();
}
