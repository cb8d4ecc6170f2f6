// What a new object is by itself is not sent, and is applied all the same: from then on another value is drift.
import { afterEach, describe, expect, test } from "vitest";
import { openProject, type Project } from "../../stage/open-project.ts";
import { rewriteBodies } from "../../stage/rewrite-bodies.ts";

const hook = '- { url: "https://hooks.example.com/orders", events: [order.completed], isActive: true }\n';
const nights = `name: Nights
dateTime: 2027-03-14T19:00+08:00
description: null
tickets: [{ name: GA, price: 100, quantity: 10, published: true, row: null }]
performers: [{ name: Ana, description: null }]
schedules: [{ title: Doors, startTime: 2027-03-14T19:00+08:00, endTime: 2027-03-14T20:00+08:00, performer: null, description: null }]
`;

let project: Project;
afterEach(() => project.close());

async function origins(): Promise<readonly string[]> {
  const { plan } = await project.plan();
  return plan.changes.flatMap(({ kind, edits }) => edits.map(({ path, origin }) => `${kind}${path} ${origin}`)).sort();
}

async function applyIn(two: boolean): Promise<void> {
  if (two) expect((await project.plan("--out", "plan.json")).exitCode).toBe(0);
  const { exitCode, stdout } = await project.apply(...(two ? ["plan.json"] : []));
  expect(exitCode, stdout).toBe(0);
}

describe.each([
  ["at once", false],
  ["from a saved plan", true],
])("applied %s", (_, two) => {
  test("a webhook that the service switches off is drift", async () => {
    project = await openProject({ "webhooks.yaml": hook });
    await applyIn(two);
    const [{ id }] = project.sandbox.service.dump().webhooks as [{ id: string }];
    await project.sandbox.service.call("PATCH", `/webhooks/${id}`, { isActive: false });
    expect(await origins()).toEqual(["webhook/isActive drift"]);
  });

  test("what was wished empty and somebody fills is drift", async () => {
    project = await openProject({ "events/nights.yaml": nights });
    await applyIn(two);
    const { events, schedules } = project.sandbox.service.dump();
    const event = `/events/${events?.[0]?.id}`;
    await project.sandbox.service.call("PATCH", event, { description: "Loud" });
    await project.sandbox.service.call("PATCH", `${event}/schedules/${schedules?.[0]?.id}`, { description: "Wide" });
    expect(await origins()).toEqual(["event/description drift", "schedule/description drift"]);
  });

  test("what was wished empty and is not shown causes no change", async () => {
    project = await openProject({ "events/nights.yaml": nights }, { profile: "minimal" });
    await applyIn(two);
    expect((await project.plan()).plan.operations).toEqual([]);
  });
});

test("a webhook that the service creates switched off is not called done", async () => {
  project = await openProject({ "webhooks.yaml": hook });
  let isNew = true;
  rewriteBodies(project.sandbox.service, (body, _answer, { method }) => {
    if (method === "PATCH") isNew = false;
    return isNew ? body.replace('"isActive":true', '"isActive":false') : body;
  });
  const { exitCode, report } = await project.apply();
  expect(exitCode).toBe(1);
  expect(report.outcomes).toMatchObject([{ result: "failed", error: { code: "verify" } }]);
  expect(await origins()).toEqual(["webhook/isActive edit"]);
  await applyIn(false);
  expect((await project.plan()).plan.operations).toEqual([]);
});

test("what the service gives to an empty field of an object that cannot be updated is kept, and reported", async () => {
  const performer = (type: string) => nights.replace("Ana, description: null", `Ana, type: ${type}`);
  project = await openProject({ "events/nights.yaml": performer("DJ") });
  rewriteBodies(project.sandbox.service, (body) => body.replaceAll('"type":null', '"type":"ARTIST"'));
  await applyIn(false);
  await project.write("events/nights.yaml", performer("null"));
  const { exitCode, report } = await project.apply();
  expect(exitCode).toBe(0);
  expect(report.notes).toMatchObject([
    { code: "normalized", message: expect.stringContaining('keeps `type` as "ARTIST"; it was left empty.') },
  ]);
  expect(project.sandbox.service.dump().performers).toHaveLength(1);
  expect((await project.plan()).plan.changes).toEqual([]);
});

test("what it gives to an empty field that can be updated is not called done, and cleared by the next run", async () => {
  project = await openProject({ "events/nights.yaml": nights });
  let isNew = true;
  rewriteBodies(project.sandbox.service, (body, _answer, { method }) => {
    if (method === "PATCH") isNew = false;
    return isNew ? body.replaceAll('"icon":null', '"icon":"star"') : body;
  });
  await project.write("events/nights.yaml", nights.replace("performer: null", "icon: null"));
  const { exitCode, report } = await project.apply();
  expect(exitCode).toBe(1);
  expect(report.outcomes).toContainEqual(
    expect.objectContaining({ result: "failed", error: expect.objectContaining({ code: "verify" }) }),
  );
  await applyIn(false);
  expect((await project.plan()).plan.changes).toEqual([]);
});

test("what the service made of a performer is read from the list where the response shows little and the list is late", async () => {
  const named = nights.replace("Ana, description: null", "Ana, type: DJ");
  project = await openProject({ "events/nights.yaml": named }, { profile: "createResponse=partial,listLag=300" });
  rewriteBodies(project.sandbox.service, (body) => body.replaceAll('"type":"DJ"', '"type":"dj"'));
  const { exitCode, stdout } = await project.run(["apply", "--yes", "--settle", "1", "--format", "json"]);
  expect(exitCode, stdout).toBe(0);
  expect((await project.plan()).plan.changes).toEqual([]);
});

test("a response that shows empty what was sent is not trusted: the list is", async () => {
  project = await openProject({ "events/nights.yaml": nights.replace("Ana, description: null", "Ana, type: DJ") });
  rewriteBodies(project.sandbox.service, (body, _answer, { method }) =>
    body.replaceAll('"type":"DJ"', method === "POST" ? '"type":null' : '"type":"dj"'),
  );
  await applyIn(false);
  expect((await project.plan()).plan.changes).toEqual([]);
});

test("an image whose address is signed again in each response is no difference, and no reason to refuse a plan", async () => {
  const image = "imageUrl: https://example.com/a.jpg";
  const signed = nights.replace("description: null\n", `${image}\n`).replace("Ana, description: null", `Ana, ${image}`);
  project = await openProject({ "events/nights.yaml": signed });
  let count = 0;
  rewriteBodies(project.sandbox.service, (body) => body.replaceAll("/a.jpg", () => `/a.jpg?signature=${count++}`));
  await applyIn(false);
  expect((await project.plan()).plan.operations).toEqual([]);
  await project.write("events/nights.yaml", signed.replace("name: Ana", "name: Ana, type: DJ"));
  await applyIn(true);
  expect((await project.plan()).plan.operations).toEqual([]);
  await project.write("events/nights.yaml", signed.replaceAll("a.jpg", "b.jpg"));
  expect(await origins()).toContain("event/imageUrl edit");
});

test("so it is of a webhook that took the place of another", async () => {
  project = await openProject({ "webhooks.yaml": hook });
  await project.apply();
  const url = "https://hooks.example.com/orders";
  const rotated = await project.run(["webhooks", "rotate", url, "--yes", "--untested", "--settle", "0"]);
  expect(rotated.exitCode, rotated.stderr).toBe(0);
  const [{ id }] = project.sandbox.service.dump().webhooks as [{ id: string }];
  await project.sandbox.service.call("PATCH", `/webhooks/${id}`, { isActive: false });
  expect(await origins()).toEqual(["webhook/isActive drift"]);
});

describe("a service that writes names in its own way", () => {
  const tickets = (second: string) =>
    nights.replace(/tickets: .*/, `tickets: [{ name: Ana's, price: 100, quantity: 10 }, { ${second}, quantity: 10 }]`);
  async function opened(second: string): Promise<void> {
    project = await openProject({ "events/nights.yaml": tickets(second) });
    rewriteBodies(project.sandbox.service, (body) => body.replaceAll("'s", "’s"));
  }

  test("is understood where it creates ticket types with their event", async () => {
    await opened("name: Bo's, price: 200");
    await applyIn(false);
    expect(project.sandbox.service.dump().tickets).toMatchObject([{ name: "Ana's" }, { name: "Bo's" }]);
    expect((await project.plan()).plan.operations).toEqual([]);
  });

  test("is understood where only the seats distinguish them", async () => {
    await opened("name: Bo's, section: B, row: R1, price: 100");
    await applyIn(false);
    expect((await project.plan()).plan.operations).toEqual([]);
  });

  test("is not guessed at where the numbers do not distinguish them", async () => {
    await opened("name: Bo's, price: 100");
    const { report } = await project.apply("--settle", "0");
    expect(report.outcomes).toContainEqual(
      expect.objectContaining({ result: "unsure", error: expect.objectContaining({ code: "tickets-not-shown" }) }),
    );
  });
});
