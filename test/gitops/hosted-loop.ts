// The whole loop on machines that forget everything: a bare repository as the remote, a fresh clone for every job, a service behind
// real HTTP, and a host that keeps pull requests, comments and issues.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import { type EmulatedHost, startHost } from "../stage/emulated-hosts.ts";
import { gitCalls } from "../stage/git-calls.ts";
import { removeFolder } from "../stage/remove-folder.ts";
import { type Ran, ticketing } from "../stage/test-world.ts";

/** null: the file is deleted. */
export type FileEdits = Readonly<Record<string, string | null>>;

export interface JobRan extends Ran {
  readonly summary: string;
  readonly directory: string;
}

export interface Job {
  /** Checked out by the job; the default branch unless named. */
  readonly revision?: string;
  readonly pullRequest?: number;
  readonly event?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Stops it. */
  readonly interrupted?: AbortSignal;
  readonly depth?: number;
  /** Checks out the merge of the pull request, as GitHub makes it, and not its head. */
  readonly merged?: true;
  /** Written into the checkout before the job runs, and not committed. */
  readonly uncommitted?: Readonly<Record<string, string>>;
  /** The project's, in the checkout. */
  readonly folder?: string;
  /** What the host says of the event. */
  readonly payload?: Readonly<Record<string, unknown>>;
}

export interface Loop {
  readonly sandbox: Sandbox;
  readonly host: EmulatedHost;
  /** The folder of the remote's repository. */
  readonly remote: string;
  /** The author's clone. */
  readonly author: string;
  /** The time of everybody but the host. Whoever sleeps moves it on; `slept` is called before that. */
  readonly clock: { now: number; slept?: ((ms: number) => Promise<void>) | undefined };
  /** Calls to the service since they were last taken. */
  takeCalls(): readonly string[];
  /** Commits on a branch that begins at the default branch, and gives the pull request's number. */
  openPullRequest(files: FileEdits, branch?: string): number;
  /** The same with what these calls of git commit on such a branch; null: they failed. */
  proposePullRequest(...calls: readonly (readonly string[])[]): number | null;
  /** A further commit on it. */
  push(pullRequest: number, files: FileEdits): void;
  /** Checks out its branch at the author's. */
  checkout(pullRequest: number): void;
  /** Merges the default branch into it. Where both have changed the same, `favor` has it: the branch (ours) or the default branch. */
  update(pullRequest: number, favor: "ours" | "theirs"): void;
  /** Merges it with a merge commit, or as one commit; gives that commit. Throws where there are conflicts. */
  merge(pullRequest: number, how?: "squash"): string;
  /** A commit straight on the default branch. */
  commit(files: FileEdits): string;
  /** So many commits there that change no file. */
  commitNothing(count: number): void;
  ci(argv: readonly string[], job?: Job): Promise<JobRan>;
  /** Marks all jobs so far as ended on the host: no one waits for their locks. */
  endRuns(): void;
  /** The commit that holds the state; null: there is none. A runner that was killed leaves it as it was at that instant. */
  stateCommit(): string | null;
  resetState(commit: string | null): void;
  /** Checks out the newest of the default branch at the author's. */
  checkoutMain(): void;
  /** The bodies of the comments on a pull request. */
  comments(pullRequest: number): readonly string[];
  close(): Promise<void>;
}

export const manilaNights = (price: number, more = "") =>
  `key: manila-nights
status: PUBLISHED
name: Manila Nights
dateTime: 2027-03-14T19:00+08:00
endDateTime: 2027-03-15T02:00+08:00
eventCapacity: 700
venueId: 11111111-1111-4111-8111-111111111111
tickets:
  - { name: GA, price: ${price}, quantity: 500, published: true }
${more}`;

export const draft = (name: string, capacity: number) =>
  `name: ${name}
dateTime: 2027-05-01T19:00+08:00
endDateTime: 2027-05-01T23:00+08:00
eventCapacity: ${capacity}
venueId: 11111111-1111-4111-8111-111111111111
tickets:
  - { name: GA, price: 500, quantity: ${capacity} }
`;

export async function openLoop(kind: "github" | "gitlab" = "github", settings = ""): Promise<Loop> {
  const root = mkdtempSync(join(tmpdir(), "ticketing-loop-"));
  const log: string[] = [];
  const clock: Loop["clock"] = { now: Date.parse("2027-01-10T00:00:00Z") };
  const now = () => clock.now;
  const sandbox = await startSandbox({
    organization: { slug: "acme-live" },
    profile: "venueIds=any",
    now,
    log: (line) => void log.push(line),
  });
  const host = await startHost(kind, kind === "gitlab" ? "ticketing-bot" : null);
  const identity = ["-c", "user.name=ana", "-c", "user.email=ana@example.com"];
  const git = (cwd: string, ...calls: readonly (readonly string[])[]) => gitCalls(cwd, identity, calls);
  const author = join(root, "author");
  git(
    root,
    ["init", "-q", "--bare", "-b", "main", "remote.git"],
    ["clone", "-q", `file://${join(root, "remote.git")}`, author],
    ["-C", author, "checkout", "-q", "-B", "main"],
  );
  const branches = new Map<number, string>();
  let jobs = 0;

  function write(files: FileEdits): void {
    for (const [file, text] of Object.entries(files)) {
      const path = join(author, file);
      if (text === null) rmSync(path);
      else {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      }
    }
  }
  /** Commits what is there, and pushes it; gives the commit. */
  function pushed(files: FileEdits, branch: string): string {
    write(files);
    return git(
      author,
      ["add", "-A"],
      ["commit", "-q", "--allow-empty", "-m", `edit ${Object.keys(files).join(", ")}`],
      ["push", "-q", "-f", "origin", `HEAD:${branch}`],
      ["rev-parse", "HEAD"],
    );
  }
  function commit(files: FileEdits): string {
    git(author, ["checkout", "-q", "-B", "main", "origin/main"]);
    const sha = pushed(files, "main");
    host.commits.push({ sha, pullRequest: null });
    return sha;
  }

  const first = pushed(
    {
      "ticketing.yaml": `version: 1
organization: acme-live
state: { backend: git }
environments:
  production: { baseUrl: "${sandbox.baseUrl}", apiKeyEnv: TICKETING_API_KEY }
${settings}`,
      "events/manila-nights.yaml": manilaNights(1500),
    },
    "main",
  );
  host.commits.push({ sha: first, pullRequest: null });

  async function ci(argv: readonly string[], job: Job = {}): Promise<JobRan> {
    jobs += 1;
    const directory = join(root, `job-${jobs}`);
    const { pullRequest } = job;
    const revision = job.revision ?? (pullRequest === undefined ? "main" : (branches.get(pullRequest) ?? ""));
    const depth = job.depth === undefined ? [] : ["--depth", String(job.depth)];
    const detached = ["-C", directory, "checkout", "-q", "--detach"];
    const merge = ["-C", directory, "merge", "-q", "--no-ff", "-m", "merge for the plan", `origin/${revision}`];
    const sha = git(
      root,
      ["clone", "-q", ...depth, `file://${join(root, "remote.git")}`, directory],
      ...(job.depth === undefined ? [[...detached, revision.length === 40 ? revision : `origin/${revision}`]] : []),
      ...(job.merged === true ? [[...detached, "origin/main"], merge] : []),
      ["-C", directory, "rev-parse", "HEAD"],
    );
    for (const [file, text] of Object.entries(job.uncommitted ?? {})) writeFileSync(join(directory, file), text);
    const payload = join(root, `event-${jobs}.json`);
    const repository = { full_name: "acme/events" };
    writeFileSync(
      payload,
      JSON.stringify({
        repository: { default_branch: "main" },
        ...(pullRequest === undefined
          ? {}
          : {
              pull_request: {
                number: pullRequest,
                head: { sha, repo: repository },
              },
            }),
        ...job.payload,
      }),
    );
    const summaryFile = join(root, `summary-${jobs}.md`);
    writeFileSync(summaryFile, "");
    const env =
      kind === "github"
        ? {
            GITHUB_ACTIONS: "true",
            GITHUB_REPOSITORY: "acme/events",
            GITHUB_SERVER_URL: "https://github.example",
            GITHUB_API_URL: host.apiUrl,
            GITHUB_RUN_ID: String(jobs),
            GITHUB_EVENT_NAME: job.event ?? (pullRequest === undefined ? "push" : "pull_request"),
            GITHUB_EVENT_PATH: payload,
            GITHUB_SHA: sha,
            GITHUB_STEP_SUMMARY: summaryFile,
            GITHUB_TOKEN: host.token,
          }
        : {
            GITLAB_CI: "true",
            CI_API_V4_URL: host.apiUrl,
            CI_PROJECT_ID: "7",
            CI_PROJECT_URL: "https://gitlab.example/acme/events",
            CI_JOB_URL: `https://gitlab.example/acme/events/-/jobs/${jobs}`,
            CI_DEFAULT_BRANCH: "main",
            CI_PIPELINE_SOURCE: job.event ?? (pullRequest === undefined ? "push" : "merge_request_event"),
            CI_MERGE_REQUEST_IID: pullRequest === undefined ? undefined : String(pullRequest),
            CI_COMMIT_SHA: sha,
            GITLAB_TOKEN: host.token,
          };
    const environment = argv.includes("--env") ? [] : ["--env", "production"];
    const ran = await ticketing([...argv, "-C", join(directory, job.folder ?? ""), ...environment], {
      env: { TICKETING_API_KEY: sandbox.apiKey, ...env, ...job.env },
      cwd: directory,
      ...(job.interrupted === undefined ? {} : { interrupted: job.interrupted }),
      now,
      async sleep(ms) {
        await clock.slept?.(ms);
        clock.now += ms;
      },
      timeouts: { headersMs: 5_000 },
    });
    return { ...ran, summary: readFileSync(summaryFile, "utf8"), directory };
  }

  function begin(branch: string): void {
    git(author, ["fetch", "-q", "origin"], ["checkout", "-q", "-B", branch, "origin/main"]);
  }
  function opened(branch: string): number {
    const number = branches.size + 1;
    branches.set(number, branch);
    return number;
  }
  const nextBranch = () => `branch-${branches.size + 1}`;
  const checkout = (pullRequest: number) => git(author, ["checkout", "-q", branches.get(pullRequest) ?? ""]);

  return {
    sandbox,
    host,
    remote: join(root, "remote.git"),
    author,
    clock,
    ci,
    commit,
    commitNothing(count) {
      begin("main");
      const nothing = Array.from({ length: count }, () => ["commit", "-q", "--allow-empty", "-m", "nothing"]);
      git(author, ...nothing, ["push", "-q", "-f", "origin", "HEAD:main"]);
    },
    takeCalls: () => log.splice(0),
    openPullRequest(files, branch = nextBranch()) {
      begin(branch);
      pushed(files, branch);
      return opened(branch);
    },
    proposePullRequest(...calls) {
      const branch = nextBranch();
      begin(branch);
      try {
        git(author, ...calls, ["push", "-q", "-f", "origin", `HEAD:${branch}`]);
      } catch {
        git(author, ["reset", "-q", "--hard", "origin/main"]);
        return null;
      }
      return opened(branch);
    },
    push(pullRequest, files) {
      checkout(pullRequest);
      pushed(files, branches.get(pullRequest) ?? "");
    },
    checkout,
    update(pullRequest, favor) {
      checkout(pullRequest);
      git(author, ["fetch", "-q", "origin"]);
      try {
        git(author, ["merge", "-q", "--no-edit", "-X", favor, "origin/main"]);
      } catch {
        // One has deleted what the other has edited: the edited file stays.
        git(author, ["add", "-A"], ["commit", "-q", "--no-edit"]);
      }
      git(author, ["push", "-q", "-f", "origin", `HEAD:${branches.get(pullRequest) ?? ""}`]);
    },
    merge(pullRequest, how) {
      begin("main");
      const message = `Merge pull request #${pullRequest}`;
      const branch = branches.get(pullRequest) ?? "";
      try {
        if (how === "squash")
          git(author, ["merge", "-q", "--squash", branch], ["commit", "-q", "--allow-empty", "-m", message]);
        else git(author, ["merge", "-q", "--no-ff", "-m", message, branch]);
      } catch (error) {
        git(author, ["reset", "-q", "--hard"]);
        throw error;
      }
      const sha = git(author, ["push", "-q", "-f", "origin", "HEAD:main"], ["rev-parse", "HEAD"]);
      host.commits.push({ sha, pullRequest });
      return sha;
    },
    endRuns() {
      for (let run = 1; run <= jobs; run++) host.ended.add(String(run));
    },
    stateCommit: () => git(root, ["-C", "remote.git", "for-each-ref", "--format=%(objectname)", stateRef]) || null,
    resetState(commit) {
      git(root, ["-C", "remote.git", "update-ref", ...(commit === null ? ["-d", stateRef] : [stateRef, commit])]);
    },
    checkoutMain: () => begin("main"),
    comments: (pullRequest) => (host.comments.get(pullRequest) ?? []).map(({ body }) => body),
    async close() {
      await host.close();
      await sandbox.abandon();
      removeFolder(root);
    },
  };
}

const stateRef = "refs/ticketing/root/production";
