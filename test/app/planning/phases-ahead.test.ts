// What would block a phase to come is said long before: at its time nobody may be there to read it.
import { rm } from "node:fs/promises";
import { join } from "node:path";
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

function git(...calls: readonly (readonly string[])[]): void {
  gitCalls(project.directory, ["-c", "user.name=Ana", "-c", "user.email=ana@example.com"], calls);
}

const said = async () => (await project.run(["plan"])).stdout.replace(/\s+/g, " ");

describe("a price that is to rise at a set time", () => {
  const ifSold =
    'GA ₱350 → ₱500 in "Gala". If tickets are sold by then, this will be blocked (price-change-with-sales). To accept this risk, add `allow: [price-change-with-sales]` to the phase "Early bird ends".';

  test("is said to be blocked if tickets are sold by then, before there is an event and after that", async () => {
    project = await openProject({ "events/gala.yaml": gala });
    const { plan } = await project.plan();
    expect(plan.upcoming).toMatchObject([
      { blockedOnceSold: ["price-change-with-sales"], changes: [{ blockedBy: [] }] },
    ]);
    expect(await said()).toContain(ifSold);
    expect((await project.apply()).exitCode).toBe(0);
    expect(await said()).toContain(ifSold);
  });

  test.each([
    [
      "while its type is not on sale",
      gala.replace("true }]", "false }, { name: VIP, price: 900, quantity: 5, published: true }]"),
    ],
    ["while its event is not public", gala.replace("PUBLISHED", "DRAFT")],
    ["where the project accepts that", `${gala}allow: [price-change-with-sales]\n`],
  ])("is announced as it is %s", async (_, text) => {
    project = await openProject({ "events/gala.yaml": text });
    expect(await said()).toContain('GA ₱350 → ₱500 in "Gala" ');
  });

  test("is said to be blocked once tickets are sold, without an error and without more reads", async () => {
    await openApplied();
    const { plan: before } = await project.plan();
    project.sandbox.control.sell({ event: "Gala", ticket: "GA", count: 10 });
    const { exitCode, plan } = await project.plan("--detailed-exitcode");
    expect([exitCode, plan.calls.reads]).toEqual([0, before.calls.reads]);
    expect(plan.upcoming).toMatchObject([{ changes: [{ blockedBy: [{ code: "price-change-with-sales" }] }] }]);
    const text = await said();
    expect(text).toContain("As things are now, this will be blocked (price-change-with-sales)");
    expect(text).not.toContain("If tickets are sold by then");
  });

  test("no order is read for it where quantities do not show what is sold", async () => {
    project = await openProject({ "events/gala.yaml": gala }, { profile: "ticketRecord=minimal" });
    expect((await project.apply()).exitCode).toBe(0);
    project.sandbox.control.sell({ event: "Gala", ticket: "GA", count: 10 });
    project.sandbox.control.clearCalls();
    expect(await said()).toContain(ifSold);
    expect(project.sandbox.control.calls().filter(({ path }) => path.includes("orders"))).toEqual([]);
  });

  test("is not, where the phase accepts that", async () => {
    await openApplied(gala.replace("name: Early bird ends", "allow: [price-change-with-sales]"));
    project.sandbox.control.sell({ event: "Gala", ticket: "GA", count: 10 });
    expect(await said()).not.toContain("will be blocked");
  });
});

describe("what is sold of an event whose file has no ticket types", () => {
  const text = gala.replace(/tickets:.*\n/, "type: FREE\n").replace(/phases:.*/s, "");
  const over = (more: string) => `${text}phases: [{ from: 2027-03-20T10:00+08:00, status: ARCHIVED${more} }]\n`;
  const read = () => project.sandbox.control.calls().filter(({ path }) => /orders|tickets/.test(path));

  test("is not read for phases by a plan that nobody is to review", async () => {
    await openApplied(over(""));
    project.sandbox.control.clearCalls();
    await project.plan();
    expect(read()).toEqual([]);
  });

  test("is not read for phases by the apply of a saved plan", async () => {
    await openApplied(over(""));
    await project.edit("events/gala.yaml", (before) => `${before}description: A night\n`);
    await project.run(["plan", "--out", "plan.json"]);
    await rm(join(project.directory, ".ticketing"), { recursive: true });
    project.sandbox.control.clearCalls();
    expect((await project.run(["apply", "plan.json", "--yes", "--settle", "0"])).exitCode).toBe(0);
    expect(read()).toEqual([]);
  });
});

test.each([
  ["archives", "ARCHIVED", "archive-with-sales"],
  ["withdraws", "DRAFT", "unpublish-with-sales"],
])("a phase that %s an event on sale is said to be blocked if tickets are sold by then", async (_, status, code) => {
  const phase = `  - { name: Over, from: 2027-03-10T10:00+08:00, status: ${status} }\n`;
  project = await openProject({ "events/gala.yaml": gala.replace(/ {2}- \{ name: Early.*\n/, phase) });
  expect((await project.plan()).plan.upcoming).toMatchObject([{ blockedOnceSold: [code] }]);
});

test.each([
  ["a ticket type", "delete-ticket-on-sale", "tickets: [{ name: GA, remove: true }, { name: VIP, published: true }]"],
  ["an event", "delete-event", "status: DELETED"],
])(
  "a phase that deletes %s is said to be blocked if tickets are sold by then, whatever it accepts",
  async (_, risk, change) => {
    const vip = gala.replace("true }]", "true }, { name: VIP, price: 900, quantity: 5, published: false }]");
    const phase = `  - { name: Over, from: 2027-03-10T10:00+08:00, allow: [${risk}], ${change} }\n`;
    project = await openProject({ "events/gala.yaml": vip.replace(/ {2}- \{ name: Early.*\n/, phase) });
    const blocked = "If tickets are sold by then, this will be blocked (delete-after-sales). Instead of deleting it,";
    expect(await said()).toContain(blocked);
    expect((await project.apply()).exitCode).toBe(0);
    expect(await said()).toContain(blocked);
  },
);

test("of two phases at one instant, the one that changes the price is said to be blocked if tickets are sold by then", async () => {
  const other = "  - { name: News, from: 2027-02-14T10:00+08:00, description: Line-up out }\n";
  project = await openProject({ "events/gala.yaml": gala + other });
  const { upcoming } = (await project.plan()).plan;
  expect(upcoming.map(({ phase, blockedOnceSold }) => [phase, blockedOnceSold])).toEqual([
    ["Early bird ends", ["price-change-with-sales"]],
    ["News", undefined],
  ]);
});

test.each([
  ["2027-02-13", ["price-change-with-sales"]],
  ["2027-02-14", undefined],
])(
  "a risk that is accepted until %s is accepted then only if that is the day of the phase, or later",
  async (until, codes) => {
    const allow = `allow: [{ risk: price-change-with-sales, event: gala, until: ${until} }]\n`;
    project = await openProject({ "events/gala.yaml": gala, "ticketing.yaml": `version: 1\n${allow}` });
    expect((await project.plan()).plan.upcoming[0]?.blockedOnceSold).toEqual(codes);
    await project.write("ticketing.yaml", "version: 1\n");
    await project.write("events/gala.yaml", `${gala}${allow}`);
    expect((await project.plan()).plan.upcoming[0]?.blockedOnceSold).toEqual(codes);
  },
);

test.skipIf(!hasGit)(
  "a mistake in a phase is announced as blocked by a plan since the last apply: that does not stop the next one",
  async () => {
    const cheap = gala.replace("price: 350", "price: 15").replace("price: 500", "price: 1500");
    const text = cheap.replace(/phases:.*/s, "");
    project = await openProject({ "events/gala.yaml": text, ".gitignore": ".ticketing\n" });
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
