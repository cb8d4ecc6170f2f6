// What the pages of plan, preview and status have in common.
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import type { CardPair, EventCard } from "../../../src/model/live.ts";
import { groupDates } from "../../../src/report/page/lines.ts";
import { overviewHtml } from "../../../src/report/page/plan-page.ts";
import { type PreviewView, renderPlanHtml, renderPreviewIndex } from "../../../src/report/plan.ts";
import { renderStatusHtml } from "../../../src/report/status.ts";
import { change, edit, plan } from "../../stage/plan-samples.ts";
import { aYear, reportOf } from "../../stage/status-samples.ts";

const problem: Diagnostic = {
  code: "ambiguous-ticket",
  severity: "warning",
  message: '2 live ticket types could be "GA":\n  one <b>\n  other',
  hint: "Add `id: 1` to the matching entry.",
};

const view: PreviewView = {
  organization: null,
  timezone: "Asia/Manila",
  asOf: 0,
  instant: 0,
  moments: [],
  events: [],
  deleted: [],
  problems: [problem],
  isBehind: false,
};

const copy = { nonce: "nonce", round: 0 };

test.each([
  ["plan", () => renderPlanHtml(plan({ diagnostics: [problem] }))],
  ["preview", () => renderPreviewIndex(view, copy)],
  ["status", () => renderStatusHtml(reportOf([], { diagnostics: [problem] }), "date")],
])("a problem has its lines and its code on the page of %s", (_name, render) => {
  const html = render();
  expect(html).toContain("could be &quot;GA&quot;:<br>one &lt;b&gt;<br>other</p>");
  expect(html).toContain("<strong>fix:</strong> Add <code>id: 1</code> to the matching entry.");
});

function card(title: string, start: string | null): EventCard {
  return {
    title,
    status: "DRAFT",
    start,
    end: null,
    timezone: "Asia/Manila",
    venue: { id: null, isOnline: false, words: "" },
    imageUrl: null,
    galleryUrls: [],
    description: null,
    facts: [],
    tickets: null,
    performers: null,
    schedule: null,
    brands: null,
    others: [],
  };
}

describe("what does not show its start comes last", () => {
  const cards = [
    card("Third", "2027-03-03T10:00:00Z"),
    card("Unknown", null),
    card("First", "2027-03-01T10:00:00Z"),
    card("Also unknown", null),
    card("Second", "2027-03-02T10:00:00Z"),
  ];

  test("in a preview", () => {
    const events = cards.map((each) => ({ address: `events/${each.title}`, series: null, card: each }));
    const html = renderPreviewIndex({ ...view, events }, copy);
    const titles = [...html.matchAll(/card-title"><bdi>([^<]*)/g)].map(([, title]) => title);
    expect(titles).toEqual(["First", "Second", "Third", "Also unknown", "Unknown"]);
    expect(html).toContain("5 events. If the files were applied, buyers would see none ");
    const [one, ...more] = events.map((each) => ({ ...each, card: { ...each.card, status: "PUBLISHED" as const } }));
    const seen = (shown: typeof events) => /buyers would see .*? (?=now|then)/.exec(indexOf(shown))?.[0];
    const indexOf = (shown: typeof events) => renderPreviewIndex({ ...view, events: shown }, copy);
    expect(seen([...events, ...more])).toBe("buyers would see 4 of them ");
    expect(seen(one === undefined ? [] : [one])).toBe("buyers would see it ");
  });

  test("among the dates of a plan", () => {
    const pairs = cards.map((each): CardPair => {
      const after = { ...each, title: "Club" };
      return { address: `events/club@${each.title}`, series: "events/club", before: null, after, blocked: [] };
    });
    const starts = groupDates(pairs).map((group) => group.map(({ after }) => after?.start?.slice(0, 10) ?? null));
    expect(starts).toEqual([
      ["2027-03-01", "2027-03-02", "2027-03-03"],
      [null, null],
    ]);
  });

  test("in the chart of a series", () => {
    const [one, other] = aYear().filter(({ series }) => series !== null);
    if (one === undefined || other === undefined) throw new Error("no series");
    const html = renderStatusHtml(reportOf([{ ...one, dateTime: null }, other]), "date");
    const labels = [...html.matchAll(/<title>([^<]*) sold<\/title>/g)].map(([, label]) => label?.split(":")[0]);
    expect(labels.at(-1)).toContain("start not shown");
  });
});

test("what is sold on the first of many dates is not shown as if it were of all", () => {
  const date = (day: string, left: number): CardPair => {
    const ga = { key: "ga", name: "GA", facts: [], price: 500, quantity: 40, fee: null, onSale: true };
    const booth = { ...ga, key: "booth", name: "Booth", left: 30, sold: 10, soldOut: false };
    const ticket = { ...ga, left, sold: 40 - left, soldOut: left === 0 };
    const before = { ...card("Club", `${day}T10:00:00Z`), tickets: [ticket, booth] };
    const after = { ...before, status: "PUBLISHED" as const, tickets: [{ ...ticket, price: 600 }, booth] };
    return { address: `events/club@${day}`, series: "events/club", before, after, blocked: [] };
  };
  const leftOn = (...pairs: readonly CardPair[]) => {
    const changes = pairs.map(({ address }) =>
      change("event", address, { action: "update", edits: [edit("description", "A", "B")] }),
    );
    const html = renderPlanHtml(plan({ changes }), { cards: pairs });
    const rows = [...html.matchAll(/<bdi>(GA|Booth)<\/bdi>(.*?)<\/tr>/g)];
    return rows.map(([row, name]) => [
      name,
      row.includes("Sold out"),
      /<td>([^<]*)(?:<small>[^<]*<\/small>)?<\/td>$/.exec(row.slice(0, -5))?.[1],
    ]);
  };
  const [one, other, alike] = [date("2027-01-08", 0), date("2027-01-15", 25), date("2027-01-22", 0)];
  const booth = ["Booth", false, "30 of 40"];
  expect(leftOn(one, other)).toEqual([["GA", false, "40 in total"], booth, ["GA", false, "40 in total"], booth]);
  expect(leftOn(one, alike)).toEqual([["GA", true, "0 of 40"], booth, ["GA", true, "0 of 40"], booth]);
});

test("events that a reader could not distinguish have one line on top of a plan", () => {
  const priced = (event: string, name: string) =>
    change("ticket", `events/${event}/tickets/GA`, {
      action: "delete",
      context: { name: "GA", eventName: name },
    });
  const linesOf = (...changes: Parameters<typeof overviewHtml>[0][number][]) =>
    [...overviewHtml(changes, () => null).matchAll(/<bdi>([^<]*)/g)].map(([, words]) => words);
  expect(linesOf(priced("one", "Club"), priced("two", "Club"))).toEqual(["GA on 2 events of Club"]);
  expect(linesOf(priced("one", "Club"), priced("two", "Gala"))).toEqual(["GA of Club", "GA of Gala"]);
});

test("a published event that moves is on top of a plan, with both starts and both venues", () => {
  const moved = (status: "PUBLISHED" | "DRAFT") =>
    change("event", "events/gala", {
      action: "update",
      edits: [
        edit("dateTime", "2027-03-05T12:00:00Z", "2027-03-06T12:00:00Z"),
        edit("venueId", "ven_1", "ven_2"),
        edit("name", "Gala", "Grand Gala"),
      ],
      context: { name: "Gala", status, timezone: "Asia/Manila", names: { ven_1: "Old Hall", ven_2: "Arena" } },
    });
  const html = overviewHtml([moved("PUBLISHED")], () => null);
  expect([...html.matchAll(/<h2>([^<]*)/g)].map(([, title]) => title)).toEqual(["When and where"]);
  expect([...html.matchAll(/<\/strong>: ([^<]*)/g)].map(([, words]) => words)).toEqual([
    "start Fri 5 Mar 2027 20:00 Asia/Manila (12:00Z) → Sat 6 Mar 2027 20:00 Asia/Manila (12:00Z)",
    "venue Old Hall (ven_1) → Arena (ven_2)",
  ]);
  expect(overviewHtml([moved("DRAFT")], () => null)).toBe("");
});
