// `protected: true` outlives its document, even where the event was made in the very run before.
import { afterEach, expect, test } from "vitest";
import { openProject, type Project } from "../../stage/open-project.ts";

const gala = "protected: true\nstatus: PUBLISHED\nname: Gala\ndateTime: 2027-03-14T19:00+08:00\n";
const allow = "version: 1\nallow: [delete-event]\n";

let project: Project;
afterEach(() => project.close());

async function expectProtected(): Promise<void> {
  await project.remove("events/gala.yaml");
  const { exitCode, plan } = await project.plan();
  expect(exitCode).toBe(1);
  expect(plan.operations).toEqual([]);
  expect(plan.changes).toMatchObject([
    { action: "delete", blockedBy: [{ code: "protected", hint: expect.stringContaining("bring its file back") }] },
  ]);
  // What is accepted and blocked all the same is not said to be accepted.
  expect(plan.diagnostics.map(({ code }) => code)).not.toContain("delete-event");
}

async function open(): Promise<void> {
  project = await openProject({
    "ticketing.yaml": allow,
    "events/gala.yaml": gala,
    "events/other.yaml": "name: Other\ndateTime: 2027-04-14T19:00+08:00\n",
  });
}

test("made by one run, its document gone before the next", async () => {
  await open();
  expect((await project.apply()).exitCode).toBe(0);
  expect((await project.state()).objects["events/gala"]).toMatchObject({ protected: true });
  await expectProtected();
});

test("made from a saved plan", async () => {
  await open();
  expect((await project.run(["plan", "--out", "plan.json"])).exitCode).toBe(0);
  await project.write("events/gala.yaml", gala.replace("protected: true\n", ""));
  expect((await project.apply("plan.json")).exitCode).toBe(0);
  await expectProtected();
});

test("made although the response was lost", async () => {
  await open();
  project.sandbox.control.addFault({ kind: "response-lost", method: "POST", path: "/events" });
  expect((await project.apply()).exitCode).toBe(0);
  await expectProtected();
});

test("no longer protected once the document says so", async () => {
  await open();
  await project.apply();
  await project.write("events/gala.yaml", gala.replace("protected: true\n", ""));
  expect((await project.apply()).exitCode).toBe(0);
  await project.remove("events/gala.yaml");
  expect((await project.plan()).plan.changes).toMatchObject([{ action: "delete", blockedBy: [] }]);
});
