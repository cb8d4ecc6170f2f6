// What no one has reviewed is left out of its call, reported, remembered, and never sent until somebody has reviewed it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ApplyReport, Plan } from "../../src/model/plan.ts";
import { hasGit } from "../stage/has-git.ts";
import { eventText, gitState, type Loop, linesOf, openLoop, type Runner } from "./loop.ts";

const gala = (price: number, more = "") =>
  eventText(
    "Gala",
    `eventCapacity: 500\ndescription: One\ntickets: [{ name: GA, price: ${price}, quantity: 100, published: true }]\n${more}`,
  );

let loop: Loop;

beforeEach(async () => {
  loop = await openLoop();
  loop.push({ "ticketing.yaml": gitState, "events/gala.yaml": gala(1500) });
  const { exitCode, stderr } = await loop.runner().run("apply", "--yes");
  expect(exitCode, stderr).toBe(0);
  loop.writes();
});

afterEach(() => loop.close());

/** The plan of a pull request with these edits, which is then merged. */
async function review(edits: Readonly<Record<string, string | null>>): Promise<string> {
  const { stdout } = await loop.branch(edits).run("plan", "--merge-into", "origin/main", "--format", "json");
  loop.push(edits);
  const file = join(loop.root, "reviewed.json");
  writeFileSync(file, stdout);
  return file;
}

interface Told {
  readonly exitCode: number;
  readonly report: ApplyReport;
  readonly held: readonly string[];
}

async function apply(runner: Runner, ...flags: readonly string[]): Promise<Told> {
  const { exitCode, stdout } = await runner.run("apply", "--yes", "--base", "last", "--format", "json", ...flags);
  const report = JSON.parse(stdout) as ApplyReport;
  return { exitCode, report, held: linesOf({ changes: report.plan.held ?? [] }) };
}

async function inDashboard(path: string, body: object): Promise<void> {
  const response = await loop.sandbox.service.call("PATCH", `/events/${loop.live().Gala?.id}${path}`, body);
  expect(response.status).toBe(200);
}

const events = () => loop.live();
const price = () => (loop.sandbox.service.dump().tickets as unknown as readonly { price: number }[])[0]?.price;

describe.skipIf(!hasGit)("a set of what was reviewed", () => {
  test("what it lists is applied, and nothing is held", async () => {
    const file = await review({ "events/gala.yaml": gala(1800), "events/rock.yaml": eventText("Rock", "new: true\n") });
    const { exitCode, held } = await apply(loop.runner(), "--reviewed", file);
    expect(exitCode).toBe(0);
    expect(held).toEqual([]);
    expect(price()).toBe(1800);
    expect(Object.keys(events()).sort()).toEqual(["Gala", "Rock"]);
  });

  test("an edit in the dashboard after the review is held: a warning, and the rest of its call goes out", async () => {
    const file = await review({ "events/gala.yaml": gala(1500).replace("One", "Two") });
    await inDashboard("", { eventCapacity: 400 });
    const { exitCode, held, report } = await apply(loop.runner(), "--reviewed", file);
    expect(held).toEqual(["events/gala/eventCapacity = 500 (drift)"]);
    expect(exitCode).toBe(0);
    expect(report.plan.operations.map(({ body }) => body)).toEqual([{ description: "Two" }]);
    const hint = report.plan.diagnostics.find(({ code }) => code === "unreviewed")?.hint;
    expect(hint).toContain("run `ticketing ci apply --target events/gala --unreviewed apply`");
    expect(events().Gala).toMatchObject({ eventCapacity: 400, description: "Two" });

    // Every later run holds it, without a file and as a whole, until a plan that lists it is merged.
    loop.writes();
    for (const flags of [[], ["--base", "last"]]) {
      const { exitCode, stdout } = await loop.runner().run("apply", "--yes", ...flags);
      expect(exitCode).toBe(0);
      expect(stdout).toContain('Held and waiting: "Gala" (eventCapacity → 500).');
      expect(stdout).toContain("Nothing to send: 1 change held until reviewed.");
    }
    expect(loop.writes()).toEqual([]);
    const waiting = loop.branch({ "events/rock.yaml": eventText("Rock", "new: true\n") });
    const shown = await waiting.run("plan", "--merge-into", "origin/main");
    expect(shown.stdout).toContain('Held and waiting: "Gala" (eventCapacity → 500).');

    const next = await review({ "events/rock.yaml": eventText("Rock", "new: true\n") });
    const released = await apply(loop.runner(), "--reviewed", next);
    expect(released.held).toEqual([]);
    expect(released.exitCode).toBe(0);
    expect(events().Gala).toMatchObject({ eventCapacity: 500 });
    expect((await loop.runner().plan()).changes).toEqual([]);
  });

  test("what was pushed without a review is held, exits 1 and is not recorded as applied", async () => {
    const file = await review({ "events/gala.yaml": gala(1500).replace("One", "Two") });
    loop.push({
      "events/gala.yaml": gala(9).replace("One", "Two"),
      "events/rock.yaml": eventText("Rock", "new: true\n"),
    });
    const { exitCode, held } = await apply(loop.runner(), "--reviewed", file);
    expect(exitCode).toBe(1);
    expect(held).toEqual(["events/gala/tickets/GA/price = 9 (edit)", "create events/rock (edit)"]);
    expect(price()).toBe(1500);
    expect(events().Gala).toMatchObject({ description: "Two" });
    expect(Object.keys(events())).toEqual(["Gala"]);
    const again = await apply(loop.runner());
    expect(again.exitCode).toBe(1);
    expect(again.held).toEqual(held);
    expect(price()).toBe(1500);
  });

  test("what was taken back in the files is no longer held", async () => {
    const file = await review({ "events/gala.yaml": gala(1500).replace("One", "Two") });
    loop.push({ "events/gala.yaml": gala(9).replace("One", "Two") });
    expect((await apply(loop.runner(), "--reviewed", file)).exitCode).toBe(1);
    loop.push({ "events/gala.yaml": gala(1500).replace("One", "Two") });
    const { exitCode, held } = await apply(loop.runner());
    expect({ exitCode, held }).toEqual({ exitCode: 0, held: [] });
    const state = JSON.parse((await loop.runner().run("state", "pull")).stdout);
    expect(state.held).toBeUndefined();
  });

  const rock = eventText("Rock", "new: true\n");
  const webhooks = "- { url: https://hooks.example.com/a, events: [order.completed] }\n";
  const sink = `${gitState}secrets: { sink: file, path: .ticketing/secrets.json }\n`;
  const performer = gala(1500, "performers: [{ name: Ana }]\n");
  test.each([
    ["a price", { "events/gala.yaml": gala(1400) }, { "events/gala.yaml": gala(1500) }],
    ["a new event", { "events/rock.yaml": rock }, { "events/rock.yaml": null }],
    ["a deletion", { "events/gala.yaml": null }, { "events/gala.yaml": gala(1500) }],
    ["a performer", { "events/gala.yaml": performer }, { "events/gala.yaml": gala(1500, "performers: []\n") }],
    ["a webhook", { "webhooks.yaml": webhooks, "ticketing.yaml": sink }, { "webhooks.yaml": null }],
  ])(
    "a revert of %s, planned before what it reverts was applied, lists what it undoes and is sent",
    async (_, edits, undo) => {
      loop.push(edits);
      const topic = loop.branch(undo);
      const { stdout } = await topic.run("plan", "--merge-into", "origin/main", "--format", "json");
      const reverting = JSON.parse(stdout) as Plan;
      expect(reverting.changes).toEqual([]);
      expect(linesOf({ changes: reverting.already ?? [] })).not.toEqual([]);
      const text = (await topic.run("plan", "--merge-into", "origin/main")).stdout;
      expect(text).toContain("Already up to date on the service: ");
      expect(text).not.toContain("nothing differs from");
      const allow = ["--allow", "delete-event", "--allow", "delete-webhook"];
      const first = await loop.runner().run("apply", "--yes", "--base", "last", ...allow);
      expect(first.exitCode, first.stdout + first.stderr).toBe(0);
      loop.push(undo);
      const file = join(loop.root, "reviewed.json");
      writeFileSync(file, stdout);
      const { exitCode, held, report } = await apply(loop.runner(), "--reviewed", file, ...allow);
      expect({ exitCode, held }).toEqual({ exitCode: 0, held: [] });
      expect(report.summary.done).toBeGreaterThan(0);
      expect((await loop.runner().plan()).changes).toEqual([]);
    },
  );

  test("a value that was kept from the service is sent if it was set back there before the merge was applied", async () => {
    await inDashboard("", { eventCapacity: 400 });
    const file = await review({ "events/gala.yaml": gala(1500).replace("eventCapacity: 500", "eventCapacity: 400") });
    await inDashboard("", { eventCapacity: 500 });
    const { exitCode, held } = await apply(loop.runner(), "--reviewed", file);
    expect({ exitCode, held }).toEqual({ exitCode: 0, held: [] });
    expect(events().Gala).toMatchObject({ eventCapacity: 400 });
  });

  test("a new event that is held takes everything below it along", async () => {
    const file = await review({ "notes.md": "Nothing of the project\n" });
    const rock = eventText(
      "Rock",
      "new: true\nperformers: [{ name: Ana }]\nschedules: [{ title: Set, startTime: 2027-03-14T19:00, endTime: 2027-03-14T20:00, performer: Ana }]\n",
    );
    loop.push({ "events/rock.yaml": rock });
    const { held, report } = await apply(loop.runner(), "--reviewed", file);
    expect(report.plan.operations).toEqual([]);
    expect(held).toEqual([
      "create events/rock (edit)",
      "create events/rock/performers/Ana (edit)",
      "create events/rock/schedules/Set (edit)",
    ]);
  });

  test("an entry that names a held performer is held; one that names another goes out", async () => {
    const set = (title: string, performer: string) =>
      `{ title: ${title}, startTime: 2027-03-14T19:00, endTime: 2027-03-14T20:00, performer: ${performer} }`;
    const program = (names: readonly string[], sets: readonly string[]) =>
      `performers: [${names.map((name) => `{ name: ${name} }`).join(", ")}]\nschedules: [${sets.join(", ")}]\n`;
    const file = await review({ "events/gala.yaml": gala(1500, program(["Ana"], [set("One", "Ana")])) });
    loop.push({ "events/gala.yaml": gala(1500, program(["Ana", "Ben"], [set("One", "Ana"), set("Two", "Ben")])) });
    const { held, exitCode } = await apply(loop.runner(), "--reviewed", file);
    expect(exitCode).toBe(1);
    expect(held).toEqual(["create events/gala/performers/Ben (edit)", "create events/gala/schedules/Two (edit)"]);
    expect((loop.sandbox.service.dump().schedules as readonly unknown[]).length).toBe(1);
  });

  test("a publication waits while something below it is held", async () => {
    const published = (cost: number) => gala(cost).replace("eventCapacity", "status: PUBLISHED\neventCapacity");
    const file = await review({ "events/gala.yaml": published(1500) });
    loop.push({ "events/gala.yaml": published(9) });
    const { held, exitCode } = await apply(loop.runner(), "--reviewed", file);
    expect(exitCode).toBe(1);
    expect(held).toEqual(["events/gala PUBLISHED (edit)", "events/gala/tickets/GA/price = 9 (edit)"]);
    expect(events().Gala?.status).toBe("DRAFT");
  });

  test("review: stop applies nothing, and apply sends everything", async () => {
    const project = (mode: string) => `${gitState}review: { unreviewed: ${mode} }\n`;
    const file = await review({
      "events/gala.yaml": gala(1500).replace("One", "Two"),
      "ticketing.yaml": project("stop"),
    });
    loop.push({ "events/gala.yaml": gala(9).replace("One", "Two") });
    for (const flags of [["--reviewed", file], []]) {
      const { exitCode, report } = await apply(loop.runner(), ...flags);
      expect(exitCode).toBe(1);
      expect(report.summary.done).toBe(0);
      expect(loop.writes()).toEqual([]);
    }
    loop.push({ "ticketing.yaml": project("apply") });
    // That was not reviewed either, so it is as it was when the last run ended clean.
    const { report, held } = await apply(loop.runner(), "--reviewed", file);
    expect(report.plan.diagnostics[0]?.code).toBe("guards-held");
    expect(held).toEqual(["events/gala/tickets/GA/price = 9 (edit)"]);
    expect(price()).toBe(1500);
    const next = await review({ "ticketing.yaml": `${project("apply")}# Looked at.\n` });
    loop.push({ "events/gala.yaml": gala(8).replace("One", "Two") });
    expect((await apply(loop.runner(), "--reviewed", next)).exitCode).toBe(0);
    expect(price()).toBe(8);
  });

  test("a safeguard that was held stays held without a reviewed plan, until one shows it", async () => {
    const file = await review({ "events/gala.yaml": gala(1500).replace("One", "Two") });
    const loosened = { "ticketing.yaml": `${gitState}allow: [delete-event]\n` };
    loop.push(loosened);
    const held = await apply(loop.runner(), "--reviewed", file);
    expect(held.exitCode).toBe(1);
    expect(held.report.plan.diagnostics[0]?.code).toBe("guards-held");
    loop.writes();
    loop.push({ "events/gala.yaml": null });
    const next = await apply(loop.runner());
    expect(next.exitCode).toBe(1);
    expect(events().Gala).toBeDefined();
    expect(loop.writes()).toEqual([]);
    const shown = await review({ "ticketing.yaml": `${loosened["ticketing.yaml"]}# Looked at.\n` });
    expect((await apply(loop.runner(), "--reviewed", shown)).exitCode).toBe(0);
    expect(events().Gala).toBeUndefined();
  });

  test("a held safeguard asks for no rights of its own, and once a review has shown it, no run holds it again", async () => {
    const scopes = ["events:read", "events:write", "tickets:read", "tickets:write", "orders:read"] as const;
    const { keys } = loop.sandbox.control.seed({ keys: [{ scopes: [...scopes] }] });
    const env = { TICKETING_API_KEY: keys[0]?.value ?? "" };
    const runner = () => loop.runner({ env });
    expect((await runner().run("apply", "--yes")).exitCode).toBe(0);
    const file = await review({ "events/gala.yaml": gala(1500).replace("One", "Two") });
    loop.push({ "ticketing.yaml": `${gitState}allow: [delete-event]\n` });
    expect((await apply(runner(), "--reviewed", file)).exitCode).toBe(1);
    const waiting = await apply(runner());
    expect(waiting.report.plan.diagnostics.map(({ code }) => code)).toEqual(["guards-held", "venue-missing"]);
    const shown = await review({ "ticketing.yaml": `${gitState}allow: [delete-event]\n# Looked at.\n` });
    expect((await apply(runner(), "--reviewed", shown)).exitCode).toBe(0);
    expect((await apply(runner())).exitCode).toBe(0);
  });

  test("a publish that only waited for an edit goes out once the edit is taken back", async () => {
    const published = (more = "") => `${gala(1500)}status: PUBLISHED\n${more}`;
    const file = await review({ "events/gala.yaml": published() });
    loop.push({ "events/gala.yaml": published("visibility: PRIVATE\n") });
    expect((await apply(loop.runner(), "--reviewed", file)).exitCode).toBe(1);
    expect(events().Gala?.status).toBe("DRAFT");
    loop.push({ "events/gala.yaml": published() });
    expect((await apply(loop.runner())).exitCode).toBe(0);
    expect(events().Gala?.status).toBe("PUBLISHED");
  });

  test("a saved plan with something that is held is refused as a whole", async () => {
    loop.push({ "events/gala.yaml": gala(1800) });
    const runner = loop.runner();
    await runner.run("plan", "--out", "plan.json");
    const plan = (await runner.plan()) as Plan;
    const none = join(loop.root, "none.json");
    writeFileSync(none, JSON.stringify({ ...plan, changes: [] }));
    const refused = await runner.run("apply", "plan.json", "--yes", "--reviewed", none);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain("error[unreviewed]");
    expect(loop.writes()).toEqual([]);
    const all = join(loop.root, "all.json");
    writeFileSync(all, JSON.stringify(plan));
    expect((await runner.run("apply", "plan.json", "--yes", "--reviewed", all)).exitCode).toBe(0);
    expect(price()).toBe(1800);
  });

  test.each([
    ["not there", null, "review-unreadable"],
    ["no JSON", "{", "review-unreadable"],
    ["no plan", "{}", "review-unreadable"],
    ["a plan for no environment", '{"formatVersion":1,"changes":[]}', "does not say which environment"],
    [
      "a plan for another environment",
      '{"formatVersion":1,"changes":[],"target":{"environment":"staging"}}',
      "staging",
    ],
  ])("a file that is %s", async (_, text, words) => {
    const file = join(loop.root, "reviewed.json");
    if (text !== null) writeFileSync(file, text);
    const { exitCode, stdout, stderr } = await loop.runner().run("apply", "--yes", "--reviewed", file);
    expect(exitCode).toBe(1);
    expect(stdout + stderr).toContain(words);
    expect(loop.writes()).toEqual([]);
  });
});
