import { expect, test } from "vitest";
import {
  type ComingView,
  renderUpcomingCalendar,
  renderUpcomingMarkdown,
  renderUpcomingText,
} from "../../src/report/lists.ts";

const night: ComingView = {
  at: "2027-01-16T14:00:00.000Z",
  address: "events/club@2027-01-16",
  type: "start",
  phase: null,
  fields: [],
  name: `Club, with; a \\ and ${"Maß ".repeat(30)}\nbelow`,
  zone: "Asia/Manila",
};

test("lines of a calendar are folded at 75 bytes, and say the same when they are put together", () => {
  const lines = renderUpcomingCalendar([night], 0).split("\r\n");
  expect(lines.every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
  const whole = lines.join("\r\n").replaceAll("\r\n ", "");
  expect(whole).toContain(`SUMMARY:Club\\, with\\; a \\\\ and ${"Maß ".repeat(30)}`);
});

test.each(["x".repeat(5), "x ".repeat(30), `${"é".repeat(20)} \u3000 `, ":".repeat(200), " ".repeat(200)])(
  "no line of a calendar is a command to a workflow's runner: %j",
  (start) => {
    for (let length = 0; length < 80; length += 1) {
      const name = `${"x".repeat(length)}${start}::error::planted ::stop-commands::t`;
      const lines = renderUpcomingCalendar([{ ...night, name }], 0).split("\r\n");
      expect(lines.filter((line) => line.trimStart().startsWith("::"))).toEqual([]);
      expect(lines.every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
      if (!/[\s:]{24}/.test(name)) expect(lines.join("\r\n").replaceAll("\r\n ", "")).toContain(`SUMMARY:${name}\r\n`);
    }
  },
);

test("two phases of one name have two ids", () => {
  const phase: ComingView = { ...night, type: "phase", phase: "Price", fields: ["/tickets/0/price"] };
  const calendar = renderUpcomingCalendar([phase, { ...phase, at: "2027-01-17T14:00:00.000Z" }], 0);
  const ids = calendar.match(/^UID:.*$/gm);
  expect(new Set(ids).size).toBe(2);
});

test("phases alike at one instant have their own ids, which stay when others have passed", () => {
  const idsOf = (coming: readonly ComingView[]) => renderUpcomingCalendar(coming, 0).match(/^UID:.*$/gm) ?? [];
  const phase: ComingView = { ...night, type: "phase", fields: ["/status"] };
  const both = [phase, { ...phase, fields: ["/eventCapacity"] }];
  const ids = idsOf([{ ...phase, at: "2027-01-15T14:00:00.000Z" }, ...both]);
  expect(new Set(ids).size).toBe(3);
  expect(idsOf(both)).toEqual(ids.slice(1));
});

test("nothing to come is said", () => {
  expect(renderUpcomingText([], null, 80)).toBe("Nothing is coming up.\n");
  expect(renderUpcomingText([], "2026-11-20", 80)).toBe("Nothing is coming up until 2026-11-20.\n");
});

test("an end is shown with its start, and by itself once the event has begun", () => {
  const end = "2027-01-16T18:00:00.000Z";
  const ending: ComingView = { ...night, name: "Club", type: "end", at: end };
  const both = renderUpcomingText([{ ...night, name: "Club", end }, ending], null, 120);
  expect(both.match(/Club/g)).toHaveLength(1);
  expect(both).toContain("starts, until 02:00");
  expect(renderUpcomingText([ending], null, 120)).toContain("ends");
});

test("a phase of a date that shares its name with others says which date it is for", () => {
  const phase: ComingView = {
    ...{ at: "2026-12-17T02:00:00.000Z", address: "events/club@2026-12-31", type: "phase-end", phase: "Early" },
    ...{ fields: ["/tickets"], name: "Club", zone: "Asia/Manila" },
  };
  expect(renderUpcomingText([phase], null, 120)).toContain("Club (2026-12-31)  Early ends: change tickets");
});

test("the end of a phase that changes nothing is left out", () => {
  const ending: ComingView = { ...night, name: "Club", type: "phase-end", phase: "Early" };
  const renderings = (coming: readonly ComingView[]) => [
    renderUpcomingText(coming, null, 120),
    renderUpcomingMarkdown(coming, null),
    renderUpcomingCalendar(coming, 0),
  ];
  for (const text of renderings([ending, { ...night, name: "Club" }])) {
    expect(text).toContain("Club");
    expect(text).not.toContain("Early");
  }
  for (const text of renderings([{ ...ending, fields: ["/tickets"] }])) expect(text).toContain("Early ends");
  expect(renderUpcomingText([ending], null, 80)).toBe("Nothing is coming up.\n");
});
