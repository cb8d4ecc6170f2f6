import { expect, test } from "vitest";
import { openStage } from "../stage/executor-stage.ts";
import { rewriteBodies } from "../stage/rewrite-bodies.ts";
import { buildPlan, nightsPlan, webhookAddress, webhookPlan } from "./build-plan.ts";

const event = "events/nights";

test("a whole event: every call once, ids filled in, published last", async () => {
  const stage = openStage();
  const { report, objects, notes } = await stage.run(nightsPlan());
  expect(report.outcomes.map(({ result }) => result)).toEqual(Array(6).fill("done"));
  expect(report.summary).toEqual({ done: 6, failed: 0, skipped: 0, unsure: 0 });
  expect(notes).toEqual([]);
  const writes = stage.writes();
  expect(writes).toHaveLength(6);
  expect(writes[0]).toBe("POST /events");
  expect(writes.at(-1)).toBe("POST /events/ID/publish");
  const { events, tickets, performers, schedules } = stage.rows();
  expect(events[0]).toMatchObject({ name: "Manila Nights", status: "PUBLISHED" });
  expect(schedules[0]?.performerId).toBe(performers[0]?.id);
  expect(tickets.map(({ row, remainingQuantity }) => [row, remainingQuantity])).toEqual([
    ["GA", 200],
    ["GA", 400],
    ["B", 0],
  ]);
  expect(Object.keys(objects).sort()).toEqual([
    event,
    `${event}/brands/San Miguel`,
    `${event}/performers/DJ Ana`,
    `${event}/schedules/Set`,
    `${event}/tickets/GA`,
    `${event}/tickets/GA#2`,
    `${event}/tickets/VIP`,
  ]);
  expect(objects[event]).toMatchObject({ id: events[0]?.id, applied: { name: "Manila Nights", eventCapacity: 700 } });
  expect(objects[`${event}/tickets/GA#2`]?.applied).toMatchObject({ row: "B", soldOut: true });
});

test.each([
  "minimal",
  "hostile",
  "createResponse=null",
  "createResponse=partial",
  "oneRecord=named",
  "writeResponse=204",
  "listLag=60",
  "search=ignored",
])("under %s the same, and no call is repeated", async (profile) => {
  const stage = openStage(profile);
  const { report, objects } = await stage.run(nightsPlan(), { settleMs: 200 });
  expect(report.outcomes.map(({ result }) => result)).toEqual(Array(6).fill("done"));
  expect(stage.writes()).toHaveLength(6);
  expect(Object.keys(objects)).toHaveLength(7);
  expect(stage.rows().events).toHaveLength(1);
});

test("text that the service rewrites is remembered as it came back", async () => {
  const { objects } = await openStage("html=wrapped,imageUrls=rehosted").run(nightsPlan());
  expect(objects[event]?.returned?.description).toContain("<p>");
  expect(objects[event]?.returned?.imageUrl).not.toBe("https://example.com/cover.jpg");
  expect(objects[event]?.applied.description).toBe("<b>A night</b>\nof music");
});

test("ticket types are known by their only name where the service shows another default section", async () => {
  const stage = openStage();
  rewriteBodies(stage.service, (body) => body.replaceAll("General Admissions", "Standing"));
  const twins = ["Left", "Right"].map((section) => ({ name: "GA", price: 1, quantity: 9, published: true, section }));
  const tickets = [{ name: "VIP", price: 4500, quantity: 200, published: true }, ...twins];
  const body = { name: "Manila Nights", dateTime: "2027-03-14T11:00:00.000Z", tickets };
  const plan = buildPlan([{ address: event, verb: "create", method: "POST", path: "/events", body }]);
  const { report, objects } = await stage.run(plan, { settleMs: 200 });
  expect(report.summary).toMatchObject({ done: 1 });
  expect(Object.keys(objects)).toHaveLength(4);
});

test("a first look that takes long is no lag: what is lost later is not waited for four times as long", async () => {
  const stage = openStage();
  const handle = stage.service.handle.bind(stage.service);
  let looks = 0;
  Object.assign(stage.service, {
    async handle(request: Parameters<typeof handle>[0]) {
      const isFirst = request.method === "GET" && request.path.includes("/tickets") && looks++ === 0;
      if (isFirst) await new Promise((resolve) => setTimeout(resolve, 1500));
      return handle(request);
    },
  });
  stage.service.control.addFault({ kind: "response-lost", method: "POST", path: "/performers" });
  const begun = performance.now();
  const { report } = await stage.run(nightsPlan());
  expect(report.summary).toMatchObject({ done: 6 });
  expect(looks).toBeGreaterThan(0);
  expect(performance.now() - begun).toBeLessThan(5500);
});

test("a refusal stops what needs it and nothing else", async () => {
  const stage = openStage();
  const plan = nightsPlan();
  const operations = plan.operations.map((operation) =>
    operation.id === "2" ? { ...operation, body: { name: 7 as unknown as string } } : operation,
  );
  const { report } = await stage.run({ ...plan, operations });
  expect(report.outcomes.map(({ result }) => result)).toEqual(["done", "failed", "skipped", "done", "done", "skipped"]);
  expect(report.outcomes[1]?.error).toMatchObject({ code: "VALIDATION_ERROR", status: 400 });
  expect(report.outcomes[1]?.error?.requestId).toBeTruthy();
  expect(stage.rows().events[0]?.status).toBe("DRAFT");
});

test.each(["likely", "oneRecord=named"])(
  "a webhook's secret is in the sink and nowhere in the journal: %s",
  async (profile) => {
    const stage = openStage(profile);
    const { report, objects } = await stage.run(webhookPlan());
    expect(report.summary.done).toBe(2);
    const [row] = stage.rows().webhooks;
    expect(stage.secrets.get(row?.id ?? "")?.secret).toBe(row?.secret);
    expect(row?.isActive).toBe(false);
    expect(stage.journal).not.toContain(row?.secret);
    expect(JSON.stringify(objects)).not.toContain(row?.secret);
    expect(objects[webhookAddress]?.applied).toMatchObject({ isActive: false });
  },
);

test("a sink that fails takes the webhook with it", async () => {
  const stage = openStage();
  const sink = { holds: async () => false, put: async () => "The disk is full." };
  const { report } = await stage.run(webhookPlan(), { sink });
  expect(report.outcomes.map(({ result }) => result)).toEqual(["failed", "skipped"]);
  expect(report.outcomes[0]?.error).toMatchObject({ code: "secret-not-kept" });
  expect(stage.rows().webhooks).toEqual([]);
});

test("a service that does not show the secret is to blame, not the sink", async () => {
  const stage = openStage();
  rewriteBodies(stage.service, (body) => body.replace(/,?"secret":"[^"]*"/, ""));
  const { report } = await stage.run(webhookPlan());
  expect(report.outcomes[0]?.error).toMatchObject({
    code: "secret-not-kept",
    hint: expect.stringMatching(/^Create it in the dashboard/),
  });
  expect(stage.rows().webhooks).toEqual([]);
});

test("after Ctrl-C nothing new begins", async () => {
  const abort = new AbortController();
  const stage = openStage("likely", { after: () => abort.abort() });
  const { report } = await stage.run(nightsPlan(), { signal: abort.signal });
  expect(report.outcomes.slice(1).every(({ result }) => result === "skipped")).toBe(true);
  expect(stage.writes()).toEqual(["POST /events"]);
});

test("as many creates as there are may wait to be looked for, and that is no leak to warn about", async () => {
  const warnings: string[] = [];
  const heard = ({ name }: Error) => void warnings.push(name);
  process.on("warning", heard);
  const numbers = Array.from({ length: 16 }, (_, index) => index);
  const plan = buildPlan(
    numbers.map((nth) => ({
      address: `events/night-${nth}`,
      verb: "create",
      method: "POST",
      path: "/events",
      needs: [],
      body: { name: `Night ${nth}`, dateTime: "2027-03-14T11:00:00.000Z", locationType: "ONLINE" },
    })),
  );
  const stage = openStage();
  stage.service.control.addFault({ kind: "response-lost", path: "/events", method: "POST", times: numbers.length });
  const { report } = await stage.run(plan, { signal: new AbortController().signal, parallelism: 16 });
  expect(report.summary.done).toBe(numbers.length);
  // They are emitted a moment later.
  await new Promise((done) => setImmediate(done));
  process.off("warning", heard);
  expect(warnings).toEqual([]);
});
