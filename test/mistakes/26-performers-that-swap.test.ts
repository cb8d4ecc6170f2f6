// Where names are unique, a performer can be replaced only once the former one is gone, and that only once no entry of the schedule
// names it. Entries that a change of their own takes elsewhere were not waited for: two performers that swap were refused forever.
import { afterEach, expect, test } from "vitest";
import { deriveOperations } from "../../src/plan/operations/derive-operations.ts";
import { openProject, type Project } from "../stage/open-project.ts";

let project: Project;
afterEach(() => project.close());

const event = (note: string, first: string, second: string) => `name: Jazz
dateTime: 2027-03-14T19:00
locationType: ONLINE
performers: [{ name: Ana, description: ${note} }, { name: Ben, description: ${note} }]
schedules:
  - { title: First, startTime: 2027-03-14T19:00, endTime: 2027-03-14T20:00${first} }
  - { title: Second, startTime: 2027-03-14T20:00, endTime: 2027-03-14T21:00${second} }
`;
const by = (name: string) => `, performer: ${name}`;

function rows() {
  const { performers, schedules } = project.sandbox.control.dump();
  const names = new Map(performers.map(({ id, ...row }) => [id, (row as unknown as { name: string }).name]));
  const entries = schedules as unknown as { title: string; id: string; performerId: string | null }[];
  return {
    performers: [...names.values()].sort(),
    entries: entries.map(({ title, performerId }) => [title, performerId && names.get(performerId)]).sort(),
    ids: entries.map(({ id }) => id).sort(),
  };
}

const swapped = event("late", by("Ben"), by("Ana"));
test.each([
  [
    "swap",
    swapped,
    [
      ["First", "Ben"],
      ["Second", "Ana"],
    ],
  ],
  [
    "meet",
    event("late", by("Ben"), by("Ben")),
    [
      ["First", "Ben"],
      ["Second", "Ben"],
    ],
  ],
  [
    "leave",
    event("late", ", performer: null", by("Ben")),
    [
      ["First", null],
      ["Second", "Ben"],
    ],
  ],
])("two that are replaced at once %s", async (_, text, entries) => {
  for (const performerDelete of ["refused", "cascade", "null"]) {
    project = await openProject(
      { "events/jazz.yaml": event("early", by("Ana"), by("Ben")) },
      { profile: `uniqueNames=yes,performerDelete=${performerDelete}` },
    );
    expect((await project.apply()).exitCode).toBe(0);
    const { ids } = rows();
    await project.write("events/jazz.yaml", text);
    const applied = await project.apply();
    expect(applied.exitCode, applied.stderr).toBe(0);
    expect(rows()).toEqual({ performers: ["Ana", "Ben"], entries, ids });
    expect((await project.plan()).plan.changes).toEqual([]);
    await project.close();
  }
});

test("an entry goes while its performer is replaced", async () => {
  for (const performerDelete of ["refused", "cascade", "null"]) {
    const profile = `uniqueNames=yes,performerDelete=${performerDelete}`;
    project = await openProject({ "events/jazz.yaml": event("early", by("Ana"), by("Ben")) }, { profile });
    expect((await project.apply()).exitCode).toBe(0);
    const text = event("late", "", by("Ben")).replace(/.*First.*\n/, "");
    await project.write("events/jazz.yaml", text);
    const applied = await project.apply();
    expect(applied.exitCode, applied.stderr).toBe(0);
    expect(rows()).toMatchObject({ performers: ["Ana", "Ben"], entries: [["Second", "Ben"]] });
    expect((await project.plan()).plan.changes).toEqual([]);
    await project.close();
  }
});

test("a performer is not deleted first while an entry that was to leave it is blocked; a blocked replacement stops no entry", async () => {
  project = await openProject({ "events/jazz.yaml": event("early", by("Ana"), by("Ben")) });
  expect((await project.apply()).exitCode).toBe(0);
  await project.write("events/jazz.yaml", swapped);
  const { plan } = await project.plan();
  const clearing = (blocked: string) =>
    deriveOperations({
      ...plan,
      changes: plan.changes.map((change) =>
        change.address.endsWith(blocked)
          ? { ...change, blockedBy: [{ code: "ambiguous-ticket", message: "", hint: "" }] }
          : change,
      ),
    }).map(({ address, verb, clearing = [] }) => `${verb} ${address.split("/").at(-1)} ${clearing.length}`);
  expect(clearing("nothing")).toEqual(expect.arrayContaining(["create Ana 2", "create Ben 2", "update First 0"]));
  expect(clearing("/First")).toEqual(expect.arrayContaining(["create Ana 0", "create Ben 2"]));
  // The second entry waits for the new Ana, so it names the former Ben until then.
  expect(clearing("/Ana")).toEqual(["create Ben 0", "update First 0"]);
});
