// What was taken back, before a merge or after it, was not reviewed, although a comment that no job has updated since still lists it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasGit } from "../stage/has-git.ts";
import { draft, type FileEdits, type Loop, manilaNights, openLoop } from "./hosted-loop.ts";

let loop: Loop;
afterEach(() => loop.close());

const apply = (...flags: readonly string[]) => loop.ci(["ci", "apply", ...flags]);
const settings = () => readFileSync(join(loop.author, "ticketing.yaml"), "utf8");

async function planned(files: FileEdits): Promise<number> {
  const pullRequest = loop.openPullRequest(files);
  await loop.ci(["ci", "plan"], { pullRequest });
  expect(loop.comments(pullRequest)).toHaveLength(1);
  return pullRequest;
}

/** A pull request that is planned with the first edits and merged with the second, too. */
async function mergeTakenBack(files: FileEdits, back: FileEdits, how?: "squash"): Promise<void> {
  const pullRequest = await planned(files);
  loop.push(pullRequest, back);
  loop.merge(pullRequest, how);
}

const mergeReviewed = async (files: FileEdits) => loop.merge(await planned(files));
const mergeUnplanned = (files: FileEdits) => loop.merge(loop.openPullRequest(files));

async function expectHeld(what: string, code = 1): Promise<string> {
  const { exitCode, summary } = await apply("--allow", "delete-event");
  expect([exitCode, summary]).toEqual([code, expect.stringContaining(`**Held:** ${what}`)]);
  return summary;
}

async function expectNothingHeld(): Promise<void> {
  const { exitCode, summary } = await apply();
  expect([exitCode, summary]).toEqual([0, expect.not.stringContaining("**Held:**")]);
}

/** Keeps the merge among those that change the project. */
const other = { "events/other.yaml": draft("Other", 50) };
const at = (price: number, more = "") => ({ "events/manila-nights.yaml": manilaNights(price, more) });
const without = (part: RegExp) => ({ "events/manila-nights.yaml": manilaNights(1500).replace(part, "") });
const late = "phases: [{ name: Late, from: 2027-03-01T00:00:00Z, tickets: [{ name: GA, price: 2200 }] }]\n";
const ana = "performers: [{ name: Ana, type: DJ }]\n";
const gala = draft("Gala", 100);
const placed = (venue: string) => ({ "events/gala.yaml": gala.replace(/venueId: .*/, `venue: { name: ${venue} }`) });
const rock = (more = "") => ({ "events/rock.yaml": `${draft("Rock", 100)}${more}` });

beforeEach(async () => {
  if (!hasGit) return;
  loop = await openLoop("github", "vars: { who: Ana }\n");
  loop.commit({ "events/gala.yaml": gala });
  expect((await apply()).exitCode).toBe(0);
});

describe.skipIf(!hasGit)("taken back, and made again by a merge without a plan", () => {
  test.each<[what: string, planned: FileEdits, back: FileEdits, held: string]>([
    ["a price", at(1800), at(1500), "GA of Manila Nights: ₱1,500 → ₱1,800"],
    ["a price, with its whole list", at(1800), without(/tickets:\n.*\n/), "GA of Manila Nights: ₱1,500 → ₱1,800"],
    ["a list", at(1500, ana), at(1500), "Ana of Manila Nights: new"],
    ["a venue by its name", placed("Lantern Theatre"), { "events/gala.yaml": gala }, "Gala: venue"],
    ["a new event", rock(), { "events/rock.yaml": null }, "Rock: new"],
    ["a value of a new event", rock(), { "events/rock.yaml": draft("Rock", 90) }, "Rock: new"],
    ["a phase of a new event", rock(late), rock(), "Rock: new"],
    ["a deletion", { "events/gala.yaml": null }, { "events/gala.yaml": gala }, "Gala: delete"],
    ["a price for later", at(1500, late), at(1500), "GA of Manila Nights: ₱1,500 → ₱2,200"],
  ])("%s is held", async (_, files, back, held) => {
    await mergeTakenBack({ ...files, ...other }, back);
    mergeUnplanned(files);
    await expectHeld(held);
  });

  test("and people are told why, also where the same commit broke another file", async () => {
    await mergeTakenBack({ ...at(1800), ...other }, { ...at(1500), "events/other.yaml": "name: [" });
    mergeUnplanned({ ...at(1800), ...other });
    const summary = await expectHeld("GA of Manila Nights: ₱1,500 → ₱1,800");
    expect(summary).toContain("is listed in the comment on a pull request, but is no longer reviewed");
    const [comment] = loop.comments(1);
    expect(comment).toContain("a later commit or merge reverted it");
  });

  test("by a commit straight on the default branch", async () => {
    await mergeReviewed(at(1800));
    loop.commit(at(1500));
    mergeUnplanned(at(1800));
    await expectHeld("GA of Manila Nights: ₱1,500 → ₱1,800");
  });

  test("a price for now is not reviewed for later", async () => {
    await mergeTakenBack({ ...at(2200), ...other }, at(1500));
    mergeUnplanned(at(1500, late));
    await expectHeld("GA of Manila Nights: ₱1,500 → ₱2,200");
  });

  test("to undo what somebody changed on the service is held, too", async () => {
    type Rows = Readonly<Record<"events" | "tickets", readonly Readonly<Record<string, unknown>>[]>>;
    const { events, tickets } = loop.sandbox.service.dump() as unknown as Rows;
    const nights = events.find(({ name }) => name === "Manila Nights")?.id;
    const ga = tickets.find(({ eventId }) => eventId === nights)?.id;
    await loop.sandbox.service.call("PATCH", `/events/${nights}/tickets/${ga}`, { price: 1700 });
    loop.clock.now += 600_000;
    await mergeTakenBack({ ...at(1500, "description: Hi\n"), ...other }, at(1700, "description: Hi\n"));
    mergeUnplanned(at(1500, "description: Hi\n"));
    await expectHeld("GA of Manila Nights: ₱1,700 → ₱1,500", 0);
  });

  test("what a later merge takes back is held, too", async () => {
    await mergeReviewed(at(1800));
    await mergeReviewed(at(1500));
    mergeUnplanned(at(1800));
    await expectHeld("GA of Manila Nights: ₱1,500 → ₱1,800");
  });

  test("a safeguard stays in force", async () => {
    const strict = settings();
    const loose = { "ticketing.yaml": `${strict}allow: [delete-event]\n` };
    await mergeTakenBack({ ...loose, ...other }, { "ticketing.yaml": strict });
    mergeUnplanned({ ...loose, "events/gala.yaml": null });
    const { exitCode, stdout } = await apply();
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining("[guards-held]")]);
  });

  test("what was not taken back still counts, whatever was merged as one commit", async () => {
    await mergeTakenBack(
      { ...at(1800), "events/rock.yaml": draft("Rock", 100) },
      { "events/rock.yaml": null },
      "squash",
    );
    mergeUnplanned({ "events/rock.yaml": draft("Rock", 100) });
    const { exitCode, summary } = await apply();
    expect(exitCode).toBe(1);
    expect(summary).toContain("**Held:** Rock: new");
    expect(summary).not.toContain("**Held:** GA");
    const { tickets } = loop.sandbox.service.dump() as unknown as { tickets: readonly { price: number }[] };
    expect(tickets.map(({ price }) => price).sort()).toEqual([1800, 500]);
  });
});

describe.skipIf(!hasGit)("not taken back", () => {
  test("what files with errors do not say, and a repair says again", async () => {
    const greeting = await planned(at(1500, 'description: "Hi ${var.who}"\n'));
    const whole = settings();
    await mergeReviewed({ "ticketing.yaml": whole.replace("vars: { who: Ana }\n", "") });
    loop.merge(greeting);
    expect((await apply()).exitCode).toBe(1);
    mergeUnplanned({ "ticketing.yaml": whole });
    await expectNothingHeld();
  });

  test("a phase beside an edit that was", async () => {
    const phased = await planned(at(1500, late));
    await mergeReviewed({ "events/manila-nights.yaml": `description: Hi\n${manilaNights(1500)}` });
    loop.merge(phased);
    mergeUnplanned(at(1500, late));
    loop.clock.now = Date.parse("2027-03-02T00:00:00Z");
    await expectNothingHeld();
  });
});
