// A review is for one time: what it let through does not pass again, however long another change of that merge stays blocked.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasGit } from "../stage/has-git.ts";
import { draft, type FileEdits, type JobRan, type Loop, manilaNights, openLoop } from "./hosted-loop.ts";

let loop: Loop;
afterEach(() => loop.close());

type Rows = Readonly<
  Record<"events" | "tickets" | "schedules" | "performers", readonly Readonly<Record<string, unknown>>[]>
>;
const apply = (...flags: readonly string[]) => loop.ci(["ci", "apply", ...flags]);

/** Each event with its status and the price of its only ticket type. */
function live(): Readonly<Record<string, unknown>> {
  const { events, tickets } = loop.sandbox.service.dump() as unknown as Rows;
  const priceOf = (id: unknown) => tickets.find(({ eventId }) => eventId === id)?.price;
  return Object.fromEntries(events.map(({ id, name, status }) => [name, `${status} ${priceOf(id)}`]));
}

function mergeUnreviewed(files: FileEdits): void {
  loop.merge(loop.openPullRequest(files));
}

async function mergeReviewed(files: FileEdits): Promise<void> {
  const pullRequest = loop.openPullRequest(files);
  await loop.ci(["ci", "plan"], { pullRequest });
  expect(loop.comments(pullRequest)).toHaveLength(1);
  loop.merge(pullRequest);
}

async function expectHeld(ran: Promise<JobRan>, what: string): Promise<void> {
  const { exitCode, summary } = await ran;
  expect([exitCode, summary]).toEqual([1, expect.stringContaining(`**Held:** ${what}`)]);
}

const gala = (price: number) => ({ "events/gala.yaml": draft("Gala", 100).replace("500", `${price}`) });
const onSale = (price: number, status = "PUBLISHED") => ({
  "events/gala.yaml": `status: ${status}\n${draft("Gala", 100).replace("price: 500", `published: true, price: ${price}`)}`,
});

describe.skipIf(!hasGit)("while a reviewed change stays blocked", () => {
  beforeEach(async () => {
    loop = await openLoop("github", "allow: [delete-event]\n");
    loop.commit(gala(100));
    expect((await apply()).exitCode).toBe(0);
    loop.sandbox.control.sell({ event: "Manila Nights", ticket: "GA", count: 37 });
    await mergeReviewed({ "events/manila-nights.yaml": manilaNights(1800) });
    expect((await apply()).exitCode).toBe(1);
  });

  async function applyReviewed(files: FileEdits, result: string | undefined): Promise<void> {
    await mergeReviewed(files);
    await apply();
    expect(live().Gala).toBe(result);
  }

  test("a price that was sent and taken back is sent again only if a later pull request lists it", async () => {
    await applyReviewed(gala(150), "DRAFT 150");
    await applyReviewed(gala(100), "DRAFT 100");
    mergeUnreviewed(gala(150));
    await expectHeld(apply(), "GA of Gala: ₱100 → ₱150");
    await expectHeld(apply(), "GA of Gala: ₱100 → ₱150");
    expect(live().Gala).toBe("DRAFT 100");
    await applyReviewed({ "events/rock.yaml": draft("Rock", 100) }, "DRAFT 150");
    await applyReviewed(gala(100), "DRAFT 100");
    await applyReviewed(gala(150), "DRAFT 150");
  });

  test("a venue by name, who plays and a capacity return, also if the files left them out in between", async () => {
    const bare = draft("Gala", 100).replace(/(eventCapacity|venueId).*\n/g, "");
    const gig = (venue: string, capacity: string, plays: string) => ({
      "events/gala.yaml": `${bare}${venue}${capacity}performers: [{ name: Ana }, { name: Ben }]
schedules:
  - { title: Set, startTime: +1h, endTime: +1h${plays} }
`,
    });
    const before = gig("venue: { name: Palace, city: Baguio }\n", "eventCapacity: 100\n", ", performer: Ana");
    const after = gig("venue: { name: Palace, city: Taguig }\n", "eventCapacity: 200\n", ", performer: Ben");
    const shown = () => {
      const { events, schedules, performers } = loop.sandbox.service.dump() as unknown as Rows;
      const { venueId, eventCapacity } = events.find(({ name }) => name === "Gala") ?? {};
      const plays = performers.find(({ id }) => id === schedules[0]?.performerId)?.name;
      return { venueId, eventCapacity, plays };
    };
    // Without other changes left, the next run ends clean.
    await mergeReviewed({ ...before, "events/manila-nights.yaml": manilaNights(1500) });
    expect((await apply()).exitCode).toBe(0);
    const first = shown();
    await mergeReviewed({ "events/manila-nights.yaml": manilaNights(1800) });
    for (const between of [[], [gig("", "", "")]]) {
      for (const files of [after, ...between]) {
        await mergeReviewed(files);
        await apply();
        expect(shown()).toEqual({
          venueId: expect.not.stringMatching(String(first.venueId)),
          eventCapacity: 200,
          plays: "Ben",
        });
      }
      await mergeReviewed(before);
      await apply();
      expect(shown()).toEqual(first);
    }
  }, 60_000);

  test("it is on the result of the pull request that made it again, not of the one that a later merge took back", async () => {
    const small = (price: number) => ({
      "events/manila-nights.yaml": manilaNights(price).replace("quantity: 500", "quantity: 20"),
    });
    await mergeReviewed(small(1500));
    expect((await apply()).exitCode).toBe(1);
    const again = loop.openPullRequest(small(1800));
    await loop.ci(["ci", "plan"], { pullRequest: again });
    loop.merge(again);
    await apply();
    const [comment] = loop.comments(again);
    expect(comment).toContain("Not fully applied");
    expect(comment).toContain("- **Blocked:** GA of Manila Nights: ₱1,500 → ₱1,800");
  });

  test("an event that was deleted and made again is not deleted again", async () => {
    await applyReviewed({ "events/gala.yaml": null }, undefined);
    await applyReviewed(gala(100), "DRAFT 100");
    mergeUnreviewed({ "events/gala.yaml": null });
    await expectHeld(apply(), "Gala: delete");
    expect(live().Gala).toBe("DRAFT 100");
  });

  test("nor does a new event return to the price and the status that it was made with", async () => {
    await applyReviewed({ "events/gala.yaml": null }, undefined);
    await applyReviewed(onSale(100), "PUBLISHED 100");
    await applyReviewed(onSale(150, "DRAFT"), "DRAFT 150");
    mergeUnreviewed(onSale(100));
    await expectHeld(apply(), "");
    expect(live().Gala).toBe("DRAFT 150");
  });

  test("what somebody did on the service is undone once by one review", async () => {
    await applyReviewed(gala(150), "DRAFT 150");
    const raise = async () => {
      const { events, tickets } = loop.sandbox.service.dump() as unknown as Rows;
      const event = events.find(({ name }) => name === "Gala");
      const ticket = tickets.find(({ eventId }) => eventId === event?.id);
      await loop.sandbox.service.call("PATCH", `/events/${event?.id}/tickets/${ticket?.id}`, { price: 170 });
    };
    await raise();
    await applyReviewed({ "events/rock.yaml": draft("Rock", 100) }, "DRAFT 150");
    await raise();
    await expectHeld(apply(), "GA of Gala: ₱170 → ₱150 (changed on the service)");
    expect(live().Gala).toBe("DRAFT 170");
  });

  test("a price that was sent returns when a phase ends, although something else of the event waits for a review", async () => {
    const [begins, ends] = [3_600_000, 7_200_000].map((later) => new Date(loop.clock.now + later).toISOString());
    const flash = `phases:\n  - { from: ${begins}, until: ${ends}, tickets: [{ name: GA, price: 90 }] }\n`;
    const withFlash = (capacity: number) =>
      `${gala(150)["events/gala.yaml"].replace("eventCapacity: 100", `eventCapacity: ${capacity}`)}${flash}`;
    await applyReviewed({ "events/gala.yaml": withFlash(100) }, "DRAFT 150");
    loop.clock.now = Date.parse(begins ?? "") + 1000;
    await apply();
    expect(live().Gala).toBe("DRAFT 90");
    mergeUnreviewed({ "events/gala.yaml": withFlash(120) });
    loop.clock.now = Date.parse(ends ?? "") + 1000;
    await expectHeld(apply(), "Gala: eventCapacity 100 → 120");
    expect(live().Gala).toBe("DRAFT 150");
  });

  test("what failed is sent by the next run, and so is the status of an event that waited for something below it", async () => {
    loop.sandbox.control.addFault({ kind: "error-before", status: 400, method: "PATCH", path: "/tickets/" });
    await applyReviewed(gala(150), "DRAFT 100");
    await apply();
    expect(live().Gala).toBe("DRAFT 150");
    await applyReviewed({ "events/gala.yaml": null }, undefined);
    const pullRequest = loop.openPullRequest(onSale(100));
    await loop.ci(["ci", "plan"], { pullRequest });
    const [file = "", text = ""] = Object.entries(onSale(100))[0] ?? [];
    loop.push(pullRequest, { [file]: `${text}performers: [{ name: Ana, type: DJ }]\n` });
    loop.merge(pullRequest);
    await expectHeld(apply(), "");
    expect(live().Gala).toBe("DRAFT 100");
    mergeUnreviewed(onSale(100));
    await apply();
    expect(live().Gala).toBe("PUBLISHED 100");
  });
});

describe.skipIf(!hasGit)("before any run has ended clean", () => {
  /** The newest push alone is what a job is told of. */
  const pushed = (before: string) => loop.ci(["ci", "apply"], { payload: { before } });
  const ball = (venue: string) => ({
    "events/ball.yaml": draft("Ball", 100).replace(/venueId: .*/, `venue: ${venue}`),
  });

  beforeEach(async () => {
    loop = await openLoop();
  });

  test("a merge that no job has applied is not forgotten when a direct push follows", async () => {
    loop.commit({ ...gala(100), ...ball("Nowhere") });
    expect((await apply()).exitCode).toBe(1);
    expect(live().Gala).toBe("DRAFT 100");
    loop.merge(loop.openPullRequest(gala(1)));
    const before = loop.commit({ "README.md": "Shows\n" });
    loop.commit({ "README.md": "All shows\n" });
    await expectHeld(pushed(before), "GA of Gala: ₱100 → ₱1");
    await expectHeld(loop.ci(["ci", "apply"], { event: "workflow_dispatch" }), "GA of Gala: ₱100 → ₱1");
    expect(live().Gala).toBe("DRAFT 100");
  });

  test("what the first merge could not apply, and what no job has applied, comes with a later one", async () => {
    const before = loop.commit({ "README.md": "Shows\n" });
    loop.sandbox.control.addFault({ kind: "error-before", status: 400, method: "POST", path: "/events", times: 9 });
    await mergeReviewed({ ...gala(100), ...ball("Session Hall") });
    expect((await pushed(before)).exitCode).toBe(1);
    expect(live()).toEqual({});
    loop.sandbox.control.clearFaults();
    await mergeReviewed(gala(120));
    const next = loop.commit({ "README.md": "All shows\n" });
    mergeUnreviewed({ "events/rock.yaml": draft("Rock", 100) });
    await expectHeld(pushed(next), "Rock: new");
    expect(live()).toEqual({ Ball: "DRAFT 500", Gala: "DRAFT 120", "Manila Nights": "PUBLISHED 1500" });
  });
});
