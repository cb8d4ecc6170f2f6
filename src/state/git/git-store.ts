// A ref on the repository's own remote as a place for a few small files: read by one fetch, written by compare and swap.
// It works in a separate bare repository, made for this run: the checkout's index, work tree, branches and objects are
// never touched, and nothing that a pull request contains is trusted.
import { setMaxListeners } from "node:events";
import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { type GitResult, runGitRemote } from "../../system/git.ts";
import { objectsIn } from "../../system/git-output.ts";
import { type BackendSettings, type BackendSetup, checkAgreed } from "../shared/backend-setup.ts";
import {
  checkMarker,
  closedStore,
  type FilesVersion,
  longestCallMs,
  markerIn,
  notOurs,
  readAgain,
  type SharedFiles,
  type StoredFiles,
  type StoreFailure,
  type StoreResult,
  storeFailure,
  tipTimeoutMs,
  withMarker,
} from "../shared/shared-files.ts";
import { sharedStore } from "../shared/shared-store.ts";
import type { StateStore } from "../store.ts";
import {
  failureOf,
  findRemote,
  isBusy,
  isMoved,
  makeRepository,
  notWorking,
  type Remote,
  refHints,
  refName,
} from "./remote-place.ts";

/** Our commits are the program's, no matter who runs it. */
const committer = "ticketing <ticketing@localhost>";
/** History longer than this is dropped: the files contain everything needed. */
const longestHistory = 200;
/** How long to wait for another push to release the ref. */
const busyMs = 200;

/** Opens refs on a remote of the checkout, which is looked up once: by default the ref of the environment's own state. */
export function refsOn(directory: string, remoteName: string) {
  let found: ReturnType<typeof findRemote> | null = null;
  return async (environment: string, ref?: string): Promise<StoreResult<SharedFiles>> => {
    found ??= findRemote(directory, remoteName);
    const remote = await found;
    if (!remote.ok) return remote;
    const gitDir = await makeRepository(remote.value.objectFormat);
    if (!gitDir.ok) return gitDir;
    const name = ref ?? refName(remote.value.folder, environment);
    const repository = ownRepository(gitDir.value, remote.value.settings);
    return { ok: true, value: stateRef(repository, remote.value, name, environment) };
  };
}

function stateRef(repository: OwnRepository, remote: Remote, name: string, environment: string): SharedFiles {
  const { fetchFrom, pushTo } = remote;
  const place = `${name} on "${remote.name}"`;
  const { git, signal, close } = repository;
  /** Fetches run one after another: git allows no second fetch in a repository, as when shards are read and written at once. */
  let fetching: Promise<unknown> = Promise.resolve();

  async function tipAt(url: string): Promise<StoreResult<string | null>> {
    const result = await git(["ls-remote", "--quiet", "--", url, name], "", tipTimeoutMs);
    if (!result.ok) return failureOf(result);
    const line = trimmedOutput(result.output)
      .split("\n")
      .find((each) => each.endsWith(`\t${name}`));
    return { ok: true, value: line === undefined ? null : (line.split("\t")[0] ?? null) };
  }

  async function readFrom(url: string): Promise<StoreResult<FilesVersion | null>> {
    const fetched = await git(["fetch", "--quiet", "--depth=1", "--no-tags", "--", url, `+${name}:refs/read`]);
    if (!fetched.ok) {
      const failure = isDiskFull(fetched.message)
        ? notWorking(`cannot be used: ${fetched.message}`)
        : failureOf(fetched);
      if (!/couldn't find remote ref/.test(fetched.message)) return failure;
      // A remote that cannot be read properly must not look like one without state.
      const tip = await tipAt(url);
      return tip.ok && tip.value !== null ? failure : (tip as StoreResult<null>);
    }
    return readFetched(repository, place, environment);
  }

  async function push(commit: string, before: FilesVersion | null): Promise<GitResult> {
    const args = [
      ...["-c", "push.gpgSign=false", "-c", "push.followTags=false", "-c", "push.recurseSubmodules=no"],
      // Push options meant for branches do not apply here, and not every remote accepts them.
      ...["-c", "push.pushOption="],
      "push",
      "--porcelain",
      "--no-verify",
      `--force-with-lease=${name}:${before?.id ?? ""}`,
      "--",
      pushTo,
      `${commit}:${name}`,
    ];
    for (let attempt = 1; ; attempt++) {
      const pushed = await git(args);
      if (pushed.ok || !isBusy(pushed) || attempt === 5) return pushed;
      await sleep(attempt * busyMs);
    }
  }

  return {
    name,
    tip: () => tipAt(pushTo),
    read(toWrite = false) {
      const once = () => readFrom(toWrite ? pushTo : fetchFrom);
      const turn = fetching.then(() => readAgain(once, signal));
      fetching = turn.catch(() => undefined);
      return turn;
    },
    async write(files, before, subject, onVersion) {
      const length = before === null ? 0 : commitsIn(before.files);
      // A remote that forbids dropping history keeps all of it.
      for (const isRoot of length >= longestHistory ? [true, false] : [before === null]) {
        const whole = withMarker(files, environment, { commits: isRoot ? 1 : length + 1 });
        const made = await makeCommit(repository, whole, isRoot ? null : before, subject);
        if (!made.ok) return made;
        const { value: commit } = made;
        const version = { id: commit, files: whole };
        onVersion?.(version);
        const pushed = await push(commit, before);
        if (pushed.ok) return { ok: true, value: version };
        const tip = await tipAt(pushTo);
        const isUnchanged = tip.ok && tip.value === before?.id;
        if (isRoot && isUnchanged && failureOf(pushed).reason !== "unreachable") continue;
        const problem = pushProblem(pushed, tip, commit, before, place);
        return problem ?? { ok: true, value: version };
      }
      return storeFailure("refused", `${place} could not be written.`);
    },
    close,
  };
}

type OwnRepository = ReturnType<typeof ownRepository>;

/** Git in the repository that was made for this run, until that is closed. */
function ownRepository(gitDir: string, settings: Remote["settings"]) {
  const closing = new AbortController();
  const { signal } = closing;
  // Each git process listens to it, one for every shard's file: not a leak to warn about.
  setMaxListeners(0, signal);
  const running = new Set<Promise<unknown>>();
  /** Each commit has its own local ref: two at once would collide. */
  let commits = 0;

  async function git(args: readonly string[], input = "", timeoutMs = longestCallMs): Promise<GitResult> {
    if (signal.aborted) return { ok: false, reason: "closed", message: closedStore };
    const call = runGitRemote({ gitDir, args, input, settings, timeoutMs, signal });
    running.add(call);
    try {
      return await call;
    } finally {
      running.delete(call);
    }
  }

  function unusable(why: string): StoreFailure {
    return signal.aborted ? storeFailure("setup", closedStore) : notWorking(`cannot be used: ${why}`);
  }

  return {
    signal,
    git,
    unusable,
    nextRef: () => `refs/written/${++commits}`,
    /** This works in our own repository, unless the machine is broken. */
    async local(args: readonly string[], input: string): Promise<StoreResult<Buffer>> {
      const result = await git(args, input);
      return result.ok ? { ok: true, value: result.output } : unusable(result.message);
    },
    async close(): Promise<void> {
      closing.abort();
      await Promise.allSettled(running);
      await rm(gitDir, { recursive: true, force: true });
    },
  };
}

async function readFetched(
  { git, local, unusable }: OwnRepository,
  place: string,
  environment: string,
): Promise<StoreResult<FilesVersion>> {
  const foreign = notOurs(place);
  const listed = await git(["ls-tree", "-z", "refs/read^{tree}"]);
  if (!listed.ok) return foreign;
  const entries = trimmedOutput(listed.output)
    .split("\0")
    .filter(Boolean)
    .map((line) => /^\d+ blob ([0-9a-f]+)\t([\w.-]+)$/.exec(line));
  if (entries.includes(null)) return foreign;
  const names = ["refs/read", ...entries.map((entry) => entry?.[1])];
  const batch = await local(["cat-file", "--batch"], `${names.join("\n")}\n`);
  if (!batch.ok) return batch;
  const objects = objectsIn(batch.value);
  if (objects.length < names.length) return unusable("git did not find what it has just fetched");
  const [commit, ...contents] = objects;
  if (commit?.type !== "commit") return foreign;
  const files = new Map(
    entries.map((entry, index) => [entry?.[2] ?? "", contents[index]?.content.toString("utf8") ?? ""]),
  );
  return checkMarker(files, environment, place) ?? { ok: true, value: { id: commit.id, files } };
}

/** Only what differs from the previous commit passes through git: a state can be large. */
async function makeCommit(
  { local, nextRef }: OwnRepository,
  files: StoredFiles,
  parent: FilesVersion | null,
  subject: string,
): Promise<StoreResult<string>> {
  const changed = [...files].filter(([file, content]) => parent?.files.get(file) !== content);
  const gone = [...(parent?.files.keys() ?? [])].filter((file) => !files.has(file));
  const stream = [
    `commit ${nextRef()}\nmark :1\n`,
    `committer ${committer} now\n${dataOf(`${subject}\n`)}`,
    parent === null ? "" : `from ${parent.id}\n`,
    ...changed.map(([file, content]) => `M 100644 inline ${file}\n${dataOf(content)}`),
    ...gone.map((file) => `D ${file}\n`),
    "\nget-mark :1\n",
  ];
  const made = await local(["fast-import", "--quiet", "--force", "--date-format=now"], stream.join(""));
  return made.ok ? { ok: true, value: trimmedOutput(made.value) } : made;
}

/** Why a push that failed has not moved the ref to the commit; null: it has, and only the response was lost. */
function pushProblem(
  pushed: GitResult & { ok: false },
  tip: StoreResult<string | null>,
  commit: string,
  before: FilesVersion | null,
  place: string,
): StoreFailure | null {
  if (tip.ok && tip.value === commit) return null;
  if (tip.ok && tip.value !== (before?.id ?? null))
    return storeFailure("moved", `${place} was written by somebody else.`);
  const failure = failureOf(pushed);
  return isMoved(pushed) ? storeFailure(tip.ok ? "refused" : "unreachable", failure.message) : failure;
}

/** A line with `remote:` is about the disk of the other side. */
function isDiskFull(message: string): boolean {
  return /^(?!remote:).*(no space left|out of diskspace|disk quota)/im.test(message);
}

/** How many commits the ref's history has. */
function commitsIn(files: StoredFiles): number {
  const commits = markerIn(files).commits;
  return typeof commits === "number" ? commits : longestHistory;
}

function trimmedOutput(output: Buffer): string {
  return output.toString("utf8").trim();
}

/** As git's fast-import expects a text: its length in bytes comes first. */
function dataOf(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

// State in a ref of the repository's own remote: for runners that forget everything.

export function gitStore(settings: BackendSettings<"git">, setup: BackendSetup): StateStore {
  const { remote, ref } = settings;
  const { directory, environment, outside } = setup;
  const openRef = refsOn(directory, remote);
  return sharedStore({
    ...setup,
    async open() {
      // Without either it is this project's own ref, whatever the file says.
      const isNamed = ref !== undefined || remote !== "origin";
      const names = [ref === undefined ? remote : `${remote}/${ref}`];
      const unagreed = isNamed ? await checkAgreed(outside, { names, sendsCredentials: false }) : null;
      return unagreed ?? openRef(environment, ref);
    },
    openLedger: (name) => openRef("pace", `refs/ticketing/pace/${name}`),
    words: {
      place: `the git remote "${remote}"`,
      peer: "the remote",
      lead: (doing, reason) =>
        ["setup", "foreign", "too-new"].includes(reason)
          ? `State in git cannot be ${doing}`
          : `The state on the remote "${remote}" could not be ${doing}`,
      hints: refHints,
      removal: (name) => `delete it with \`git push ${remote} --delete ${name}\``,
    },
  });
}
