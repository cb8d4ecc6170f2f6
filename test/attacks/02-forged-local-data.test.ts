// Point 2: files of local data that no run of ours wrote, and what recovery may delete on the strength of a journal.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  formatEntry,
  type IntentEntry,
  type JournalEntry,
  type RunEntry,
} from "../../src/apply/journal/journal-entry.ts";
import { seal } from "../../src/plan/fingerprint.ts";
import { type EventRow, joinSandbox, type WebhookRow } from "../../src/sandbox/index.ts";
import { fileStore } from "../../src/state/file/file-store.ts";
import { localCaches } from "../../src/state/file/local-caches.ts";
import { beganAt } from "../../src/system/processes.ts";
import { openProject, type Project } from "../stage/open-project.ts";
import { type Ran, ticketing } from "../stage/test-world.ts";

const url = "https://hooks.acme.example/orders";
const webhooks = `- { url: "${url}", events: [order.completed] }\n`;
const night = "status: DRAFT\nname: Jazz Night\ndateTime: 2027-03-14T19:00\nlocationType: ONLINE\n";

let project: Project;
beforeEach(async () => {
  project = await openProject({ "webhooks.yaml": webhooks });
});
afterEach(() => project.close());

function local(name: string): string {
  return join(project.directory, ".ticketing", name);
}

function liveWebhooks(): readonly WebhookRow[] {
  return project.sandbox.control.dump().webhooks as unknown as WebhookRow[];
}

function liveEvents(): readonly EventRow[] {
  return project.sandbox.control.dump().events as unknown as EventRow[];
}

async function make(path: string, body: unknown): Promise<string> {
  const made = await project.sandbox.service.call("POST", path, body);
  return (made.body as { data: { id: string } }).data.id;
}

function storeWith(apiKey: string, environment = "default", now?: () => number) {
  const secrets = () => ({ current: apiKey, previous: null });
  return fileStore({
    directory: project.directory,
    environment,
    baseUrl: null,
    secrets,
    ...(now === undefined ? {} : { now }),
  });
}

/** As a run with this key would have left it. */
async function leaveJournal(entries: readonly JournalEntry[], apiKey = project.sandbox.apiKey): Promise<void> {
  await storeWith(apiKey).journal.replace(entries.map(formatEntry).join(""));
}

function runAt(at: number, known: readonly string[] = []): RunEntry {
  const [organization] = project.sandbox.control.dump().organizations as unknown as [{ id: string; slug: string }];
  return { type: "run", run: "r", at, organization, known };
}

function webhookIntent(seq: number, at: number): IntentEntry {
  return {
    type: "intent",
    seq,
    run: "r",
    operation: "1",
    address: `webhooks/${url.replaceAll("/", "%2F")}`,
    kind: "webhook",
    verb: "create",
    method: "POST",
    path: "/webhooks",
    parentId: null,
    id: null,
    fields: { url, events: ["order.completed"] },
    at,
    date: new Date(at).toISOString(),
  };
}

function eventIntent(seq: number, at: number): IntentEntry {
  const fields = { name: "Jazz Night", dateTime: "2027-03-14T11:00:00.000Z" };
  return { ...webhookIntent(seq, at), address: "events/night", kind: "event", path: "/events", fields };
}

function saidBy(ran: Ran): string {
  return (ran.stdout + ran.stderr).replace(/\s+/g, " ");
}

function apply(...more: readonly string[]): Promise<Ran> {
  return project.run(["apply", "--yes", "--settle", "0", ...more]);
}

describe("a journal that no run wrote", () => {
  test("with an open create that equals a live webhook deletes nothing, and is not taken for empty", async () => {
    const id = await make("/webhooks", { url, events: ["order.completed"] });
    mkdirSync(join(project.directory, ".ticketing"), { mode: 0o700 });
    const now = Date.now();
    writeFileSync(local("journal.default.jsonl"), [runAt(now), webhookIntent(1, now)].map(formatEntry).join(""));
    for (const ran of [await project.run(["plan"]), await apply()]) {
      expect(ran.exitCode).toBe(1);
      expect(saidBy(ran)).toMatch(/journal\.default\.jsonl has no seal.*ticketing state reseal/);
      expect(saidBy(ran)).not.toContain("No changes");
    }
    expect(liveWebhooks().map((each) => each.id)).toEqual([id]);
  });

  test.each<[string, (lines: string[], others: string[]) => readonly string[]]>([
    ["a line altered", ([head = "", run = "", ...rest]) => [head, run.replace('"at":', '"at":1'), ...rest]],
    ["a line left out", ([head = "", , ...rest]) => [head, ...rest]],
    ["two lines exchanged", ([head = "", one = "", two = "", ...rest]) => [head, two, one, ...rest]],
    ["its beginning left out", ([, ...rest]) => rest],
    ["a line of another journal", ([head = "", run = ""], others) => [head, run, others[2] ?? ""]],
    ["the lines of another environment", (_, others) => others],
  ])("with %s is refused", async (_, forge) => {
    const now = Date.now();
    const lines = [runAt(now), webhookIntent(1, now), webhookIntent(2, now)].map(formatEntry).join("");
    await storeWith(project.sandbox.apiKey).journal.replace(lines);
    await storeWith(project.sandbox.apiKey, "staging").journal.replace(lines);
    const [own, others] = ["default", "staging"].map((name) =>
      readFileSync(local(`journal.${name}.jsonl`), "utf8")
        .trimEnd()
        .split("\n"),
    );
    expect(await storeWith(project.sandbox.apiKey).journal.read()).toMatchObject({ ok: true, text: lines });
    writeFileSync(local("journal.default.jsonl"), `${forge(own ?? [], others ?? []).join("\n")}\n`);
    const ran = await apply();
    expect(ran.exitCode).toBe(1);
    expect(saidBy(ran)).toMatch(/journal\.default\.jsonl (was altered|has no seal)/);
    expect(project.writes()).toEqual([]);
  });

  test("nor one from the future", async () => {
    const ahead = Date.now() + 3_600_000;
    const id = await make("/webhooks", { url, events: ["order.completed"] });
    await leaveJournal([runAt(ahead), webhookIntent(1, ahead)]);
    const ran = await apply();
    expect([ran.exitCode, saidBy(ran)]).toEqual([1, expect.stringMatching(/is dated in the future.*clock/)]);
    expect(liveWebhooks().map((each) => each.id)).toEqual([id]);
  });
});

describe("what recovery deletes, even with a journal of ours", () => {
  test("is not a webhook that was there before the run", async () => {
    const id = await make("/webhooks", { url, events: ["order.completed"] });
    const later = Date.now() + 120_000;
    await leaveJournal([runAt(later), webhookIntent(1, later)]);
    const plan = await project.run(["plan"]);
    expect(saidBy(plan)).not.toContain("recovery-delete");
    const ran = await apply();
    expect(liveWebhooks().map((each) => each.id)).toEqual([id]);
    expect(saidBy(ran)).toContain(id);
  });

  test.each([
    ["by the service's clock", (entry: IntentEntry) => entry],
    ["by ours", (entry: IntentEntry) => ({ ...entry, date: null })],
  ])("is not a webhook that was made long after the run was cut off: %s", async (_, dated) => {
    const id = await make("/webhooks", { url, events: ["order.completed"] });
    const earlier = Date.now() - 35 * 60_000;
    await leaveJournal([runAt(earlier), dated(webhookIntent(1, earlier))]);
    const plan = await project.run(["plan"]);
    expect(saidBy(plan)).not.toContain("recovery-delete");
    const ran = await apply();
    expect(saidBy(ran)).toMatch(new RegExp(`${id} \\(it was created after the last call\\)`));
    expect(liveWebhooks().map((each) => each.id)).toEqual([id]);
  });

  test("is one that a second attempt of a long run has made", async () => {
    const id = await make("/webhooks", { url, events: ["order.completed"] });
    const earlier = Date.now() - 35 * 60_000;
    await leaveJournal([runAt(earlier), webhookIntent(1, earlier), webhookIntent(2, Date.now() - 60_000)]);
    await apply();
    expect(liveWebhooks().map((each) => each.id)).not.toContain(id);
  });

  test.each([
    ["a stranger's draft, older than the run", 120_000, "DRAFT"],
    ["an event that was published since", 0, "PUBLISHED"],
    ["a draft that has sold", 0, "SOLD"],
  ])("is not %s", async (_, laterMs, fate) => {
    await project.write("events/night.yaml", night);
    const at = Date.now() + laterMs;
    const tickets = [{ name: "GA", price: 100, quantity: 10, published: true }];
    const body = { name: "Jazz Night", dateTime: "2027-03-14T11:00:00.000Z", locationType: "ONLINE", tickets };
    const ids = [await make("/events", body), await make("/events", body)];
    for (const id of ids) {
      if (fate === "DRAFT") continue;
      await project.sandbox.service.call("POST", `/events/${id}/publish`);
      if (fate !== "SOLD") continue;
      project.sandbox.control.sell({ event: id, ticket: "GA", count: 1 });
      await project.sandbox.service.call("POST", `/events/${id}/unpublish`);
    }
    await leaveJournal([runAt(at), eventIntent(1, at), eventIntent(2, at)]);
    await apply();
    expect(liveEvents().map((each) => each.id)).toEqual(expect.arrayContaining(ids));
    expect(project.writes().filter((call) => call.startsWith("DELETE"))).toEqual([]);
  });

  test("is shown by plan and by apply before it goes, and is never called no change", async () => {
    expect((await apply()).exitCode).toBe(0);
    const [kept] = liveWebhooks();
    const at = Date.now();
    await leaveJournal([runAt(at, [kept?.id ?? ""]), webhookIntent(1, at)]);
    const orphan = await make("/webhooks", { url, events: ["order.completed"] });
    const { plan, ...planned } = await project.plan("--detailed-exitcode");
    expect(planned.exitCode).toBe(2);
    expect(plan.diagnostics).toEqual([
      expect.objectContaining({ code: "recovery-delete", message: expect.stringContaining(orphan) }),
    ]);
    expect(plan.leftovers).toMatchObject([{ address: expect.stringMatching(/^webhooks\//), id: orphan }]);
    expect(liveWebhooks()).toHaveLength(2);
    const unattended = await project.run(["apply"]);
    expect([unattended.exitCode, liveWebhooks().length]).toEqual([1, 2]);
    const ran = await apply();
    expect(ran.exitCode).toBe(0);
    expect(saidBy(ran)).not.toContain("No changes");
    expect(saidBy(ran)).toContain(
      "1 webhook left over from an interrupted run will be deleted; nothing else to write.",
    );
    expect(saidBy(ran)).toMatch(new RegExp(`recovery-delete\\] Apply will delete the webhook .* \\(id ${orphan}`));
    expect(liveWebhooks().map((each) => each.id)).toEqual([kept?.id]);
    expect(saidBy(await apply())).toContain("No changes");
  });

  test("a saved plan that does not show it is refused, whatever its words name; one that shows it is applied", async () => {
    expect((await apply()).exitCode).toBe(0);
    const [kept] = liveWebhooks();
    await project.run(["plan", "--out", "before.json"]);
    const at = Date.now();
    await leaveJournal([runAt(at, [kept?.id ?? ""]), webhookIntent(1, at)]);
    await make("/webhooks", { url, events: ["order.completed"] });
    const refused = await project.run(["apply", "before.json", "--yes", "--settle", "0"]);
    expect([refused.exitCode, liveWebhooks().length]).toEqual([1, 2]);
    await project.run(["plan", "--out", "after.json"]);
    const { fingerprint: _, leftovers: __, ...words } = JSON.parse(await project.read("after.json"));
    await project.write("words.json", JSON.stringify(seal(words, null)));
    const unnamed = await project.run(["apply", "words.json", "--yes", "--settle", "0"]);
    expect([saidBy(unnamed), liveWebhooks().length]).toEqual([expect.stringContaining("stale-plan"), 2]);
    const ran = await project.run(["apply", "after.json", "--yes", "--settle", "0"]);
    expect([ran.exitCode, liveWebhooks().length]).toEqual([0, 1]);
  });
});

describe("a kept snapshot", () => {
  const organizationId = "9c1d1a52-1111-4111-8111-111111111111";
  const question = "/webhooks?{}";
  const response = { data: [], meta: null };

  function snapshot(apiKey: string) {
    const secrets = () => ({ current: apiKey, previous: null });
    return localCaches({ directory: project.directory, environment: "default", baseUrl: "u", secrets }).snapshots;
  }

  test("that somebody wrote, altered, took from another key or dated ahead counts as none", async () => {
    const now = Date.now();
    await snapshot("key-1").save([[question, response]], organizationId, now);
    expect(await snapshot("key-1").load(organizationId, now)).toEqual([[question, { ...response, at: now }]]);
    expect(await snapshot("key-2").load(organizationId, now)).toEqual([]);
    expect(await snapshot("key-1").load(organizationId, now - 3_600_000)).toEqual([]);
    const text = readFileSync(local("snapshot.default.json"), "utf8");
    writeFileSync(local("snapshot.default.json"), text.replace("webhooks", "wobhooks"));
    expect(await snapshot("key-1").load(organizationId, now)).toEqual([]);
    const plain = { baseUrl: "u", organizationId, answers: { [question]: { ...response, at: now } } };
    writeFileSync(local("snapshot.default.json"), JSON.stringify(plain));
    expect(await snapshot("key-1").load(organizationId, now)).toEqual([]);
  });

  test("does not make a plan of what is not so", async () => {
    await make("/webhooks", { url, events: ["order.refunded"] });
    const me = (await project.sandbox.service.call("GET", "/me")).body as { data: { organization: { id: string } } };
    mkdirSync(join(project.directory, ".ticketing"), { mode: 0o700 });
    const forged = [{ id: organizationId, url, events: ["order.completed"], isActive: true }];
    writeFileSync(
      local("snapshot.default.json"),
      JSON.stringify({
        baseUrl: project.sandbox.baseUrl,
        organizationId: me.data.organization.id,
        answers: { [question]: { data: forged, meta: null, at: Date.parse("2026-11-15T00:00:00Z") } },
      }),
    );
    expect((await project.plan()).plan.changes).toMatchObject([{ kind: "webhook", action: "update" }]);
  });
});

describe("state", () => {
  async function applied(): Promise<void> {
    await project.write("events/night.yaml", night);
    expect((await apply()).exitCode).toBe(0);
    project.writes();
  }

  /** Another key of the same organization. */
  function useOtherKey(): string {
    const former = project.env.TICKETING_API_KEY ?? "";
    project.sandbox.control.seed({ keys: [{ value: "another-key-of-the-same" }] });
    project.env.TICKETING_API_KEY = "another-key-of-the-same";
    return former;
  }

  test("holds neither key nor anything that could replace it", async () => {
    await applied();
    for (const name of ["state.default.json", "journal.default.jsonl"]) {
      expect(readFileSync(local(name), "utf8")).not.toContain(project.sandbox.apiKey);
    }
  });

  test.each([
    ["altered", (text: string) => text.replace('"serial": 1', '"serial": 7')],
    ["without its seal", (text: string) => JSON.stringify({ ...JSON.parse(text), seal: undefined })],
  ])("%s is refused by plan and apply, with what to do", async (_, forge) => {
    await applied();
    const path = local("state.default.json");
    writeFileSync(path, forge(readFileSync(path, "utf8")));
    for (const ran of [await project.run(["plan"]), await apply()]) {
      expect([ran.exitCode, saidBy(ran)]).toEqual([
        1,
        expect.stringMatching(
          /state\.default\.json (was altered|has no seal).*It was not used.*ticketing state reseal/,
        ),
      ]);
    }
    const shown = await project.run(["state", "reseal"]);
    expect([shown.exitCode, saidBy(shown)]).toEqual([1, expect.stringContaining("events/night")]);
    expect((await project.run(["state", "reseal", "--yes"])).exitCode).toBe(0);
    expect((await apply()).exitCode).toBe(0);
    expect(project.writes()).toEqual([]);
  });

  test("of another key is shown by plan with a warning, and refused by what writes, with both fixes", async () => {
    await applied();
    const former = useOtherKey();
    const { plan, exitCode } = await project.plan();
    expect([exitCode, plan.changes]).toEqual([0, []]);
    expect(plan.diagnostics).toMatchObject([{ code: "local-data-unverified", severity: "warning" }]);
    for (const ran of [await apply(), await project.run(["state", "rm", "events/night", "--yes"])]) {
      expect([ran.exitCode, saidBy(ran)]).toEqual([
        1,
        expect.stringMatching(/a different API key.*TICKETING_PREVIOUS_API_KEY.*ticketing state reseal/),
      ]);
    }
    project.env.TICKETING_PREVIOUS_API_KEY = former;
    await project.write("events/night.yaml", night.replace("Jazz Night", "Jazz Nights"));
    expect((await apply()).exitCode).toBe(0);
    delete project.env.TICKETING_PREVIOUS_API_KEY;
    expect(saidBy(await apply())).toContain("No changes");
  });

  test("of another key can be accepted by hand", async () => {
    await applied();
    useOtherKey();
    expect((await project.run(["state", "reseal", "--yes"])).exitCode).toBe(0);
    expect(saidBy(await apply())).toContain("No changes");
  });

  test("a run that was cut off under the former key is finished under the new one", async () => {
    const at = Date.now();
    await leaveJournal([runAt(at), webhookIntent(1, at)]);
    await make("/webhooks", { url, events: ["order.completed"] });
    const former = useOtherKey();
    expect((await apply()).exitCode).toBe(1);
    expect(liveWebhooks()).toHaveLength(1);
    project.env.TICKETING_PREVIOUS_API_KEY = former;
    expect((await apply()).exitCode).toBe(0);
    expect(liveWebhooks()).toHaveLength(1);
    delete project.env.TICKETING_PREVIOUS_API_KEY;
    expect(saidBy(await apply())).toContain("No changes");
  });

  test("dated ahead is refused by apply", async () => {
    await applied();
    const loaded = await storeWith(project.sandbox.apiKey).load();
    if (!loaded.ok || loaded.state === null) throw new Error("no state");
    const ahead = () => Date.now() + 3_600_000;
    await storeWith(project.sandbox.apiKey, "default", ahead).seals?.write(loaded.state);
    expect((await project.run(["plan"])).exitCode).toBe(0);
    const ran = await apply();
    expect([ran.exitCode, saidBy(ran)]).toEqual([
      1,
      expect.stringMatching(/state\.default\.json is dated in the future/),
    ]);
  });

  test("TICKETING_NOW moves no seal: a demo may go back and forth", async () => {
    await project.write("events/night.yaml", night);
    for (const time of ["2027-02-01T00:00:00Z", "2026-11-15T00:00:00Z", "2027-01-01T00:00:00Z"]) {
      const ran = await project.run(["apply", "--yes", "--settle", "0", "--env", "sandbox"], {
        env: {},
        now: () => Date.parse(time),
      });
      expect([time, ran.exitCode]).toEqual([time, 0]);
    }
  });
});

describe("locks", () => {
  test("two records that name each other do not spin, and can be taken away", async () => {
    mkdirSync(join(project.directory, ".ticketing"), { mode: 0o700 });
    const holder = { pid: 2 ** 22 + 1, host: hostname(), began: null, since: "2026-01-01" };
    const record = (token: string) => JSON.stringify({ ...holder, token, command: "apply", user: "x" });
    writeFileSync(local("lock.default.json"), record("aa"));
    writeFileSync(local("lock.default.json.aa"), record("bb"));
    writeFileSync(local("lock.default.json.bb"), record("aa"));
    const ran = await apply();
    expect([ran.exitCode, saidBy(ran)]).toEqual([1, expect.stringContaining("ticketing state unlock")]);
    expect((await project.run(["state", "unlock", "--yes"])).exitCode).toBe(0);
    expect((await apply()).exitCode).toBe(0);
  });

  test("one dated ahead is not waited for", async () => {
    mkdirSync(join(project.directory, ".ticketing"), { mode: 0o700 });
    const holder = { token: "aa", pid: 1, host: "elsewhere", began: null, since: "2999-01-01T00:00:00Z" };
    writeFileSync(local("lock.default.json"), JSON.stringify({ ...holder, command: "apply", user: "x" }));
    const ran = await apply("--lock-timeout", "600");
    expect([ran.exitCode, saidBy(ran)]).toEqual([1, expect.stringMatching(/dated in the future.*state unlock/)]);
  });
});

describe("the lock of the embedded service", () => {
  async function listening(): Promise<{ port: number; asked: IncomingMessage[]; close: () => void }> {
    const asked: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      asked.push(request);
      response.end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { port: (server.address() as AddressInfo).port, asked, close: () => server.close() };
  }

  function forge(holder: Readonly<Record<string, unknown>>): void {
    const mark = { token: "aa", pid: process.ppid, began: beganAt(process.ppid), host: hostname(), since: "" };
    const record = { ...mark, command: "sandbox", user: "x", ...holder };
    writeFileSync(local("sandbox.json.lock"), JSON.stringify(record), { mode: 0o600 });
  }

  function inSandbox(...argv: readonly string[]): Promise<Ran> {
    return ticketing([...argv, "--env", "sandbox", "-C", project.directory]);
  }

  test("cannot lead to another server: neither by an address nor by a port, and no key is shown there", async () => {
    expect((await inSandbox("apply", "--yes", "--settle", "0")).exitCode).toBe(0);
    const key = JSON.parse(readFileSync(local("sandbox.json"), "utf8")).keys[0].value;
    const other = await listening();
    try {
      forge({ port: other.port });
      for (const ran of [await inSandbox("plan"), await inSandbox("apply", "--yes")]) {
        expect([ran.exitCode, saidBy(ran)]).toEqual([
          1,
          expect.stringMatching(/cannot prove it.*delete the lock file/),
        ]);
      }
      const sold = await ticketing(["sandbox", "sell", "night", "GA", "1", "-C", project.directory]);
      expect([sold.exitCode, saidBy(sold)]).toEqual([1, expect.stringContaining("cannot prove it")]);
      expect(other.asked.map(({ method }) => method)).toEqual(["GET", "GET", "GET"]);
      expect(JSON.stringify(other.asked.map(({ url: path, headers }) => [path, headers]))).not.toContain(key);
      other.asked.length = 0;
      forge({ baseUrl: `http://127.0.0.1:${other.port}/open-api/v1`, apiKey: key });
      await expect(joinSandbox({ dataFile: local("sandbox.json"), lockWaitMs: 50 })).rejects.toThrow("in use");
      expect(other.asked).toEqual([]);
    } finally {
      other.close();
    }
  });

  test("a pipe in its place does not hang", async () => {
    mkdirSync(join(project.directory, ".ticketing"), { mode: 0o700 });
    execFileSync("sh", ["-c", `mkfifo "$0"`, local("sandbox.json.lock")]);
    expect((await inSandbox("plan")).exitCode).toBe(1);
    expect(existsSync(local("sandbox.json.lock"))).toBe(true);
  });
});
