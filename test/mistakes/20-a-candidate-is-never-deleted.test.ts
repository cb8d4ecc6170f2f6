// An event that a document may mean, and that a blocked match keeps it from meaning, is not to be deleted meanwhile.
import { execFileSync } from "node:child_process";
import { afterEach, describe, expect, test } from "vitest";
import { openProject, type Project } from "../stage/open-project.ts";

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function project(files: Readonly<Record<string, string>>, profile = ""): Promise<Project> {
  const opened = await openProject(files, { profile });
  open.push(opened.close);
  return opened;
}

function night(name: string, start = "2027-03-14T19:00", ...more: readonly string[]): string {
  return ["status: PUBLISHED", `name: ${name}`, `dateTime: ${start}`, ...more, ""].join("\n");
}

function reported({
  changes,
}: {
  changes: readonly { address: string; action: string; blockedBy: readonly { code: string }[] }[];
}) {
  return changes.map(({ address, action, blockedBy }) =>
    [address, action, ...blockedBy.map(({ code }) => code)].join(" "),
  );
}

function commitAll({ directory }: Project): void {
  const git = (...argv: string[]) => execFileSync("git", argv, { cwd: directory, stdio: "ignore" });
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("-c", "user.email=test@example.com", "-c", "user.name=Test", "commit", "--quiet", "--message", "first");
}

const daring = ["--allow", "delete-event", "--skip-blocked"];

describe("with state, a file renamed and its start moved in one commit", () => {
  for (const profile of ["likely", "eventRecord=short-in-lists", "minimal"]) {
    test(`is the same event, moved: ${profile}`, async () => {
      const jazz = await project({ "events/jazz.yaml": night("Jazz Night") }, profile);
      await jazz.apply();
      const [live] = jazz.sandbox.control.dump().events as unknown as { id: string }[];
      await jazz.remove("events/jazz.yaml");
      await jazz.write("events/jazz-gala.yaml", night("Jazz Night", "2027-03-21T19:00"));
      const { plan } = await jazz.plan();
      expect(reported(plan)).toEqual(["events/jazz-gala update"]);
      expect(plan.diagnostics.find(({ code }) => code === "moved-document")).toMatchObject({
        severity: "info",
        address: "events/jazz-gala",
        message: expect.stringContaining("events/jazz is gone"),
      });
      expect((await jazz.apply()).exitCode).toBe(0);
      expect(jazz.sandbox.control.dump().events).toMatchObject([{ id: live?.id }]);
      const state = await jazz.state();
      expect(state.objects["events/jazz-gala"]?.id).toBe(live?.id);
      expect(state.objects["events/jazz"]).toBeUndefined();
      expect((await jazz.plan()).plan.changes).toEqual([]);
    });
  }

  test("and the rename of the file alone, where the start is not shown", async () => {
    const jazz = await project({ "events/jazz.yaml": night("Jazz Night") }, "minimal");
    await jazz.apply();
    await jazz.remove("events/jazz.yaml");
    await jazz.write("events/jazz-gala.yaml", night("Jazz Night"));
    expect((await jazz.plan()).plan.changes).toEqual([]);
    jazz.writes();
    expect((await jazz.apply(...daring)).exitCode).toBe(0);
    expect(jazz.writes()).toEqual([]);
    expect((await jazz.state()).objects["events/jazz-gala"]).toBeDefined();
  });

  test("`new: true` says that it is another one, and then the former one goes", async () => {
    const jazz = await project({ "events/jazz.yaml": night("Jazz Night") });
    await jazz.apply();
    await jazz.remove("events/jazz.yaml");
    await jazz.write("events/jazz-gala.yaml", night("Jazz Night", "2027-03-21T19:00", "new: true"));
    expect(reported((await jazz.plan()).plan)).toEqual(["events/jazz-gala create", "events/jazz delete delete-event"]);
  });

  test("one that is over is not moved", async () => {
    const jazz = await project({ "events/jazz.yaml": night("Jazz Night", "2026-11-20T19:00") });
    await jazz.apply();
    await jazz.remove("events/jazz.yaml");
    await jazz.write("events/next.yaml", night("Jazz Night"));
    const now = () => Date.parse("2026-12-01T00:00:00Z");
    const plan = JSON.parse((await jazz.run(["plan", "--format", "json"], { now })).stdout);
    expect(reported(plan)).toEqual(["events/next create"]);
  });
});

describe("where it is uncertain, neither is made and neither is deleted", () => {
  async function expectLeftAlone(jazz: Project, changes: readonly string[], count: number, ...flags: string[]) {
    const { plan } = await jazz.plan(...flags);
    expect(reported(plan)).toEqual(changes);
    jazz.writes();
    await jazz.apply(...daring, ...flags);
    expect(jazz.writes()).toEqual([]);
    expect(jazz.sandbox.control.dump().events).toHaveLength(count);
    return plan;
  }

  test("another name, the same start", async () => {
    const jazz = await project({ "events/jazz.yaml": night("Jazz Night") });
    await jazz.apply();
    const [live] = jazz.sandbox.control.dump().events as unknown as { id: string }[];
    await jazz.remove("events/jazz.yaml");
    await jazz.write("events/gala.yaml", night("Jazz Gala"));
    const plan = await expectLeftAlone(
      jazz,
      ["events/gala create ambiguous-event", "events/jazz delete ambiguous-event"],
      1,
    );
    const block = plan.changes[1]?.blockedBy[0];
    expect(block?.message).toContain("events/gala may be the same event");
    expect(block?.hint).toContain(`\`id: ${live?.id}\``);
    expect(block?.hint).toContain("`new: true`");
    await jazz.write("events/gala.yaml", night("Jazz Gala", undefined, "new: true"));
    expect(reported((await jazz.plan()).plan)).toEqual(["events/gala create", "events/jazz delete delete-event"]);
    await jazz.write("events/gala.yaml", night("Jazz Gala", undefined, `id: ${live?.id}`));
    expect(reported((await jazz.plan()).plan)).toEqual(["events/gala update"]);
  });

  for (const profile of ["minimal", "strict", "hostile"]) {
    test(`file and name changed in one commit: ${profile}`, async () => {
      const jazz = await project({ "events/jazz.yaml": night("Jazz Night") }, profile);
      await jazz.apply();
      await jazz.remove("events/jazz.yaml");
      await jazz.write("events/gala.yaml", night("Jazz Gala"));
      const changes = ["events/gala create ambiguous-event", "events/jazz delete ambiguous-event"];
      await expectLeftAlone(jazz, changes, 1);
      await jazz.write("events/gala.yaml", night("Jazz Gala", undefined, "renamedFrom: Jazz Night"));
      expect(reported((await jazz.plan()).plan)).toEqual(["events/gala update"]);
    });

    for (const status of ["PUBLISHED", "DRAFT"]) {
      test(`the same of a ${status} one with a base and no state: ${profile}`, async () => {
        const settings = { "ticketing.yaml": "version: 1\nstate: { backend: none }\n" };
        const old = night("Jazz Night").replace("PUBLISHED", status);
        const jazz = await project({ ...settings, "events/jazz.yaml": old }, profile);
        await jazz.apply();
        commitAll(jazz);
        await jazz.remove("events/jazz.yaml");
        await jazz.write("events/gala.yaml", night("Jazz Gala").replace("PUBLISHED", status));
        const { plan } = await jazz.plan("--base", "HEAD");
        expect(reported(plan)).toContain("events/gala create ambiguous-event");
        jazz.writes();
        await jazz.apply(...daring, "--base", "HEAD");
        expect(jazz.writes()).toEqual([]);
      });
    }
  }

  test("two gone and one new of that name", async () => {
    const jazz = await project({
      "events/one.yaml": night("Jazz Night", "2027-03-14T19:00"),
      "events/two.yaml": night("Jazz Night", "2027-03-21T19:00"),
    });
    await jazz.apply();
    await jazz.remove("events/one.yaml");
    await jazz.remove("events/two.yaml");
    await jazz.write("events/three.yaml", night("Jazz Night", "2027-03-28T19:00"));
    await expectLeftAlone(
      jazz,
      ["events/three create ambiguous-event", "events/one delete ambiguous-event", "events/two delete ambiguous-event"],
      2,
    );
  });
});

describe("the same of what is below an event, and of webhooks", () => {
  test("a ticket type that an entry may mean is not deleted", async () => {
    const tickets = [
      "tickets:",
      "  - { name: GA, section: East, price: 100, quantity: 5, published: true }",
      "  - { name: GA, section: West, price: 100, quantity: 5, published: true }",
    ];
    const jazz = await project({ "events/jazz.yaml": night("Jazz Night", undefined, ...tickets) });
    await jazz.apply();
    await jazz.remove(".ticketing/state.default.json");
    const one = ["tickets:", "  - { name: GA, price: 100, quantity: 5, published: true }"];
    await jazz.write("events/jazz.yaml", night("Jazz Night", undefined, ...one));
    expect(reported((await jazz.plan()).plan)).toEqual(["events/jazz/tickets/GA create ambiguous-ticket"]);
    await jazz.apply("--skip-blocked", "--allow", "delete-ticket-on-sale");
    expect(jazz.sandbox.control.dump().tickets).toHaveLength(2);
  });

  test("a webhook that an entry may mean is not deleted", async () => {
    const hook = (url: string) => `- { url: "${url}", events: [order.completed] }\n`;
    const jazz = await project({ "webhooks.yaml": hook("https://hooks.example.com/orders") });
    await jazz.apply();
    // A second one of the same address, made by hand, and the state that knew the first is gone.
    jazz.sandbox.control.seed({ webhooks: [{ url: "https://hooks.example.com/orders", events: ["order.refunded"] }] });
    await jazz.remove(".ticketing/state.default.json");
    const changed = hook("https://hooks.example.com/orders").replace("order.completed", "event.sold_out");
    await jazz.write("webhooks.yaml", changed);
    expect(reported((await jazz.plan()).plan)).toEqual([expect.stringContaining("ambiguous-webhook")]);
    await jazz.apply("--skip-blocked", "--allow", "delete-webhook");
    expect(jazz.sandbox.control.dump().webhooks).toHaveLength(2);
  });
});
