// Which document a live event belongs to, where more than one could have it: nothing is left over, and nothing is made twice.
import { afterEach, describe, expect, test } from "vitest";
import { openProject, type Project } from "../../stage/open-project.ts";
import { planOf } from "../../stage/plan-of.ts";

let project: Project;
afterEach(() => (project as Project | undefined)?.close());

function eventText(name: string, day: string, more = ""): string {
  return `name: ${name}\ndateTime: 2027-${day}T19:00+08:00\n${more}`;
}

async function plannedActions(...flags: string[]): Promise<readonly string[]> {
  const { plan } = await project.plan(...flags);
  return plan.changes.map(({ address, action, blockedBy }) =>
    [address, action, ...blockedBy.map(({ code }) => code)].join(" "),
  );
}

describe("a document that takes the place of another one's event", () => {
  async function reassign(): Promise<void> {
    project = await openProject({
      "events/a.yaml": eventText("Jazz", "03-14"),
      "events/b.yaml": eventText("Blues", "03-15"),
    });
    expect((await project.apply()).exitCode).toBe(0);
    await project.write("events/a.yaml", eventText("Jazz", "03-21"));
    await project.write("events/b.yaml", eventText("Jazz", "03-14"));
  }

  test("does not leave its own behind: the plan asks both which one is meant", async () => {
    await reassign();
    expect(await plannedActions()).toEqual(["events/a create ambiguous-event", "events/b create ambiguous-event"]);
    const { stdout } = await project.run(["plan"]);
    expect(stdout).toContain("but until now it described the second");
    expect(stdout).not.toContain("deleted-outside");
  });

  test("does not leave it behind where only a base knows it", async () => {
    const base = { "events/a.yaml": eventText("Jazz", "03-14"), "events/b.yaml": eventText("Blues", "03-15") };
    const live = [
      { name: "Jazz", dateTime: "2027-03-14T11:00:00Z" },
      { name: "Blues", dateTime: "2027-03-15T11:00:00Z" },
    ];
    const files = { "events/a.yaml": eventText("Jazz", "03-21"), "events/b.yaml": eventText("Jazz", "03-14") };
    const { plan } = await planOf({ files, base, live: { events: live } });
    expect(plan.changes.map(({ action, blockedBy }) => [action, blockedBy[0]?.code])).toEqual([
      ["create", "ambiguous-event"],
      ["create", "ambiguous-event"],
    ]);
  });

  test("keeps its own by its id", async () => {
    await reassign();
    const { objects } = await project.state();
    await project.write("events/b.yaml", eventText("Jazz", "03-14", `id: ${objects["events/b"]?.id}\n`));
    expect(await plannedActions()).toEqual(["events/a update", "events/b update"]);
    expect((await project.apply()).exitCode).toBe(0);
    expect(await plannedActions()).toEqual([]);
    expect(project.sandbox.service.dump().events).toHaveLength(2);
  });

  test("asks no second question where the one that is left looks like another document's", async () => {
    project = await openProject({
      "events/next.yaml": eventText("Jazz", "03-14"),
      "events/following.yaml": eventText("Jazz", "03-21"),
    });
    expect((await project.apply()).exitCode).toBe(0);
    await project.write("events/next.yaml", eventText("Jazz", "03-21"));
    await project.write("events/following.yaml", eventText("Jazz", "03-28"));
    expect(await plannedActions()).toEqual(["events/following create ambiguous-event"]);
  });

  test("swaps with it without a question", async () => {
    await reassign();
    await project.write("events/a.yaml", eventText("Blues", "03-15"));
    expect(await plannedActions()).toEqual([]);
  });
});

test("an event that another file has taken over is not said to be deleted", async () => {
  const ga = "tickets:\n  - { name: GA, price: 100, quantity: 10, published: false }\n";
  project = await openProject({ "events/a.yaml": eventText("Jazz", "03-14", ga) });
  expect((await project.apply()).exitCode).toBe(0);
  await project.write("events/a.yaml", eventText("Soul", "03-21", ga));
  await project.write("events/c.yaml", eventText("Jazz", "03-14", ga));
  const { stdout } = await project.run(["plan", "--out", "plan.json"]);
  expect(stdout).not.toContain("deleted-outside");
  expect(stdout).not.toContain("live before");
  expect(await project.run(["apply", "plan.json", "--yes", "--settle", "0"])).toMatchObject({ exitCode: 0 });
  expect(await plannedActions()).toEqual([]);
});

test("a live event of the same name is found as a lookalike, however often its characters are escaped", async () => {
  const name = "Q&amp;amp;A Night";
  const live = { events: [{ name, dateTime: "2027-03-14T11:00:00.000Z", status: "PUBLISHED" as const }] };
  const { plan } = await planOf({ files: { "events/a.yaml": eventText(name, "03-21") }, live });
  expect(plan.changes.map(({ blockedBy }) => blockedBy.map(({ code }) => code))).toEqual([["ambiguous-event"]]);
});

describe("a service that does not show the start", () => {
  const profile = "eventRecord=minimal";

  test("has one live event of a name that two documents have: neither is guessed at", async () => {
    project = await openProject({ "events/b.yaml": eventText("Jazz Night", "04-14") }, { profile });
    expect((await project.apply()).exitCode).toBe(0);
    await project.remove(".ticketing/state.default.json");
    await project.write("events/a.yaml", eventText("Jazz Night", "03-14"));
    expect(await plannedActions()).toEqual(["events/a create ambiguous-event", "events/b create ambiguous-event"]);
  });

  test("has one that the only document of that name is taken for", async () => {
    project = await openProject({ "events/b.yaml": eventText("Jazz Night", "04-14") }, { profile });
    expect((await project.apply()).exitCode).toBe(0);
    await project.remove(".ticketing/state.default.json");
    expect(await plannedActions()).toEqual([]);
  });
});
