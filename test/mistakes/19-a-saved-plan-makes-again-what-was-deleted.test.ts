// What was deleted by hand is made again by a saved plan, of each kind; what an earlier run of the plan made is not made twice.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openProject, type Project } from "../stage/open-project.ts";

const files = {
  "events/nights.yaml": `name: Nights
dateTime: 2027-03-14T19:00+08:00
tickets: [{ name: GA, price: 1500, quantity: 100 }, { name: VIP, price: 4500, quantity: 20 }]
performers: [{ name: Ana }]
schedules: [{ title: Doors, startTime: 2027-03-14T19:00+08:00, endTime: 2027-03-14T20:00+08:00 }]
brands: [{ name: Brew }]
`,
  "webhooks.yaml": '- { url: "https://hooks.example.com/orders", events: [order.completed] }\n',
};
const addresses = [
  "events/nights",
  "events/nights/tickets/VIP",
  "events/nights/performers/Ana",
  "events/nights/schedules/Doors",
  "events/nights/brands/Brew",
  "webhooks/https:%2F%2Fhooks.example.com%2Forders",
];

let project: Project;
let clock: number;
beforeEach(async () => {
  clock = Date.parse("2026-11-15T00:00:00Z");
  project = await openProject(files, { now: () => clock });
  expect((await project.apply()).exitCode).toBe(0);
});
afterEach(() => project.close());

async function deleteByHand(address: string): Promise<void> {
  const { objects } = await project.state();
  const own = objects[address]?.id;
  const list = address.split("/").at(-2);
  const path = address.startsWith("webhooks/")
    ? `/webhooks/${own}`
    : address === "events/nights"
      ? `/events/${own}`
      : `/events/${objects["events/nights"]?.id}/${list}/${own}`;
  const { status } = await project.sandbox.service.call("DELETE", path);
  expect(status).toBeLessThan(300);
}

describe.each(addresses)("%s", (address) => {
  test.each([true, false])("deleted by hand, it is made again; planned with state: %s", async (withState) => {
    await deleteByHand(address);
    // Without the plan's word for it, what was made in this very second may only not be shown yet.
    if (!withState) clock += 60_000;
    const state = await project.read(".ticketing/state.default.json");
    if (!withState) await project.remove(".ticketing/state.default.json");
    expect((await project.run(["plan", "--out", "plan.json"])).exitCode).toBe(0);
    await project.write(".ticketing/state.default.json", state);
    const { exitCode, stdout, stderr } = await project.apply("plan.json");
    expect(exitCode, stdout + stderr).toBe(0);
    expect((await project.plan()).plan.changes).toEqual([]);

    project.writes();
    const [reported] = (await project.apply("plan.json")).report.plan.diagnostics;
    expect(reported?.code).toBe("stale-plan");
    expect(project.writes()).toEqual([]);
  });
});
