// Last year's file, copied: what stays behind in it.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ticketing } from "../stage/test-world.ts";

interface Told {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly hint: string;
  readonly source: { readonly line: number; readonly column: number };
}

const codes = new Set(["born-sold-out", "wrong-weekday", "year-in-name", "unknown-value", "yaml-trap"]);

function folderOf(event: string): string {
  const folder = mkdtempSync(join(tmpdir(), "ticketing-copied-"));
  mkdirSync(join(folder, "events"));
  writeFileSync(join(folder, "events", "fest.yaml"), event);
  return folder;
}

async function tell(command: "validate" | "plan", cwd: string): Promise<readonly Told[]> {
  const ran = await ticketing([command, "--format", "json"], { cwd });
  return (JSON.parse(ran.stdout) as { diagnostics: Told[] }).diagnostics.filter(({ code }) => codes.has(code));
}

async function reportedOf(event: string): Promise<readonly string[]> {
  const found = await tell("validate", folderOf(event));
  return found.map(({ code, severity, source }) => `${source.line}:${source.column} ${severity} ${code}`);
}

const start = "dateTime: 2027-03-14T19:00";

function withTicket(line: string, more = ""): string {
  return `name: Summer Fest\n${start}\n${more}tickets:\n  - name: VIP\n    price: 4500\n    quantity: 20\n    published: true\n    ${line}\n`;
}

function phase(from: string): string {
  return `phases:\n  - from: ${from}\n    tickets:\n      - { name: VIP, soldOut: true }\n`;
}

describe("a ticket type that is born sold out", () => {
  it("is found by validate where nothing says that it is live", async () => {
    expect(await reportedOf(withTicket("soldOut: true"))).toEqual(["8:14 warning born-sold-out"]);
  });

  it.each([
    ["silenced at the type", withTicket("soldOut: true\n    ignore: [born-sold-out]")],
    ["silenced at the event", withTicket("soldOut: true", "ignore: [born-sold-out]\n")],
    ["pinned", withTicket("soldOut: true\n    id: 0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11")],
    ["of a pinned event", withTicket("soldOut: true", "id: 0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11\n")],
    ["of an archived event", withTicket("soldOut: true", "status: ARCHIVED\n")],
    ["not sold out", withTicket("soldOut: false")],
    ["of an event that is over", withTicket("soldOut: true").replace("2027", "2026")],
    ["sold out by a phase that has come", `${withTicket("soldOut: false")}${phase("-80w")}`],
  ])("not where it is %s", async (_why, event) => {
    expect(await reportedOf(event)).toEqual([]);
  });

  it("is found next to a phase that sets something else", async () => {
    const other = phase("-80w").replace("soldOut: true", "price: 5000");
    expect(await reportedOf(withTicket("soldOut: true") + other)).toEqual(["8:14 warning born-sold-out"]);
  });

  it("is not said by plan where a phase has closed the sale", async () => {
    expect(await tell("plan", folderOf(withTicket("soldOut: false") + phase("-80w")))).toEqual([]);
  });

  it("is said by plan of a type that it would create, and not of one that is live", async () => {
    const cwd = folderOf(withTicket("soldOut: true", "status: PUBLISHED\n"));
    const [found, ...more] = await tell("plan", cwd);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ code: "born-sold-out", message: expect.stringContaining("not live yet") });
    expect((await ticketing(["apply", "--yes"], { cwd })).exitCode).toBe(0);
    expect(await tell("plan", cwd)).toEqual([]);
  });
});

describe("another year in a name", () => {
  it.each([
    ["Summer Fest 2026", start],
    ["2026 Summer Fest", start],
    ["Summer Fest (2025)", start],
    ["Summer Fest 2028", start],
    ["Fest 2025-2026", start],
    ["Fest 2025/26", start],
    ["NYE 2025", "dateTime: 2026-12-31T20:00"],
  ])("%s, %s", async (name, date) => {
    expect(await reportedOf(`name: ${name}\n${date}\n`)).toEqual(["1:7 warning year-in-name"]);
  });

  it("in the name of a ticket type", async () => {
    const event = withTicket("section: A").replace("VIP", "VIP 2026");
    expect(await reportedOf(event)).toEqual(["4:11 warning year-in-name"]);
    expect(await reportedOf(event.replace("section: A", "ignore: [year-in-name]"))).toEqual([]);
  });

  it.each([
    ["Summer Fest 2027", start],
    ["Fest 2026-2027", start],
    ["Fest 2026/27", start],
    ["NYE 2026/27", "dateTime: 2026-12-31T20:00"],
    ["Countdown 2027", "dateTime: 2026-12-31T20:00"],
    ["NYE 2026", "dateTime: 2026-12-31T20:00"],
    ["Since 1999", start],
    ["Best of 1980s", start],
    ["Best of 2026", start],
    ["Batch 2026 Reunion", start],
    ["Class of 2025", start],
    ["Live since 2025", start],
    ["Run 20260 steps", start],
    ["Win ₱2026", start],
    ["The 2020s", start],
    ["1984, the play", start],
  ])("not in %s, %s", async (name, date) => {
    expect(await reportedOf(`name: "${name}"\n${date}\n`)).toEqual([]);
  });
});

describe("weekday", () => {
  it.each(["sunday", "Sunday", "SUNDAY", "sun", "Sun"])("%s is the day of the start", async (day) => {
    expect(await reportedOf(`name: Fest\n${start}\nweekday: ${day}\n`)).toEqual([]);
  });

  it("that is another day is an error with both ways to correct it", async () => {
    const [found] = await tell("validate", folderOf(`name: Fest\n${start}\nweekday: friday\n`));
    expect(found).toMatchObject({ code: "wrong-weekday", severity: "error", source: { line: 3, column: 10 } });
    expect(found?.message).toContain("Sunday");
    expect(found?.hint).toContain("`dateTime: 2027-03-19T19:00` or `2027-03-12T19:00`");
  });

  it("that not all dates of a series are on is not answered with a date for all of them", async () => {
    const series = "series: { every: [friday, saturday], from: 2027-01-08, count: 2 }";
    const [found] = await tell("validate", folderOf(`name: Fest\ndateTime: 22:00\n${series}\nweekday: friday\n`));
    expect(found?.hint).toMatch(
      /^Correct the rule of the series, remove `weekday`, or write `weekday` only under the `dates`/,
    );
  });

  it("is that of the event's own zone", async () => {
    const event = "name: Fest\ndateTime: 2027-03-14T18:00Z\ntimezone: Asia/Manila\n";
    expect(await reportedOf(`${event}weekday: monday\nignore: [local-time-odd]\n`)).toEqual([]);
    expect(await reportedOf(`${event}weekday: sunday\n`)).toEqual(["4:10 error wrong-weekday"]);
  });

  it("that is no day is answered with the nearest", async () => {
    const [found] = await tell("validate", folderOf(`name: Fest\n${start}\nweekday: frday\n`));
    expect(found).toMatchObject({ code: "unknown-value", hint: "Did you mean friday?" });
    expect(await reportedOf(`name: Fest\n${start}\nweekday: 5\n`)).toEqual(["3:10 error unknown-value"]);
  });

  it("is not sent", async () => {
    const cwd = folderOf(`name: Fest\n${start}\nweekday: sunday\n`);
    const ran = await ticketing(["plan", "--format", "json"], { cwd });
    expect(ran.exitCode).toBe(0);
    expect(JSON.stringify(JSON.parse(ran.stdout).operations)).not.toContain("weekday");
  });
});
