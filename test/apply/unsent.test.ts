// What a new object is by itself is not sent, and is applied all the same: from then on another value is drift.
import { afterEach, describe, expect, test } from "vitest";
import { openProject, type Project } from "../stage/open-project.ts";
import { rewriteBodies } from "../stage/rewrite-bodies.ts";

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

test("an image whose address is signed anew in each response is no difference, and no reason to refuse a plan", async () => {
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

  test("is not guessed at where the numbers do not tell them apart", async () => {
    await opened("name: Bo's, price: 100");
    const { report } = await project.apply("--settle", "0");
    expect(report.outcomes).toContainEqual(
      expect.objectContaining({ result: "unsure", error: expect.objectContaining({ code: "tickets-not-seen" }) }),
    );
  });
});
