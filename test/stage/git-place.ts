// A real remote, clones of it and a service: the loop as runners live it. Every clone forgets everything.
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import { gitCalls } from "./git-calls.ts";
import { removeFolder } from "./remove-folder.ts";
import { ticketing } from "./test-world.ts";

const now = "2027-01-10T00:00:00Z";

export interface GitPlace {
  /** Holds `remote.git` and the clones. */
  readonly root: string;
  readonly remote: string;
  readonly sandbox: Sandbox;
  /** Commits files to the default branch of the remote. */
  commit(files: Readonly<Record<string, string>>, message?: string): void;
  /** A fresh clone. */
  clone(name: string, ...flags: readonly string[]): string;
  git(folder: string, ...args: readonly string[]): string;
  /** A command in a folder, within this process. */
  run(folder: string, ...words: readonly string[]): ReturnType<typeof ticketing>;
  /** A file of the state's ref; null where there is none. */
  stored(file: string, ref?: string): string | null;
  /** What was written to the service. */
  writes(): readonly string[];
  close(): Promise<void>;
}

export const production = "refs/ticketing/root/production";

export function eventFile(name: string, more = ""): string {
  return `name: ${name}\ndateTime: 2027-03-14T19:00:00+08:00\ntimezone: Asia/Manila\n${more}`;
}

export async function openGitPlace(settings = "state: { backend: git }\n"): Promise<GitPlace> {
  const root = mkdtempSync(join(tmpdir(), "git-place-"));
  const remote = join(root, "remote.git");
  const sandbox = await startSandbox({ organization: { slug: "bayside" }, now: () => Date.parse(now) });
  const env = { TICKETING_API_KEY: sandbox.apiKey, TICKETING_NOW: now, HOME: root, GIT_CONFIG_NOSYSTEM: "1" };

  const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "protocol.file.allow=always"];
  const git = (folder: string, ...args: readonly string[]) => gitCalls(folder, identity, [args]);

  function commit(files: Readonly<Record<string, string>>, message = "a change"): void {
    const folder = join(root, "author");
    if (!existsSync(folder)) git(root, "clone", "-q", remote, folder);
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    gitCalls(folder, identity, [
      ["add", "-A"],
      ["commit", "-qm", message],
      ["push", "-q", "origin", "HEAD:main"],
    ]);
  }

  git(root, "init", "-q", "--bare", "-b", "main", remote);
  commit({
    "ticketing.yaml": `version: 1\n${settings}defaultEnvironment: production\nenvironments:\n  production: { baseUrl: "${sandbox.baseUrl}", apiKeyEnv: TICKETING_API_KEY }\n`,
    "events/manila-nights.yaml": eventFile("Manila Nights", "tickets:\n  - { name: GA, price: 1500, quantity: 500 }\n"),
  });

  return {
    root,
    remote,
    sandbox,
    commit,
    git,
    clone(name, ...flags) {
      git(root, "clone", "-q", ...flags, remote, name);
      return join(root, name);
    },
    run: (folder, ...words) =>
      ticketing([...words, "-C", folder], { env, now: () => Date.parse(now), timeouts: { headersMs: 5_000 } }),
    stored(file, ref = production) {
      try {
        return git(remote, "cat-file", "blob", `${ref}:${file}`);
      } catch {
        return null;
      }
    },
    writes: () =>
      sandbox.control
        .calls()
        .filter(({ method }) => method !== "GET")
        .map(({ method, path }) => `${method} ${path.replace(/[0-9a-f-]{36}/g, "ID")}`),
    async close() {
      await sandbox.abandon();
      removeFolder(root);
    },
  };
}
