// What the tests of generated jobs begin with: a remote, the author's clone of it with a project that `init` made, a service behind
// HTTP, and an emulated host.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import { buildProgram, runProgram } from "../bin/program.ts";
import { type EmulatedHost, startHost } from "../stage/emulated-hosts.ts";
import { removeFolder } from "../stage/remove-folder.ts";

export const deskTime = "2027-01-10T00:00:00Z";

export interface Desk {
  readonly place: string;
  /** What comes first on the PATH of its machines. */
  readonly tools: string;
  readonly bare: string;
  readonly sandbox: Sandbox;
  readonly host: EmulatedHost;
  git(...args: readonly string[]): string;
  /** Commits on what is checked out, and pushes it to a branch; gives the commit. */
  commit(files: Readonly<Record<string, string>>, branch: string): string;
  /** Merges into the default branch, as a host does; gives the commit. */
  merge(head: string, pullRequest: number): string;
  livePrices(): readonly number[];
  /** What somebody does in the dashboard. */
  setLivePrice(price: number): Promise<void>;
  close(): Promise<void>;
}

export const openMic = (price: number) => `name: Open Mic
dateTime: 2027-03-14T19:00
endDateTime: 2027-03-14T22:00
locationType: ONLINE
tickets:
  - { name: GA, price: ${price}, quantity: 100, published: true }
`;

interface LiveTicket {
  readonly id: string;
  readonly eventId: string;
  readonly price: number;
}

/** What jobs install is the same for each of them, and takes a second: npm does it for the first, the others get a copy. */
const npmOnce = `#!/bin/sh
tools=$(dirname "$0")
kept="$tools/$(echo "$@" | cksum | tr -d ' ')"
if [ ! -e "$kept" ]; then
  env PATH="$(echo "$PATH" | sed "s#$tools:##")" npm "$@" || exit
  cp -R "$npm_config_prefix" "$kept"
else
  cp -R "$kept/." "$npm_config_prefix"
fi
`;

/** The default branch is `live`: no one may guess it. */
export async function openDesk(kind: "github" | "gitlab"): Promise<Desk> {
  buildProgram();
  const place = mkdtempSync(join(tmpdir(), `ticketing-${kind}-`));
  const bare = join(place, "acme/events.git");
  const desk = join(place, "desk");
  const run = (cwd: string, ...args: readonly string[]) => {
    const identity = ["-c", "user.name=Ana", "-c", "user.email=ana@example.com"];
    return execFileSync("git", ["-C", cwd, ...identity, ...args], { encoding: "utf8", stdio: "pipe" }).trim();
  };
  const git = (...args: readonly string[]) => run(desk, ...args);
  const tools = join(place, "tools");
  mkdirSync(tools);
  writeFileSync(join(tools, "npm"), npmOnce, { mode: 0o755 });
  run(place, "init", "--quiet", "--bare", "-b", "live", bare);
  run(place, "clone", "--quiet", `file://${bare}`, desk);
  git("checkout", "--quiet", "-B", "live");
  git("commit", "--quiet", "--allow-empty", "-m", "First");
  git("push", "--quiet", "origin", "live");
  const sandbox = await startSandbox({ organization: { slug: "acme-live" }, now: () => Date.parse(deskTime) });
  const host = await startHost(kind, kind === "gitlab" ? "ticketing-bot" : null);
  const service = ["--env", "production", "--base-url", sandbox.baseUrl, "--organization", "acme-live"];
  const made = runProgram(["init", "--yes", "--ci", kind, ...service], { cwd: desk, env: { TICKETING_NOW: deskTime } });
  if (made.exitCode !== 0) throw new Error(made.stderr);
  rmSync(join(desk, "events"), { recursive: true });
  const tickets = () => (sandbox.service.dump() as unknown as { readonly tickets: readonly LiveTicket[] }).tickets;

  return {
    place,
    tools,
    bare,
    sandbox,
    host,
    git,
    commit(files, branch) {
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(join(desk, file)), { recursive: true });
        writeFileSync(join(desk, file), text);
      }
      git("add", "--all");
      git("commit", "--quiet", "-m", "Edit");
      git("push", "--quiet", "--force", "origin", `HEAD:refs/heads/${branch}`);
      const sha = git("rev-parse", "HEAD");
      if (branch === "live") host.commits.push({ sha, pullRequest: null });
      return sha;
    },
    merge(head, pullRequest) {
      git("checkout", "--quiet", "-B", "live", "origin/live");
      git("merge", "--quiet", "--no-ff", "-m", `Merge pull request #${pullRequest}`, head);
      git("push", "--quiet", "origin", "live");
      const sha = git("rev-parse", "HEAD");
      host.commits.push({ sha, pullRequest, into: "live" });
      return sha;
    },
    livePrices: () => tickets().map(({ price }) => price),
    async setLivePrice(price) {
      const [ticket] = tickets();
      const response = await fetch(`${sandbox.baseUrl}/events/${ticket?.eventId}/tickets/${ticket?.id}`, {
        method: "PATCH",
        headers: { "api-key": sandbox.apiKey, "content-type": "application/json" },
        body: JSON.stringify({ price }),
      });
      if (response.status !== 200) throw new Error(await response.text());
    },
    async close() {
      await host.close();
      await sandbox.close();
      removeFolder(place);
    },
  };
}
