// The only place that runs `git`. A repository may come from a stranger: git reads it without running any of its programs,
// and sees no key. Only `runGitRemote` reaches a remote, from a repository of our own.
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

export type GitResult =
  | { readonly ok: true; readonly output: Buffer }
  | {
      readonly ok: false;
      /** `closed`: the caller has closed the repository. */
      readonly reason: "no-git" | "refused" | "closed";
      readonly message: string;
      /** What it printed before it failed. */
      readonly output?: string;
    };

/** Runs git in a folder, with text for its input. It prompts for nothing, fetches nothing and changes nothing. */
export async function runGit(folder: string, args: readonly string[], input = ""): Promise<GitResult> {
  if (!mayBeRepository(folder)) return notARepository;
  const filters = runsPrograms.has(args[0] ?? "") ? await programsOff(folder) : [];
  if (filters === null)
    return { ok: false, reason: "refused", message: "a filter or merge driver in its configuration has an odd name" };
  return startGit({ folder, args: [...harmless, ...offline, ...filters, ...args], input, env: offlineEnvironment() });
}

export interface RemoteCall {
  /** A bare repository that this process made. */
  readonly gitDir: string;
  readonly args: readonly string[];
  readonly input?: string;
  /** Settings of the checkout that say how to reach the remote. They may hold credentials: never on a command line. */
  readonly settings: readonly (readonly [key: string, value: string])[];
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Runs git in our own repository, where it may contact a remote. It prompts for nothing and runs no hook. */
export function runGitRemote({
  gitDir,
  args,
  input = "",
  settings,
  timeoutMs,
  signal,
}: RemoteCall): Promise<GitResult> {
  return startGit({
    folder: gitDir,
    args: [...harmless, `--git-dir=${gitDir}`, ...args],
    input,
    env: networkEnvironment(settings),
    alone: true,
    timeoutMs,
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Fetches a branch of the remote into the checkout's repository, with all its history: a merge needs the common commit. */
export async function fetchBranch(
  folder: string,
  remote: string,
  branch: string,
  signal?: AbortSignal,
): Promise<GitResult> {
  return startGit({
    folder,
    args: [
      ...harmless,
      ...["fetch", "--quiet", "--no-tags", "--no-recurse-submodules"],
      ...((await isShallow(folder)) ? ["--unshallow"] : []),
      ...["--", remote, `+refs/heads/${branch}:refs/remotes/${remote}/${branch}`],
    ],
    input: "",
    env: { ...networkEnvironment([]), ...passing([placesOfCheckout]) },
    timeoutMs: longestMs,
    ...(signal === undefined ? {} : { signal }),
  });
}

/** What git would say, without the time to start it: a command asks several times. */
const notARepository: GitResult = { ok: false, reason: "refused", message: "fatal: not a git repository" };

export function mayBeRepository(folder: string): boolean {
  if (process.env.GIT_DIR !== undefined || !existsSync(folder)) return true;
  for (let each = realpathSync(folder); ; each = dirname(each)) {
    if (existsSync(join(each, ".git"))) return true;
    if (each === dirname(each)) return false;
  }
}

/** What git prints, without the line end; null if it fails. */
export async function gitText(folder: string, args: readonly string[]): Promise<string | null> {
  const result = await runGit(folder, args);
  return result.ok ? result.output.toString("utf8").trim() : null;
}

/** Which files below a folder differ, by their paths from it. null: git cannot compare these. */
export async function differingFiles(folder: string, ...range: readonly string[]): Promise<readonly string[] | null> {
  const names = ["diff", "--relative", "--name-only", "--no-renames", "-z"];
  const changed = await runGit(folder, [...names, ...range, "--", "."]);
  return changed.ok ? changed.output.toString("utf8").split("\0").filter(Boolean) : null;
}

export type PlaceInRepository =
  | {
      readonly ok: true;
      readonly root: string;
      /** Below the root; empty at the root itself. */
      readonly folder: string;
      /** How it names its objects: `sha1` or `sha256`. */
      readonly objectFormat: string;
    }
  | (GitResult & { readonly ok: false });

export async function placeInRepository(directory: string): Promise<PlaceInRepository> {
  const result = await runGit(directory, ["rev-parse", "--show-object-format", "--show-toplevel", "--show-prefix"]);
  if (!result.ok) return result;
  const [objectFormat = "", root = "", prefix = ""] = result.output.toString("utf8").split("\n");
  return { ok: true, root, folder: prefix.replace(/\/$/, ""), objectFormat };
}

/** The commit that a revision names; null outside git, or where it names none. */
export function commitOf(folder: string, revision: string): Promise<string | null> {
  return gitText(folder, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`]);
}

/** The commit that is checked out; null outside git, or before the first commit. */
export function currentRevision(folder: string): Promise<string | null> {
  return commitOf(folder, "HEAD");
}

export async function isShallow(folder: string): Promise<boolean> {
  return (await gitText(folder, ["rev-parse", "--is-shallow-repository"])) === "true";
}

/** The branch that the remote itself calls its default; null if it cannot be asked, or has none yet. */
export async function defaultBranchOf(folder: string, remote: string): Promise<string | null> {
  return (await askDefaultBranch(folder, remote))?.branch ?? clonedDefaultBranch(folder, remote);
}

/** The same with its newest commit, as the remote has it now. */
export async function askDefaultBranch(folder: string, remote: string) {
  const asked = await startGit({
    folder,
    args: [...harmless, "ls-remote", "--quiet", "--symref", "--", remote, "HEAD"],
    input: "",
    env: { ...networkEnvironment([]), ...passing([placesOfCheckout]) },
    alone: true,
    timeoutMs: 10_000,
  });
  const said = asked.ok ? asked.output.toString("utf8") : "";
  const [, branch, newest] = /^ref: refs\/heads\/(.+)\tHEAD\n([0-9a-f]+)\tHEAD$/m.exec(said) ?? [];
  return branch === undefined || newest === undefined ? null : { branch, newest };
}

/** The remote's default branch as this clone remembers it; null where it does not. */
export async function clonedDefaultBranch(folder: string, remote: string): Promise<string | null> {
  const named = await gitText(folder, ["symbolic-ref", "--quiet", `refs/remotes/${remote}/HEAD`]);
  return named?.slice(`refs/remotes/${remote}/`.length) ?? null;
}

interface GitCall {
  readonly folder: string;
  readonly args: readonly string[];
  readonly input: string;
  readonly env: NodeJS.ProcessEnv;
  /**
   * Without a terminal, where ssh would ask for a password, and out of reach of Ctrl-C, which would end a push halfway.
   * Processes that it starts end with it.
   */
  readonly alone?: true;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

function startGit({ folder, args, input, env, alone, timeoutMs = longestMs, signal }: GitCall): Promise<GitResult> {
  // Node takes milliseconds to load it, and most commands on files never run git.
  const { spawn } = process.getBuiltinModule("node:child_process");
  return new Promise((resolve) => {
    const detached = alone === true && process.platform !== "win32";
    const git = spawn("git", args, { cwd: folder, env, stdio: ["pipe", "pipe", "pipe"], windowsHide: true, detached });
    const output: Buffer[] = [];
    const trouble: Buffer[] = [];
    let late = "";

    function end(why: string): void {
      late = why;
      try {
        if (detached && git.pid !== undefined) process.kill(-git.pid, "SIGKILL");
        else git.kill("SIGKILL");
      } catch {
        // It has ended by itself.
      }
    }

    const timer = setTimeout(() => end(`it timed out after ${timeoutMs / 1000} s`), timeoutMs);
    const stop = () => end("it was stopped");
    signal?.addEventListener("abort", stop);

    function settle(result: GitResult): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      resolve(result);
    }

    git.on("error", (error: NodeJS.ErrnoException) =>
      settle({ ok: false, reason: error.code === "ENOENT" ? "no-git" : "refused", message: error.message }),
    );
    // If no more files can be opened, there are no pipes either.
    if ((git.stdin as typeof git.stdin | undefined) === undefined) return;
    git.stdout.on("data", (part: Buffer) => output.push(part));
    git.stderr.on("data", (part: Buffer) => trouble.push(part));
    git.on("close", (code, signal) => {
      if (code === 0) return settle({ ok: true, output: Buffer.concat(output) });
      const said = Buffer.concat(trouble).toString("utf8").trim();
      const message = late !== "" ? late : said === "" && signal !== null ? `it was ended by ${signal}` : said;
      settle({ ok: false, reason: "refused", message, output: Buffer.concat(output).toString("utf8") });
    });
    // Git may end before it has read everything; its exit says why.
    git.stdin.on("error", () => undefined);
    git.stdin.end(input);
  });
}

const longestMs = 120_000;

/** Settings on the command line override those of the repository, which could name programs to run. */
const harmless = [
  "--no-optional-locks",
  "--no-pager",
  ...["-c", "core.fsmonitor=false"],
  ...["-c", "core.hooksPath=/dev/null"],
  ...["-c", "diff.external="],
  // Tidying up takes time, and belongs to the owner of the repository.
  ...["-c", "maintenance.auto=false"],
  // A pull request can contain a bare repository, with its own configuration, as ordinary files.
  ...["-c", "safe.bareRepository=explicit"],
];

const offline = ["-c", "protocol.allow=never"];

/** These would run the filters and merge drivers that `.gitattributes` and the configuration name. */
const runsPrograms: ReadonlySet<string> = new Set(["status", "hash-object", "merge-tree"]);

/** What a driver would have merged counts as a conflict. */
const switchedOff: Readonly<Record<string, readonly string[]>> = {
  filter: ["clean=", "smudge=", "process=", "required=false"],
  merge: ["driver=false"],
};

/** They cannot be switched off all at once, only each by its name; null: one has a name that no flag can express. */
async function programsOff(folder: string): Promise<readonly string[] | null> {
  const result = await startGit({
    folder,
    args: [...harmless, ...offline, "config", "-z", "--name-only", "--get-regexp", "^(filter|merge)\\..*\\."],
    input: "",
    env: offlineEnvironment(),
  });
  if (!result.ok) return [];
  const names = new Set<string>();
  for (const key of result.output.toString("utf8").split("\0")) {
    const end = key.lastIndexOf(".");
    if (end > key.indexOf(".")) names.add(key.slice(0, end));
  }
  if ([...names].some((name) => /[=\n]/.test(name))) return null;
  return [...names].flatMap((name) =>
    (switchedOff[name.slice(0, name.indexOf("."))] ?? []).flatMap((setting) => ["-c", `${name}.${setting}`]),
  );
}

/** What git needs to run and to find its own settings; everything else stays here, including keys under any name. */
const passed =
  /^(path|pathext|home|homedrive|homepath|userprofile|user|logname|sudo_uid|systemroot|windir|comspec|programdata|programfiles.*|appdata|localappdata|xdg_config_home|te?mp|tmpdir|ld_library_path|dyld_.*|git_(dir|work_tree|common_dir|index_file|object_directory|alternate_object_directories|ceiling_directories|discovery_across_filesystem|exec_path|config_(global|system|nosystem|count|parameters|key_\d+|value_\d+)))$/i;

/** What else it needs to reach a remote: agents, proxies, certificates. */
const passedToRemote =
  /^(ssh_auth_sock|ssh_agent_pid|git_(ssh|ssh_command|ssh_variant|askpass|proxy_command|ssl_.*|http_.*)|(https?|all|no)_proxy|curl_ca_bundle|ssl_cert_(file|dir)|krb5.*)$/i;

function offlineEnvironment(): NodeJS.ProcessEnv {
  return {
    ...passing([passed]),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
  };
}

/** The checkout's own place is left out: git would take that for the repository to work in. */
function networkEnvironment(settings: RemoteCall["settings"]): NodeJS.ProcessEnv {
  const kept = Object.entries(passing([passed, passedToRemote])).filter(([name]) => !placesOfCheckout.test(name));
  const given = Number(process.env.GIT_CONFIG_COUNT ?? 0) || 0;
  const entries = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${given + index}`, key],
    [`GIT_CONFIG_VALUE_${given + index}`, value],
  ]);
  return {
    ...Object.fromEntries([...kept, ...entries]),
    GIT_CONFIG_COUNT: String(given + settings.length),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    SSH_ASKPASS_REQUIRE: "never",
  };
}

const placesOfCheckout =
  /^git_(dir|work_tree|common_dir|index_file|object_directory|alternate_object_directories|ceiling_directories)$/i;

function passing(patterns: readonly RegExp[]): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => patterns.some((pattern) => pattern.test(name))),
  );
}
