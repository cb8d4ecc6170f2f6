// Found by reading the contract line by line: a law that did not hold, and JSON that left something out.
import { afterEach, expect, test } from "vitest";
import { openProject, type Project } from "../stage/open-project.ts";

let project: Project;
afterEach(() => project.close());

const gig = (start: string, more = "") =>
  `name: Gig\nlocationType: ONLINE\ndateTime: ${start}\ntickets: [{ name: GA, price: 500, quantity: 10, published: true }]\n${more}`;

test.each(["dates=utc", "dates=offset", "hostile"])(
  "a start with a part of a second converges: %s",
  async (profile) => {
    const file = `status: PUBLISHED\n${gig('"2027-03-14T19:00:00.500"', 'endDateTime: "2027-03-14T22:00:00.750"\n')}`;
    project = await openProject({ "events/gig.yaml": file }, { profile });
    const applied = await project.apply();
    expect(applied.exitCode, applied.stderr).toBe(0);
    expect((await project.plan()).plan.changes).toEqual([]);
    const again = await project.apply();
    expect([again.exitCode, again.report.outcomes]).toEqual([0, []]);
  },
);

test("validate's JSON has what its text only shows with --verbose", async () => {
  project = await openProject({ "events/gig.yaml": gig("2026-03-14T19:00") });
  const codes = async (...flags: readonly string[]) => {
    const { stdout } = await project.run(["validate", "--format", "json", ...flags]);
    return (JSON.parse(stdout) as { diagnostics: { code: string }[] }).diagnostics.map(({ code }) => code);
  };
  expect(await codes()).toContain("starts-in-the-past");
  expect(await codes()).toEqual(await codes("--verbose"));
  expect((await project.run(["validate"])).stdout).not.toContain("starts-in-the-past");
});

test("all that a phase will do is of the phase", async () => {
  const phase = "phases: [{ from: 2027-01-01T10:00, status: PUBLISHED, eventCapacity: 5 }]\n";
  project = await openProject({
    "events/gig.yaml": gig("2027-03-14T19:00", `eventCapacity: 4\nstatus: DRAFT\n${phase}`),
  });
  const { plan } = await project.plan();
  expect(plan.upcoming?.[0]?.changes).toMatchObject([
    { origin: "phase", transition: { to: "PUBLISHED" }, edits: [{ origin: "phase" }] },
  ]);
});

test("a clock that is set decides whether a key has expired", async () => {
  project = await openProject({ "events/gig.yaml": gig("2027-03-14T19:00") });
  const value = "sk_expires_soon_0123456789abcdef";
  project.sandbox.control.seed({ keys: [{ value, expiresAt: "2027-12-01T00:00:00.000Z" }] });
  project.env.TICKETING_API_KEY = value;
  const codesAt = async (now: string | undefined) => {
    if (now !== undefined) project.env.TICKETING_NOW = now;
    const world = now === undefined ? {} : { now: () => Date.parse(now) };
    const ran = await project.run(["plan", "--format", "json"], world);
    return (JSON.parse(ran.stdout) as { diagnostics: { code: string }[] }).diagnostics.map(({ code }) => code);
  };
  expect(await codesAt(undefined)).not.toContain("key-expires-soon");
  expect(await codesAt("2027-11-25T00:00:00Z")).toContain("key-expires-soon");
  expect(await codesAt("2027-12-02T00:00:00Z")).toContain("key-expired");
});

test.each(["quantity", "unpublished"])("what our own sold-out call changed is no drift: %s", async (reading) => {
  const file = (more: string) =>
    `status: PUBLISHED\n${gig("2027-03-14T19:00").replace("published: true", `published: true${more}`)}`;
  project = await openProject({ "events/gig.yaml": file(", soldOut: true") }, { profile: `soldOut=${reading}` });
  expect((await project.apply()).exitCode).toBe(0);
  expect((await project.plan()).plan.changes).toEqual([]);
  await project.write("events/gig.yaml", file(""));
  const edits = (await project.plan()).plan.changes.flatMap((change) => change.edits);
  expect(edits.length).toBeGreaterThan(0);
  expect(edits.map(({ origin }) => origin)).not.toContain("drift");
});
