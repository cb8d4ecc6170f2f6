// The rules for one call that did not end well, one by one.
import { describe, expect, test, vi } from "vitest";
import { resembles, sharesIdentity } from "../../src/apply/create/candidates.ts";
import { judgeCandidates } from "../../src/apply/create/create-recovery.ts";
import type { IntentEntry } from "../../src/apply/journal/journal-entry.ts";
import type { CreateAttempts } from "../../src/apply/journal/open-work.ts";
import type { Run } from "../../src/apply/run/run-context.ts";
import { kindOf } from "../../src/kinds/index.ts";
import type { Live } from "../../src/model/live.ts";
import type { SandboxRequest } from "../../src/sandbox/index.ts";
import { openStage, type Rows } from "../stage/executor-stage.ts";
import { rewriteBodies } from "../stage/rewrite-bodies.ts";
import { buildPlan, nightsPlan, webhookPlan } from "./build-plan.ts";

function live(fields: Live["fields"], more: Partial<Live> = {}): Live {
  return { kind: "ticket", id: "1", parentId: null, fields, status: null, remaining: null, slug: null, ...more };
}

function uuidOf(nth: string): string {
  return `aaaaaaaa-0000-4000-8000-00000000000${nth}`;
}

function attemptsOf(count: number): CreateAttempts {
  const intent = { kind: "event", parentId: null, at: 0, date: null } as IntentEntry;
  const rest = Array.from({ length: count - 1 }, () => intent);
  return { address: "events/jazz", intents: [intent, ...rest], known: new Set(), since: 0 };
}

/** Shows these events, without anything sold, `age` after the attempts. */
function runThatShows(lives: readonly Live[], age: number): Run {
  const service = {
    serverDate: null,
    async request(_method: string, path: string) {
      const shown = lives.find(({ id }) => path === `/events/${id}`);
      const data = path.endsWith("/orders") ? [] : { id: shown?.id, status: shown?.status, ...shown?.fields };
      return { ok: true, status: 200, data, meta: null };
    },
    listAll: async () => ({ ok: true, data: [] }),
  };
  const settleTime = { ms: () => 0, sawLag: () => undefined };
  return { service, settleTime, clock: { now: () => age }, sink: null } as unknown as Run;
}

describe("what can be ours", () => {
  const ticket = kindOf("ticket");
  const sent = { name: "VIP", price: 4500, quantity: 200, published: true };

  test("all that is shown is equal, or can be of the service's making", () => {
    expect(resembles(ticket, sent, live({ name: "VIP" }))).toBe(true);
    expect(resembles(ticket, sent, live({ name: "VIP", price: 4500, section: "General Admissions", row: "GA" }))).toBe(
      true,
    );
    expect(
      resembles(kindOf("performer"), { name: "Ana", description: "<b>x</b>" }, live({ name: "Ana", description: "x" })),
    ).toBe(true);
    expect(
      resembles(
        kindOf("performer"),
        { name: "Ana", imageUrl: "https://a/1" },
        live({ name: "Ana", imageUrl: "https://b/2" }),
      ),
    ).toBe(true);
  });

  test("another number, time, name, place or reference is another object", () => {
    expect(resembles(ticket, sent, live({ name: "VIP", price: 4400 }))).toBe(false);
    expect(resembles(ticket, sent, live({ name: "Vip" }))).toBe(false);
    expect(resembles(ticket, sent, live({ name: "VIP", section: "Balcony" }))).toBe(false);
    const event = { name: "Jazz", dateTime: "2027-01-01T00:00:00.000Z" };
    expect(resembles(kindOf("event"), event, live({ name: "Jazz", dateTime: "2027-01-02T00:00:00.000Z" }))).toBe(false);
    expect(sharesIdentity(kindOf("event"), event, live({ name: "Jazz" }))).toBe(true);
    expect(
      resembles(kindOf("webhook"), { url: "https://a", events: ["x"] }, live({ url: "https://b", events: ["x"] })),
    ).toBe(false);
  });

  test("none, one, as many as we asked for, more", async () => {
    const [one, two, three] = ["1", "2", "3"].map((nth) =>
      live({ name: "Jazz" }, { id: uuidOf(nth), status: "DRAFT" }),
    ) as [Live, Live, Live];
    const open = live({ name: "Jazz" }, { id: uuidOf("5"), status: "PUBLISHED" });
    const judge = (lives: readonly Live[], count: number, wanted = true, age = 0) =>
      judgeCandidates(runThatShows([one, two, three, open], age), attemptsOf(count), lives, wanted);
    expect(await judge([], 2)).toEqual({ outcome: "absent" });
    expect(await judge([one], 1)).toEqual({ outcome: "found", keep: one, surplus: [] });
    expect(await judge([one, two], 2)).toEqual({ outcome: "found", keep: one, surplus: [two] });
    expect(await judge([one], 1, false)).toEqual({ outcome: "found", keep: null, surplus: [one] });
    expect(await judge([one, two, three], 2)).toMatchObject({ outcome: "lookalikes", keep: null });
    expect(await judge([one, open], 2)).toMatchObject({ outcome: "lookalikes", keep: one, why: "it is PUBLISHED" });
    const twoHours = 2 * 3_600_000;
    expect(await judge([one], 1, true, twoHours)).toMatchObject({ outcome: "found", keep: one });
    expect(await judge([one, two], 2, true, twoHours)).toMatchObject({ outcome: "lookalikes", keep: null });
  });
});

test("more lookalikes than attempts: it stops and shows them", async () => {
  // Somebody makes the same one in the same moment.
  const stage = openStage("likely", {
    async after({ method, path, body }) {
      if (method === "POST" && path.endsWith("/performers")) {
        await stage.service.call("POST", path.replace("/open-api/v1", ""), JSON.parse(String(body)));
      }
    },
  });
  stage.service.control.addFault({ kind: "response-lost", path: "/performers", method: "POST" });
  const { report } = await stage.run(nightsPlan());
  expect(report.outcomes[1]).toMatchObject({ result: "unsure", error: { code: "too-many-alike" } });
  for (const { id } of stage.rows().performers) expect(report.outcomes[1]?.error?.message).toContain(id);
  expect(stage.rows().events[0]?.status).toBe("DRAFT");
});

describe("a lost create of which only a different name is shown", () => {
  const start = { dateTime: "2027-03-14T11:00:00.000Z" };
  const paths = ["/events", "/performers", "/schedules", "/brands", "/webhooks"];
  test.each(paths)("is not sent again where the service spells names in its own way: %s", async (path) => {
    const stage = openStage();
    rewriteBodies(stage.service, (body) =>
      body.replace(/"(?:name|title)":"[^"]*"|\/orders"/g, (text) =>
        text.toUpperCase().replace(/^"\w+/, (key) => key.toLowerCase()),
      ),
    );
    stage.service.control.addFault({ kind: "response-lost", path, method: "POST" });
    const { report } = await stage.run(path === "/webhooks" ? webhookPlan() : nightsPlan());
    const unsure = report.outcomes.filter(({ result }) => result === "unsure");
    expect(unsure).toMatchObject([{ error: { code: "too-many-alike" } }]);
    expect(unsure[0]?.error?.message).toMatch(
      /1 object looks like the one to create, under a different name: .+ \(".*[A-Z]{3}"\)\./,
    );
    expect(stage.rows()[path.slice(1) as keyof Rows]).toHaveLength(1);
    expect(stage.rows().events.map(({ status }) => status)).not.toContain("PUBLISHED");
  });

  test("is sent again if what is there was created beside it, for another address", async () => {
    const stage = openStage();
    stage.service.control.addFault({ kind: "request-lost", path: "/events", method: "POST" });
    stage.service.control.addFault({ kind: "response-lost", path: "/events", method: "POST" });
    const steps = ["Jazz", "Rock"].map((name) => ({
      address: `events/${name}`,
      verb: "create" as const,
      method: "POST" as const,
      path: "/events",
      needs: [],
      body: { name, ...start },
    }));
    const { report } = await stage.run(buildPlan(steps));
    expect(report.summary.done).toBe(2);
    expect(
      stage
        .rows()
        .events.map(({ name }) => name)
        .sort(),
    ).toEqual(["Jazz", "Rock"]);
  });

  test.each([
    ["starts at another time", { dateTime: "2027-03-14T12:00:00.000Z" }],
    ["is for another number of people", { eventCapacity: 20 }],
  ])("is sent again if what is there %s", async (_, fields) => {
    const stage = openStage("likely", {
      async after({ method, path }) {
        const isFirst = method === "POST" && path.endsWith("/events") && stage.rows().events.length === 0;
        if (isFirst)
          await stage.service.call("POST", "/events", { name: "Rock", ...start, eventCapacity: 700, ...fields });
      },
    });
    stage.service.control.addFault({ kind: "request-lost", path: "/events", method: "POST" });
    const { report } = await stage.run(nightsPlan());
    expect([report.summary.done, stage.rows().events.length]).toEqual([6, 2]);
  });
});

test("a webhook whose response was lost is made again, so that its secret is known", async () => {
  const stage = openStage();
  stage.service.control.addFault({ kind: "response-lost", path: "/webhooks", method: "POST" });
  const { report, notes } = await stage.run(webhookPlan());
  expect(report.summary.done).toBe(2);
  const { webhooks } = stage.rows();
  expect(webhooks).toHaveLength(1);
  expect(stage.secrets.get(webhooks[0]?.id ?? "")?.secret).toBe(webhooks[0]?.secret);
  expect(notes.map((note) => note.code)).toEqual(["recovered"]);
});

test("a create that was lost on its way is sent again, and the report says why", async () => {
  const stage = openStage();
  stage.service.control.addFault({ kind: "request-lost", path: "/performers", method: "POST" });
  const { report, notes } = await stage.run(nightsPlan());
  expect(report.summary.done).toBe(6);
  expect(stage.rows().performers).toHaveLength(1);
  expect(notes.map(({ code, message }) => [code, message])).toEqual([
    [
      "recovered",
      expect.stringMatching(
        /^Creating the performer ".+" failed at first\. .+ The performer was not found afterward, so the call was sent again\.$/,
      ),
    ],
  ]);
});

test("a duplicate that an earlier run left is not deleted before a plan has shown it", async () => {
  const stage = openStage();
  stage.service.control.addFault({ kind: "late", delayMs: 300, status: "lost", path: "/performers", method: "POST" });
  await stage.run(nightsPlan());
  await vi.waitFor(() => expect(stage.rows().performers).toHaveLength(2), 30_000);
  const closed = stage.entries().filter((entry) => entry.type === "close" && entry.how === "done");
  const ours = stage.rows().performers.find(({ id }) => closed.some((entry) => "id" in entry && entry.id === id));
  const intent = stage.entries().find((entry) => entry.type === "intent" && entry.kind === "performer");
  if (ours === undefined || intent?.type !== "intent") throw new Error("no performer was created");
  const matched = { [intent.address]: { kind: "performer", id: ours.id, applied: {} } };
  await stage.run({ ...nightsPlan(), changes: [], operations: [] }, { matched });
  expect(stage.rows().performers).toHaveLength(2);
  expect(stage.writes().filter((call) => call.startsWith("DELETE"))).toEqual([]);
});

test("inline ticket types that were made in part are completed before anything is public", async () => {
  const stage = openStage("inlineOnFault=some");
  stage.service.control.addFault({ kind: "response-lost", path: "/events", method: "POST" });
  const { report, notes } = await stage.run(nightsPlan());
  expect(report.summary.done).toBe(6);
  expect(stage.rows().tickets).toHaveLength(3);
  expect(notes.filter((note) => note.message.includes("created separately"))).toHaveLength(2);
  const order = stage.service.control.calls().map((call) => `${call.method} ${call.path}`);
  const published = order.findIndex((call) => call.endsWith("/publish"));
  expect(order.slice(published).some((call) => /POST .*\/tickets$/.test(call))).toBe(false);
});

describe("changes", () => {
  async function withEvent(profile: string, fields: object = {}) {
    const stage = openStage(profile);
    const { events } = stage.service.control.seed({
      events: [
        { name: "Jazz", dateTime: "2027-03-14T11:00:00.000Z", description: "long", eventCapacity: 10, ...fields },
      ],
    });
    const id = String(events[0]?.id);
    stage.service.control.clearCalls();
    return { stage, id };
  }
  const patch = (id: string, body: Record<string, string | number | null>) =>
    buildPlan([{ address: "events/jazz", verb: "update", method: "PATCH", path: `/events/${id}`, body }]);

  test("a lost response: read, and nothing sent twice that is there", async () => {
    const { stage, id } = await withEvent("likely");
    stage.service.control.addFault({ kind: "response-lost", method: "PATCH" });
    expect((await stage.run(patch(id, { name: "Blues" }))).report.summary.done).toBe(1);
    expect(stage.writes()).toEqual(["PATCH /events/ID"]);
  });

  test("a lost request: read, and what is missing is sent", async () => {
    const { stage, id } = await withEvent("likely");
    stage.service.control.addFault({ kind: "request-lost", method: "PATCH" });
    expect((await stage.run(patch(id, { name: "Blues" }))).report.summary.done).toBe(1);
    expect(stage.writes()).toHaveLength(2);
    expect(stage.rows().events[0]?.name).toBe("Blues");
  });

  test("a redirect each time: the last response is quoted, with what helps against it", async () => {
    const { stage, id } = await withEvent("likely");
    stage.service.control.addFault({ kind: "redirect", method: "PATCH", times: 9 });
    const { report } = await stage.run(patch(id, { name: "Blues" }));
    expect(report.outcomes[0]).toMatchObject({
      result: "unsure",
      error: {
        code: "not-confirmed",
        status: 307,
        message: expect.stringMatching(
          /^The call was sent 3 times, but .* The service responded with 307 and redirects/,
        ),
        hint: expect.stringMatching(/^If the service has moved, set baseUrl .* Run the command again/),
      },
    });
  });

  test.each(["clearing=refused", "clearing=ignored"])("%s: an empty text does where null does not", async (profile) => {
    const { stage, id } = await withEvent(profile);
    const { report } = await stage.run(patch(id, { description: null, name: "Blues" }));
    expect(report.outcomes[0]?.result).toBe("done");
    expect(stage.rows().events[0]).toMatchObject({ description: null, name: "Blues" });
  });

  test.each(["clearing=refused", "clearing=ignored"])(
    "%s: what cannot be cleared fails, and the rest is done",
    async (profile) => {
      const { stage, id } = await withEvent(profile);
      const { report } = await stage.run(patch(id, { eventCapacity: null, name: "Blues" }));
      expect(report.outcomes[0]).toMatchObject({ result: "failed", error: { code: "cannot-clear" } });
      expect(stage.rows().events[0]).toMatchObject({ eventCapacity: 10, name: "Blues" });
    },
  );

  test("text that comes back otherwise is reported once and remembered", async () => {
    const { stage, id } = await withEvent("html=sanitized,writeResponse=null");
    const { report, objects, notes } = await stage.run(patch(id, { description: "<i>odd</i> <script>x</script>" }));
    expect(report.summary.done).toBe(1);
    expect(objects["events/jazz"]?.returned?.description).toBeDefined();
    expect(notes.length).toBeLessThanOrEqual(1);
  });
});

describe("transitions", () => {
  const move = (id: string, verb: "publish" | "unpublish" | "archive") =>
    buildPlan([
      {
        address: "events/jazz",
        verb,
        method: "POST",
        path: `/events/${id}/${verb}`,
        ...(verb === "archive" ? { fallback: ["unpublish", "archive"] as const } : {}),
      },
    ]);

  function seeded(profile: string, status: "DRAFT" | "PUBLISHED") {
    const stage = openStage(profile);
    const { events } = stage.service.control.seed({
      events: [{ name: "Jazz", dateTime: "2027-03-14T11:00:00.000Z", status }],
    });
    stage.service.control.clearCalls();
    return { stage, id: String(events[0]?.id) };
  }

  test("a refusal of what is so already is success", async () => {
    const { stage, id } = seeded("likely", "PUBLISHED");
    expect((await stage.run(move(id, "publish"))).report.summary.done).toBe(1);
  });

  test("after a lost response the status is read, and nothing is sent blindly", async () => {
    const { stage, id } = seeded("likely", "DRAFT");
    stage.service.control.addFault({ kind: "response-lost", path: "/publish" });
    expect((await stage.run(move(id, "publish"))).report.summary.done).toBe(1);
    expect(stage.writes()).toEqual(["POST /events/ID/publish"]);
  });

  test("what is waited for names the object, and no code of the connection", async () => {
    const { stage, id } = seeded("likely", "DRAFT");
    stage.service.control.addFault({ kind: "request-lost", path: "/publish" });
    const waits: string[] = [];
    const listener = { onWait: (_address: string, message: string) => void waits.push(message) };
    await stage.run(move(id, "publish"), { listener, settleMs: 500 });
    expect(waits).toEqual([expect.stringMatching(/^The event "jazz": no response came; checking in \d+ ms$/)]);
  });

  test("a service that archives drafts only gets what the plan shows as the other way", async () => {
    const { stage, id } = seeded("archiveFrom=draft", "PUBLISHED");
    expect((await stage.run(move(id, "archive"))).report.summary.done).toBe(1);
    expect(stage.rows().events[0]?.status).toBe("ARCHIVED");
    expect(stage.writes()).toEqual(["POST /events/ID/archive", "POST /events/ID/unpublish", "POST /events/ID/archive"]);
  });

  test("an event that was unpublished on the way to an archive that is refused is said to be off the marketplace", async () => {
    const { stage, id } = seeded("likely", "PUBLISHED");
    const handle = stage.service.handle.bind(stage.service);
    const body = JSON.stringify({ error: { code: "CONFLICT", message: "Not now", hint: "Wait" }, requestId: "r-1" });
    const refuse = async (request: SandboxRequest) => ({
      ...(await handle(
        request.path.endsWith("/archive") ? { ...request, method: "GET", path: "/open-api/v1/me" } : request,
      )),
      ...(request.path.endsWith("/archive") ? { status: 409, body } : {}),
    });
    Object.assign(stage.service, { handle: refuse });
    const { report } = await stage.run(move(id, "archive"));
    expect(stage.rows().events[0]?.status).toBe("DRAFT");
    expect(report.outcomes[0]).toMatchObject({
      result: "failed",
      error: {
        message: "Not now. It was unpublished first, so it is DRAFT now and no longer on the marketplace.",
        hint: "Wait. To archive it, run `ticketing apply` again; if that is refused too, remove `status` from the file and archive it in the dashboard. To sell it again, set `status: PUBLISHED` and apply.",
      },
    });
  });

  test("an archive that is refused is told with the refusal of its other way", async () => {
    const { stage, id } = seeded("likely", "PUBLISHED");
    const handle = stage.service.handle.bind(stage.service);
    const refuse = async (request: SandboxRequest) => {
      const [, verb = ""] = /\/(archive|unpublish)$/.exec(request.path) ?? [];
      if (verb === "") return handle(request);
      const body = JSON.stringify({ error: { code: "CONFLICT", message: `No ${verb} now` }, requestId: "r-1" });
      return { ...(await handle({ ...request, method: "GET", path: "/open-api/v1/me" })), status: 409, body };
    };
    Object.assign(stage.service, { handle: refuse });
    const { report } = await stage.run(move(id, "archive"));
    const message = 'The service said: "No archive now." So the run tried to unpublish it first: No unpublish now';
    expect(report.outcomes[0]).toMatchObject({ result: "failed", error: { message } });
  });

  test.each([
    ["confirmed", []],
    ["confirmed, with a response that was lost", [{ kind: "response-lost", path: "/archive" }]],
  ] as const)("an archive is %s by a service that then hides the event, even by its id", async (_, faults) => {
    const { stage, id } = seeded("writeResponse=204,publishAgain=refused", "PUBLISHED");
    for (const fault of faults) stage.service.control.addFault(fault);
    const handle = stage.service.handle.bind(stage.service);
    const hide = (request: SandboxRequest) => {
      const isHidden = stage.rows().events[0]?.status === "ARCHIVED" && request.path.endsWith(id);
      return handle(isHidden ? { ...request, path: request.path.replace(id, uuidOf("9")) } : request);
    };
    Object.assign(stage.service, { handle: hide });
    const { report } = await stage.run(move(id, "archive"));
    expect(report.summary).toMatchObject({ done: 1, failed: 0 });
    expect(stage.rows().events[0]?.status).toBe("ARCHIVED");
    expect(stage.writes()).not.toContain("POST /events/ID/unpublish");
  });

  test("a publish that is refused without a hint is not blamed on values, since it sends none", async () => {
    const { stage, id } = seeded("likely", "DRAFT");
    const handle = stage.service.handle.bind(stage.service);
    const body = JSON.stringify({ error: { code: "VALIDATION_ERROR", message: "The image could not be fetched." } });
    const refuse = async (request: SandboxRequest) => ({
      ...(await handle(
        request.path.endsWith("/publish") ? { ...request, method: "GET", path: "/open-api/v1/me" } : request,
      )),
      ...(request.path.endsWith("/publish") ? { status: 422, body } : {}),
    });
    Object.assign(stage.service, { handle: refuse });
    const hint = "Correct what the service objects to.";
    expect((await stage.run(move(id, "publish"))).report.outcomes[0]).toMatchObject({ error: { hint } });
  });

  test("what was accepted and has no effect fails, and is not remembered as public", async () => {
    const { stage, id } = seeded("likely", "DRAFT");
    const handle = stage.service.handle.bind(stage.service);
    Object.assign(stage.service, {
      handle: (request: SandboxRequest) =>
        handle(
          request.path.endsWith("/publish")
            ? { ...request, method: "GET", path: request.path.replace("/publish", "") }
            : request,
        ),
    });
    const { report, objects } = await stage.run(move(id, "publish"));
    expect(report.outcomes[0]).toMatchObject({ result: "failed", error: { code: "not-reached" } });
    expect(objects["events/jazz"]?.applied).toEqual({});
  });

  test("what is gone is deleted", async () => {
    const stage = openStage();
    const plan = buildPlan([
      {
        address: "events/jazz",
        verb: "delete",
        method: "DELETE",
        path: "/events/7b1e5c7e-2222-4222-8222-222222222222",
      },
    ]);
    expect((await stage.run(plan)).report.summary.done).toBe(1);
  });
});

test("a service out of reach ends the run early, and nothing is lost", async () => {
  const stage = openStage();
  stage.service.control.addFault({ kind: "request-lost", times: 0 });
  const steps = Array.from({ length: 60 }, (_, at) => ({
    address: `events/e${at}`,
    verb: "create" as const,
    method: "POST" as const,
    path: "/events",
    needs: [],
    body: { name: `E${at}`, dateTime: "2027-03-14T11:00:00.000Z" },
  }));
  const { report, halt } = await stage.run(buildPlan(steps), { parallelism: 1, settleMs: 1 });
  expect(halt?.code).toBe("connection-lost");
  expect(report.summary.skipped).toBeGreaterThan(20);
});
