// For every reading of what the API document leaves open: apply, then plan is empty, and a second apply writes nothing.
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { knobs, profiles } from "../../src/sandbox/index.ts";
import { readFiles } from "../stage/golden.ts";
import { openProject, type Project } from "../stage/open-project.ts";

let stage: Project | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

// Readings that only cost time, or that no sequence of calls can satisfy, are covered by other tests.
const apart: readonly string[] = [
  "tier",
  "window",
  "resetUnit",
  "headerWindow",
  "rateHeaders",
  "retryAfter",
  "limitBody",
  "refusedCount",
];

const readings = [
  ...Object.keys(profiles),
  ...Object.entries(knobs).flatMap(([name, knob]) =>
    apart.includes(name) || !("values" in knob) ? [] : knob.values.map((value) => `${name}=${value}`),
  ),
  "takeMax=10",
  "takeMax=100",
  "listLag=300",
  "readLag=300",
  "readLag=300,readLagIn=everywhere",
  "readLag=300,readLagIn=everywhere,writeResponse=204,createResponse=partial",
  "minimal,readLag=300,readLagIn=everywhere",
  "hostile,readLag=300,createResponse=record",
];

/** The festival of the examples, with a service that has this reading. */
async function openFestival(profile: string): Promise<Project> {
  const now = () => Date.parse("2026-12-01T00:00:00Z");
  const project = await openProject(readFiles(join("examples", "festival")), { profile, now });
  stage = { ...project, run: (argv) => project.run(argv, { now }) };
  return stage;
}

/** Longer than a read may lag; otherwise short, so that the suite is. */
function settleFor(profile: string): string {
  return /(list|read)Lag=/.test(profile) ? "1" : "0.05";
}

async function expectSettled(at: Project): Promise<void> {
  const plan = await at.run(["plan", "--format", "json"]);
  expect(JSON.parse(plan.stdout)).toMatchObject({ changes: [], operations: [] });
  await expectNothingToApply(at);
}

/** An apply plans as a plan does. */
async function expectNothingToApply(at: Project): Promise<void> {
  at.writes();
  const again = await at.run(["apply", "--yes", "--format", "json"]);
  expect(again.exitCode, again.stdout + again.stderr).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({ plan: { changes: [], operations: [] } });
  expect(at.writes()).toEqual([]);
}

/** Whom each entry of the program names, whether the service shows it or not. */
function namedIn(at: Project): Readonly<Record<string, string>> {
  const { schedules, performers } = at.sandbox.control.dump() as unknown as {
    schedules: readonly { title: string; performerId: string | null }[];
    performers: readonly { id: string; name: string; type: string }[];
  };
  return Object.fromEntries(
    schedules.map(({ title, performerId }) => {
      const named = performers.find(({ id }) => id === performerId);
      return [title, `${named?.type} ${named?.name}`];
    }),
  );
}

async function expectLaw(profile: string): Promise<void> {
  const at = await openFestival(profile);
  await at.edit("events/bayside-sounds.yaml", (text) =>
    text.replace("icon: gate,", "performer: null, description: null,"),
  );
  const first = await at.run(["apply", "--yes", "--settle", settleFor(profile)]);
  expect(first.exitCode, first.stdout + first.stderr).toBe(0);
  await expectSettled(at);
  expect(namedIn(at)).toMatchObject({
    Welcome: "HOST Mika Reyes",
    Goodnight: "HOST Mika Reyes",
    Habagat: "ARTIST Habagat",
  });
  await at.edit("events/bayside-sounds.yaml", (text) =>
    text
      .replace("price: 3500", "price: 3900")
      .replace("type: HOST", "type: SPEAKER")
      .replace("performer: DJ Tala", "performer: Habagat")
      .replace("eventCapacity: 3000", "eventCapacity: null")
      .replace("one stage", "two stages"),
  );
  const second = await at.run(["apply", "--yes", "--settle", settleFor(profile)]);
  // A service that clears nothing is reported, run after run; everything else must have been done.
  if (/cannot-clear/.test(second.stdout + second.stderr)) {
    await at.edit("events/bayside-sounds.yaml", (text) => text.replace("eventCapacity: null", "eventCapacity: 3000"));
    await at.run(["apply", "--yes", "--settle", settleFor(profile)]);
  } else expect(second.exitCode, second.stdout + second.stderr).toBe(0);
  await expectNothingToApply(at);
  expect(namedIn(at)).toMatchObject({
    Welcome: "SPEAKER Mika Reyes",
    Goodnight: "SPEAKER Mika Reyes",
    "DJ Tala": "ARTIST Habagat",
    Habagat: "ARTIST Habagat",
  });
  await at.close();
  stage = undefined;
}

describe("apply, then nothing is left to do", () => {
  test.each(readings)("under %s", expectLaw);

  test.each(["minimal", "hostile"])("what is made empty is known to be empty: %s", async (profile) => {
    const at = await openFestival(profile);
    await at.edit("events/bayside-sounds.yaml", (text) =>
      text.replace("eventCapacity: 3000", "eventCapacity: null\ncallbackUrl: null"),
    );
    const first = await at.run(["apply", "--yes", "--settle", settleFor(profile)]);
    expect(first.exitCode, first.stdout + first.stderr).toBe(0);
    await expectSettled(at);
  });

  test("what the file leaves out for a while is remembered where the service does not show it", async () => {
    const at = await openFestival("minimal,scheduleRecord=no-performer");
    const file = "events/bayside-sounds.yaml";
    async function applied(change: (text: string) => string): Promise<readonly string[]> {
      await at.edit(file, change);
      at.writes();
      const { exitCode, stdout, stderr } = await at.run(["apply", "--yes", "--settle", "0.05"]);
      const blocked = /blocked\[([a-z-]+)\]/.exec(stdout + stderr)?.[1];
      return [...at.writes().map((call) => call.slice(0, call.indexOf(" "))), blocked ?? `exit ${exitCode}`];
    }
    await applied((text) => text);
    const left = (text: string) => text.replace("eventCapacity: 3000\n", "").replace(", performer: Habagat", "");
    expect(await applied(left)).toEqual(["exit 0"]);
    expect(await applied((text) => text.replace("absorbFees", "eventCapacity: null\nabsorbFees"))).toEqual([
      "PATCH",
      "exit 0",
    ]);
    await expectSettled(at);
    // The entry still names the performer, although the file does not say so anymore.
    expect(await applied((text) => text.replace(/.*name: Habagat.*\n/, ""))).toEqual(["performer-in-use"]);
    expect(namedIn(at).Habagat).toBe("ARTIST Habagat");
  });

  test.each([
    "soldOut=remaining",
    "soldOut=quantity",
    "soldOut=unpublished",
    "soldOut=quantity,ticketRecord=no-quantity",
    "hostile",
  ])("what is sold out stays so, and is not opened again: %s", async (profile) => {
    const at = await openFestival(profile);
    await at.edit("events/bayside-sounds.yaml", (text) => text.replace("quantity: ", "soldOut: true, quantity: "));
    const first = await at.run(["apply", "--yes", "--settle", "0.05"]);
    expect(first.exitCode, first.stdout + first.stderr).toBe(0);
    await expectSettled(at);
    await at.edit("events/bayside-sounds.yaml", (text) => text.replace("price: 3500", "price: 3900"));
    await at.run(["apply", "--yes", "--settle", "0.05"]);
    await expectSettled(at);
  });

  test("under any mixture of readings", { timeout: 600_000 }, async () => {
    const mixed = fc.record(
      Object.fromEntries(
        Object.entries(knobs).flatMap(([name, knob]) =>
          apart.includes(name) || !("values" in knob)
            ? []
            : [[name, fc.constantFrom(...(knob.values as readonly string[]))]],
        ),
      ),
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(mixed, async (knobValues) => {
        // Where names are unique and no mention of a performer can be taken back, no one could replace one.
        fc.pre(knobValues.uniqueNames !== "yes" || (knobValues.clearing ?? "accepted") === "accepted");
        const profile = Object.entries(knobValues).map(([name, value]) => `${name}=${value}`);
        await expectLaw(profile.length === 0 ? "likely" : profile.join(","));
      }),
      { numRuns: Number(process.env.LAW_RUNS ?? 30), endOnFailure: true },
    );
  });

  test.each([
    "readLag=900",
    "readLag=900,readLagIn=everywhere",
    "readLag=900,readLagIn=everywhere,writeResponse=204,eventRecord=short-in-lists,childLists=paged",
  ])("where reads show for a while what was before: %s", async (profile) => {
    const at = await openFestival(profile);
    const file = "events/bayside-sounds.yaml";
    async function applied(change: (text: string) => string): Promise<readonly string[]> {
      await at.edit(file, change);
      at.writes();
      const { exitCode, stdout, stderr } = await at.run([
        "apply",
        "--yes",
        "--allow",
        "delete-ticket-on-sale",
        "--allow",
        "delete-event",
      ]);
      expect(exitCode, stdout + stderr).toBe(0);
      return at.writes();
    }
    await applied((text) => text);
    const edits = await applied((text) =>
      text
        .replace("price: 3500", "price: 3900")
        .replace("name: Student Pass", "name: Pass for students, renamedFrom: Student Pass")
        .replace("Bayside Sounds 2027", "Bayside Sounds")
        .replace(/(title: Goodnight.*)#F6AE2D/, "$1#F26419")
        .replace(/.*name: VIP Deck.*\n/, "")
        .replace(/.*name: Isla Ferries.*\n/, ""),
    );
    expect(edits.toSorted()).toEqual([
      "DELETE /events/ID/brands/ID",
      "DELETE /events/ID/tickets/ID",
      "PATCH /events/ID",
      "PATCH /events/ID/schedules/ID",
      "PATCH /events/ID/tickets/ID",
      "PATCH /events/ID/tickets/ID",
    ]);
    await expectSettled(at);
    // To what it was a moment ago, and so to what reads may still show.
    expect(await applied((text) => text.replace("price: 3900", "price: 3500"))).toHaveLength(1);
    expect(await applied((text) => text.replace("price: 3500", "price: 3900"))).toHaveLength(1);
    expect(await applied((text) => text.replace("status: PUBLISHED", "status: DRAFT"))).toHaveLength(1);
    await expectSettled(at);
    expect(await applied((text) => text.replace("status: DRAFT", "status: DELETED"))).toHaveLength(1);
    await expectSettled(at);
    // Another one is made: the one that lists still show is gone.
    await applied((text) => text.replace("status: DELETED", "status: DRAFT"));
    await expectSettled(at);
    expect(at.sandbox.control.dump().events).toHaveLength(1);
  });

  test("a saved plan is applied once, even where reads show for a while what was before", async () => {
    const at = await openFestival("readLag=900,readLagIn=everywhere");
    await at.run(["apply", "--yes"]);
    await at.edit("events/bayside-sounds.yaml", (text) => text.replace("price: 3500", "price: 3900"));
    await at.run(["apply", "--yes"]);
    await at.edit("events/bayside-sounds.yaml", (text) => text.replace("price: 9500", "price: 9900"));
    await at.run(["plan", "--out", "plan.json"]);
    at.writes();
    const first = await at.run(["apply", "plan.json", "--yes"]);
    expect(first.exitCode, first.stdout + first.stderr).toBe(0);
    expect(at.writes()).toEqual(["PATCH /events/ID/tickets/ID"]);
    const second = await at.run(["apply", "plan.json", "--yes"]);
    expect(second.stderr).toContain("stale-plan");
    expect(at.writes()).toEqual([]);
  });

  test("what somebody else deletes right after a run is shown", async () => {
    const at = await openFestival("readLag=300");
    await at.run(["apply", "--yes", "--settle", "1"]);
    const { id, eventId } = at.sandbox.control.dump().brands[0] as unknown as Record<"id" | "eventId", string>;
    const path = `${at.sandbox.baseUrl}/events/${eventId}/brands/${id}`;
    await fetch(path, { method: "DELETE", headers: { "api-key": at.sandbox.apiKey } });
    await at.sandbox.control.settle();
    const plan = await at.run(["plan", "--format", "json"]);
    expect(JSON.parse(plan.stdout)).toMatchObject({ changes: [{ kind: "brand", action: "create", origin: "drift" }] });
  });

  test.each(["listLag=400", "listLag=400,createResponse=null"])(
    "nothing twice where lists lag longer than is waited for: %s",
    async (profile) => {
      const at = await openFestival(profile);
      await at.run(["apply", "--yes", "--settle", "0.05"]);
      await new Promise((resolve) => setTimeout(resolve, 500));
      const again = await at.run(["apply", "--yes", "--settle", "0.05"]);
      await new Promise((resolve) => setTimeout(resolve, 500));
      const last = await at.run(["apply", "--yes", "--settle", "0.05"]);
      expect(last.exitCode, again.stdout + last.stdout + last.stderr).toBe(0);
      const { tickets, events } = at.sandbox.control.dump();
      expect([events.length, tickets.length]).toEqual([1, 3]);
    },
  );
});
