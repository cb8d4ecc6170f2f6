// A venue is shown by its name, even one that the event is moving away from and that no file or response names anymore.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Plan } from "../../../src/model/plan.ts";
import { eventText, gitState, type Loop, openLoop } from "../../gitops/loop.ts";
import { openProject, type Project } from "../../stage/open-project.ts";
import type { Ran } from "../../stage/test-world.ts";

const at = (venue: string) => ({ "events/gala.yaml": eventText("Gala", `venue: ${venue}\n`) });
const from = "Durian Dome, Davao City, Davao del Sur, Philippines";
const to = "Lantern Theatre, Manila, Metro Manila, Philippines";
const formats = ["text", "markdown", "html"] as const;

let project: Project | undefined;
let loop: Loop | undefined;
afterEach(async () => {
  await Promise.all([project?.close(), loop?.close()]);
  project = undefined;
  loop = undefined;
});

async function moved(): Promise<Project> {
  const opened = await openProject(at("Durian Dome"));
  expect((await opened.apply()).exitCode).toBe(0);
  await opened.write("events/gala.yaml", at("Lantern Theatre")["events/gala.yaml"]);
  return opened;
}

function expectNames({ stdout, stderr }: Ran): void {
  expect(stdout, stderr).toContain(from);
  expect(stdout).toContain(to);
}

/** The cards, which show no id where they know the name. */
function cardsOf(html: string): string {
  return html.slice(html.indexOf('<div class="pair">'), html.indexOf('<details class="fields">'));
}

test("both venues of a move, with state in a file, in every format", async () => {
  project = await moved();
  for (const format of formats) {
    const ran = await project.run(["plan", "--format", format]);
    expectNames(ran);
    if (format === "html") expectNames({ ...ran, stdout: cardsOf(ran.stdout) });
  }
});

test("both venues of a move, on a runner that knows only state in git, in every format", async () => {
  loop = await openLoop();
  loop.push({ "ticketing.yaml": gitState, ...at("Durian Dome") });
  expect((await loop.runner().run("apply", "--yes", "--settle", "0")).exitCode).toBe(0);
  const branch = loop.branch(at("Lantern Theatre"));
  for (const format of formats) {
    const ran = await branch.run("plan", "--merge-into", "origin/main", "--format", format);
    expectNames(ran);
    if (format === "html") expectNames({ ...ran, stdout: cardsOf(ran.stdout) });
  }
});

test("a venue that was named and is now given by its id has not changed", async () => {
  loop = await openLoop();
  loop.push({ "ticketing.yaml": gitState, ...at("Durian Dome") });
  expect((await loop.runner().run("apply", "--yes", "--settle", "0")).exitCode).toBe(0);
  const { events } = loop.sandbox.service.dump() as unknown as { events: { venueId: string }[] };
  const text = eventText("Gala", `venueId: ${events[0]?.venueId}\n`);
  const branch = loop.branch({ "events/gala.yaml": text });
  const ran = await branch.run("plan", "--merge-into", "origin/main", "--format", "json");
  const made = JSON.parse(ran.stdout) as Plan;
  expect([made.changes, made.already ?? []]).toEqual([[], []]);
});

test("a saved plan shows the names that files and state say, not those that are written into it", async () => {
  project = await moved();
  await project.run(["plan", "--out", "plan.json"]);
  const path = join(project.directory, "plan.json");
  expect(await readFile(path, "utf8")).toContain(from);
  const ran = await project.run(["apply", "plan.json", "--yes", "--settle", "0"]);
  expect(ran.exitCode, ran.stderr).toBe(0);
  expect(ran.stdout + ran.stderr).toContain(from);
  expect(ran.stdout + ran.stderr).toContain(to);
  expect(Object.values((await project.state()).venues ?? {})).toEqual([to]);
});

test("only venues that something in state is at are remembered, and a second run writes nothing", async () => {
  project = await moved();
  expect(Object.values((await project.state()).venues ?? {})).toEqual([from]);
  await project.apply();
  const { venues, serial } = await project.state();
  expect(Object.values(venues ?? {})).toEqual([to]);
  await project.apply();
  expect((await project.state()).serial).toBe(serial);
  await project.remove("events/gala.yaml");
  await project.apply("--allow", "delete-event");
  expect((await project.state()).venues).toBeUndefined();
});

test("a state from before venues were remembered is valid, and learns them from the next run", async () => {
  project = await openProject(at("Durian Dome"));
  await project.apply();
  const path = join(project.directory, ".ticketing/state.default.json");
  const { venues: _, seal: __, ...former } = JSON.parse(await readFile(path, "utf8"));
  await writeFile(path, JSON.stringify(former));
  expect((await project.run(["state", "reseal", "--yes"])).exitCode).toBe(0);
  expect((await project.state()).venues).toBeUndefined();
  expect((await project.apply()).exitCode).toBe(0);
  expect(Object.values((await project.state()).venues ?? {})).toEqual([from]);
});

test("without any memory, the files of the base say what the former venue is called", async () => {
  loop = await openLoop();
  loop.push({ "ticketing.yaml": "version: 1\nstate: { backend: none }\n", ...at("Durian Dome") });
  expect((await loop.runner().run("apply", "--yes", "--settle", "0")).exitCode).toBe(0);
  expectNames(await loop.branch(at("Lantern Theatre")).run("plan", "--base", "origin/main"));
});

test("`state show` names the venue, and `state migrate` takes the names along", async () => {
  loop = await openLoop();
  loop.push({ "ticketing.yaml": "version: 1\n", ...at("Durian Dome") });
  const runner = loop.runner();
  await runner.run("apply", "--yes", "--settle", "0");
  expect((await runner.run("state", "show", "events/gala")).stdout).toMatch(/venueId: "[0-9a-f-]{36}" \(Durian Dome, /);
  const migrated = await runner.run("state", "migrate", "--to", "git");
  expect(migrated.exitCode, migrated.stderr).toBe(0);
  loop.push({ "ticketing.yaml": gitState });
  const pulled = JSON.parse((await loop.runner().run("state", "pull")).stdout) as { venues?: Record<string, string> };
  expect(Object.values(pulled.venues ?? {})).toEqual([from]);
});

test("venues that cannot be read are a damaged state, with its fix", async () => {
  project = await openProject(at("Durian Dome"));
  await project.apply();
  const path = join(project.directory, ".ticketing/state.default.json");
  const state = JSON.parse(await readFile(path, "utf8"));
  await writeFile(path, JSON.stringify({ ...state, venues: { [Object.keys(state.venues)[0] ?? ""]: 7 } }));
  const { stderr, stdout } = await project.run(["plan"]);
  expect(stderr + stdout).toContain("state-corrupt");
  expect(stderr + stdout).toContain("has no valid `venues`");
});
