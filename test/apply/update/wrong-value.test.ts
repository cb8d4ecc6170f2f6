// A number, a time or a choice has no other shape: where the service shows another one after our write, it was not done.
import { afterEach, describe, expect, test } from "vitest";
import { confirmFields } from "../../../src/apply/run/compare-live.ts";
import { kindOf } from "../../../src/kinds/index.ts";
import type { Live, StateEntry } from "../../../src/model/live.ts";
import { openProject, type Project } from "../../stage/open-project.ts";

const nights = `name: Nights
dateTime: 2027-03-14T19:00+08:00
description: Doors at seven
tickets:
  - { name: GA, price: 3500, quantity: 100 }
`;
const dearer = nights.replace("3500", "3600");
const ga = "events/nights/tickets/GA";

let project: Project;
afterEach(() => project.close());

interface Row {
  readonly id: string;
  readonly price: number;
  readonly eventId: string;
}

function ticket(): Row | undefined {
  return (project.sandbox.service.dump().tickets as unknown as readonly Row[])[0];
}

/** Once the service has this price, somebody sets another, before our call is answered. */
async function meddleAt(price: number, until: Promise<unknown>): Promise<void> {
  let waiting = true;
  void until.finally(() => {
    waiting = false;
  });
  while (waiting && ticket()?.price !== price) await new Promise((resolve) => setTimeout(resolve, 5));
  const row = ticket();
  if (waiting)
    await project.sandbox.service.call("PATCH", `/events/${row?.eventId}/tickets/${row?.id}`, { price: 2900 });
}

async function applyMeddled(method: string, path: string, price: number) {
  project.sandbox.control.addFault({ kind: "slow", method, path, delayMs: 300 });
  const applying = project.apply();
  await meddleAt(price, applying);
  return applying;
}

async function entry(): Promise<StateEntry | undefined> {
  return (await project.state()).objects[ga];
}

describe.each(["writeResponse=null", "writeResponse=204"])("%s", (profile) => {
  test("somebody else's price during our change is reported as a failure, and planned again", async () => {
    project = await openProject({ "events/nights.yaml": nights }, { profile });
    expect((await project.apply()).exitCode).toBe(0);
    await project.write("events/nights.yaml", dearer);
    project.writes();
    const { exitCode, report } = await applyMeddled("PATCH", "/tickets", 3600);
    expect(exitCode).toBe(1);
    expect(report.outcomes).toMatchObject([{ result: "failed", error: { code: "verify" } }]);
    expect(JSON.stringify(report.outcomes)).toContain("`price` is 2900, but should be 3600");
    // Sent once by us and once by somebody else, and not looped on.
    expect(project.writes().filter((call) => call.startsWith("PATCH")).length).toBeLessThanOrEqual(2);
    expect((await entry())?.applied).not.toHaveProperty("price");
    expect((await entry())?.returned).toBeUndefined();
    const { plan } = await project.plan();
    expect(plan.changes).toMatchObject([{ address: ga, edits: [{ path: "/price", before: 2900, after: 3600 }] }]);
    expect((await project.apply()).exitCode).toBe(0);
    expect(ticket()?.price).toBe(3600);
    expect((await project.plan()).plan.changes).toEqual([]);
  });
});

test.each(["createResponse=null", "createResponse=partial"])("and so is one during a create: %s", async (profile) => {
  project = await openProject({ "events/nights.yaml": nights }, { profile });
  const { exitCode, report } = await applyMeddled("POST", "/events", 3500);
  expect(exitCode, JSON.stringify(report)).toBe(1);
  expect(report.outcomes[0]).toMatchObject({ result: "failed", error: { code: "verify" } });
  expect((await entry())?.applied).not.toHaveProperty("price");
  expect((await project.plan()).plan.changes).toMatchObject([
    { address: ga, edits: [{ path: "/price", after: 3500 }] },
  ]);
  expect((await project.apply()).exitCode).toBe(0);
  expect(ticket()?.price).toBe(3500);
});

test("a state that holds such a value as another shape does not hide it", async () => {
  project = await openProject({ "events/nights.yaml": nights });
  await project.apply();
  const row = ticket();
  await project.sandbox.service.call("PATCH", `/events/${row?.eventId}/tickets/${row?.id}`, { price: 2900 });
  const state = await project.state();
  const objects = { ...state.objects, [ga]: { ...state.objects[ga], returned: { price: 2900 } } };
  await project.write(".ticketing/state.default.json", JSON.stringify({ ...state, objects }));
  await project.run(["state", "reseal", "--yes"]);
  expect((await project.plan()).plan.changes).toMatchObject([
    { address: ga, edits: [{ path: "/price", before: 2900, after: 3500, origin: "drift" }] },
  ]);
});

test("a text that stays as it was is not taken for the service's own form of what was sent", async () => {
  project = await openProject({ "events/nights.yaml": nights }, { profile: "writeResponse=null" });
  expect((await project.apply()).exitCode).toBe(0);
  const event = () => project.sandbox.service.dump().events[0] as unknown as { id: string; description: string };
  await project.write("events/nights.yaml", nights.replace("Doors at seven", "Bring a coat"));
  project.sandbox.control.addFault({ kind: "slow", method: "PATCH", path: "/events", delayMs: 300 });
  const applying = project.apply();
  await expect.poll(() => event().description, { interval: 5 }).toBe("Bring a coat");
  await project.sandbox.service.call("PATCH", `/events/${event().id}`, { description: "Doors at seven" });
  expect((await applying).report.outcomes).toMatchObject([{ result: "failed", error: { code: "verify" } }]);
  expect((await project.state()).objects["events/nights"]?.returned).toBeUndefined();
  expect((await project.plan()).plan.changes).toMatchObject([
    { address: "events/nights", edits: [{ path: "/description", before: "Doors at seven", after: "Bring a coat" }] },
  ]);
});

test("a form of its own that equals the former value is remembered", async () => {
  project = await openProject({ "events/nights.yaml": nights }, { profile: "trim=collapse" });
  expect((await project.apply()).exitCode).toBe(0);
  await project.write("events/nights.yaml", nights.replace("Doors at seven", '"Doors  at seven"'));
  expect((await project.apply()).exitCode).toBe(0);
  expect((await project.plan()).plan.changes).toEqual([]);
});

test("two texts of which the service keeps the same are both remembered, with and without a record", async () => {
  project = await openProject({ "events/nights.yaml": nights }, { profile: "html=sanitized" });
  for (const script of ["alert(1)", "alert(2)"]) {
    await project.write(
      "events/nights.yaml",
      nights.replace("Doors at seven", `Doors at seven<script>${script}</script>`),
    );
    expect((await project.apply()).exitCode).toBe(0);
    expect((await project.plan()).plan.changes).toEqual([]);
  }
});

test("a list that the service adds to is wrong; one whose entries it writes in its own way is not", () => {
  const sent = { galleryUrls: ["https://example.com/1.jpg", "https://example.com/2.jpg"] };
  const shown = (...galleryUrls: readonly string[]) => ({ fields: { galleryUrls } }) as unknown as Live;
  const confirm = (live: Live) => confirmFields(kindOf("event"), sent, live);
  expect(confirm(shown("https://cdn.example/a", "https://cdn.example/b")).wrong).toEqual({});
  expect(Object.keys(confirm(shown("https://example.com/0.jpg", ...sent.galleryUrls)).wrong)).toEqual(["galleryUrls"]);
});
