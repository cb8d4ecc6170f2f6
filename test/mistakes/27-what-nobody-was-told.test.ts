// An assistant saw changes without their reason: what somebody added on the service, a draft that is published, and buyers of an
// event that is archived.
import { afterEach, expect, test } from "vitest";
import { openProject, type Project } from "../stage/open-project.ts";

let project: Project;
afterEach(() => project.close());

const jazz = "name: Jazz\ndateTime: 2027-03-14T19:00\nlocationType: ONLINE\n";
const ticket = "tickets: [{ name: GA, price: 500, quantity: 100, published: true }]\n";

test("a ticket type that was added on the service is no rename of another, also outside git", async () => {
  project = await openProject({ "events/jazz.yaml": `status: PUBLISHED\n${jazz}${ticket}` });
  expect((await project.apply()).exitCode).toBe(0);
  const { baseUrl, apiKey } = project.sandbox;
  const [{ id = "" } = {}] = project.sandbox.control.dump().events;
  const press = { name: "Press", price: 0, quantity: 5, published: false };
  const added = await fetch(`${baseUrl}/events/${id}/tickets`, {
    method: "POST",
    headers: { "api-key": apiKey, "content-type": "application/json" },
    body: JSON.stringify(press),
  });
  expect(added.status).toBe(201);
  await project.write("events/jazz.yaml", `status: PUBLISHED\n${jazz}${ticket.replace("GA", "Regular")}`);
  const { plan } = await project.plan();
  expect(plan.changes.find(({ address }) => address.endsWith("/Press"))).toMatchObject({
    action: "delete",
    origin: "drift",
    reason: "added on the service, and not listed under `tickets`",
  });
});

test("a new event says that its status is that of a phase", async () => {
  const phase = "phases: [{ name: Announce, from: -52w, status: PUBLISHED }]\n";
  project = await openProject({ "events/jazz.yaml": `status: DRAFT\n${jazz}${ticket}${phase}` });
  expect((await project.plan()).plan.changes[0]).toMatchObject({
    reason: "not live yet; its phases have already set its status",
    transition: { to: "PUBLISHED" },
  });
  await project.write("events/jazz.yaml", `status: PUBLISHED\n${jazz}${ticket}`);
  expect((await project.plan()).plan.changes[0]).toMatchObject({ reason: "not live yet" });
});

test("who archives an event with buyers is told to write to them", async () => {
  project = await openProject({ "events/jazz.yaml": `status: PUBLISHED\n${jazz}${ticket}` });
  expect((await project.apply()).exitCode).toBe(0);
  project.sandbox.control.sell({ event: "jazz", ticket: "GA", count: 3 });
  await project.write("events/jazz.yaml", `status: ARCHIVED\n${jazz}${ticket}allow: [archive-with-sales]\n`);
  const { plan, exitCode } = await project.plan();
  expect(exitCode).toBe(0);
  expect(plan.diagnostics.map(({ code, source }) => [code, source?.line])).toEqual(
    expect.arrayContaining([
      ["buyers-not-told", 1],
      ["archive-with-sales", 6],
    ]),
  );
});

test.each([
  ["with state", "", "Remove it once the event is live"],
  ["without state", "state: { backend: none }\n", "Write the `id` in its place"],
])("that `new: true` has done its work: %s", async (_, state, fix) => {
  const night = (name: string, more = "new: true\n") => jazz.replace("Jazz", name) + more;
  const series = "new: true\nseries: { every: sunday, from: 2027-03-14, until: 2027-04-04 }\n";
  project = await openProject({
    "ticketing.yaml": `version: 1\n${state}`,
    "events/jazz.yaml": night("Jazz"),
    "events/plain.yaml": night("Plain", ""),
  });
  const said = async () => (await project.plan()).plan.diagnostics.filter(({ code }) => code === "still-new");
  expect(await said()).toEqual([]);
  expect((await project.apply()).exitCode).toBe(0);
  const ids = project.sandbox.control.dump().events.map(({ id }) => id);
  const [notice, ...others] = await said();
  expect(others).toEqual([]);
  expect(notice).toMatchObject({ severity: "info", source: { file: "events/jazz.yaml", line: 4 } });
  expect(notice?.message).toBe(
    `\`new: true\` is still in the file of an event that is live: events/jazz (${ids.find((id) => notice?.message.includes(id))}).`,
  );
  expect(notice?.hint).toContain(fix);
  // A series has it in one line, and is named once, with a few of its dates.
  await project.write("events/club.yaml", night("Club", series).replace("2027-03-14T19:00", "19:00"));
  expect((await project.apply()).exitCode).toBe(0);
  const many = await said();
  expect(many).toHaveLength(1);
  expect(many[0]?.message).toMatch(/events that are live: .*events\/club@2027-03-14 .* and 2 more\.$/);
  await project.remove("events/club.yaml");
  await project.write("events/jazz.yaml", night("Jazz", `id: ${ids.find((id) => notice?.message.includes(id))}\n`));
  expect(await said()).toEqual([]);
});
