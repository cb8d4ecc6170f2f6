// The same questions to GitHub and GitLab, acted out: pages, limits, refusals, answers that get lost.
import { afterEach, describe, expect, test } from "vitest";
import type { Host, HostSend } from "../../src/host/host.ts";
import { openHost } from "../../src/host/hosts.ts";
import { type EmulatedHost, startHost } from "./emulated-hosts.ts";

const marker = "<!-- ticketing root production -->";
const send: HostSend = async ({ method, url, headers, body }) => {
  try {
    const response = await fetch(url, { method, headers, body, redirect: "manual" });
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
  } catch (error) {
    return { status: 0, headers: {}, body: String(error) };
  }
};

const started: EmulatedHost[] = [];
afterEach(async () => {
  for (const server of started.splice(0)) await server.close();
});

async function open(kind: "github" | "gitlab", self: string | null = kind === "gitlab" ? "bot" : null) {
  const server = await startHost(kind, self);
  started.push(server);
  const waits: number[] = [];
  const host: Host = openHost(kind, {
    apiUrl: server.apiUrl,
    repository: "acme/events",
    token: server.token,
    send,
    sleep: async (ms) => void waits.push(ms),
    now: () => 1_000_000,
  });
  return { server, host, waits };
}

describe.each(["github", "gitlab"] as const)("%s", (kind) => {
  const own = kind === "github" ? "github-actions[bot]" : "bot";

  test("a comment is posted once and edited from then on", async () => {
    const { server, host } = await open(kind);
    expect(await host.findComment(7, marker)).toEqual({ ok: true, value: null });
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
    expect(await host.findComment(7, marker)).toMatchObject({ ok: true, value: { id: "5" } });
  });

  test("a comment that a person wrote does not count, whatever it contains", async () => {
    const { server, host } = await open(kind);
    server.comments.set(7, [{ id: 1, body: `${marker} all reviewed`, author: "mallory" }]);
    expect(await host.findComment(7, marker)).toEqual({ ok: true, value: null });
  });

  test("a comment that was deleted is posted anew", async () => {
    const { server, host } = await open(kind);
    const put = await host.putComment(7, { id: "999", body: "", url: "" }, `${marker} again`);
    expect(put.ok).toBe(true);
    expect(server.comments.get(7)).toHaveLength(1);
  });

  test("pull requests merged between two commits are found, each once", async () => {
    const { server, host } = await open(kind);
    server.commits.push(
      { sha: "a1", pullRequest: 1 },
      { sha: "a2", pullRequest: 3 },
      { sha: "a3", pullRequest: 2 },
      { sha: "a4", pullRequest: 3 },
      { sha: "a5", pullRequest: null },
    );
    const merged = await host.mergedBetween("a1", "a5");
    expect(merged.ok && merged.value.map(({ number }) => number)).toEqual([2, 3]);
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
      reason: "unreachable",
      message: "Its rate limit is used up for 60 more minutes.",
    });
  });

  test("a read is tried again after a 502; a post is not, because it may have taken effect", async () => {
    const { server, host } = await open(kind);
    server.next.push({ status: 502, body: "<html>" });
    expect((await host.findComment(7, marker)).ok).toBe(true);
    server.next.push({ status: 502, body: "<html>", after: true });
    expect(await host.putComment(7, null, marker)).toMatchObject({ ok: false, reason: "unreachable" });
    expect(server.comments.get(7)).toHaveLength(1);
  });

  test.each([
    [401, "no-rights"],
    [403, "no-rights"],
    [404, "no-rights"],
    [409, "refused"],
    [422, "refused"],
  ])("%i is told as it is, without the token", async (status, reason) => {
    const { server, host } = await open(kind);
    server.next.push({ status, body: '{"message":"Resource not accessible"}' });
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
    const { server, host } = await open(kind);
    await started.pop()?.close();
    expect(await host.findComment(7, marker)).toMatchObject({ ok: false, reason: "unreachable" });
    expect(server.requests).toEqual([]);
  });
});
