// `status` of events that were applied and that the files no longer name: the next apply deletes them.
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Plan } from "../../../src/model/plan.ts";
import type { StatusReport } from "../../../src/report/status/figures.ts";
import { openProject, type Project } from "../../stage/open-project.ts";

const now = () => Date.parse("2027-01-10T00:00:00.000Z");
const tickets = "tickets: [{ name: GA, price: 500, quantity: 100 }]\n";
const ball = `name: Ball\ndateTime: 2027-04-01T18:00\n${tickets}`;
const club = (skip: string) =>
  `name: Club\ndateTime: "22:00"\n${tickets}series: { every: friday, from: 2027-01-29, until: 2027-02-12${skip} }\n`;
const words = "no longer in the files; `plan` shows whether `apply` would delete it";

let project: Project;
beforeEach(async () => {
  project = await openProject({ "events/ball.yaml": ball, "events/club.yaml": club("") }, { now });
  project.sandbox.control.seed({ events: [{ name: "By hand", dateTime: "2027-05-01T18:00:00+08:00" }] });
  const applied = await project.run(["apply", "--yes", "--settle", "0"], { now });
  expect(applied.exitCode, applied.stderr).toBe(0);
});
afterEach(() => project.close());

async function status(...argv: readonly string[]): Promise<string> {
  const ran = await project.run(["status", ...argv], { now });
  expect(ran.exitCode, ran.stderr).toBe(0);
  return ran.stdout;
}

async function removedIn(...argv: readonly string[]): Promise<readonly unknown[]> {
  const { events } = JSON.parse(await status("--format", "json", ...argv)) as StatusReport;
  return events.flatMap((event) => (event.removed ? [[event.name, event.series, event.managed]] : []));
}

test("a file that is gone and a date that is skipped are distinguished from what was made by hand", async () => {
  expect(await removedIn()).toEqual([]);
  await project.remove("events/ball.yaml");
  await project.write("events/club.yaml", club(", skip: [2027-02-05]"));
  const planned = await project.run(["plan", "--format", "json"], { now });
  const deleted = JSON.parse(planned.stdout).changes.filter(({ action }: { action: string }) => action === "delete");
  expect(deleted.map(({ address }: { address: string }) => address).sort()).toEqual([
    "events/ball",
    "events/club@2027-02-05",
  ]);

  expect(await removedIn()).toEqual([
    ["Club", "club", false],
    ["Ball", null, false],
  ]);
  const text = await status();
  expect(text).toMatch(/^ {2}Club .*3 dates/m);
  expect(text).toMatch(/^ {2}- .*Fri 5 Feb 22:00/m);
  expect(text).toMatch(/^- Ball /m);
  expect(text).toMatch(/^\? By hand /m);
  expect(text).toContain(`- ${words}\n? not in the files (unmanaged)\n`);
  const markdown = await status("--format", "markdown");
  expect(markdown).toContain(`- \`Ball\` is ${words}`);
  expect(markdown).toContain("- `By hand` is not in the files (unmanaged)");
  const rows = (await status("--format", "csv")).trimEnd().split("\r\n");
  const column = rows[0]?.split(",").indexOf("removed") ?? -1;
  const flags = rows.filter((row) => row.startsWith("event,")).map((row) => row.split(",")[column]);
  expect(flags).toEqual(["false", "true", "false", "true", "false"]);
  const page = await status("--format", "html");
  expect(page).toMatch(new RegExp(`>Ball</bdi></a><small>[^<]*DRAFT, ${words}</small>`));
  expect(page).toContain(`<span class="badge closed">${words}</span>`);
});

test("a date that is over is still the files' own", async () => {
  const later = () => Date.parse("2027-02-01T00:00:00.000Z");
  const ran = await project.run(["status", "--format", "json"], { now: later });
  const { events, series } = JSON.parse(ran.stdout) as StatusReport;
  const dates = events.filter(({ name }) => name === "Club").map(({ key, managed, ended }) => [key, managed, ended]);
  expect(dates).toEqual([
    ["club@2027-02-05", true, false],
    ["club@2027-02-12", true, false],
    ["club@2027-01-29", true, true],
  ]);
  expect(series).toMatchObject([{ key: "club", events: 3 }]);
});

test.each(["2027-02-01", "2027-06-01"])("a series that is named has the dates that are over, too: %s", async (day) => {
  const later = () => Date.parse(`${day}T00:00:00.000Z`);
  for (const named of [["club"], ["--target", "events/club"]]) {
    const ran = await project.run(["status", ...named, "--format", "json"], { now: later });
    const { events, series } = JSON.parse(ran.stdout) as StatusReport;
    expect(events.map(({ key, managed }) => [key, managed]).sort()).toEqual([
      ["club@2027-01-29", true],
      ["club@2027-02-05", true],
      ["club@2027-02-12", true],
    ]);
    expect(series).toMatchObject([{ key: "club", events: 3 }]);
  }
  const orders = await project.run(["orders", "club"], { now: later });
  expect(orders.stderr).toContain("club is a series of 3 dates.");
});

test("they are named as before: by the key of the series, by their own, and by --target", async () => {
  await project.remove("events/ball.yaml");
  await project.write("events/club.yaml", club(", skip: [2027-02-05]"));
  expect(await removedIn("club")).toEqual([["Club", "club", false]]);
  expect(await status("club")).toContain(`- ${words}`);
  expect(await removedIn("events/club@2027-02-05", "ball")).toHaveLength(2);
  expect(await removedIn("--target", "events/club@2027-02-*")).toHaveLength(1);
});

test("nothing is said to be deleted while a file cannot be read, or where its file is only called otherwise", async () => {
  await project.write("events/club.yaml", "name: [\n");
  expect(await removedIn()).toEqual([]);
  await project.write("events/club.yaml", club(""));
  await project.remove("events/ball.yaml");
  await project.write("events/spring-ball.yaml", ball);
  expect(await removedIn()).toEqual([]);
});

test("what a blocked deletion offers to add accepts that one and no other", async () => {
  const settings = await project.read("ticketing.yaml");
  await project.remove("events/ball.yaml");
  await project.write("events/club.yaml", club(", skip: [2027-02-05]"));
  const blocks = async () => {
    const { changes } = JSON.parse((await project.run(["plan", "--format", "json"], { now })).stdout) as Plan;
    return changes.flatMap(({ address, blockedBy }) => blockedBy.map(({ hint }) => [address, hint] as const));
  };
  const all = await blocks();
  expect(all.map(([address]) => address).sort()).toEqual(["events/ball", "events/club@2027-02-05"]);
  for (const [accepted, hint] of all) {
    const [, offered = ""] = /add `(\{.*?\})` to the list `allow` in ticketing\.yaml/.exec(hint) ?? [];
    await project.write("ticketing.yaml", `${settings}allow: [${offered.replace("DATE", "2027-02-05")}]\n`);
    expect((await blocks()).map(([address]) => address)).toEqual(
      all.map(([address]) => address).filter((address) => address !== accepted),
    );
  }
});
