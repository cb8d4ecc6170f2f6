// Five small things that random lifetimes on another server brought up.
import { afterEach, describe, expect, test } from "vitest";
import { openProject, type Project } from "../apply/open-project.ts";

let project: Project;
afterEach(async () => {
  await project?.close();
});

async function open(files: Readonly<Record<string, string>>, profile = "likely"): Promise<void> {
  project = await openProject(files, { profile });
}

/** What somebody does in the dashboard; gives the id of the record. */
async function byHand(method: string, path: string, body?: unknown): Promise<string> {
  const answer = await fetch(`${project.sandbox.baseUrl}${path}`, {
    method,
    headers: { "api-key": project.sandbox.apiKey, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const shown = (await answer.json()) as { data?: { id?: string } };
  if (!answer.ok) throw new Error(JSON.stringify(shown));
  return shown.data?.id ?? "";
}

const jazz = (day: number, more = "") =>
  `name: Jazz Night\ndateTime: 2027-03-${day}T19:00\nlocationType: ONLINE\n${more}`;

describe("`status: DELETED`, done, beside a live namesake", () => {
  const gone = (day: number) => jazz(day, "status: DELETED\nallow: [delete-event]\n");

  test.each(["likely", "eventRecord=short-in-lists"])("is nothing to do (%s)", async (profile) => {
    await open({ "events/old.yaml": jazz(14), "events/next.yaml": jazz(21, "new: true\n") }, profile);
    expect((await project.apply()).exitCode).toBe(0);
    await project.write("events/old.yaml", gone(14));
    expect((await project.apply()).exitCode).toBe(0);
    // The other one belongs to nobody here any more, and is not to be taken for it.
    for (const next of [jazz(21, "new: true\n"), null]) {
      if (next === null) {
        await project.remove("events/next.yaml");
        await project.remove(".ticketing/state.default.json");
      }
      const { plan, exitCode } = await project.plan();
      expect({ exitCode, changes: plan.changes }).toEqual({ exitCode: 0, changes: [] });
      expect(plan.diagnostics).toContainEqual(expect.objectContaining({ code: "nothing-to-do" }));
    }
  });

  test("is nothing to do where starts are not shown and state knows others", async () => {
    await open(
      { "events/old.yaml": jazz(14), "events/other.yaml": "name: Other\ndateTime: 2027-05-01T19:00\n" },
      "minimal",
    );
    expect((await project.apply()).exitCode).toBe(0);
    await project.write("events/old.yaml", gone(14));
    expect((await project.apply()).exitCode).toBe(0);
    await byHand("POST", "/events", { name: "Jazz Night", dateTime: "2027-04-01T11:00:00.000Z" });
    const { plan, exitCode } = await project.plan();
    expect({ exitCode, changes: plan.changes }).toEqual({ exitCode: 0, changes: [] });
  });
});
