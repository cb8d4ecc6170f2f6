// Which document a live event belongs to, where more than one could have it: nothing is left over, and nothing is made twice.
import { afterEach, describe, expect, test } from "vitest";
import { openProject, type Project } from "../../stage/open-project.ts";

let project: Project;
afterEach(() => project.close());

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

  test("does not leave its own behind: the plan asks which one is meant, and the other one keeps its event", async () => {
    await reassign();
    expect(await plannedActions()).toEqual(["events/a update", "events/b create ambiguous-event"]);
    const { stdout } = await project.run(["plan"]);
    expect(stdout).toContain("the event that it described until now is live as well");
    expect(stdout).not.toContain("deleted-outside");
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

  test("swaps with it without a question", async () => {
    await reassign();
    await project.write("events/a.yaml", eventText("Blues", "03-15"));
    expect(await plannedActions()).toEqual([]);
  });
});

test("an event that another file has taken over is not said to be deleted", async () => {
  project = await openProject({ "events/a.yaml": eventText("Jazz", "03-14") });
  expect((await project.apply()).exitCode).toBe(0);
  await project.write("events/a.yaml", eventText("Soul", "03-21"));
  await project.write("events/c.yaml", eventText("Jazz", "03-14"));
  const { stdout } = await project.run(["plan"]);
  expect(stdout).not.toContain("deleted-outside");
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
