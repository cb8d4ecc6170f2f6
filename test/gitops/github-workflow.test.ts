// The workflow that `init` writes, run as GitHub runs it: every script, on fresh clones, with the program from the tarball.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { httpRemote } from "../stage/git-remotes.ts";
import { type Desk, deskTime, openDesk, openMic } from "./desk.ts";
import { type GithubEvent, type GithubSetup, gitAuthorization, repositoryName, runGithub } from "./github-runner.ts";

let desk: Desk;
let setup: GithubSetup;
const repository = { default_branch: "live", full_name: repositoryName };
const changed = ["events/open-mic.yaml"];

describe.skipIf(process.platform === "win32")("on runners with bash", () => {
  beforeAll(async () => {
    desk = await openDesk("github");
    const { place, tools, bare, host, sandbox } = desk;
    const authorization = gitAuthorization(host.token);
    const [writable, readable] = await Promise.all([
      httpRemote(place, authorization),
      httpRemote(place, authorization),
    ]);
    readable.readOnly = true;
    setup = {
      place,
      tools,
      bare,
      writable,
      readable,
      apiUrl: host.apiUrl,
      token: host.token,
      secrets: { TICKETING_API_KEY: sandbox.apiKey },
      env: { TICKETING_NOW: deskTime },
    };
  }, 120_000);

  afterAll(async () => {
    await setup.writable.close();
    await setup.readable.close();
    await desk.close();
  });

  function pushed(sha: string): GithubEvent {
    return { name: "push", ref: "refs/heads/live", sha, changed, payload: { repository } };
  }

  /** The commit that GitHub makes to test the merge, and the event about it. */
  function pullRequest(number: number, head: string, from = repositoryName): GithubEvent {
    const { git } = desk;
    git("checkout", "--quiet", "--detach", "origin/live");
    git("merge", "--quiet", "--no-ff", "-m", `Merge ${head}`, head);
    const sha = git("rev-parse", "HEAD");
    git("push", "--quiet", "--force", "origin", `HEAD:refs/pull/${number}/merge`);
    const payload = { repository, pull_request: { number, head: { sha: head, repo: { full_name: from } } } };
    return { name: "pull_request", ref: `refs/pull/${number}/merge`, sha, changed, payload };
  }

  test("pull request, merge, apply, drift, dispatch", async () => {
    const { host } = desk;
    const begun = await runGithub(setup, pushed(desk.commit({ "events/open-mic.yaml": openMic(500) }, "live")));
    expect(Object.keys(begun)).toEqual(["apply"]);
    expect(begun.apply, begun.apply?.log).toMatchObject({ exitCode: 0 });
    expect(desk.livePrices()).toEqual([500]);

    const head = desk.commit({ "events/open-mic.yaml": openMic(600) }, "price");
    const planned = await runGithub(setup, pullRequest(7, head));
    expect(Object.keys(planned)).toEqual(["validate", "plan"]);
    expect(planned.validate, planned.validate?.log).toMatchObject({ exitCode: 0 });
    expect(planned.plan, planned.plan?.log).toMatchObject({ exitCode: 0 });
    expect(planned.plan?.artifacts).toEqual(expect.arrayContaining(["plan.html", "plan.json"]));
    expect(host.comments.get(7)?.map(({ body }) => body)).toEqual([expect.stringContaining("₱500 → ₱600")]);
    const queued = await runGithub(setup, { ...pullRequest(8, head), name: "merge_group", payload: { repository } });
    expect(queued).toMatchObject({ validate: { exitCode: 0 }, plan: { exitCode: 0 } });
    expect(desk.livePrices()).toEqual([500]);

    const merged = desk.merge(head, 7);
    const applied = await runGithub(setup, pushed(merged));
    expect(applied.apply, applied.apply?.log).toMatchObject({ exitCode: 0 });
    expect(desk.livePrices()).toEqual([600]);

    const night: GithubEvent = { name: "schedule", ref: "refs/heads/live", sha: merged, payload: { repository } };
    const quiet = await runGithub(setup, night);
    expect(Object.keys(quiet)).toEqual(["drift"]);
    expect(quiet.drift, quiet.drift?.log).toMatchObject({ exitCode: 0 });
    await desk.setLivePrice(999);
    const drifted = await runGithub(setup, night);
    expect(drifted.drift, drifted.drift?.log).toMatchObject({ exitCode: 2 });
    expect(host.issues.filter(({ isOpen }) => isOpen)).toHaveLength(1);

    const byHand = { name: "workflow_dispatch", ref: "refs/heads/live", sha: merged, payload: { repository } } as const;
    const touched = join(desk.place, "touched");
    const hostile = `$(touch ${touched}); "`;
    const refused = await runGithub(setup, {
      ...byHand,
      inputs: { allow: hostile, target: hostile, unreviewed: "hold" },
    });
    expect(refused.apply?.exitCode).toBe(1);
    expect(existsSync(touched)).toBe(false);
    const dispatched = await runGithub(setup, {
      ...byHand,
      inputs: { allow: "price-change-with-sales, delete-event", target: "events/open-mic", unreviewed: "apply" },
    });
    expect(dispatched.apply, dispatched.apply?.log).toMatchObject({ exitCode: 0 });
    expect(desk.livePrices()).toEqual([600]);
    await runGithub(setup, night);
    expect(host.issues.filter(({ isOpen }) => isOpen)).toEqual([]);

    const strict = `${desk.git("show", `${merged}:ticketing.yaml`)}\nreview: { unreviewed: stop }\n`;
    const stricter = desk.commit({ "ticketing.yaml": strict }, "strict");
    await runGithub(setup, pullRequest(9, stricter));
    expect((await runGithub(setup, pushed(desk.merge(stricter, 9)))).apply?.exitCode).toBe(0);
    const unseen = desk.merge(desk.commit({ "events/open-mic.yaml": openMic(650) }, "unseen"), 10);
    const stopped = await runGithub(setup, { ...byHand, sha: unseen });
    expect(stopped.apply?.log).toContain("error[unreviewed]");
    const held = await runGithub(setup, { ...byHand, sha: unseen, inputs: { unreviewed: "hold" } });
    expect(held.apply?.log).toContain("warning[unreviewed]");
    expect(desk.livePrices()).toEqual([600]);
  }, 300_000);

  test("a pull request from a fork is validated, and says why it is not planned", async () => {
    const fork = { ...setup, secrets: {} };
    const head = desk.commit({ "events/open-mic.yaml": openMic(700) }, "from-fork");
    const ran = await runGithub(fork, pullRequest(9, head, "stranger/events"));
    expect(Object.keys(ran)).toEqual(["validate"]);
    expect(ran.validate, ran.validate?.log).toMatchObject({ exitCode: 0 });
    expect(ran.validate?.summary).toContain("No plan: jobs for pull requests from forks");
    const broken = desk.commit({ "events/open-mic.yaml": openMic(700).replace("price", "prize") }, "from-fork");
    expect((await runGithub(fork, pullRequest(9, broken, "stranger/events"))).validate?.exitCode).toBe(1);
  }, 120_000);

  test("what does not concern the project starts nothing, and another branch is not applied", async () => {
    const sha = desk.commit({ "notes.txt": "nothing\n" }, "notes");
    expect(await runGithub(setup, { ...pushed(sha), changed: ["notes.txt"] })).toEqual({});
    expect(await runGithub(setup, { ...pushed(sha), ref: "refs/heads/notes" })).toEqual({});
    const byHand = { name: "workflow_dispatch", ref: "refs/heads/notes", sha, payload: { repository } } as const;
    expect(await runGithub(setup, byHand)).toEqual({});
  }, 60_000);
});
