// Whatever is planned can be saved and applied at once: no plan of our own is refused, under any reading of the service.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { riskCodes } from "../../../src/model/diagnostic.ts";
import { openProject, type Project } from "../../stage/open-project.ts";
import {
  randomEvents,
  randomLists,
  randomWebhooks,
  toFiles,
  toSeed,
  toWebhookFile,
} from "../../stage/random-project.ts";

const runs = Number(process.env.SAVED_RUNS ?? 2);
const settings = `version: 1\nallow: [${riskCodes.join(", ")}]\nmaxDeletes: 99\nsecrets: { sink: file, path: .ticketing/secrets.json }\n`;

async function applySaved(project: Project): Promise<void> {
  await rm(join(project.directory, "plan.json"), { force: true });
  const planned = await project.run(["plan", "--out", "plan.json"]);
  expect(planned.stderr, planned.stdout).toContain("Saved plan.json.");
  const { report, stderr } = await project.apply("--skip-blocked", "plan.json");
  const refusals = report.plan.diagnostics.filter(({ code }) => code.startsWith("plan-") || code === "stale-plan");
  expect(refusals, stderr).toEqual([]);
  expect(report.outcomes.filter(({ result }) => result !== "done")).toEqual([]);
}

test.each(["likely", "minimal", "hostile", "strict", "lax", "html=wrapped", "scheduleRecord=no-performer"])(
  "%s",
  async (profile) => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(randomEvents, randomEvents, randomEvents),
        randomLists,
        fc.tuple(randomWebhooks, randomWebhooks),
        fc.boolean(),
        async ([live, wished, later], leftOut, [hooks, laterHooks], forgets) => {
          fc.pre(wished.length > 0 && later.length > 0);
          const project = await openProject(
            { "ticketing.yaml": settings, ...toFiles(wished, leftOut), ...toWebhookFile(hooks) },
            { profile },
          );
          try {
            project.sandbox.control.seed(toSeed(live));
            await applySaved(project);
            if (forgets) await rm(join(project.directory, ".ticketing"), { recursive: true, force: true });
            await rm(join(project.directory, "events"), { recursive: true });
            const files = { ...toFiles(later, leftOut), ...toWebhookFile(laterHooks) };
            for (const [file, text] of Object.entries(files)) await project.write(file, text);
            await applySaved(project);
          } finally {
            await project.close();
          }
        },
      ),
      // Each plan of the most awkward one waits for lists that lag behind.
      { numRuns: profile === "hostile" ? 1 : runs },
    );
  },
);

test("applied twice, it is refused, and says once what was created", async () => {
  const tickets = "tickets: [{ name: GA, price: 500, quantity: 50, published: true }]\n";
  const event = `name: Gala\ndateTime: 2027-03-14T19:00\nlocationType: ONLINE\n${tickets}`;
  const project = await openProject({ "ticketing.yaml": settings, "events/gala.yaml": event });
  try {
    await applySaved(project);
    const { report } = await project.apply("plan.json");
    expect(report.plan.diagnostics.find(({ code }) => code === "stale-plan")?.message).toBe(
      'plan.json is stale: the event "gala" already exists.',
    );
  } finally {
    await project.close();
  }
});

test("a sale that was closed after the plan was saved is not closed again", async () => {
  const text = (more: string) =>
    `status: PUBLISHED\nname: Gala\ndateTime: 2027-03-14T19:00\nlocationType: ONLINE\ntickets: [{ name: GA, price: 100, quantity: 10, published: true${more} }]\n`;
  const project = await openProject({ "events/gala.yaml": text("") });
  try {
    expect((await project.apply()).exitCode).toBe(0);
    await project.write("events/gala.yaml", text(", soldOut: true"));
    expect((await project.run(["plan", "--out", "plan.json"])).exitCode).toBe(0);
    project.sandbox.control.sell({ event: "gala", ticket: "GA", count: 10 });
    project.writes();
    const { report, exitCode } = await project.apply("plan.json");
    expect({ exitCode, summary: report.summary }).toMatchObject({ exitCode: 0, summary: { done: 1, failed: 0 } });
    expect(project.writes()).toEqual([]);
    expect((await project.plan()).plan.changes).toEqual([]);
  } finally {
    await project.close();
  }
});
