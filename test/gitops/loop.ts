// A team's loop: a repository that everybody pushes to, and runners that begin with a fresh clone each time and forget everything
// but what state keeps in the repository.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Plan } from "../../src/model/plan.ts";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import { gitCalls } from "../stage/git-calls.ts";
import { removeFolder } from "../stage/remove-folder.ts";
import { type Ran, ticketing } from "../stage/test-world.ts";

/** By path; null: the file is removed. */
export type Edits = Readonly<Record<string, string | null>>;

export interface Runner {
  readonly directory: string;
  run(...argv: readonly string[]): Promise<Ran>;
  plan(...argv: readonly string[]): Promise<Plan>;
}

export interface CloneOptions {
  /** The newest of the default branch where nothing is said. */
  readonly revision?: string;
  readonly depth?: number;
  /** The project's folder. */
  readonly folder?: string;
  /** Variables of the CI host. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Loop {
  readonly root: string;
  readonly sandbox: Sandbox;
  /** The author's own clone. */
  readonly desk: string;
  git(...args: readonly string[]): string;
  /** Commits and pushes to the default branch; gives the commit. */
  push(edits: Edits, message?: string): string;
  /** A fresh clone. */
  runner(options?: CloneOptions): Runner;
  /** A fresh clone with its own commit on top; `revision` is where the branch begins. */
  branch(edits: Edits, options?: CloneOptions): Runner;
  /** A folder that is there. */
  at(directory: string, env?: CloneOptions["env"]): Runner;
  /** The live events, by name. */
  live(): Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Calls that changed something, or would have, since this was asked last. */
  writes(): readonly string[];
  close(): Promise<void>;
}

export const gitState = "version: 1\nstate: { backend: git }\n";

export function eventText(name: string, more = ""): string {
  return `name: ${name}\ndateTime: 2027-03-14T19:00\n${more}`;
}

export const now = () => Date.parse("2027-01-10T00:00:00Z");

export async function openLoop(): Promise<Loop> {
  const root = mkdtempSync(join(tmpdir(), "ticketing-loop-"));
  const sandbox = await startSandbox({ now });
  const desk = join(root, "desk");
  let clones = 0;

  function gitIn(cwd: string, ...calls: readonly (readonly string[])[]): string {
    const identity = ["-c", "user.name=Ana", "-c", "user.email=ana@example.com", "-c", "protocol.file.allow=always"];
    return gitCalls(cwd, identity, calls);
  }

  function at(directory: string, env: CloneOptions["env"] = {}): Runner {
    const target = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
    const run = (...argv: readonly string[]) =>
      ticketing([...argv, "-C", directory], { env: { PATH: process.env.PATH, ...target, ...env }, now });
    return {
      directory,
      run,
      plan: async (...argv) => JSON.parse((await run("plan", "--format", "json", ...argv)).stdout) as Plan,
    };
  }

  /** Commits, and makes further calls; gives what those print. */
  function commit(directory: string, edits: Edits, message: string, ...more: readonly (readonly string[])[]): string {
    for (const [file, text] of Object.entries(edits)) {
      const path = join(directory, file);
      mkdirSync(dirname(path), { recursive: true });
      if (text === null) rmSync(path);
      else writeFileSync(path, text);
    }
    return gitIn(directory, ["add", "--all"], ["commit", "--quiet", "--message", message], ...more);
  }

  function runner({ revision, depth, folder = ".", env = {} }: CloneOptions = {}): Runner {
    clones += 1;
    const directory = join(root, `runner-${clones}`, folder);
    const shallow = depth === undefined ? [] : [`--depth=${depth}`];
    gitIn(
      root,
      ["clone", "--quiet", ...shallow, `file://${join(root, "remote.git")}`, `runner-${clones}`],
      ...(revision === undefined ? [] : [["-C", `runner-${clones}`, "checkout", "--quiet", revision]]),
    );
    return at(directory, env);
  }

  gitIn(
    root,
    ["init", "--quiet", "--bare", "--initial-branch=main", "remote.git"],
    ["clone", "--quiet", "remote.git", "desk"],
    ["-C", "desk", "checkout", "--quiet", "-B", "main"],
  );

  return {
    root,
    sandbox,
    desk,
    git: (...args) => gitIn(desk, args),
    push(edits, message = "Edit") {
      return commit(desk, edits, message, ["push", "--quiet", "origin", "HEAD:main"], ["rev-parse", "HEAD"]);
    },
    runner,
    branch(edits, options) {
      const clone = runner(options);
      commit(clone.directory, edits, "Branch");
      return clone;
    },
    at,
    live() {
      const events = sandbox.service.dump().events as unknown as readonly Readonly<Record<string, unknown>>[];
      return Object.fromEntries(events.map((event) => [String(event.name), event]));
    },
    writes() {
      const calls = sandbox.control.calls().filter(({ method }) => method !== "GET");
      sandbox.control.clearCalls();
      return calls.map(({ method, path }) => `${method} ${path}`);
    },
    async close() {
      await sandbox.close();
      removeFolder(root);
    },
  };
}

/** What a plan says, one line for each thing that it would do. */
export function linesOf({ changes }: Pick<Plan, "changes">): readonly string[] {
  return changes.flatMap(({ address, action, transition, origin, edits }) => {
    if (action !== "update" && action !== "none") return [`${action} ${address} (${origin})`];
    const fields = edits.map((edit) => `${address}${edit.path} = ${JSON.stringify(edit.after)} (${edit.origin})`);
    return transition === null ? fields : [...fields, `${address} ${transition.to} (${origin})`];
  });
}
