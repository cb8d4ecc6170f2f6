// A risk is accepted once: in the pull request that brings it, for one event, until a day.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import { openProject, type Project } from "../stage/open-project.ts";

const gala = "name: Gala\ndateTime: 2027-03-14T19:00\n";
const ball = "name: Ball\ndateTime: 2027-04-18T19:00\n";

let project: Project;
let now: string;

beforeEach(async () => {
  now = "2026-11-15T00:00:00Z";
  project = await openProject({ "events/gala.yaml": gala, "events/ball.yaml": ball });
  expect((await project.apply()).exitCode).toBe(0);
});

afterEach(() => project.close());

async function planAt(time: string) {
  const ran = await project.run(["plan", "--format", "json"], { now: () => Date.parse(time) });
  const plan = JSON.parse(ran.stdout);
  const blocked = plan.changes.flatMap((change: { address: string; blockedBy: readonly { code: string }[] }) =>
    change.blockedBy.map(({ code }) => `${change.address} ${code}`),
  );
  return { exitCode: ran.exitCode, blocked, diagnostics: plan.diagnostics as readonly Diagnostic[] };
}

function allowing(entry: string, more = ""): Promise<void> {
  return project.write("ticketing.yaml", `version: 1\n${more}allow:\n  - ${entry}\n`);
}

describe("in the project file", () => {
  test("for one event, whose file is deleted in the same pull request, and for no other", async () => {
    await project.remove("events/gala.yaml");
    await project.remove("events/ball.yaml");
    await project.write("events/other.yaml", "name: Other\ndateTime: 2027-05-01T19:00\n");
    await allowing("{ risk: delete-event, event: gala, until: 2026-12-01, why: canceled }");
    const plan = await planAt(now);
    expect(plan.blocked).toEqual(["events/ball delete-event"]);
    expect(plan.diagnostics.find(({ code }) => code === "delete-event")?.address).toBe("events/gala");
  });

  test("until the end of its day, in the project's time zone; then a notice says so", async () => {
    await project.remove("events/gala.yaml");
    const entry = "{ risk: delete-event, event: gala, until: 2026-12-01 }";
    const places: readonly (readonly [string, string, string])[] = [
      ["", "2026-12-01T15:59:59Z", "2026-12-01T16:00:00Z"],
      ["defaults: { timezone: America/New_York }\n", "2026-12-02T04:59:59Z", "2026-12-02T05:00:00Z"],
    ];
    for (const [settings, last, first] of places) {
      await allowing(entry, settings);
      expect((await planAt(last)).blocked).toEqual([]);
      const after = await planAt(first);
      expect(after.blocked).toEqual(["events/gala delete-event"]);
      expect(after.exitCode).toBe(1);
      const notice = after.diagnostics.find(({ code }) => code === "allow-expired");
      expect(notice).toMatchObject({ severity: "info", source: { file: "ticketing.yaml" } });
      expect(notice?.message).toContain("only until 2026-12-01");
    }
    expect((await project.run(["apply", "--yes"], { now: () => Date.parse("2026-12-03T00:00:00Z") })).exitCode).toBe(1);
    expect((await project.run(["apply", "--yes"], { now: () => Date.parse(now) })).exitCode).toBe(0);
  });

  test("for a series, on all its dates; a day that it does not have is said to be none", async () => {
    const club = (count: number) =>
      project.write(
        "events/club.yaml",
        `name: Club\ndateTime: 22:00\nseries: { every: friday, from: 2027-01-08, count: ${count} }\n`,
      );
    await club(3);
    expect((await project.apply()).exitCode).toBe(0);
    await club(1);
    await allowing("{ risk: delete-event, event: club }");
    expect((await planAt(now)).blocked).toEqual([]);
    await allowing("{ risk: delete-event, event: club@2027-01-15 }");
    expect((await planAt(now)).blocked).toEqual(["events/club@2027-01-22 delete-event"]);
    await allowing("{ risk: price-change-with-sales, event: club }");
    expect((await planAt(now)).diagnostics.map(({ code }) => code)).not.toContain("allow-unknown-event");
    await allowing("{ risk: price-change-with-sales, event: club@2027-01-09 }");
    const { diagnostics } = await planAt(now);
    expect(diagnostics.find(({ code }) => code === "allow-unknown-event")).toMatchObject({
      severity: "warning",
      message: expect.stringContaining('The series "club" has no date 2027-01-09'),
      hint: expect.stringContaining("club@2027-01-08, or club for all of them"),
    });
  });

  test("a code alone counts for all events and for good, as before", async () => {
    await project.remove("events/gala.yaml");
    await allowing("delete-event");
    expect((await planAt("2026-12-03T00:00:00Z")).blocked).toEqual([]);
  });

  test("a plan that was saved with it can be applied", async () => {
    await project.remove("events/gala.yaml");
    await allowing("{ risk: delete-event, event: gala }");
    expect((await project.run(["plan", "--out", "plan.json"])).exitCode).toBe(0);
    expect((await project.run(["apply", "plan.json", "--yes"])).exitCode).toBe(0);
  });
});

test("in an event, until a day", async () => {
  await project.write(
    "events/gala.yaml",
    `${gala}status: DELETED\nallow: [{ risk: delete-event, until: 2026-12-01 }]\n`,
  );
  expect((await planAt(now)).blocked).toEqual([]);
  const after = await planAt("2026-12-05T00:00:00Z");
  expect(after.blocked).toEqual(["events/gala delete-event"]);
  expect(after.diagnostics.find(({ code }) => code === "allow-expired")).toMatchObject({
    address: "events/gala",
    source: { file: "events/gala.yaml", line: 4 },
  });
});

describe("what is wrong with an entry is said at its place", () => {
  test.each([
    ["{ risk: delete-evnt, event: gala }", "unknown-value", "3:13", "Did you mean delete-event?"],
    ["delete-evnt", "unknown-value", "3:5", "Did you mean delete-event?"],
    ["{ risk: delete-event, until: 2026-02-30 }", "wrong-value", "3:34", "from 01 to 28"],
    ["{ risk: delete-event, until: soon }", "wrong-value", "3:34", "2027-01-08"],
    ["{ event: gala }", "missing-field", "3:5", "risk"],
    ["{ risk: delete-event, evnt: gala }", "unknown-key", "3:27", "event"],
    ["older-than-applied", "unknown-value", "3:5", "--allow"],
    ["{ risk: diverged-from-applied }", "unknown-value", "3:13", "--allow"],
    ["{ risk: price-change-with-sales, event: gaala }", "allow-unknown-event", "3:5", "Did you mean gala?"],
  ])("%s", async (entry, code, place, hint) => {
    await allowing(entry);
    const { stdout } = await project.run(["validate", "--format", "json"]);
    const found = JSON.parse(stdout).diagnostics as readonly Diagnostic[];
    const about = found.filter(({ source }) => source?.file === "ticketing.yaml");
    expect(about.map((each) => `${each.code} ${each.source?.line}:${each.source?.column}`)).toEqual([
      `${code} ${place}`,
    ]);
    expect(`${about[0]?.message} ${about[0]?.hint}`).toContain(hint);
  });

  test("an event may name itself, and speaks for no other one", async () => {
    await project.write(
      "events/gala.yaml",
      `${gala}status: DELETED\nallow:\n  - { risk: delete-event, event: gala }\n`,
    );
    expect((await planAt(now)).blocked).toEqual([]);
    await project.write(
      "events/gala.yaml",
      `${gala}status: DELETED\nallow:\n  - { risk: delete-event, event: ball }\n`,
    );
    const { blocked, diagnostics } = await planAt(now);
    expect(blocked).toEqual(["events/gala delete-event"]);
    expect(diagnostics.find(({ code }) => code === "allow-unknown-event")).toMatchObject({
      severity: "warning",
      source: { file: "events/gala.yaml", line: 5 },
      hint: expect.stringContaining("ticketing.yaml"),
    });
  });
});

describe("in the file of a series", () => {
  const club = (more: string) => `name: Club
dateTime: 22:00
series: { every: friday, from: 2027-01-08, ${more} }
`;

  test("for a date that is taken out of it; not if only a single date accepts it", async () => {
    await project.write("events/club.yaml", club("count: 3"));
    expect((await project.apply()).exitCode).toBe(0);
    await project.write("events/club.yaml", club("count: 2, dates: { 2027-01-15: { allow: [delete-event] } }"));
    expect((await planAt(now)).blocked).toEqual(["events/club@2027-01-22 delete-event"]);
    const named = (day: string) => `${club("count: 2")}allow: [{ risk: delete-event, event: club@${day} }]\n`;
    await project.write("events/club.yaml", named("2027-01-08"));
    expect((await planAt(now)).blocked).toEqual(["events/club@2027-01-22 delete-event"]);
    await project.write("events/club.yaml", named("2027-01-22"));
    expect((await planAt(now)).blocked).toEqual([]);
    await project.write("events/club.yaml", `${club("count: 2")}allow: [delete-event]\n`);
    expect((await planAt(now)).blocked).toEqual([]);
  });
});
