// A ref on the repository's own remote as a place for a few small files: read by one fetch, written by compare and swap.
// It works in a bare repository of its own, made for this run: the checkout's index, work tree, branches and objects are
// never touched, and nothing that a pull request brings along is believed.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { type GitAnswer, runGit, runGitRemote } from "../../system/git.ts";

/** What the ref holds, by file name. */
export type RefFiles = ReadonlyMap<string, string>;

export interface RefVersion {
  readonly commit: string;
  readonly files: RefFiles;
}

/**
 * | reason      | means                                                                      |
 * |-------------|----------------------------------------------------------------------------|
 * | moved       | somebody else wrote the ref since it was read                              |
 * | refused     | the remote was reached and does not let this be written or read            |
 * | unreachable | nothing was heard of the remote: the next attempt may get through          |
 * | foreign     | the ref holds something that this program did not write                    |
 */
export interface RefFailure {
  readonly ok: false;
  readonly reason: "moved" | "refused" | "unreachable" | "foreign";
  readonly message: string;
}

export type RefResult<Value> = { readonly ok: true; readonly value: Value } | RefFailure;

export interface StateRef {
  /** `refs/ticketing/root/production` */
  readonly name: string;
  /** The remote as people know it. */
  readonly remote: string;
  /** The commit that the ref is at on the remote; null where there is no such ref. */
  tip(signal?: AbortSignal): Promise<RefResult<string | null>>;
  read(): Promise<RefResult<RefVersion | null>>;
  /** Writes only where the ref is still at `before`. */
  write(files: RefFiles, before: RefVersion | null, subject: string): Promise<RefResult<RefVersion>>;
  close(): Promise<void>;
}

export interface StateRefSetup {
  /** The project's folder, anywhere in a checkout. */
  readonly directory: string;
  readonly environment: string;
  readonly remote: string;
  /** Overrides the name of the ref. */
  readonly ref?: string;
}

/** Commits before these are dropped: the files hold all that is needed. */
const longestHistory = 200;
const remoteTimeoutMs = 60_000;
const marker = "ticketing.json";

/** One segment of a ref name. What git does not allow there is percent-encoded, and so is `/`: refs never nest. */
export function refSegment(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/^\.|\.(?=\.)|\.$|\.(?=lock$)/g, "%2E");
}

/** `folder`: the project's below the repository's root; empty at the root itself. */
export function refName(folder: string, environment: string): string {
  const project = folder === "" ? "root" : folder === "root" ? "root%2F" : refSegment(folder);
  return `refs/ticketing/${project}/${refSegment(environment)}`;
}

export async function openStateRef(setup: StateRefSetup): Promise<RefResult<StateRef>> {
  const { directory, remote } = setup;
  const place = await runGit(directory, ["rev-parse", "--show-toplevel", "--show-prefix"]);
  if (!place.ok) return failed("refused", noRepository(place));
  const [root = "", prefix = ""] = text(place).split("\n");
  const name = setup.ref ?? refName(prefix.replace(/\/$/, ""), setup.environment);
  const [fetchFrom, pushTo] = await Promise.all([
    runGit(directory, ["remote", "get-url", "--", remote]),
    runGit(directory, ["remote", "get-url", "--push", "--", remote]),
  ]);
  if (!fetchFrom.ok || !pushTo.ok) return failed("refused", `This repository has no remote named '${remote}'.`);
  const settings = await transportSettings(directory);
  const gitDir = await mkdtemp(join(tmpdir(), "ticketing-state-"));
  const made = await runGitRemote({
    gitDir,
    args: ["init", "--quiet", "--bare", "--template="],
    settings: [],
    timeoutMs: 10_000,
  });
  if (!made.ok) return failed("refused", `A place for git to work in could not be made: ${made.message}`);
  return {
    ok: true,
    value: stateRef({
      gitDir,
      settings,
      name,
      remote,
      fetchFrom: absolute(text(fetchFrom), root),
      pushTo: absolute(text(pushTo), root),
    }),
  };
}

interface Places {
  readonly gitDir: string;
  readonly settings: readonly (readonly [string, string])[];
  readonly name: string;
  readonly remote: string;
  readonly fetchFrom: string;
  readonly pushTo: string;
}

function stateRef({ gitDir, settings, name, remote, fetchFrom, pushTo }: Places): StateRef {
  const blobs = new Map<string, string>();

  function git(args: readonly string[], input = "", signal?: AbortSignal): Promise<GitAnswer> {
    return runGitRemote({
      gitDir,
      args,
      input,
      settings,
      timeoutMs: remoteTimeoutMs,
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /** What must not fail in a repository of our own: where it does, the machine is broken. */
  async function local(args: readonly string[], input = ""): Promise<string> {
    const answer = await git(args, input);
    if (!answer.ok) throw new Error(`git ${args[0]}: ${answer.message}`);
    return text(answer);
  }

  async function tipAt(url: string, signal?: AbortSignal): Promise<RefResult<string | null>> {
    const answer = await git(["ls-remote", "--quiet", "--", url, name], "", signal);
    if (!answer.ok) return failureOf(answer.message);
    const line = text(answer)
      .split("\n")
      .find((each) => each.endsWith(`\t${name}`));
    return { ok: true, value: line === undefined ? null : (line.split("\t")[0] ?? null) };
  }

  async function read(): Promise<RefResult<RefVersion | null>> {
    const tip = await tipAt(fetchFrom);
    if (!tip.ok) return tip;
    if (tip.value === null) return { ok: true, value: null };
    const fetched = await git(["fetch", "--quiet", "--depth=1", "--no-tags", "--", fetchFrom, `+${name}:refs/read`]);
    if (!fetched.ok) return failureOf(fetched.message);
    const commit = await local(["rev-parse", "--verify", "refs/read^{}"]);
    const files = await readFiles(commit);
    if (files === null)
      return failed("foreign", `${name} on '${remote}' holds something that was not written by this program.`);
    return { ok: true, value: { commit, files } };
  }

  async function readFiles(commit: string): Promise<RefFiles | null> {
    const listed = await git(["ls-tree", "-z", `${commit}^{tree}`]);
    if (!listed.ok) return null;
    const files = new Map<string, string>();
    for (const line of listed.output.toString("utf8").split("\0").filter(Boolean)) {
      const [meta = "", file = ""] = line.split("\t");
      const [, type, blob = ""] = meta.split(" ");
      if (type !== "blob") return null;
      const content = await git(["cat-file", "blob", blob]);
      if (!content.ok) return null;
      files.set(file, content.output.toString("utf8"));
    }
    if (!files.has(marker)) return null;
    return files;
  }

  async function write(files: RefFiles, before: RefVersion | null, subject: string): Promise<RefResult<RefVersion>> {
    const length = before === null ? 0 : historyLength(before.files);
    const isRoot = before === null || length >= longestHistory;
    const whole = new Map(files).set(
      marker,
      `${JSON.stringify({ formatVersion: 1, commits: isRoot ? 1 : length + 1 })}\n`,
    );
    const entries = await Promise.all(
      [...whole]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(async ([file, content]) => {
          const blob =
            blobs.get(`${file}\0${content}`) ??
            (await local(["hash-object", "-w", "--no-filters", "--stdin"], content));
          return { file, content, blob };
        }),
    );
    blobs.clear();
    for (const { file, content, blob } of entries) blobs.set(`${file}\0${content}`, blob);
    const tree = await local(["mktree"], entries.map(({ file, blob }) => `100644 blob ${blob}\t${file}\n`).join(""));
    const commit = await local(["commit-tree", tree, ...(isRoot ? [] : ["-p", before.commit])], `${subject}\n`);
    const version = { commit, files: whole };
    const pushed = await git([
      ...["-c", "push.gpgSign=false", "-c", "push.followTags=false", "-c", "push.recurseSubmodules=no"],
      "push",
      "--porcelain",
      "--no-verify",
      `--force-with-lease=${name}:${before?.commit ?? ""}`,
      "--",
      pushTo,
      `${commit}:${name}`,
    ]);
    if (pushed.ok) return { ok: true, value: version };
    const failure = pushFailure(pushed);
    if (failure.reason === "refused") return failure;
    // What was lost may be no more than the response.
    const tip = await tipAt(pushTo);
    if (tip.ok && tip.value === commit) return { ok: true, value: version };
    if (tip.ok && tip.value !== (before?.commit ?? null))
      return failed("moved", `${name} on '${remote}' was written by somebody else.`);
    return failure.reason === "moved" && tip.ok ? failed("unreachable", failure.message) : failure;
  }

  return {
    name,
    remote,
    tip: (signal) => tipAt(fetchFrom, signal),
    read,
    write,
    close: () => rm(gitDir, { recursive: true, force: true }),
  };
}

function historyLength(files: RefFiles): number {
  try {
    const { commits } = JSON.parse(files.get(marker) ?? "{}") as { commits?: unknown };
    return typeof commits === "number" ? commits : longestHistory;
  } catch {
    return longestHistory;
  }
}

/** How to reach the remote, as the checkout's own repository says it: with it go the credentials that a runner put there. */
async function transportSettings(directory: string): Promise<readonly (readonly [string, string])[]> {
  const answer = await runGit(directory, ["config", "--list", "--show-scope", "--includes", "-z"]);
  if (!answer.ok) return [];
  const fields = answer.output.toString("utf8").split("\0");
  const settings: [string, string][] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope, entry = ""] = [fields[at], fields[at + 1]];
    // What the machine or the user has set is in force anyway.
    if (scope !== "local" && scope !== "worktree") continue;
    const end = entry.indexOf("\n");
    const [key, value] = end === -1 ? [entry, "true"] : [entry.slice(0, end), entry.slice(end + 1)];
    if (/^(http|credential|url|ssh)\.|^core\.(sshcommand|gitproxy|askpass)$/i.test(key)) settings.push([key, value]);
  }
  return settings;
}

/** git resolves a relative remote against the root of the checkout, and we work elsewhere. */
function absolute(url: string, root: string): string {
  const isPath = !/^[a-z][a-z0-9+.-]*:\/\//i.test(url) && !/^[^/]*:/.test(url);
  return isPath && !isAbsolute(url) ? resolve(root, url) : url;
}

function pushFailure(answer: GitAnswer & { ok: false }): RefFailure {
  const said = [answer.output, answer.message].join("\n").trim();
  if (/stale info|fetch first|non-fast-forward|cannot lock ref|but expected|reference already exists/i.test(said))
    return failed("moved", said);
  return failureOf(said);
}

function failureOf(message: string): RefFailure {
  const isRefusal =
    /remote rejected|permission|denied|protected|authentication failed|could not read (username|password)|not authorized|403|401|hook declined|not found|does not (exist|appear to be a git repository)|access rights/i;
  const isAway = /could not resolve|connection|timed out|unable to access|early eof|hung up|network|ended by/i;
  const refused = isRefusal.test(message) && !(isAway.test(message) && !/40[13]|denied|authentication/i.test(message));
  return failed(refused ? "refused" : "unreachable", message);
}

function noRepository(answer: GitAnswer & { ok: false }): string {
  return answer.reason === "no-git" ? "git is not installed." : "This folder is not in a git repository.";
}

function failed(reason: RefFailure["reason"], message: string): RefFailure {
  return { ok: false, reason, message };
}

function text(answer: GitAnswer & { ok: true }): string {
  return answer.output.toString("utf8").trim();
}
