// A series through the whole program: what one changed date costs, and what --target takes.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Plan } from "../../src/model/plan.ts";
import { openProject } from "../stage/open-project.ts";
import { planOf } from "../stage/plan-of.ts";
import { ticketing } from "../stage/test-world.ts";

let directory: string;

function git(...words: readonly string[]): void {
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...words], { cwd: directory });
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "ticketing-series-"));
  mkdirSync(join(directory, "events"));
  writeFileSync(join(directory, ".gitignore"), ".ticketing/\n");
  writeFileSync(join(directory, "ticketing.yaml"), "version: 1\n");
  writeFileSync(
    join(directory, "events", "club.yaml"),
    `name: "Club: \${var.headliner}"
vars: { headliner: Residents }
dateTime: 22:00
endDateTime: +5h
locationType: ONLINE
series: { every: day, from: 2027-01-08, count: 60 }
`,
  );
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "a");
  expect((await run("2027-01-01T00:00:00Z", "apply", "--yes")).exitCode).toBe(0);
}, 60_000);

afterAll(() => rmSync(directory, { recursive: true }));

const fridays = (more: string) =>
  `name: Club\ndateTime: 22:00\nendDateTime: +3h\nlocationType: ONLINE\nseries: { every: friday, from: 2027-02-05, count: 3${more} }\n`;

function run(now: string, ...argv: readonly string[]) {
  return ticketing([...argv, "-C", directory, "--env", "sandbox"], { now: () => Date.parse(now) });
}

async function planAt(now: string, ...argv: readonly string[]): Promise<Plan> {
  return JSON.parse((await run(now, "plan", "--format", "json", ...argv)).stdout) as Plan;
}

test("one changed date of many costs at most seven calls", async () => {
  const file = join(directory, "events", "club.yaml");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace("60 }", "60, dates: { 2027-02-05: { vars: { headliner: DJ Ana } } } }"));
  const plan = await planAt("2027-01-01T00:00:00Z", "--base", "HEAD");
  expect(plan.changes.map(({ address }) => address)).toEqual(["events/club@2027-02-05"]);
  expect(plan.calls.reads).toBeLessThanOrEqual(7);
  const page = (await run("2027-01-01T00:00:00Z", "plan", "--format", "html", "--base", "HEAD")).stdout;
  const [calendar = ""] = /<ol class="calendar">[\s\S]*?<\/ol><\/li><\/ol>/.exec(page) ?? [];
  expect(calendar.match(/<li class="staying">/g)).toHaveLength(59);
  expect(calendar).toContain('<li class="changed"><b>Fri 5</b> <span>22:00</span> <em>changed</em></li>');
  writeFileSync(file, text);
}, 60_000);

test("--target takes all dates of a series", async () => {
  const file = join(directory, "events", "club.yaml");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, `${text}eventCapacity: 90\n`);
  const { changes } = await planAt("2027-01-01T00:00:00Z", "--target", "events/club");
  expect(changes).toHaveLength(60);
  writeFileSync(file, text);
}, 60_000);

test("where the file and the name of a series change, one `key` finds all its dates again", async () => {
  const file = join(directory, "events", "club.yaml");
  const renamed = join(directory, "events", "night.yaml");
  const text = readFileSync(file, "utf8");
  rmSync(file);
  writeFileSync(renamed, text.replace("Club:", "Night:"));
  const blocked = await planAt("2027-01-01T00:00:00Z", "--target", "events/night@2027-01-08");
  expect(blocked.changes[0]?.blockedBy?.[0]?.hint).toContain("for all dates at once, add `key: NAME` to the file");
  writeFileSync(renamed, `${text.replace("Club:", "Night:")}key: club\n`);
  const { summary } = await planAt("2027-01-01T00:00:00Z");
  expect(summary).toMatchObject({ update: 60, blocked: 0, delete: 0 });
  rmSync(renamed);
  writeFileSync(file, text);
}, 60_000);

test.each(["file", "none"])(
  "dates that take each other's places are never made twice: state %s",
  async (backend) => {
    const project = await openProject({
      "ticketing.yaml": `version: 1\nstate: { backend: ${backend} }\n`,
      "events/club.yaml": fridays(""),
    });
    try {
      expect((await project.apply()).exitCode).toBe(0);
      const moves = ["05", "12", "19"].map((day) => `2027-02-${day}: { dateTime: 2027-02-${Number(day) + 7}T22:00 }`);
      await project.write("events/club.yaml", fridays(`, dates: { ${moves.join(", ")} }`));
      const { plan } = await project.plan();
      const shown = plan.changes.map(({ address, action, blockedBy }) => [address, action, blockedBy[0]?.code]);
      expect(shown).toEqual(
        backend === "file"
          ? ["05", "12", "19"].map((day) => [`events/club@2027-02-${day}`, "update", undefined])
          : // The second and third night stand where the first and second are to be; which one the last means is asked.
            [["events/club@2027-02-19", "create", "ambiguous-event"]],
      );
    } finally {
      await project.close();
    }
  },
  60_000,
);

test("a new date in the place of one that moved is created, and a namesake on a night of the series blocks no new date", async () => {
  const project = await openProject({ "events/club.yaml": fridays("") });
  try {
    expect((await project.apply()).exitCode).toBe(0);
    const moves = "2027-02-12: { dateTime: 2027-02-26T22:00 }, 2027-01-29: { dateTime: 2027-02-12T22:00 }";
    await project.write("events/club.yaml", fridays(`, also: [2027-01-29], dates: { ${moves} }`));
    const shown = async () => (await project.plan()).plan.changes.map(({ address, action }) => [address, action]);
    expect(await shown()).toEqual([
      ["events/club@2027-01-29", "create"],
      ["events/club@2027-02-12", "update"],
    ]);
    await project.sandbox.service.call("POST", "/events", { name: "Club", dateTime: "2027-02-12T12:00:00.000Z" });
    await project.write("events/club.yaml", fridays("").replace("count: 3", "count: 4"));
    expect((await project.plan()).plan.changes).toMatchObject([
      { address: "events/club@2027-02-26", action: "create", blockedBy: [] },
    ]);
  } finally {
    await project.close();
  }
}, 60_000);

test("dates that are over are neither planned nor taken for removed documents", async () => {
  const plan = await planAt("2027-02-01T00:00:00Z");
  expect(plan.changes).toEqual([]);
  expect(plan.diagnostics.map(({ code }) => code)).not.toContain("forgotten");
  expect(plan.summary.unchanged).toBe(36);
  const aimed = await planAt("2027-02-01T00:00:00Z", "--target", "events/club@2027-01-08");
  expect(aimed.diagnostics).toMatchObject([
    { code: "event-over", message: "events/club@2027-01-08 is over and no longer managed." },
  ]);
}, 60_000);

test("a date that is over is never created, though a phase keeps it managed", async () => {
  const other = mkdtempSync(join(tmpdir(), "ticketing-over-"));
  mkdirSync(join(other, "events"));
  const series =
    "name: A\ndateTime: 22:00\nendDateTime: +5h\nlocationType: ONLINE\nphases: [{ from: -1d, description: B }]\n";
  const write = (rule: string) => writeFileSync(join(other, "events", "a.yaml"), `${series}series: ${rule}\n`);
  const at = (...argv: readonly string[]) =>
    ticketing([...argv, "-C", other], { now: () => Date.parse("2027-01-10T00:00:00Z") });
  write("{ every: friday, from: 2027-01-08, count: 2 }");
  const { changes } = JSON.parse((await at("plan", "--format", "json")).stdout) as Plan;
  expect(changes.map(({ address }) => address)).toEqual(["events/a@2027-01-15"]);
  write("{ every: friday, from: 2026-01-08, count: 2 }");
  const over = await at("plan");
  expect(over.stdout).toContain("All 2 dates of this series are over");
  expect(over.stdout).toContain("No changes: there is nothing in the files to compare with the service.");
  expect((await at("validate", "--strict")).exitCode).toBe(0);
  expect((await at("show", "a")).stderr).toContain("Every date of a is over");
  rmSync(other, { recursive: true });
}, 60_000);

test.each([
  ["2027-01-08", '"Club" (2027-01-08) is over, so it is not created.'],
  ["2027-01-05", 'The file says ARCHIVED for "Club" (2027-01-05): it is not live, so there is nothing to do.'],
])(
  "a date that is over and not live (%s) is mentioned, and not taken for another of its name",
  async (day, message) => {
    const club = `name: Club
dateTime: 22:00
endDateTime: +4h
locationType: ONLINE
series: { every: week, from: ${day}, count: 2 }
phases: [{ name: Close, from: end +3d, status: ARCHIVED }]
`;
    const live = { events: [{ name: "Club", dateTime: "2027-02-03T14:00:00Z" }] };
    const targets = [`events/club@${day}`];
    const { plan } = await planOf({ files: { "events/club.yaml": club }, live, targets });
    expect(plan).toMatchObject({ changes: [], upcoming: [], diagnostics: [{ code: "nothing-to-do", message }] });
  },
);

test("a series that becomes a single event counts it once among the project's events", async () => {
  const project = await openProject({
    "ticketing.yaml": "version: 1\nmaxDeletes: 9\n",
    "events/club.yaml": fridays("").replace("count: 3", "count: 6"),
  });
  try {
    expect((await project.apply()).exitCode).toBe(0);
    const single = "name: Club\ndateTime: 2027-02-05T22:00\nendDateTime: +3h\nlocationType: ONLINE\n";
    await project.write("events/club.yaml", single);
    const blocks = (await project.plan()).plan.changes.flatMap(({ blockedBy }) => blockedBy);
    const tooMany = blocks.find(({ code }) => code === "too-many-deletes");
    expect(tooMany?.message).toBe("5 events would be deleted: over half of the project's 6.");
  } finally {
    await project.close();
  }
}, 60_000);

test("what changes on one date is at the line of that date, not where the file begins", async () => {
  const tickets = "tickets:\n  - { name: GA, price: 100, quantity: 50 }\n";
  const text = (price: number, dates: string) => `${fridays(dates)}${tickets.replace("100", String(price))}`;
  const project = await openProject({ "events/club.yaml": text(100, "") });
  try {
    expect((await project.apply()).exitCode).toBe(0);
    await project.write("events/club.yaml", text(200, ",\n  dates: { 2027-02-12: { dateTime: 21:00 } }"));
    const { changes } = (await project.plan()).plan;
    const places = changes.map(({ address, source }) => `${address}:${source?.line}`);
    expect(places).toContain("events/club@2027-02-12:6");
    expect(places).toContain("events/club@2027-02-05/tickets/GA:8");
  } finally {
    await project.close();
  }
}, 60_000);

test("an event that is to be gone is not called gone where one with its start is live", async () => {
  const live = { events: [{ name: "Club: DJ Bo", dateTime: "2027-02-05T14:00:00Z" }] };
  const club = "name: Club\ndateTime: 2027-02-05T22:00\nlocationType: ONLINE\nstatus: DELETED\n";
  const { plan } = await planOf({ files: { "events/club.yaml": club }, live });
  expect(plan.diagnostics).toMatchObject([
    {
      code: "nothing-to-do",
      message: expect.stringContaining("· Club: DJ Bo ·"),
      hint: expect.stringContaining("`id: "),
    },
  ]);
});

test("a date that the series does not have is near one that it has", async () => {
  const { diagnostics } = await planAt("2027-01-01T00:00:00Z", "--target", "events/club@2027-05-05");
  expect(diagnostics[0]?.hint).toBe("Did you mean events/club@2027-03-08?");
  const bare = await planAt("2027-01-01T00:00:00Z", "--target", "club");
  expect(bare.diagnostics[0]?.hint).toBe("Did you mean events/club?");
  const { stderr } = await run("2027-01-01T00:00:00Z", "orders", "club@2027-01-05");
  expect(stderr).toContain('Did you mean "club@2027-01-08"?');
}, 60_000);

test("a date that is over still goes by its key where its sales are asked for", async () => {
  const orders = await run("2027-02-01T00:00:00Z", "orders", "club@2027-01-08", "--format", "json");
  expect(orders).toMatchObject({ exitCode: 0 });
  const status = await run("2027-02-01T00:00:00Z", "status", "club@2027-01-08", "--format", "json");
  const [figures] = JSON.parse(status.stdout).events;
  expect(figures).toMatchObject({ id: JSON.parse(orders.stdout).event.id, dateTime: "2027-01-08T14:00:00.000Z" });
});

async function withText(change: (text: string) => string, then: () => Promise<void>): Promise<void> {
  const file = join(directory, "events", "club.yaml");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, change(text));
  try {
    await then();
  } finally {
    writeFileSync(file, text);
  }
}

test("dates that move by the same hours are one block, and an odd one stays apart", async () => {
  const odd = (text: string) => text.replace("60 }", "60, dates: { 2027-02-05: { dateTime: 20:00 } } }");
  await withText(
    (text) => odd(text).replace("dateTime: 22:00", "dateTime: 21:00"),
    async () => {
      const { stdout } = await run("2027-01-01T00:00:00Z", "plan");
      expect(stdout.match(/^~ /gm)).toHaveLength(2);
      expect(stdout).toContain("59 dates of events/club: change in the same way (the first one is shown)");
      expect(stdout).toContain("(events/club@2027-02-05)");
    },
  );
}, 60_000);

test("dates that go are one block, with a fix for a series", async () => {
  await withText(
    (text) => text.replace("60 }", "60, skip: [2027-02-05, 2027-02-06, 2027-02-07, 2027-02-08] }"),
    async () => {
      const { stdout, exitCode } = await run("2027-01-01T00:00:00Z", "plan");
      expect(exitCode).toBe(1);
      expect(stdout).toContain("4 dates of events/club: delete, blocked");
      expect(stdout.match(/would be deleted for good/g)).toHaveLength(1);
      expect(stdout.replace(/\s+/g, " ")).toContain(
        "To keep it, take the date out of `skip`. If it was moved to another day, undo that change in `series`, and write its new `dateTime` under `dates`.",
      );
    },
  );
}, 60_000);

test("a file of many dates is no name for one of them, and a slip of the pen leads to the series", async () => {
  const file = await run("2027-01-01T00:00:00Z", "show", "events/club.yaml");
  expect(file).toMatchObject({ exitCode: 1, stdout: "" });
  expect(file.stderr).toContain("is a series of 60 dates");
  // The name of a date is a slip as well, and says which one is meant.
  const named = (await run("2027-01-01T00:00:00Z", "show", "club: residents")).stderr;
  expect(named).toMatch(/"club: residents" is the name of \d+ events, and the key of one is needed here\./);
  expect(named).toMatch(/Use one of these keys: club@.*, club@.* and \d+ more\./);
  expect((await run("2027-01-01T00:00:00Z", "show", "clubb@2027-02-05")).stderr).toContain('Did you mean "club"?');
});

test("a mistake that all dates share is reported once", async () => {
  await withText(
    (text) => text.replace("headliner}", "headlinr}"),
    async () => {
      const { stderr } = await run("2027-01-01T00:00:00Z", "show", "club@2027-01-15");
      expect(stderr.match(/headlinr/g)?.length).toBeLessThanOrEqual(3);
      expect(stderr).toContain("in 60 events");
    },
  );
});

test("a time that clocks skip is refused with the nearest ones", async () => {
  writeFileSync(join(directory, "ticketing.yaml"), "version: 1\ndefaults: { timezone: America/New_York }\n");
  const { stdout, exitCode } = await run("2027-01-01T00:00:00Z", "plan", "--at", "2027-03-14T02:30");
  writeFileSync(join(directory, "ticketing.yaml"), "version: 1\n");
  expect(exitCode).toBe(1);
  expect(stdout.replace(/\s+/g, " ")).toContain("the nearest times are 2027-03-14T01:59 and 2027-03-14T03:00");
});
