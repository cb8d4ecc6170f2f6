// How each code of CI jobs comes up: jobs on clones that forget everything, next to a host that keeps comments and issues.

import { openGitPlace } from "../stage/git-place.ts";
import { ticketing } from "../stage/test-world.ts";
import { draft, type Loop, manilaNights, openLoop } from "./hosted-loop.ts";
import type { Cleanup, Situation } from "./situations.ts";

async function hosted(later: Cleanup): Promise<Loop> {
  const loop = await openLoop();
  later(() => loop.close());
  return loop;
}

const gala = { "events/gala.yaml": draft("Gala", 100) };
const refused = { status: 403, body: '{"message":"Resource not accessible by integration"}' };

async function said(loop: Loop, ...job: Parameters<Loop["ci"]>): Promise<string> {
  const { stdout, stderr } = await loop.ci(...job);
  return `${stderr}\n${stdout}`;
}

/** A pull request that changes a price, planned and merged; `edit` is what happens in between. */
async function merged(later: Cleanup, edit: (loop: Loop) => unknown): Promise<Loop> {
  const loop = await hosted(later);
  await loop.ci(["ci", "apply"]);
  const pullRequest = loop.openPullRequest({ "events/manila-nights.yaml": manilaNights(1800) });
  await loop.ci(["ci", "plan"], { pullRequest });
  await edit(loop);
  loop.merge(pullRequest);
  return loop;
}

export const ciSituations: Readonly<Record<string, Situation>> = {
  "sandbox-in-ci": async () => {
    const { stderr } = await ticketing(["ci", "plan", "--env", "sandbox"]);
    return stderr;
  },
  "pull-request-target": async (later) => {
    const loop = await hosted(later);
    const pullRequest = loop.openPullRequest(gala);
    return said(loop, ["ci", "plan"], { pullRequest, env: { GITHUB_EVENT_NAME: "pull_request_target" } });
  },
  "no-default-branch": async (later) => {
    const place = await openGitPlace("");
    later(() => place.close());
    const clone = place.clone("one");
    place.git(clone, "remote", "remove", "origin");
    const { stdout, stderr } = await place.run(clone, "ci", "plan", "--env", "production");
    return `${stderr}\n${stdout}`;
  },
  "branch-not-fetched": async (later) => {
    const place = await openGitPlace("");
    later(() => place.close());
    const clone = place.clone("one");
    place.git(clone, "rm", "-q", "events/manila-nights.yaml");
    place.git(clone, "commit", "-qm", "a change");
    place.git(clone, "remote", "set-url", "origin", `${place.remote}.away`);
    const ran = await place.run(clone, "ci", "plan", "--env", "production");
    return `${ran.stderr}\n${ran.stdout}`;
  },
  "no-host-token": async (later) => {
    const loop = await hosted(later);
    const pullRequest = loop.openPullRequest(gala);
    return said(loop, ["ci", "plan"], { pullRequest, env: { GITHUB_TOKEN: undefined } });
  },
  "comment-not-posted": async (later) => {
    const loop = await hosted(later);
    const pullRequest = loop.openPullRequest(gala);
    loop.host.next.push(refused);
    return said(loop, ["ci", "plan"], { pullRequest });
  },
  "issue-not-written": async (later) => {
    const loop = await hosted(later);
    await loop.ci(["ci", "apply"]);
    const [event] = loop.sandbox.service.dump().events;
    await fetch(`${loop.sandbox.baseUrl}/events/${event?.id}`, {
      method: "PATCH",
      headers: { "api-key": loop.sandbox.apiKey, "content-type": "application/json" },
      body: JSON.stringify({ eventCapacity: 800 }),
    });
    loop.host.next.push(refused, refused, refused);
    return said(loop, ["ci", "drift"], { event: "schedule" });
  },
  "not-written": async (later) => {
    const loop = await hosted(later);
    const pullRequest = loop.openPullRequest(gala);
    return said(loop, ["ci", "plan", "--comment-file", "missing-folder/plan.md"], { pullRequest });
  },
  unreviewed: async (later) => {
    const loop = await hosted(later);
    await loop.ci(["ci", "apply"]);
    loop.merge(loop.openPullRequest({ "events/manila-nights.yaml": manilaNights(1800) }));
    return said(loop, ["ci", "apply"]);
  },
  "review-unreadable": async (later) => said(await hosted(later), ["apply", "--yes", "--reviewed", "plan.md"]),
  "reviews-not-read": async (later) => {
    const loop = await merged(later, ({ host }) => host.next.push(refused));
    return said(loop, ["ci", "apply"]);
  },
  "review-not-counted": async (later) => {
    const loop = await merged(later, () => undefined);
    // A key since then: what is not signed with it may be anybody's.
    return said(loop, ["ci", "apply"], { env: { TICKETING_PLAN_KEY: "k".repeat(32) } });
  },
  "overwrites-a-change": async (later) => {
    const loop = await merged(later, async ({ sandbox: { service } }) => {
      const [ticket] = service.dump().tickets as unknown as readonly Readonly<Record<"id" | "eventId", string>>[];
      await service.call("PATCH", `/events/${ticket?.eventId}/tickets/${ticket?.id}`, { price: 1600 });
    });
    return said(loop, ["ci", "apply"]);
  },
  "budget-too-small": async (later) => {
    const loop = await hosted(later);
    await loop.ci(["ci", "apply"]);
    return said(loop, ["ci", "drift", "--budget", "1"], { event: "schedule" });
  },
};
