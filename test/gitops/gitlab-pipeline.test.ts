// The jobs that `init` writes for GitLab: expanded by a program that knows GitLab's rules, and run on fresh clones, every script.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type HttpRemote, httpRemote } from "../stage/git-remotes.ts";
import { type Desk, deskTime, openDesk, openMic } from "./desk.ts";

const require = createRequire(import.meta.url);
const gitlab = join(dirname(require.resolve("gitlab-ci-local/package.json")), "dist/index.js");

interface GitlabJob {
  readonly before_script: readonly string[];
  readonly script: readonly string[];
}

let desk: Desk;
let remote: HttpRemote;
let jobs: Readonly<Record<string, GitlabJob>> | undefined;

describe.skipIf(process.platform === "win32")("on runners with bash", () => {
  beforeAll(async () => {
    desk = await openDesk("gitlab");
    const user = Buffer.from(`ticketing:${desk.host.token}`).toString("base64");
    remote = await httpRemote(desk.place, `Basic ${user}`);
  }, 120_000);

  afterAll(async () => {
    await remote.close();
    await desk.close();
  });

  /** The jobs with everything that they include and extend, as GitLab makes of it. */
  async function expandedJobs(): Promise<Readonly<Record<string, GitlabJob>>> {
    const workspace = cloneAt("live");
    const child = spawn(process.execPath, [gitlab, "--preview"], {
      cwd: workspace,
      stdio: ["ignore", "pipe", "ignore"],
    });
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    await once(child, "close");
    return parse(text.slice(text.indexOf("---"))) as Readonly<Record<string, GitlabJob>>;
  }

  function cloneAt(revision: string): string {
    const workspace = join(mkdtempSync(join(desk.place, "machine-")), "workspace");
    execFileSync("git", ["clone", "--quiet", `file://${desk.bare}`, workspace], { stdio: "pipe" });
    execFileSync("git", ["-C", workspace, "checkout", "--quiet", "--detach", revision], { stdio: "pipe" });
    return workspace;
  }

  /** As GitLab's runner does it: all lines in one shell. A job's own token may fetch and not push; GITLAB_TOKEN may. */
  async function runJob(name: string, sha: string, variables: Readonly<Record<string, string>>) {
    const { host, sandbox } = desk;
    jobs ??= await expandedJobs();
    const { before_script = [], script = [] } = jobs[name] ?? {};
    const workspace = cloneAt(sha);
    execFileSync("git", ["-C", workspace, "remote", "set-url", "--push", "origin", `${remote.url}/refused.git`]);
    const prefix = join(dirname(workspace), "prefix");
    const child = spawn("bash", ["-c", ["set -eo pipefail", ...before_script, ...script].join("\n")], {
      cwd: workspace,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: `${prefix}/bin:${desk.tools}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
        HOME: dirname(workspace),
        npm_config_prefix: prefix,
        npm_config_registry: "http://127.0.0.1:9/",
        CI: "true",
        GITLAB_CI: "true",
        CI_API_V4_URL: host.apiUrl,
        CI_COMMIT_BRANCH: "live",
        CI_COMMIT_SHA: sha,
        CI_DEFAULT_BRANCH: "live",
        CI_JOB_URL: "https://gitlab.example/acme/events/-/jobs/1",
        CI_PROJECT_ID: "7",
        CI_PROJECT_URL: `${remote.url}/acme/events`,
        GITLAB_TOKEN: host.token,
        TICKETING_ALLOW: "",
        TICKETING_TARGET: "",
        TICKETING_UNREVIEWED: "",
        TICKETING_API_KEY: sandbox.apiKey,
        TICKETING_NOW: deskTime,
        ...variables,
      },
    });
    let log = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        log += chunk.toString();
      });
    }
    const [exitCode] = await once(child, "close");
    return { exitCode, log };
  }

  const request = {
    CI_PIPELINE_SOURCE: "merge_request_event",
    CI_MERGE_REQUEST_IID: "7",
    CI_MERGE_REQUEST_PROJECT_ID: "7",
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "7",
  };

  test("merge request, merge, apply, drift, by hand", async () => {
    const { host } = desk;
    const first = desk.commit({ "events/open-mic.yaml": openMic(500) }, "live");
    const begun = await runJob("ticketing apply production", first, { CI_PIPELINE_SOURCE: "push" });
    expect(begun.exitCode, begun.log).toBe(0);
    expect(desk.livePrices()).toEqual([500]);

    const head = desk.commit({ "events/open-mic.yaml": openMic(600) }, "price");
    const valid = await runJob("ticketing validate", head, { ...request, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "8" });
    expect(valid.exitCode, valid.log).toBe(0);
    expect(valid.log).toContain("No plan: pipelines of merge requests from forks");
    const planned = await runJob("ticketing plan production", head, request);
    expect(planned.exitCode, planned.log).toBe(0);
    expect(host.comments.get(7)?.map(({ body }) => body)).toEqual([expect.stringContaining("₱500 → ₱600")]);

    const merged = desk.merge(head, 7);
    const applied = await runJob("ticketing apply production", merged, { CI_PIPELINE_SOURCE: "push" });
    expect(applied.exitCode, applied.log).toBe(0);
    expect(desk.livePrices()).toEqual([600]);

    await desk.setLivePrice(999);
    const drifted = await runJob("ticketing drift production", merged, { CI_PIPELINE_SOURCE: "schedule" });
    expect(drifted.exitCode, drifted.log).toBe(2);
    expect(host.issues.filter(({ isOpen }) => isOpen)).toHaveLength(1);
    const byHand = await runJob("ticketing apply production", merged, {
      CI_PIPELINE_SOURCE: "web",
      TICKETING_TARGET: "events/open-mic",
      TICKETING_UNREVIEWED: "apply",
    });
    expect(byHand.exitCode, byHand.log).toBe(0);
    expect(desk.livePrices()).toEqual([600]);
  }, 300_000);
});
