// examples/club: a promoter's year, small enough to be read.
import { join } from "node:path";
import { expect, test } from "vitest";
import { readFiles } from "../../stage/golden.ts";
import { ticketing } from "../../stage/test-world.ts";

const folder = join(import.meta.dirname, "..", "..", "..", "examples", "club");

test("65 events take fewer than 120 lines of YAML, and are flawless", async () => {
  const texts = Object.entries(readFiles(folder)).filter(([file]) => file.endsWith(".yaml"));
  const lines = texts.flatMap(([, text]) => text.trimEnd().split("\n"));
  expect(lines.length).toBeLessThan(120);
  const { exitCode, stdout } = await ticketing(["validate", "--strict", "-C", folder]);
  expect(stdout).toContain("65 events");
  expect(exitCode).toBe(0);
});

test("each date is what the document, the sheet and the date make of it", async () => {
  const shown = async (key: string) => {
    const { stdout } = await ticketing(["show", key, "--format", "json", "-C", folder]);
    return JSON.parse(stdout);
  };
  const may = await shown("friday-club@2027-05-01");
  expect(may.document).toMatchObject({
    dateTime: "2027-05-01T22:00",
    endDateTime: "2027-05-02T04:00",
    tickets: [{ name: "Door", price: 700 }, { name: "Early bird" }],
  });
  expect(may.origins["/tickets/0/price"].file).toBe("events/line-up.csv");
  expect(may.origins["/tickets/0/quantity"].file).toBe("templates/night.yaml");
  const comedy = await shown("comedy@2027-06-02");
  expect(comedy.document).toMatchObject({ dateTime: "2027-06-03T20:00", endDateTime: "2027-06-03T23:00" });
});

test("what comes is in order, and reaches calendars", async () => {
  const now = () => Date.parse("2027-07-01T00:00:00Z");
  const until = ["--until", "2027-07-14", "-C", folder];
  const { stdout } = await ticketing(["upcoming", "--format", "json", ...until], { now });
  const { upcoming } = JSON.parse(stdout) as { upcoming: { at: string; type: string; address: string }[] };
  expect(upcoming.map(({ at }) => at)).toEqual(upcoming.map(({ at }) => at).sort());
  expect(new Set(upcoming.map(({ type }) => type))).toEqual(new Set(["phase", "start", "end"]));
  expect(upcoming.filter(({ type }) => type === "start").map(({ address }) => address)).toEqual([
    "events/friday-club@2027-07-02",
    "events/comedy@2027-07-07",
    "events/friday-club@2027-07-09",
  ]);
  const calendar = await ticketing(["upcoming", "--format", "ics", ...until], { now });
  const lines = calendar.stdout.split("\r\n");
  expect(lines[0]).toBe("BEGIN:VCALENDAR");
  expect(lines.at(-2)).toBe("END:VCALENDAR");
  expect(lines).toContain("DTSTART:20270702T140000Z");
  expect(lines).toContain("DTEND:20270702T200000Z");
  expect(lines.every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
});

test.each([["show", "comedy@2027-06-02"], ["upcoming"], ["copy", "comedy", "--to", "2028-06-02"]])(
  "%s takes no environment that does not exist",
  async (...argv) => {
    const typed = await ticketing([...argv, "--env", "prodution", "-C", folder]);
    const set = await ticketing([...argv, "-C", folder], { env: { TICKETING_ENV: "prodution" } });
    for (const { exitCode, stderr, stdout } of [typed, set]) {
      expect(exitCode).toBe(1);
      expect(stdout + stderr).toContain('error[unknown-environment] There is no environment "prodution".');
    }
  },
);
