// Every apply records what its plan matched: saved or not, with calls or without.
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { openProject, type Project } from "../stage/open-project.ts";

const nights = `name: Nights
dateTime: 2027-03-14T19:00+08:00
description: Loud
tickets: [{ name: GA, price: 1500, quantity: 100 }]
performers: [{ name: Ana }]
`;
const hook = '- { url: "https://hooks.example.com/orders", events: [order.completed] }\n';

let project: Project;
afterEach(() => project.close());

async function open(profile = "likely"): Promise<void> {
  project = await openProject({ "events/nights.yaml": nights, "webhooks.yaml": hook }, { profile });
  expect((await project.apply()).exitCode).toBe(0);
}

async function applySaved(): Promise<void> {
  expect((await project.run(["plan", "--out", "plan.json"])).exitCode).toBe(0);
  const { exitCode, stdout, stderr } = await project.apply("plan.json");
  expect(exitCode, stdout + stderr).toBe(0);
}

function move(from: string, to: string): Promise<void> {
  return rename(join(project.directory, from), join(project.directory, to));
}

test("a renamed file is remembered under its new name, so that a later rename of the event is one", async () => {
  await open();
  const before = (await project.state()).objects;
  await move("events/nights.yaml", "events/late.yaml");
  project.writes();
  await applySaved();
  expect(project.writes()).toEqual([]);
  const { objects } = await project.state();
  expect(Object.keys(objects).sort()).toEqual(
    Object.keys(before)
      .map((address) => address.replace("events/nights", "events/late"))
      .sort(),
  );
  expect(objects["events/late"]).toEqual(before["events/nights"]);

  await project.write("events/late.yaml", nights.replace("Nights", "Late Nights").replace("14T19", "15T19"));
  const { plan } = await project.plan();
  expect(plan.changes).toMatchObject([{ address: "events/late", action: "update", id: before["events/nights"]?.id }]);
});

describe.each(["likely", "minimal"])("under the reading %s", (profile) => {
  test("a saved plan leaves the same state as one that is applied at once", async () => {
    await open(profile);
    await project.remove(".ticketing/state.default.json");
    await applySaved();
    const saved = (await project.state()).objects;
    await project.remove(".ticketing/state.default.json");
    expect((await project.apply()).exitCode).toBe(0);
    expect(saved).toEqual((await project.state()).objects);
  });
});

test("what a saved plan leaves unchanged is remembered along with what it changes", async () => {
  await open();
  await project.remove(".ticketing/state.default.json");
  await project.write("events/nights.yaml", nights.replace("1500", "1600"));
  await applySaved();
  const { objects } = await project.state();
  expect(Object.keys(objects).sort()).toEqual([
    "events/nights",
    "events/nights/performers/Ana",
    "events/nights/tickets/GA",
    "webhooks/https:%2F%2Fhooks.example.com%2Forders",
  ]);
  expect(objects["events/nights/tickets/GA"]?.applied).toMatchObject({ price: 1600 });
});

test("what state knows by now is not overwritten by an older plan, and no document is remembered that is not there", async () => {
  await open();
  expect((await project.run(["plan", "--out", "plan.json"])).exitCode).toBe(0);
  await project.write("events/nights.yaml", nights.replace("Loud", "Quiet"));
  expect((await project.apply()).exitCode).toBe(0);
  expect((await project.apply("plan.json")).exitCode).toBe(0);
  expect((await project.state()).objects["events/nights"]?.applied).toMatchObject({ description: "Quiet" });

  await move("events/nights.yaml", "events/late.yaml");
  expect((await project.run(["plan", "--out", "plan.json"])).exitCode).toBe(0);
  await project.remove("events/late.yaml");
  expect((await project.apply("plan.json")).exitCode).toBe(0);
  expect(Object.keys((await project.state()).objects)).not.toContain("events/late");
});
