import { expect, test } from "vitest";
import type { Upcoming } from "../../../src/model/wish.ts";
import { laterNotes } from "../../../src/report/plan-view/waiting.ts";

const coming = (address: string, at: string, phase = "Announce"): Upcoming => ({
  at,
  address: address as Upcoming["address"],
  type: "phase",
  phase,
  fields: ["/status"],
  context: { name: "Club", timezone: "Asia/Manila", status: "PUBLISHED" },
});

test("what comes on many dates of a series is one line, with its first time", () => {
  const days = ["2027-01-08", "2027-01-15", "2027-01-22", "2027-01-29"];
  const dates = days.map((day) => coming(`events/club@${day}`, `${day}T02:00:00.000Z`));
  expect(laterNotes([coming("events/gala", "2027-01-01T02:00:00.000Z"), ...dates], { full: false })).toEqual([
    'Later: Fri 1 Jan 2027 10:00 Announce: publish "Club"',
    'Later: Fri 8 Jan 2027 10:00 Announce: publish "Club", then 3 more dates',
  ]);
});

test("what comes on many dates at one instant comes with the first", () => {
  const dates = ["08", "15", "22"].map((day) => coming(`events/club@2027-01-${day}`, "2027-01-01T02:00:00.000Z"));
  expect(laterNotes(dates, { full: false })).toEqual([
    'Later: Fri 1 Jan 2027 10:00 Announce: publish "Club", and 2 more dates',
  ]);
});

test("two dates, and another phase, have their own lines", () => {
  const two = ["2027-01-08", "2027-01-15"].map((day) => coming(`events/club@${day}`, `${day}T02:00:00.000Z`));
  const other = coming("events/club@2027-01-08", "2027-01-09T02:00:00.000Z", "Last call");
  const notes = laterNotes([...two, other], { full: false });
  expect(notes).toHaveLength(3);
  expect(notes[1]).toMatch(/"Club" \(2027-01-15\)$/);
});

test("changes beyond the lines that are shown are counted one by one", () => {
  const many = Array.from({ length: 5 }, (_, index) => coming(`events/e${index}`, "2027-01-01T02:00:00.000Z"));
  const dates = ["08", "15", "22"].map((day) => coming(`events/club@2027-01-${day}`, `2027-01-${day}T02:00:00.000Z`));
  expect(laterNotes([...many, ...dates], { full: false }).at(-1)).toContain("3 more changes");
  expect(laterNotes([...many, ...dates], { full: true })).toHaveLength(6);
});
