// A new event whose lists are not found at first: its create gave its id, so it exists, and reads are only late.
import { afterEach, expect, test } from "vitest";
import { openProject, type Project } from "../../stage/open-project.ts";

const nights = `name: Nights
status: PUBLISHED
dateTime: 2027-03-14T19:00+08:00
tickets:
  - { name: GA, price: 3500, quantity: 100, published: true }
performers:
  - { name: Ana }
`;

let project: Project;
afterEach(() => project.close());

test("is waited for, and goes live in the same run", async () => {
  project = await openProject({ "events/nights.yaml": nights });
  project.sandbox.control.addFault({ kind: "error-before", status: 404, method: "GET", path: "/tickets", times: 2 });
  const { exitCode, report } = await project.apply("--settle", "5");
  expect([exitCode, report.summary]).toMatchObject([0, { failed: 0, unsure: 0, skipped: 0 }]);
  expect(project.sandbox.service.dump().events).toMatchObject([{ status: "PUBLISHED" }]);
});

test("is not said to be missing if it stays so", async () => {
  project = await openProject({ "events/nights.yaml": nights });
  project.sandbox.control.addFault({ kind: "error-before", status: 404, method: "GET", path: "/tickets", times: 0 });
  const { exitCode, stdout } = await project.apply();
  expect(exitCode).toBe(1);
  expect(stdout).toContain("could not be read");
  expect(stdout).toContain('It depends on \\"nights\\", which may not have been created.');
});

test("an event that somebody else creates meanwhile for the same time is neither adopted nor a reason to stop forever", async () => {
  project = await openProject({ "events/nights.yaml": nights });
  const { control, call } = project.sandbox.service;
  control.addFault({ kind: "request-lost", method: "POST", path: "/events", times: 1 });
  const other = { name: "Members' Evening", dateTime: "2027-03-14T11:00:00.000Z" };
  const applied = project.apply("--settle", "1");
  await expect.poll(() => control.calls().filter(({ method }) => method === "POST").length).toBe(1);
  await call("POST", "/events", other);
  const { exitCode, report } = await applied;
  const [{ error } = {}] = report.outcomes;
  expect([exitCode, error?.code]).toEqual([1, "too-many-alike"]);
  expect(error?.message).toContain("under a different name: ");
  expect(error?.hint).toContain("`new: true` if yours is not among them");
  const { exitCode: planned, stdout } = await project.plan();
  expect([planned, stdout]).toEqual([1, expect.stringContaining("ambiguous-event")]);
  await project.edit("events/nights.yaml", (text) => `new: true\n${text}`);
  expect((await project.apply()).exitCode).toBe(0);
  expect(project.sandbox.service.dump().events).toMatchObject([other.name, "Nights"].map((name) => ({ name })));
});
