// A plan file is text that anybody may have written. Whoever alters one can also make a new digest: what counts is that
// its calls follow from the changes it shows, and that those agree with what is live.
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { StateEntry } from "../../src/model/live.ts";
import type { Change, Edit, Observed, Operation, Plan } from "../../src/model/plan.ts";
import { explainChanges } from "../../src/plan/assemble.ts";
import { deleteDigest, editDigest } from "../../src/plan/compare/digests.ts";
import { seal } from "../../src/plan/fingerprint.ts";
import { deriveOperations, summarize } from "../../src/plan/operations/derive-operations.ts";
import { openProject, type Project } from "../stage/open-project.ts";

type Writable<Type> = { -readonly [Member in keyof Type]: Type[Member] };
interface Draft extends Omit<Writable<Plan>, "changes" | "operations" | "observed"> {
  changes: (Omit<Writable<Change>, "edits"> & { edits: Writable<Edit>[] })[];
  operations: Writable<Operation>[];
  observed: Writable<Observed>[];
}

const nights = `status: PUBLISHED
name: Nights
dateTime: 2027-03-14T19:00+08:00
tickets:
  - { name: GA, price: 1500, quantity: 100, published: true }
  - { name: VIP, price: 4500, quantity: 20, published: true }
performers: [{ name: Ana, type: DJ }, { name: Ben }]
schedules:
  - { title: Opening, startTime: 2027-03-14T19:00+08:00, endTime: 2027-03-14T20:00+08:00, performer: Ana }
`;
const gala =
  "status: PUBLISHED\nname: Gala\ndateTime: 2027-05-01T19:00+08:00\ntickets: [{ name: Seat, price: 10, quantity: 5, published: true }]\n";

let project: Project;
let ids: { readonly nights: string; readonly gala: string };

beforeEach(async () => {
  project = await openProject({ "events/nights.yaml": nights, "events/gala.yaml": gala });
  expect((await project.apply()).exitCode).toBe(0);
  const { objects } = await project.state();
  ids = { nights: String(objects["events/nights"]?.id), gala: String(objects["events/gala"]?.id) };
});
afterEach(() => project.close());

async function savePlan(text: string, ...flags: readonly string[]): Promise<Draft> {
  await project.write("events/nights.yaml", text);
  const ran = await project.run(["plan", "--out", "plan.json", ...flags]);
  expect(ran.stderr).toContain("Saved ");
  return JSON.parse(await project.read("plan.json"));
}

/** As an attacker without the plan key would: with a digest that fits. */
async function forge(plan: Draft, alter: (plan: Draft) => void): Promise<void> {
  alter(plan);
  plan.changes = [...explainChanges(plan.changes, plan.operations)] as Draft["changes"];
  await save(plan);
}

async function save(plan: Draft): Promise<void> {
  const { fingerprint: _, signature: __, ...rest } = plan;
  await writeFile(join(project.directory, "plan.json"), JSON.stringify(seal(rest, null)));
}

/** The most careful attacker: calls and sums follow from what was altered. */
function recalculate(plan: Draft): void {
  for (const { address, edits } of plan.changes) for (const edit of edits) edit.digest = editDigest(address, edit);
  plan.operations = [...deriveOperations(plan)];
  plan.summary = summarize(plan.changes, plan.operations, plan.summary.unchanged, plan.summary.unmanaged);
  plan.calls = { ...plan.calls, writes: plan.operations.length };
}

async function expectRefused(code: string, words: string | RegExp = ""): Promise<void> {
  project.writes();
  const { exitCode, report } = await project.apply("plan.json");
  expect(exitCode).toBe(1);
  expect(project.writes()).toEqual([]);
  const reported = report.plan.diagnostics.find((each) => each.code === code);
  expect(reported?.message ?? JSON.stringify(report.plan.diagnostics)).toMatch(words);
  expect(reported?.code).toBe(code);
  expect(reported?.hint).toBeTruthy();
}

function change(plan: Draft, address: string) {
  const found = plan.changes.find((each) => each.address === address);
  if (found === undefined) throw new Error(address);
  return found;
}

function observedOf(plan: Draft, address: string) {
  const found = plan.observed.find((each) => each.address === address);
  if (found === undefined) throw new Error(address);
  return found;
}

/** undefined: it was not shown. */
function setSeen(plan: Draft, address: string, fields: Readonly<Record<string, unknown>>): void {
  const observed = observedOf(plan, address);
  observed.fields = JSON.parse(JSON.stringify({ ...observed.fields, ...fields }));
}

const ga = "events/nights/tickets/GA";
const dearer = nights.replace("price: 1500", "price: 1600").replace("Nights", "Long Nights");
const nothing = {
  create: 0,
  update: 0,
  replace: 0,
  delete: 0,
  publish: 0,
  unpublish: 0,
  archive: 0,
  soldOut: 0,
  blocked: 0,
};

describe("calls that do not follow from the changes are refused before any write", () => {
  test.each<[string, (plan: Draft) => void]>([
    [
      "a deleted event behind no changes",
      (plan) => {
        plan.changes = [];
        plan.observed = [];
        plan.summary = { ...plan.summary, ...nothing };
        plan.calls = { ...plan.calls, writes: 1 };
        const about = { address: "events/gala", because: "events/gala", needs: [] };
        plan.operations = [{ id: "1", verb: "delete", method: "DELETE", path: `/events/${ids.gala}`, ...about }];
      },
    ],
    [
      "another price than is shown",
      (plan) => {
        for (const each of plan.operations) if (each.address === ga) each.body = { price: 1 };
      },
    ],
    [
      "a field more than is shown",
      (plan) => {
        for (const each of plan.operations) if (each.address === ga) each.body = { ...each.body, quantity: 1 };
      },
    ],
    [
      "another event's path",
      (plan) => {
        for (const each of plan.operations) each.path = each.path.replace(ids.nights, ids.gala);
      },
    ],
    ["a call more", (plan) => plan.operations.push({ ...(plan.operations[0] as Operation), id: "9" })],
    ["a call less", (plan) => void plan.operations.pop()],
    ["calls in another order", (plan) => void plan.operations.reverse()],
    ["another verb", (plan) => void Object.assign(plan.operations[0] ?? {}, { verb: "delete" })],
    ["a fallback", (plan) => void Object.assign(plan.operations[0] ?? {}, { fallback: ["delete"] })],
    ["a summary that counts less", (plan) => void Object.assign(plan.summary, nothing)],
    ["a change without an edit", (plan) => void Object.assign(change(plan, ga), { edits: [] })],
    [
      "a change that was not observed",
      (plan) => {
        plan.observed = plan.observed.filter(({ address }) => address !== ga);
      },
    ],
    ["a change twice", (plan) => void plan.changes.push(change(plan, ga))],
    [
      "a former price that was not observed",
      (plan) => {
        for (const edit of change(plan, ga).edits) edit.before = 1599;
      },
    ],
    [
      "a status that is not the action's",
      (plan) => {
        const own = change(plan, "events/nights");
        own.transition = { from: "PUBLISHED", to: "DELETED" };
        recalculate(plan);
      },
    ],
    ["an object of another event", (plan) => void Object.assign(observedOf(plan, ga), { parentId: ids.gala })],
  ])("%s", async (_, alter) => {
    await forge(await savePlan(dearer), alter);
    await expectRefused("plan-altered", /was altered: /);
  });

  test("an order that is taken away", async () => {
    const plan = await savePlan(
      nights.replace("Ben }", "Ben }, { name: Cy }").replace("performer: Ana", "performer: Cy"),
    );
    expect(plan.operations.some(({ needs }) => needs.length > 0)).toBe(true);
    await forge(plan, (altered) => {
      for (const each of altered.operations) each.needs = [];
    });
    await expectRefused("plan-altered");
  });
});

describe("a plan that agrees with itself is held against what is live", () => {
  test("the ids of another event, with what is live there", async () => {
    const plan = await savePlan(nights.replace("status: PUBLISHED", "status: DRAFT"));
    await forge(plan, (altered) => {
      const live = JSON.parse(
        JSON.stringify({ id: ids.gala, fields: { name: "Gala", dateTime: "2027-05-01T11:00:00.000Z" } }),
      );
      change(altered, "events/nights").id = live.id;
      Object.assign(observedOf(altered, "events/nights"), { ...live, lists: {} });
      recalculate(altered);
    });
    await expectRefused("stale-plan", /has a different name/);
  });

  test("what was observed, altered along with the edits", async () => {
    await forge(await savePlan(dearer), (plan) => {
      setSeen(plan, ga, { price: 1599 });
      for (const edit of change(plan, ga).edits) edit.before = 1599;
      recalculate(plan);
    });
    const why =
      '`price` of the ticket type "GA" of "Long Nights" is now ₱1,500.00; it was ₱1,599.00 when the plan was made';
    await expectRefused("stale-plan", why);
  });

  test("a field that is said not to be shown", async () => {
    await forge(await savePlan(dearer), (plan) => {
      setSeen(plan, ga, { price: undefined });
      for (const edit of change(plan, ga).edits) Object.assign(edit, { before: null, unreadable: true });
      recalculate(plan);
    });
    await expectRefused("stale-plan", "the service now shows `price`");
  });

  test("a status that is said not to be known", async () => {
    await forge(await savePlan(dearer), (plan) => {
      observedOf(plan, "events/nights").status = null;
      for (const each of plan.changes) delete (each.context as { status?: string }).status;
      recalculate(plan);
    });
    await expectRefused("stale-plan", "is now PUBLISHED");
  });

  test("a performer under another's name", async () => {
    const { objects } = await project.state();
    const ana = String(objects["events/nights/performers/Ana"]?.id);
    const plan = await savePlan(nights.replace("performer: Ana", "performer: Ben"));
    await forge(plan, (altered) => {
      observedOf(altered, "events/nights/performers/Ben").id = ana;
      recalculate(altered);
      expect(altered.operations).toMatchObject([{ body: { performerId: ana } }]);
    });
    await expectRefused("stale-plan", '`name` of the performer "Ben" of "Nights" has changed since the plan was made');
  });

  test("an entry that is to name another than the one that takes the place", async () => {
    const plan = await savePlan(nights.replace("type: DJ", "type: HOST"));
    await forge(plan, (altered) => {
      const ana = observedOf(altered, "events/nights/performers/Ana");
      ana.mentions = ana.mentions?.map((mention) => ({ ...mention, target: null })) ?? [];
      recalculate(altered);
    });
    await expectRefused("stale-plan", /names the performer "Ana" of "Nights"/);
  });

  test("an entry that is said not to name what goes", async () => {
    const plan = await savePlan(nights.replace("type: DJ", "type: HOST"));
    await forge(plan, (altered) => {
      const ana = observedOf(altered, "events/nights/performers/Ana");
      delete ana.mentions;
      observedOf(altered, "events/nights").lists = {};
      recalculate(altered);
    });
    await expectRefused("stale-plan", /names the performer "Ana" of "Nights"/);
  });
});

describe("a block that was taken out of the plan is found again", () => {
  async function unblock(alter: (plan: Draft) => void = () => undefined): Promise<void> {
    const plan = JSON.parse(await project.read("plan.json")) as Draft;
    expect(plan.changes.some(({ blockedBy }) => blockedBy.length > 0)).toBe(true);
    await forge(plan, (altered) => {
      for (const each of altered.changes) each.blockedBy = [];
      altered.diagnostics = altered.diagnostics.filter(({ severity }) => severity === "info");
      alter(altered);
      recalculate(altered);
      expect(altered.operations.length).toBeGreaterThan(0);
    });
  }

  test("a risk", async () => {
    await project.remove("events/gala.yaml");
    await savePlan(nights);
    await unblock();
    await expectRefused("stale-plan", "Gala");
  });

  test("a risk that the plan says was accepted, and does not show", async () => {
    await project.remove("events/gala.yaml");
    await savePlan(nights);
    await unblock((plan) => {
      for (const each of plan.observed) each.allow = ["delete-event"];
    });
    await expectRefused("stale-plan", "neither the plan nor the files say that `delete-event` is accepted");
  });

  test("a rule", async () => {
    project.sandbox.control.sell({ event: "Nights", ticket: "GA", count: 3 });
    await savePlan(nights.replace("quantity: 100", "quantity: 2"));
    await unblock();
    await expectRefused("stale-plan", "cannot have 2 tickets");
  });

  test("protection", async () => {
    await project.write("events/gala.yaml", `protected: true\n${gala}`);
    expect((await project.apply()).exitCode).toBe(0);
    await project.write("ticketing.yaml", "version: 1\nallow: [delete-event]\n");
    await project.write("events/gala.yaml", `protected: true\n${gala.replace("PUBLISHED", "DELETED")}`);
    await savePlan(nights);
    await unblock((plan) => {
      for (const each of plan.observed) delete each.protected;
    });
    await expectRefused("stale-plan", "is protected");
  });

  test("the limit of deletes", async () => {
    await project.write("ticketing.yaml", "version: 1\nallow: [delete-event]\nmaxDeletes: 0\n");
    await project.remove("events/gala.yaml");
    await savePlan(nights);
    await unblock();
    await expectRefused("stale-plan", "1 event would be deleted");
    await savePlan(nights, "--max-deletes", "1");
    expect((await project.apply("plan.json")).exitCode).toBe(0);
  });
});

describe("a plan that is not signed changes only what files, state or its base mean", () => {
  function seedFestival(): string {
    const [festival] = project.sandbox.control.seed({
      events: [{ name: "Big Festival", status: "PUBLISHED", dateTime: "2027-08-01T11:00:00.000Z" }],
    }).events;
    return String(festival?.id);
  }

  /** One change by hand: the delete of a live event that is in no file. */
  function deleteOf(plan: Draft, address: string, id: string, more: Partial<Change> = {}): void {
    const transition = { from: "PUBLISHED", to: "DELETED" } as const;
    const about = { address, kind: "event", id } as const;
    const gone = { action: "delete", reason: "tidying up", edits: [], blockedBy: [], source: null } as const;
    plan.changes = [{ ...about, ...gone, transition, digest: deleteDigest(address), ...more, edits: [] }];
    plan.observed = [{ ...about, parentId: null, fields: {}, status: "PUBLISHED", allow: ["delete-event"] }];
    plan.diagnostics = [{ code: "delete-event", severity: "info", message: "ok", address }];
    plan.matched = {};
    recalculate(plan);
    expect(plan.operations.map(({ verb }) => verb)).toEqual(["unpublish", "delete"]);
  }

  test.each<[string, Change["context"], string, RegExp]>([
    ["without a name or a status", undefined, "plan-altered", /is said to be not live but was observed as PUBLISHED/],
    ["without a name", { status: "PUBLISHED" }, "stale-plan", /has a different name/],
    ["under a false name", { name: "Old test", status: "PUBLISHED" }, "stale-plan", /has a different name/],
    ["as a draft", { name: "Big Festival", status: "DRAFT" }, "plan-altered", /said to be DRAFT/],
    [
      "under its own name",
      { name: "Big Festival", status: "PUBLISHED" },
      "plan-unsigned",
      /is not signed, and it changes the live object \S+ as events\/old-test-draft/,
    ],
  ])("a stranger's event, %s", async (_, context, code, words) => {
    const festival = seedFestival();
    await forge(await savePlan(nights), (plan) =>
      deleteOf(plan, "events/old-test-draft", festival, context === undefined ? {} : { context }),
    );
    await expectRefused(code, words);
    await forge(JSON.parse(await project.read("plan.json")), (plan) =>
      deleteOf(plan, "events/gala", festival, { context: { name: "Big Festival", status: "PUBLISHED" } }),
    );
    await expectRefused("plan-unsigned", /events\/gala/);
  });

  test("a ticket type under another's name, and fees that are borne otherwise", async () => {
    const alone = nights.replace("price: 1500", "price: 1600").replace(/performers[\s\S]*/, "");
    await forge(await savePlan(alone), (plan) => {
      const vip = "events/nights/tickets/VIP";
      for (const each of [change(plan, ga), observedOf(plan, ga)]) each.address = vip;
      const { name: _, ...context } = change(plan, vip).context ?? {};
      change(plan, vip).context = context;
      recalculate(plan);
    });
    await expectRefused("stale-plan", 'the ticket type "VIP" of "Nights" has a different name');
    await forge(await savePlan(alone), (plan) => {
      change(plan, ga).context = { ...change(plan, ga).context, absorbFees: false };
    });
    await expectRefused(
      "stale-plan",
      'the event of the ticket type "GA" of "Nights" handles fees differently than the plan says',
    );
    const plan = await savePlan(alone);
    change(plan, ga).fees = [{ price: 1600, commission: 0, absorbFees: true }];
    await save(plan);
    await expectRefused("plan-altered", "what it says about fees");
  });

  test("an event whose document is gone is known to state, or to the base that the plan names", async () => {
    await project.write(".gitignore", ".ticketing/\nplan.json\n");
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...args], { cwd: project.directory });
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "both");
    await project.write("ticketing.yaml", `${await project.read("ticketing.yaml")}allow: [delete-event]\n`);
    await project.remove("events/gala.yaml");

    await savePlan(nights);
    await project.remove(".ticketing/state.default.json");
    await expectRefused("plan-unsigned", /Neither the files, the state nor the plan's base revision/);

    const { revision } = await savePlan(nights, "--base", "HEAD");
    expect(revision?.base).toMatch(/^[0-9a-f]{40}$/);
    project.writes();
    expect((await project.apply("plan.json")).exitCode).toBe(0);
    expect(project.writes()).toEqual(
      ["POST /events/ID/unpublish", "DELETE /events/ID"].map((call) => expect.stringContaining(call)),
    );
  });

  test("a signed plan says itself what is meant", async () => {
    Object.assign(project.env, { TICKETING_PLAN_KEY: "of both" });
    await project.write("ticketing.yaml", "version: 1\nallow: [delete-event]\n");
    await project.remove("events/gala.yaml");
    await savePlan(nights);
    await project.remove(".ticketing/state.default.json");
    expect((await project.apply("plan.json")).exitCode).toBe(0);
  });
});

describe("behind no changes nothing is written into state that files and service do not say", () => {
  const hook = "webhooks/https:%2F%2Fhooks.example.com%2Forders";

  test("the ids of strangers", async () => {
    await project.write("webhooks.yaml", '- { url: "https://hooks.example.com/orders", events: [order.completed] }\n');
    expect((await project.apply()).exitCode).toBe(0);
    const { objects } = await project.state();
    const seeded = project.sandbox.control.seed({
      events: [{ name: "Big Festival", status: "PUBLISHED", dateTime: "2027-08-01T11:00:00.000Z" }],
      webhooks: [{ url: "https://stranger.example.com/", events: ["order.completed"] }],
    });
    const strangers = { [hook]: String(seeded.webhooks[0]?.id), "events/gala": String(seeded.events[0]?.id) };
    for (const [address, id] of Object.entries(strangers)) {
      await forge(await savePlan(nights), (plan) => {
        expect(plan.changes).toEqual([]);
        plan.matched = { ...plan.matched, [address]: { ...(plan.matched?.[address] as StateEntry), id } };
      });
      expect((await project.apply("plan.json")).exitCode).toBe(0);
      await forge(await savePlan(nights), (plan) => {
        const kind = address === hook ? "webhook" : "event";
        plan.observed = [{ address, kind, id, parentId: null, fields: {}, status: null, allow: [], lists: {} }];
        if (kind === "event") Object.assign(plan.observed[0] ?? {}, { status: "PUBLISHED" });
      });
      await project.apply("plan.json");
    }
    expect((await project.state()).objects).toEqual(objects);
    // Where state is lost, too, what the plan says is not taken for what is live.
    await project.remove(".ticketing/state.default.json");
    await forge(await savePlan(nights), (plan) => {
      for (const [address, id] of Object.entries(strangers))
        plan.matched = { ...plan.matched, [address]: { ...(plan.matched?.[address] as StateEntry), id } };
    });
    await project.apply("plan.json");
    const kept = Object.values((await project.state()).objects).map(({ id }) => id);
    for (const id of Object.values(strangers)) expect(kept).not.toContain(id);
  });

  test("addresses to forget, and fields that were never applied", async () => {
    const { objects } = await project.state();
    await forge(await savePlan(nights), (plan) => {
      plan.forgotten = ["events/gala", "events/nights"];
      plan.matched = {};
    });
    expect((await project.apply("plan.json")).exitCode).toBe(0);
    expect((await project.state()).objects).toEqual(objects);

    await project.remove(".ticketing/state.default.json");
    await forge(await savePlan(nights.replace("price: 1500", "price: 1600")), (plan) => {
      for (const entry of Object.values(plan.matched ?? {}))
        Object.assign(entry, { applied: { ...entry.applied, description: "forged" }, protected: true });
    });
    expect((await project.apply("plan.json")).exitCode).toBe(0);
    expect(JSON.stringify(await project.state())).not.toMatch(/forged|protected/);
  });

  test("what is archived by hand is forgotten, by a saved plan as by any", async () => {
    await project.sandbox.service.call("POST", `/events/${ids.gala}/archive`);
    await project.remove("events/gala.yaml");
    expect((await savePlan(nights)).forgotten).toEqual(["events/gala"]);
    expect((await project.apply("plan.json")).exitCode).toBe(0);
    expect(Object.keys((await project.state()).objects)).not.toContain("events/gala");
  });
});

test("a risk that is accepted is reported in the words of its rule", async () => {
  await project.remove("events/gala.yaml");
  await forge(await savePlan(nights, "--allow", "delete-event"), (plan) => {
    plan.diagnostics = plan.diagnostics.map((each) =>
      each.code === "delete-event" ? { ...each, message: "All is well." } : each,
    );
  });
  const { stdout } = await project.run(["apply", "plan.json", "--yes"]);
  expect(stdout).not.toContain("All is well");
  expect(stdout).toMatch(/Accepted(?: for \S+)?: [\s\S]*Gala/);
});

test("a plan for another target is refused, whatever was altered", async () => {
  for (const alter of [
    { baseUrl: "https://api.example.com/v1" },
    { environment: "staging" },
    { organization: null },
    { organization: { id: ids.gala, slug: "sandbox" } },
  ]) {
    await forge(await savePlan(dearer), (plan) => void Object.assign(plan.target, alter));
    await expectRefused("plan-of-another-target");
  }
});

test("what is altered everywhere is what people see; what no one read again is not shown", async () => {
  const plan = await savePlan(dearer);
  await forge(plan, (altered) => {
    for (const edit of change(altered, ga).edits) edit.after = 7;
    Object.assign(change(altered, ga).context ?? {}, { sold: 0 });
    const own = change(altered, "events/nights");
    own.edits.push({ path: "/venueId", before: null, after: ids.gala, origin: "edit", digest: "" });
    setSeen(altered, "events/nights", { venueId: null });
    Object.assign(own.context ?? {}, { names: { [ids.gala]: "Palace, Baguio" } });
    recalculate(altered);
  });
  const { stdout } = await project.run(["apply", "plan.json"]);
  expect(stdout).toContain("₱7.00");
  expect(stdout).not.toContain("Palace, Baguio");
  expect(stdout).toContain(ids.gala);
});

test("what is new is shown under the name that it gets", async () => {
  const backstage = nights.replace(
    "performers:",
    "  - { name: Backstage, price: 1, quantity: 9 }\n  - { name: GA, section: Balcony, price: 1500, quantity: 9 }\nperformers:",
  );
  await project.write("events/ball.yaml", gala.replace("Gala", "Ball").replace("05-01", "06-01"));
  await forge(await savePlan(backstage), (plan) => {
    Object.assign(change(plan, "events/nights/tickets/Backstage").context ?? {}, { name: "Early bird" });
    Object.assign(change(plan, "events/nights/tickets/GA#2").context ?? {}, { which: "section Pit" });
    Object.assign(change(plan, "events/ball").context ?? {}, { name: "Small party" });
    Object.assign(change(plan, "events/ball/tickets/Seat").context ?? {}, { eventName: "Small party" });
  });
  const { stdout } = await project.run(["apply", "plan.json"]);
  expect(stdout).toMatch(/"Backstage"[\s\S]*"Ball"|"Ball"[\s\S]*"Backstage"/);
  expect(stdout).toContain('"GA (section Balcony)"');
  expect(stdout).not.toMatch(/Early bird|Small party|Pit/);
});

describe("the plan key", () => {
  test.each([{ CI: "true" }, { CI: "1" }, { GITHUB_ACTIONS: "true" }, { GITLAB_CI: "true" }])(
    "in CI (%j) an unsigned plan is refused, and a signed one is applied",
    async (runner) => {
      await savePlan(dearer);
      Object.assign(project.env, runner);
      await expectRefused("plan-unsigned", "is not signed");
      Object.assign(project.env, { TICKETING_PLAN_KEY: "of both jobs" });
      await savePlan(dearer);
      expect((await project.apply("plan.json")).exitCode).toBe(0);
    },
  );

  test.each(["", "0", "false"])("CI=%j is no CI", async (CI) => {
    await savePlan(dearer);
    Object.assign(project.env, { CI });
    expect((await project.apply("plan.json")).exitCode).toBe(0);
  });

  test.each(["", "  "])("an empty key (%j) is an error wherever it would be used", async (TICKETING_PLAN_KEY) => {
    await savePlan(dearer);
    Object.assign(project.env, { TICKETING_PLAN_KEY });
    const plans = await project.run(["plan"]);
    expect(plans.exitCode).toBe(0);
    for (const argv of [
      ["plan", "--out", "other.json"],
      ["plan", "--format", "json"],
      ["apply", "--yes"],
      ["apply", "plan.json", "--yes"],
    ]) {
      project.sandbox.control.clearCalls();
      const { exitCode, stdout, stderr } = await project.run(argv);
      expect(exitCode).toBe(1);
      expect(stdout + stderr).toContain("plan-key-empty");
      expect(project.sandbox.control.calls()).toEqual([]);
    }
    await expect(project.read("other.json")).rejects.toThrow();
  });
});
