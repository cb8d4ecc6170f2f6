// What an author takes back before the merge was not reviewed, although the comment, which no job has updated since, still lists it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasGit } from "../stage/has-git.ts";
import { draft, type FileEdits, type Loop, manilaNights, openLoop } from "./hosted-loop.ts";

let loop: Loop;
afterEach(() => loop.close());

const apply = (...flags: readonly string[]) => loop.ci(["ci", "apply", ...flags]);

/** A pull request that is planned with the first edits and merged with the second, too. */
async function mergeTakenBack(planned: FileEdits, back: FileEdits, how?: "squash"): Promise<void> {
  const pullRequest = loop.openPullRequest(planned);
  await loop.ci(["ci", "plan"], { pullRequest });
  expect(loop.comments(pullRequest)).toHaveLength(1);
  loop.push(pullRequest, back);
  loop.merge(pullRequest, how);
}

const mergeUnplanned = (files: FileEdits) => loop.merge(loop.openPullRequest(files));

describe.skipIf(!hasGit)("taken back before the merge, and made again by a merge without a plan", () => {
  beforeEach(async () => {
    loop = await openLoop();
    loop.commit({ "events/gala.yaml": draft("Gala", 100) });
    expect((await apply()).exitCode).toBe(0);
  });

  /** Keeps the merge among those that change the project. */
  const other = { "events/other.yaml": draft("Other", 50) };
  const at = (price: number, more = "") => ({ "events/manila-nights.yaml": manilaNights(price, more) });
  const late = "phases: [{ name: Late, from: 2027-03-01T00:00:00Z, tickets: [{ name: GA, price: 2200 }] }]\n";

  test.each<[what: string, planned: FileEdits, back: FileEdits, held: string]>([
    ["a price", at(1800), at(1500), "GA of Manila Nights: ₱1,500 → ₱1,800"],
    ["a new event", { "events/rock.yaml": draft("Rock", 100) }, { "events/rock.yaml": null }, "Rock: new"],
    [
      "a value of a new event",
      { "events/rock.yaml": draft("Rock", 100) },
      { "events/rock.yaml": draft("Rock", 90) },
      "Rock: new",
    ],
    ["a deletion", { "events/gala.yaml": null }, { "events/gala.yaml": draft("Gala", 100) }, "Gala: delete"],
    ["a price for later", at(1500, late), at(1500), "GA of Manila Nights: ₱1,500 → ₱2,200"],
  ])("%s is held", async (_, planned, back, held) => {
    await mergeTakenBack({ ...planned, ...other }, back);
    mergeUnplanned(planned);
    const { exitCode, summary, stderr } = await apply("--allow", "delete-event");
    expect([exitCode, summary]).toEqual([1, expect.stringContaining(`**Held:** ${held}`)]);
    expect(stderr).toContain(
      "warning[review-not-counted] The comment on pull request 1 also lists changes that were taken back before the merge.",
    );
  });

  test("a safeguard stays in force", async () => {
    const settings = readFileSync(join(loop.author, "ticketing.yaml"), "utf8");
    const loose = { "ticketing.yaml": `${settings}allow: [delete-event]\n` };
    await mergeTakenBack({ ...loose, ...other }, { "ticketing.yaml": settings });
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
