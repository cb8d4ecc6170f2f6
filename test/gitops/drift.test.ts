// `ci drift` every night: what was changed on the service, distinguished from what is merged and not applied yet.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import { draft, type Loop, manilaNights, openLoop } from "./hosted-loop.ts";

let loop: Loop;
afterEach(async () => loop.close());

/** What somebody does in the dashboard, a minute after the last run. */
async function edit(path: string, body: unknown): Promise<void> {
  loop.clock.now += 60_000;
  const response = await fetch(`${loop.sandbox.baseUrl}${path}`, {
    method: "PATCH",
    headers: { "api-key": loop.sandbox.apiKey, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
}

async function create(name: string): Promise<void> {
  const response = await fetch(`${loop.sandbox.baseUrl}/events`, {
    method: "POST",
    headers: { "api-key": loop.sandbox.apiKey, "content-type": "application/json" },
    body: JSON.stringify({
      name,
      dateTime: "2027-06-01T11:00:00.000Z",
      endDateTime: "2027-06-01T15:00:00.000Z",
      eventCapacity: 10,
      venueId: "11111111-1111-4111-8111-111111111111",
    }),
  });
  expect(response.status).toBe(201);
}

async function idOf(name: string): Promise<string> {
  for (const status of ["DRAFT", "PUBLISHED"]) {
    const response = await fetch(`${loop.sandbox.baseUrl}/events?status=${status}&search=${encodeURIComponent(name)}`, {
      headers: { "api-key": loop.sandbox.apiKey },
    });
    const { data } = (await response.json()) as { data: { id: string; name: string }[] };
    const found = data.find((each) => each.name === name);
    if (found !== undefined) return found.id;
  }
  throw new Error(`no event ${name}`);
}

async function applied(kind: "github" | "gitlab" = "github"): Promise<void> {
  loop = await openLoop(kind);
  const ran = await loop.ci(["apply", "--yes"]);
  expect(ran.exitCode, ran.stderr + ran.stdout).toBe(0);
}

describe.each(["github", "gitlab"] as const)("on %s", (kind) => {
  test("an issue is opened for drift, updated, and closed when it is gone", async () => {
    await applied(kind);
    expect((await loop.ci(["ci", "drift"], { event: "schedule" })).exitCode).toBe(0);
    expect(loop.host.issues).toEqual([]);
    await edit(`/events/${await idOf("Manila Nights")}`, { eventCapacity: 900 });
    const ran = await loop.ci(["ci", "drift"], { event: "schedule" });
    expect(ran.exitCode, ran.stderr).toBe(2);
    expect(loop.host.issues).toHaveLength(1);
    const [issue] = loop.host.issues;
    expect(issue).toMatchObject({ title: "Drift on production: the service differs from the files", isOpen: true });
    expect(issue?.body).toContain("Manila Nights: eventCapacity 900 on the service, 700 in the files");
    expect(issue?.body).toMatch(
      /# to keep it\nticketing import manila-nights --env production\n# to undo it\nticketing apply --env production --target events\/manila-nights/,
    );
    await edit(`/events/${await idOf("Manila Nights")}`, { eventCapacity: 800 });
    await loop.ci(["ci", "drift"], { event: "schedule" });
    expect(loop.host.issues).toHaveLength(1);
    expect(loop.host.issues[0]?.body).toContain("eventCapacity 800 on the service, 700 in the files");
    await edit(`/events/${await idOf("Manila Nights")}`, { eventCapacity: 700 });
    expect((await loop.ci(["ci", "drift"], { event: "schedule" })).exitCode).toBe(0);
    expect(loop.host.issues).toMatchObject([{ isOpen: false }]);
  });
});

test("what was changed on the service is drift also where a merged change of the same field is blocked", async () => {
  await applied();
  loop.sandbox.control.sell({ event: "Manila Nights", ticket: "GA", count: 3 });
  loop.commit({ "events/manila-nights.yaml": manilaNights(1600) });
  expect((await loop.ci(["ci", "apply"])).exitCode).toBe(1);
  const waiting = await loop.ci(["ci", "drift"], { event: "schedule" });
  expect([waiting.exitCode, waiting.stdout]).toEqual([0, expect.stringContaining("No drift was found.")]);
  const [ticket] = loop.sandbox.service.dump().tickets as unknown as readonly { readonly id: string }[];
  await edit(`/events/${await idOf("Manila Nights")}/tickets/${ticket?.id}`, { price: 1 });
  const ran = await loop.ci(["ci", "drift"], { event: "schedule" });
  expect(ran.exitCode, ran.stdout).toBe(2);
  expect(ran.stdout).toContain("GA of Manila Nights: price ₱1 on the service, ₱1,600 in the files");
  expect(ran.stdout).toContain("Blocked: GA of Manila Nights: ₱1 → ₱1,600");
  expect(loop.host.issues).toHaveLength(1);
});

test("a merge that is not applied yet is no drift, and is listed apart", async () => {
  await applied();
  loop.commit({ "events/manila-nights.yaml": manilaNights(1800), "events/gala.yaml": draft("Gala", 100) });
  await create("Somebody else's party");
  const ran = await loop.ci(["ci", "drift"], { event: "schedule" });
  expect(ran.exitCode, ran.stderr + ran.stdout).toBe(0);
  expect(ran.stdout).toContain("Merged and not applied yet:\n");
  expect(ran.stdout).toContain("GA of Manila Nights: ₱1,500 → ₱1,800");
  expect(ran.stdout).toContain("Gala: new on");
  expect(ran.stdout).toMatch(/On the service, not in the files:\n {2}Somebody else's party \(DRAFT, /);
  expect(loop.host.issues).toEqual([]);
});

test("drift next to an unapplied merge: both are reported, exit 2", async () => {
  await applied();
  loop.commit({ "events/manila-nights.yaml": manilaNights(1800) });
  await edit(`/events/${await idOf("Manila Nights")}`, { eventCapacity: 900 });
  const ran = await loop.ci(["ci", "drift"], { event: "schedule" });
  expect(ran.exitCode).toBe(2);
  const body = loop.host.issues[0]?.body ?? "";
  expect(body).toContain("eventCapacity 900 on the service, 700 in the files");
  expect(body).toContain("### Merged and not applied yet\n\n- GA of Manila Nights: ₱1,500 → ₱1,800");
});

describe("a checkout that is older than what was applied", () => {
  /** The commit of the older one. */
  async function appliedSince(): Promise<string> {
    await applied();
    const revision = loop.commit({});
    loop.commit({
      "events/manila-nights.yaml": `# One more line.\n${manilaNights(1800)}`,
      "events/gala.yaml": draft("Gala", 100),
    });
    expect((await loop.ci(["ci", "apply"])).exitCode).toBe(0);
    return revision;
  }

  test("in a job, what was applied is compared", async () => {
    const revision = await appliedSince();
    const job = { event: "schedule", revision };
    const same = await loop.ci(["ci", "drift"], job);
    expect([same.exitCode, same.stdout]).toEqual([
      0,
      expect.stringContaining("No drift was found.\n2 events checked."),
    ]);
    expect(same.stderr).toContain("a newer commit was applied meanwhile: continuing with ");
    await edit(`/events/${await idOf("Manila Nights")}`, { eventCapacity: 900 });
    expect((await loop.ci(["ci", "drift"], job)).exitCode).toBe(2);
    const body = loop.host.issues[0]?.body ?? "";
    expect(body).toContain("eventCapacity 900 on the service, 700 in the files");
    expect(body).not.toContain("Merged and not applied yet");
    expect(body).not.toContain(revision);
  });

  test("elsewhere, the check fails, and says so", async () => {
    const revision = await appliedSince();
    await edit(`/events/${await idOf("Manila Nights")}`, { eventCapacity: 900 });
    const ran = await loop.ci(["ci", "drift"], { revision, env: { GITHUB_ACTIONS: undefined } });
    expect([ran.exitCode, ran.stdout]).toEqual([1, ""]);
    expect(ran.stderr).toContain("error[older-than-applied] This checkout ");
    expect(ran.stderr).toContain("fix: Check out the commit that was applied last");
  });
});

test("an event that is pinned to an id and deleted on the service is drift", async () => {
  loop = await openLoop();
  loop.commit({ "events/gala.yaml": draft("Gala", 100) });
  expect((await loop.ci(["apply", "--yes"])).exitCode).toBe(0);
  const id = await idOf("Gala");
  loop.commit({ "events/gala.yaml": `${draft("Gala", 100)}id: { production: ${id} }\n` });
  expect((await loop.ci(["apply", "--yes"])).exitCode).toBe(0);
  loop.sandbox.service.call("DELETE", `/events/${id}`);
  const ran = await loop.ci(["ci", "drift"], { event: "schedule" });
  expect(ran.exitCode, ran.stdout + ran.stderr).toBe(2);
  expect(ran.stdout).toContain(`  Gala: in the files, not on the service
    to leave it deleted, delete events/gala.yaml, or only its part if the file has more events
    to create it again, first remove its id from events/gala.yaml: ticketing apply --env production --target events/gala
`);
});

test("a service that cannot be read is exit 1, and the issue stays as it is", async () => {
  await applied();
  await edit(`/events/${await idOf("Manila Nights")}`, { eventCapacity: 900 });
  await loop.ci(["ci", "drift"], { event: "schedule" });
  const before = structuredClone(loop.host.issues);
  const ran = await loop.ci(["ci", "drift"], { event: "schedule", env: { TICKETING_API_KEY: "wrong-key-wrong-key" } });
  expect(ran.exitCode).toBe(1);
  expect(loop.host.issues).toEqual(before);
});

test.each([[], ["--budget", "50"]])(
  "a key that may not read webhooks checks the rest, and says so: %j",
  async (...flags) => {
    await applied();
    loop.commit({ "webhooks.yaml": '- { url: "https://hooks.acme.example/orders", events: [order.completed] }\n' });
    const value = "sk_reads_events_only_0123456789";
    const scopes = [
      "events:read",
      "tickets:read",
      "orders:read",
      "performers:read",
      "schedules:read",
      "brands:read",
      "venues:read",
    ];
    loop.sandbox.control.seed({ keys: [{ value, scopes }] });
    await edit(`/events/${await idOf("Manila Nights")}`, { eventCapacity: 900 });
    const ran = await loop.ci(["ci", "drift", ...flags], { event: "schedule", env: { TICKETING_API_KEY: value } });
    expect(ran.exitCode, ran.stdout + ran.stderr).toBe(2);
    // That it may not write either says nothing about what was observed.
    expect(loop.host.issues[0]?.body).toMatch(/### Not checked\n\n- Webhooks were not read.*\n$/);
  },
);

test.each([
  ["a key that may not read them", []],
  ["--target", ["--target", "events/manila-nights"]],
])("what was not compared because of %s does not close the issue about a webhook", async (_, flags) => {
  loop = await openLoop("github", "secrets: { sink: command, command: [cat] }\n");
  const url = "https://hooks.acme.example/orders";
  loop.commit({
    "webhooks.yaml": `- { url: "${url}", events: [order.completed], isActive: true, secretName: ORDERS }\n`,
  });
  expect((await loop.ci(["apply", "--yes"])).exitCode).toBe(0);
  const [webhook] = loop.sandbox.service.dump().webhooks as unknown as readonly { readonly id: string }[];
  await edit(`/webhooks/${webhook?.id}`, { isActive: false });
  expect((await loop.ci(["ci", "drift"], { event: "schedule" })).exitCode).toBe(2);
  const value = "sk_reads_events_only_0123456789";
  const scopes = ["events", "tickets", "orders", "performers", "schedules", "brands", "venues"];
  loop.sandbox.control.seed({ keys: [{ value, scopes: scopes.map((each) => `${each}:read`) }] });
  const env = flags.length === 0 ? { TICKETING_API_KEY: value } : {};
  expect((await loop.ci(["ci", "drift", ...flags], { event: "schedule", env })).exitCode).toBe(0);
  expect(loop.host.issues).toMatchObject([{ isOpen: true, body: expect.stringContaining("isActive") }]);
  await edit(`/webhooks/${webhook?.id}`, { isActive: true });
  expect((await loop.ci(["ci", "drift"], { event: "schedule" })).exitCode).toBe(0);
  expect(loop.host.issues).toMatchObject([{ isOpen: false }]);
});

test("a lock that was lost before what was compared is remembered is reported, and is no drift", async () => {
  await applied();
  // Somebody else writes as soon as the check has the lock.
  const hook = `while read -r _ new ref; do
    case "$(git log -1 --format=%s "$new")" in "ci drift: lock") git update-ref "$ref" "$new^";; esac
  done`;
  const hooks = join(loop.remote, "hooks");
  mkdirSync(hooks, { recursive: true });
  writeFileSync(join(hooks, "post-receive"), `#!/bin/sh\n${hook}\n`, { mode: 0o755 });
  const ran = await loop.ci(["ci", "drift"], { event: "schedule" });
  expect(ran.exitCode, ran.stdout + ran.stderr).toBe(0);
  expect(ran.stderr).toMatch(/^warning\[lock-lost\] Another run took over the lock/m);
});

/** A project of 30 more events, applied. */
async function manyNights(): Promise<void> {
  loop = await openLoop();
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [
      `events/night-${at}.yaml`,
      draft(`Night ${at}`, 100).replaceAll("05-01", `05-${String((at % 28) + 1).padStart(2, "0")}`),
    ]),
  );
  loop.commit({ ...files, "webhooks.yaml": "[]\n" });
  expect((await loop.ci(["apply", "--yes"])).exitCode).toBe(0);
}

/** The check of the next night, with calls for a few events. */
async function night(...flags: readonly string[]) {
  loop.clock.now += 86_400_000;
  loop.takeCalls();
  const ran = await loop.ci(["ci", "drift", "--budget", "20", ...flags], { event: "schedule" });
  const calls = loop.takeCalls().length;
  expect(calls).toBeLessThanOrEqual(20);
  expect(calls).toBeGreaterThan(8);
  return ran;
}

test("drift that nobody decides on does not keep other events from being compared", async () => {
  await manyNights();
  for (let at = 0; at < 12; at += 1) await edit(`/events/${await idOf(`Night ${at}`)}`, { eventCapacity: 99 });
  const coverage = async () =>
    (JSON.parse((await night("--format", "json")).stdout) as { checked: { oldestDays: number | null } }).checked;
  let nights = 1;
  while ((await coverage()).oldestDays === null && nights < 20) nights += 1;
  expect(nights).toBeLessThan(20);
  const issue = () => loop.host.issues[0]?.body ?? "";
  expect(issue()).toContain("Drifted when last checked, and not checked again in this run");
  await edit(`/events/${await idOf("Night 29")}`, { eventCapacity: 99 });
  for (let each = 0; each < 2 * nights && !issue().includes("### `events/night-29`"); each += 1) await night();
  expect(issue()).toContain("### `events/night-29`");
}, 120_000);

test("a budget: no more calls than that, what was not checked for longest first", async () => {
  await manyNights();
  let oldest: number | null = null;
  let nights = 0;
  for (; oldest === null && nights < 12; nights += 1) {
    const ran = await night("--format", "json");
    expect(ran.exitCode, ran.stderr).toBe(0);
    const { checked } = JSON.parse(ran.stdout) as { checked: { of: number; oldestDays: number | null } };
    expect(checked.of).toBe(31);
    oldest = checked.oldestDays;
  }
  expect(oldest).toBe(nights - 1);
  expect((await night()).stdout).toMatch(
    new RegExp(
      `^\\d+ of 31 events checked in this run; every event was checked within the last ${nights - 1} days\\.$`,
      "m",
    ),
  );
  // Drift in an event of another night is found within one round, and looked at again the next night.
  await edit(`/events/${await idOf("Night 7")}`, { eventCapacity: 99 });
  let found = 0;
  for (let each = 0; each < nights && found !== 2; each += 1) found = (await night()).exitCode;
  expect(found).toBe(2);
  expect((await night()).exitCode).toBe(2);
  const issue = () => loop.host.issues[0] as { isOpen: boolean; body: string };
  expect(issue()).toMatchObject({ isOpen: true, body: expect.stringContaining("events/night-7") });
  // Once it is gone, the next run compares that event, and all others were compared before: the issue has nothing left to say.
  await edit(`/events/${await idOf("Night 7")}`, { eventCapacity: 100 });
  const others = await loop.ci(["ci", "drift", "--target", "events/night-8"], { event: "schedule" });
  expect([others.exitCode, issue().isOpen]).toEqual([0, true]);
  expect((await night()).exitCode).toBe(0);
  expect(issue().isOpen).toBe(false);
});

test("what is held is undone by the very command that the report offers", async () => {
  await applied();
  const pullRequest = loop.openPullRequest({ "events/manila-nights.yaml": manilaNights(1800) });
  await loop.ci(["ci", "plan"], { pullRequest });
  loop.merge(pullRequest);
  await edit(`/events/${await idOf("Manila Nights")}`, { eventCapacity: 900 });
  const held = await loop.ci(["ci", "apply"]);
  expect(held.exitCode, held.stdout + held.stderr).toBe(0);
  expect(held.stdout).toContain("Held and waiting");
  const { stdout } = await loop.ci(["ci", "drift"], { event: "schedule" });
  const [, offered = ""] = /to undo it: ticketing (.+)/.exec(stdout) ?? [];
  const ran = await loop.ci([...offered.split(" ").filter((word) => word !== "--env" && word !== "production")]);
  expect(ran.exitCode, ran.stdout + ran.stderr).toBe(0);
  expect((await loop.ci(["ci", "drift"], { event: "schedule" })).exitCode).toBe(0);
});

test("a small budget checks as many events as it can; one that is enough for none is a failure to look", async () => {
  loop = await openLoop("github");
  loop.commit(
    Object.fromEntries([1, 2, 3, 4].map((each) => [`events/night-${each}.yaml`, draft(`Night ${each}`, 100)])),
  );
  expect((await loop.ci(["apply", "--yes"])).exitCode).toBe(0);
  const look = async (budget: number) => {
    loop.takeCalls();
    const ran = await loop.ci(["ci", "drift", "--budget", String(budget), "--format", "json"], { event: "schedule" });
    expect(loop.takeCalls().length).toBeLessThanOrEqual(budget);
    const { checked, diagnostics } = JSON.parse(ran.stdout);
    return { exitCode: ran.exitCode, events: checked.events, codes: diagnostics.map(({ code }: Diagnostic) => code) };
  };
  expect(await look(1)).toMatchObject({ exitCode: 1, events: 0, codes: expect.arrayContaining(["budget-too-small"]) });
  const small = await loop.ci(["ci", "drift", "--budget", "1"], { event: "schedule" });
  const [, said = "0"] = /Raise --budget to (\d+) or more/.exec(small.stdout + small.stderr) ?? [];
  expect((await look(Number(said))).events).toBeGreaterThan(0);
  const enough = await look(6);
  expect(enough.exitCode).toBe(0);
  expect(enough.events).toBeGreaterThan(0);
});
