// What would block a phase to come is said long before: at its time nobody may be there to read it.
import { afterEach, describe, expect, test } from "vitest";
import { gitCalls } from "../../stage/git-calls.ts";
import { hasGit } from "../../stage/has-git.ts";
import { openProject, type Project } from "../../stage/open-project.ts";

const gala = `name: Gala
status: PUBLISHED
dateTime: 2027-03-14T19:00+08:00
locationType: ONLINE
tickets: [{ name: GA, price: 350, quantity: 100, published: true }]
phases:
  - { name: Early bird ends, from: 2027-02-14T10:00+08:00, tickets: [{ name: GA, price: 500 }] }
`;
let project: Project;
afterEach(() => project.close());

async function openApplied(text = gala): Promise<void> {
  project = await openProject({ "events/gala.yaml": text });
  expect((await project.apply()).exitCode).toBe(0);
}

const said = async () => (await project.run(["plan"])).stdout.replace(/\s+/g, " ");

describe("a price that is to rise at a set time", () => {
  test("is announced as it is while nothing is sold", async () => {
    await openApplied();
    expect(await said()).toContain('GA ₱350 → ₱500 in "Gala" No changes');
  });

  test("is said to be blocked once tickets are sold, without an error and without more reads", async () => {
    await openApplied();
    const { plan: before } = await project.plan();
    project.sandbox.control.sell({ event: "Gala", ticket: "GA", count: 10 });
    const { exitCode, plan } = await project.plan("--detailed-exitcode");
    expect([exitCode, plan.calls.reads]).toEqual([0, before.calls.reads]);
    expect(plan.upcoming).toMatchObject([{ changes: [{ blockedBy: [{ code: "price-change-with-sales" }] }] }]);
    expect(await said()).toContain("As things are now, this will be blocked (price-change-with-sales)");
  });

  test("is not, where the phase accepts that", async () => {
    await openApplied(gala.replace("name: Early bird ends", "allow: [price-change-with-sales]"));
    project.sandbox.control.sell({ event: "Gala", ticket: "GA", count: 10 });
    expect(await said()).not.toContain("will be blocked");
  });
});

test.skipIf(!hasGit)(
  "a mistake in a phase is announced as blocked by a plan since the last apply: that does not stop the next one",
  async () => {
    const cheap = gala.replace("price: 350", "price: 15").replace("price: 500", "price: 1500");
    const text = cheap.replace(/phases:.*/s, "");
    project = await openProject({ "events/gala.yaml": text, ".gitignore": ".ticketing\n" });
    const git = (...calls: readonly (readonly string[])[]) =>
      gitCalls(project.directory, ["-c", "user.name=Ana", "-c", "user.email=ana@example.com"], calls);
    git(["init", "-q"], ["add", "-A"], ["commit", "-qm", "first"]);
    expect((await project.apply()).exitCode).toBe(0);
    await project.write("events/gala.yaml", cheap);
    git(["commit", "-qam", "second"]);
    const { exitCode, plan } = await project.plan("--base", "last");
    expect([exitCode, plan.upcoming]).toMatchObject([
      0,
      [{ changes: [{ blockedBy: [{ code: "price-looks-like-centavos" }] }] }],
    ]);
    expect((await project.plan("--base", "HEAD~1")).exitCode).toBe(1);
  },
);
