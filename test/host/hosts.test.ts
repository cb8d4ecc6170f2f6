// The same questions to GitHub and GitLab, acted out: pages, limits, refusals, answers that get lost.
import { afterAll, afterEach, describe, expect, test } from "vitest";
import type { Host } from "../../src/host/host.ts";
import { openHost } from "../../src/host/hosts.ts";
import { outsideCalls } from "../../src/service/http/undici-transport.ts";
import { closedPort } from "../stage/closed-port.ts";
import { type EmulatedHost, startHost } from "../stage/emulated-hosts.ts";

const marker = "<!-- ticketing root production -->";
const { send, close } = outsideCalls({});
afterAll(close);

const started: EmulatedHost[] = [];
afterEach(async () => {
  for (const server of started.splice(0)) await server.close();
});

async function open(kind: "github" | "gitlab", self: string | null = kind === "gitlab" ? "bot" : null) {
  const server = await startHost(kind, self);
  started.push(server);
  const waits: number[] = [];
  return { server, host: hostAt(kind, server.apiUrl, server.token, waits), waits };
}

function hostAt(kind: "github" | "gitlab", apiUrl: string, token: string, waits: number[] = []): Host {
  const sleep = async (ms: number) => void waits.push(ms);
  return openHost(kind, { apiUrl, repository: "acme/events", token, send, sleep, now: () => 1_000_000 });
}

test("the comment of an app's token is found again", async () => {
  const { server, host } = await open("github", "shows-app[bot]");
  await host.putComment(7, null, marker);
  expect(await host.findComment(7, marker)).toMatchObject({ ok: true, value: { body: marker } });
  expect(server.requests.at(-1)).toBe("POST /graphql");
});

test("GitLab's words about a token that lacks a scope are shown", async () => {
  const { server, host } = await open("gitlab");
  server.next.push({ status: 403, body: '{"error":"insufficient_scope","error_description":"It lacks api."}' });
  expect(await host.putComment(7, null, marker)).toMatchObject({ message: "403 (It lacks api.)" });
});

test("a merge request that GitLab is still merging counts as merged, an open one does not", async () => {
  const { server, host } = await open("gitlab");
  server.commits.push({ sha: "a1", pullRequest: 3, state: "locked" }, { sha: "a2", pullRequest: 4, state: "opened" });
  expect(await host.mergedWith("a1")).toEqual({ ok: true, value: [{ number: 3, into: "main" }] });
  expect(await host.mergedWith("a2")).toEqual({ ok: true, value: [] });
});

describe.each(["github", "gitlab"] as const)("%s", (kind) => {
  const own = kind === "github" ? "github-actions[bot]" : "bot";

  test("a comment is posted once and edited from then on", async () => {
    const { server, host } = await open(kind);
    expect(await host.findComment(7, marker)).toMatchObject({ ok: true, value: null });
    await host.putComment(7, null, `${marker} one`);
    const found = await host.findComment(7, marker);
    if (!found.ok) throw new Error(found.message);
    await host.putComment(7, found.value, `${marker} two`);
    expect(server.comments.get(7)?.map(({ body }) => body)).toEqual([`${marker} two`]);
  });

  test("a comment on the last page is found", async () => {
    const { server, host } = await open(kind);
    server.pageSize = 2;
    server.comments.set(
      7,
      [1, 2, 3, 4, 5].map((id) => ({ id, body: id === 5 ? marker : "hello", author: own })),
    );
    expect(await host.findComment(7, marker)).toMatchObject({ ok: true, value: { id: 5 } });
  });

  test("a comment that a person wrote does not count, whatever it contains", async () => {
    const { server, host } = await open(kind);
    server.comments.set(7, [{ id: 1, body: `${marker} all reviewed`, author: "mallory" }]);
    expect(await host.findComment(7, marker)).toMatchObject({ ok: true, value: null });
  });

  test("a marker within our own comment does not count: it is a text of the files", async () => {
    const { server, host } = await open(kind);
    server.comments.set(7, [{ id: 1, body: `staging\n+ ${marker}`, author: own }]);
    expect(await host.findComment(7, marker)).toMatchObject({ ok: true, value: null });
  });

  test("a comment that is not certainly ours is a failure, not a reason for a second one", async () => {
    const { server, host } = await open(kind, "release-bot");
    server.comments.set(7, [{ id: 1, body: marker, author: "release-bot" }]);
    server.down = /\/user$/;
    expect(await host.findComment(7, marker)).toMatchObject({ ok: false, reason: "unreachable" });
    expect(await host.findIssue(marker)).toMatchObject({ ok: false, reason: "unreachable" });
  });

  test("a comment that was deleted is posted again", async () => {
    const { server, host } = await open(kind);
    const put = await host.putComment(
      7,
      { id: 999, body: "", author: null, isOpen: true, isIssue: true },
      `${marker} again`,
    );
    expect(put.ok).toBe(true);
    expect(server.comments.get(7)).toHaveLength(1);
  });

  test("the pull request that brought a commit is found; a commit without one has none", async () => {
    const { server, host } = await open(kind);
    server.commits.push({ sha: "a1", pullRequest: 3 }, { sha: "a2", pullRequest: null });
    expect(await host.mergedWith("a1")).toEqual({ ok: true, value: [{ number: 3, into: "main" }] });
    expect(await host.mergedWith("a2")).toEqual({ ok: true, value: [] });
  });

  test("an issue that a stranger opened with our marker is not ours", async () => {
    const { server, host } = await open(kind);
    server.issues.push({ number: 1, title: "x", body: marker, isOpen: true, author: "mallory" });
    expect(await host.findIssue(marker)).toEqual({ ok: true, value: null });
  });

  test("an issue is opened, updated, closed and opened again", async () => {
    const { server, host } = await open(kind);
    const first = await host.putIssue(null, { title: "Drift", body: marker, isOpen: true });
    if (!first.ok) throw new Error(first.message);
    const closed = await host.putIssue(first.value, { title: "Drift", body: marker, isOpen: false });
    expect(server.issues).toMatchObject([{ isOpen: false }]);
    const found = await host.findIssue(marker);
    expect(found).toEqual(closed);
    if (!found.ok) throw new Error(found.message);
    await host.putIssue(found.value, { title: "Drift again", body: marker, isOpen: true });
    expect(server.issues).toMatchObject([{ title: "Drift again", isOpen: true }]);
  });

  test("whether a run is over", async () => {
    const { server, host } = await open(kind);
    server.ended.add("12");
    const url = (id: number) =>
      kind === "github"
        ? `https://host.example/acme/events/actions/runs/${id}`
        : `https://host.example/acme/events/-/jobs/${id}`;
    expect(await host.hasEnded(url(12))).toBe(true);
    expect(await host.hasEnded(url(13))).toBe(false);
    expect(await host.hasEnded("https://elsewhere.example/run")).toBe(false);
  });

  test("a rate limit is waited for as long as it asks", async () => {
    const { server, host, waits } = await open(kind);
    server.next.push({ status: 429, headers: { "retry-after": "7" } });
    server.next.push({ status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1030" } });
    expect((await host.findComment(7, marker)).ok).toBe(true);
    expect(waits).toEqual([7_000, 30_000]);
  });

  test("a rate limit of an hour is not waited for", async () => {
    const { server, host } = await open(kind);
    server.next.push({ status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "4600" } });
    expect(await host.findComment(7, marker)).toMatchObject({
      ok: false,
      reason: "limited",
      message: "the host's rate limit is used up for 60 more minutes",
    });
  });

  test("a post that a rate limit keeps back is not sent a second time, and is no lack of rights", async () => {
    const { server, host } = await open(kind);
    server.next.push(...Array.from({ length: 9 }, () => ({ status: 403, headers: { "retry-after": "3600" } })));
    const put = await host.putComment(7, null, marker);
    expect(put).toMatchObject({ reason: "limited", message: "the host's rate limit is used up for 60 more minutes" });
    expect(server.requests).toHaveLength(1);
  });

  test("a limit that outlasts every attempt is reported as one", async () => {
    const { server, host } = await open(kind);
    server.next.push(...Array.from({ length: 9 }, () => ({ status: 403, headers: { "retry-after": "1" } })));
    const put = await host.putComment(7, null, marker);
    expect(put).toMatchObject({ reason: "limited", message: "the host's rate limit is used up for 1 more minute" });
    expect(server.requests).toHaveLength(4);
  });

  test("a comment that meets another writer is written after a moment", async () => {
    const { server, host, waits } = await open(kind);
    server.next.push({ status: 409, body: '{"message":"Conflict"}' });
    expect(await host.putComment(7, null, marker)).toMatchObject({ ok: true });
    expect([waits, server.comments.get(7)?.length]).toEqual([[1_000], 1]);
  });

  test("a read is tried again after a 502", async () => {
    const { server, host, waits } = await open(kind);
    server.next.push({ status: 502, body: "<html>" }, { status: 503, headers: { "retry-after": "3" } });
    expect((await host.findComment(7, marker)).ok).toBe(true);
    expect(waits).toEqual([1_000, 3_000]);
  });

  test("a post whose response was lost does not become a second comment", async () => {
    const { server, host } = await open(kind);
    server.next.push({ status: 502, body: "<html>", after: true });
    expect(await host.putComment(7, null, `${marker}\n`)).toMatchObject({ ok: true });
    expect(server.comments.get(7)).toHaveLength(1);
  });

  test("a post that was not heard is sent again", async () => {
    const { server, host } = await open(kind);
    server.next.push({ status: 502, body: "<html>" });
    expect(await host.putComment(7, null, marker)).toMatchObject({ ok: true });
    expect(server.comments.get(7)).toHaveLength(1);
  });

  test("a limit that is reported only in words, or by a date, is waited for", async () => {
    const { server, host, waits } = await open(kind);
    server.next.push({ status: 403, body: '{"message":"You have exceeded a secondary rate limit"}' });
    server.next.push({ status: 429, headers: { "retry-after": new Date(1_005_000).toUTCString() } });
    expect((await host.putComment(7, null, marker)).ok).toBe(true);
    expect(waits).toEqual([60_000, 5_000]);
  });

  test("a host that quotes the token is not quoted", async () => {
    const { server, host } = await open(kind);
    server.next.push({ status: 422, body: JSON.stringify({ message: `bad header ${server.token}` }) });
    expect(await host.putComment(7, null, marker)).toMatchObject({ message: "422 (bad header ***)" });
  });

  test.each([
    [401, "no-rights"],
    [403, "no-rights"],
    [404, "no-rights"],
    [409, "refused"],
    [422, "refused"],
  ])("%i is reported as it is, without the token", async (status, reason) => {
    const { server, host } = await open(kind);
    server.next.push(...Array.from({ length: 4 }, () => ({ status, body: '{"message":"Resource not accessible"}' })));
    const put = await host.putComment(7, null, marker);
    expect(put).toMatchObject({ ok: false, reason, message: `${status} (Resource not accessible)` });
    expect(JSON.stringify(put)).not.toContain(server.token);
  });

  test("the token does not follow a next page to another host", async () => {
    const { server, host } = await open(kind);
    server.next.push({ status: 200, headers: { link: '<https://evil.example/x>; rel="next"' }, body: "[]" });
    expect(await host.findComment(7, marker)).toMatchObject({ ok: false, reason: "refused" });
  });

  test("a host that does not answer", async () => {
    const host = hostAt(kind, closedPort, "token");
    const message = expect.stringMatching(/^127\.0\.0\.1:\d+ cannot be reached \(\w+\)$/);
    expect(await host.findComment(7, marker)).toMatchObject({ ok: false, reason: "unreachable", message });
  });
});
