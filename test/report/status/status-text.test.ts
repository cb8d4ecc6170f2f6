// `status` for the terminal: what people read at several widths, and how it is put in order.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { nameOfSeries } from "../../../src/report/page/lines.ts";
import { groupEvents, sortEvents } from "../../../src/report/status/groups.ts";
import {
  type EventFigures,
  makeStatusScreen,
  renderStatusHtml,
  renderStatusMarkdown,
  renderStatusText,
} from "../../../src/report/status.ts";
import { displayWidth } from "../../../src/report/text/table.ts";
import { expectGolden } from "../../stage/golden.ts";
import { aYear, eventOf, reportOf } from "../../stage/status-samples.ts";

const golden = join(import.meta.dirname, "golden");
const plain = { color: false, sort: "date", named: false, verbose: false } as const;
const year = reportOf(aYear());

describe("a year of events", () => {
  test.each([40, 60, 80, 100, 120, 160])("at %i columns", (columns) => {
    const text = renderStatusText(year, { ...plain, columns });
    for (const line of text.split("\n")) expect(displayWidth(line), line).toBeLessThanOrEqual(columns);
    expectGolden(join(golden, `year-${columns}.txt`), text);
  });

  test("net comes before the days to go, where there is room for one of them", () => {
    const types = [{ name: "GA", price: 1500, quantity: 100, sold: 10 }];
    const gala = reportOf([eventOf({ name: "Gala", start: "2027-03-14T11:00:00Z", types })]);
    const [title] = renderStatusText(gala, { ...plain, columns: 80 }).match(/^Event.*$/m) ?? [];
    expect(title?.split(/ {2,}/)).toEqual(["Event", "Start", "Status", "Sold", "Left", "Gross", "Net"]);
  });

  test("what the dates that are not shown are marked with is said", () => {
    const differing = aYear().map((event, index) =>
      index === 40
        ? { ...event, divergences: [{ address: "events/x", field: "name", how: "differs" as const }] }
        : event,
    );
    expect(differing[40]?.series).toBe("friday-club");
    const text = renderStatusText(reportOf(differing), { ...plain, columns: 100 });
    expect(text).toMatch(/ 49 more dates, 1 with ~ \(all: /);
  });

  test("with every date", () => {
    const text = renderStatusText(year, { ...plain, columns: 100, verbose: true });
    expect(text.match(/Fri \d+ \w+ (22:00|2027)/g)).toHaveLength(52);
    expect(text).not.toContain("more dates");
  });

  test("a series that was named: a line per date, and its ticket types", () => {
    const fridays = reportOf(aYear().filter(({ series }) => series === "friday-club"));
    const text = renderStatusText(fridays, { ...plain, columns: 100, named: true });
    expect(text.match(/Fri \d+ \w+ (22:00|2027)/g)).toHaveLength(52);
    expect(text).toMatch(/Early bird +486 +4,714 +5,200/);
  });

  test("none of it reaches beyond the screen while it is watched, and the rest is counted", () => {
    const text = makeStatusScreen().render(year, { columns: 80, rows: 20, color: false, sort: "date", named: false });
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(20);
    expect(text).toMatch(/\d+ more not shown/);
    expect(text).toContain("65 events:");
  });
});

test("what has changed while it is watched comes first, with how many were sold since", () => {
  const screen = makeStatusScreen();
  const size = { columns: 100, rows: 12, color: false, sort: "date", named: false } as const;
  const before = screen.render(year, size);
  expect(before).not.toContain("Mango Festival");
  const sold = aYear().map((event) =>
    event.series === null ? { ...event, sold: (event.sold ?? 0) + 4, remaining: (event.remaining ?? 0) - 4 } : event,
  );
  const after = screen.render(reportOf(sold), size).split("\n");
  expect(after[3]).toMatch(/^~ \(\+4\) Mango Festival/);
  // It stays there, until something else has changed.
  expect(screen.render(reportOf(sold), size).split("\n")[3]).toMatch(/^~ \(\+4\) Mango Festival/);
});

test("few events that were named are shown with their ticket types, even on a narrow terminal", () => {
  const festival = reportOf(aYear().filter(({ series }) => series === null));
  for (const columns of [40, 80]) {
    const text = renderStatusText(festival, { ...plain, columns, named: true });
    for (const line of text.split("\n")) expect(displayWidth(line), line).toBeLessThanOrEqual(columns);
    expectGolden(join(golden, `festival-${columns}.txt`), text);
  }
});

test("a draft is said to be one where no column has room for the status, in one line", () => {
  const draft = {
    ...eventOf({
      name: "Draft",
      start: "2027-02-01T12:00:00Z",
      types: [{ name: "GA", price: 1, quantity: 9, sold: 0 }],
    }),
    status: "DRAFT",
  } as const;
  const screen = makeStatusScreen().render(reportOf([draft]), {
    columns: 44,
    rows: 20,
    color: false,
    sort: "date",
    named: false,
  });
  expect(screen).toMatch(/^ {2}Draft .* draft\b/m);
});

describe("a series that is partly over", () => {
  const types = [{ name: "GA", price: 500, quantity: 100, sold: 10 }];
  const dateOn = (day: string, more: Partial<EventFigures> = {}): EventFigures => ({
    ...eventOf({ name: "Club", key: `club@${day}`, series: "club", start: `${day}T12:00:00Z`, types }),
    ...more,
  });
  const dates = [dateOn("2026-11-10"), dateOn("2026-11-17"), dateOn("2027-01-19"), dateOn("2027-01-26")];
  const archived = dateOn("2027-02-02", { status: "ARCHIVED" });
  const report = reportOf([...dates, archived]);

  test("has only what can be bought left, in every sum", () => {
    expect([report.totals.remaining, report.series[0]?.remaining]).toEqual([180, 180]);
    const text = renderStatusText(report, { ...plain, columns: 100, verbose: true });
    expect(text).toMatch(/ {2}Club .* 50\/500 +180 /);
    const html = renderStatusHtml(report, "date");
    expect(html).toContain("of 500; 180 left to sell");
    expect(html).toMatch(/GA<\/bdi><\/th>.*<td>180<\/td><td>500<\/td>/);
    const over = reportOf(dates.slice(0, 2));
    expect(renderStatusText(over, { ...plain, columns: 100 })).toMatch(/ {2}Club .* 20\/200 +closed /);
    expect(renderStatusHtml(over, "date")).not.toContain(">sold out<");
    // What is over does not come first among what is nearly sold out.
    const other = eventOf({ name: "Gala", start: "2027-03-01T12:00:00Z", types });
    expect(groupEvents([...over.events, other], "remaining").map(({ name }) => name)).toEqual(["Gala", "Club"]);
  });

  test("has nothing left of what is over in the rows, either, in any format", () => {
    const rows = (text: string) => [...text.matchAll(/ 10\/100 +(\S+)/g)].map(([, left]) => left);
    const left = ["90", "90", "closed", "closed", "closed"];
    expect(rows(renderStatusText(report, { ...plain, columns: 100, verbose: true }))).toEqual(left);
    const named = renderStatusText(reportOf([archived]), { ...plain, columns: 80, named: true });
    expect(named.match(/ 10 +closed +100 /g)).toHaveLength(2);
    expect(renderStatusMarkdown(reportOf([archived])).match(/\| 10 \| closed \| 100 \|/g)).toHaveLength(2);
    const html = renderStatusHtml(reportOf([archived]), "date");
    expect(html.match(/<td>closed<\/td><td>100<\/td>/g)).toHaveLength(1);
  });

  test("has one form of dates, and says which are meant where their names do not", () => {
    const text = renderStatusText(report, { ...plain, columns: 100, verbose: true });
    expect(text).toMatch(/ {4}@2026-11-10 +Tue 10 Nov 20:00 /);
    expect(text).not.toMatch(/(Tue|Wed) \d+ \w+ 20\d\d/);
  });
});

test("what was closed early is neither sold nor left, and said so", () => {
  const types = [{ name: "Early bird", price: 500, quantity: 100, sold: 6, remaining: 0 }];
  const closed = reportOf([eventOf({ name: "Gala", start: "2027-03-01T12:00:00Z", types })]);
  expect(renderStatusText(closed, { ...plain, columns: 80, named: true })).toContain(
    "94 closed: not sold, and not for sale\n",
  );
  expect(renderStatusHtml(closed, "date")).toContain(">94 closed: not sold, and not for sale.<");
});

test("figures are next to the names, however wide the terminal is", () => {
  const gala = reportOf([eventOf({ name: "Gala", start: "2027-03-01T12:00:00Z", types: [] })]);
  const [title = ""] = renderStatusText(gala, { ...plain, columns: 120, named: true }).match(/^Event,.*$/m) ?? [];
  expect(title.indexOf("Sold")).toBeLessThan(30);
});

describe("in order", () => {
  const one = eventOf({
    name: "b",
    start: "2027-03-01T00:00:00Z",
    types: [{ name: "GA", price: 10, quantity: 9, sold: 8 }],
  });
  const other = eventOf({
    name: "A",
    start: "2027-02-01T00:00:00Z",
    types: [{ name: "GA", price: 99, quantity: 90, sold: 2 }],
  });
  const unknown = { ...one, id: "c", name: "c", sold: null, remaining: null, gross: null };
  test.each([
    ["date", "Abc"],
    ["name", "Abc"],
    ["sold", "bAc"],
    ["remaining", "bAc"],
    ["gross", "Abc"],
  ] as const)("by %s", (sort, expected) => {
    const names = sortEvents([unknown, one, other], sort).map(({ name }) => name);
    expect(names.join("")).toBe(expected);
  });
});

test("a series is called what its dates have in common, or by its key", () => {
  const named = (...names: readonly string[]) =>
    nameOfSeries(
      "key",
      names.map((name) => ({ name })),
    );
  expect(named("Friday Club: DJ Ana", "Friday Club: Residents")).toBe("Friday Club");
  expect(named("Comedy", "Comedy")).toBe("Comedy");
  expect(named("Comedy at the Mango", "Comedy at the Mango: Gala")).toBe("Comedy at the Mango");
  expect(named("Ana", "Anabel")).toBe("key");
});

test("many events that have ended are one line below what is to come", () => {
  const over = Array.from({ length: 5 }, (_, index) =>
    eventOf({ name: `Old ${index}`, start: `2026-12-0${index + 1}T12:00:00Z`, types: [] }),
  );
  const next = eventOf({ name: "Next", start: "2027-02-01T00:00:00Z", types: [] });
  const groups = groupEvents([...over, next], "date");
  expect(groups.map(({ name }) => name)).toEqual(["Next", "5 events that have ended"]);
  expect(groupEvents(over, "date")).toHaveLength(5);
});

test("a series of which no date is live says so, in place of sums of nothing", () => {
  const date = (day: number) => ({
    ...eventOf({ name: "Club", series: "club", start: `2027-02-0${day}T12:00:00Z`, types: [] }),
    ...{ id: null, status: null, sold: null, remaining: null, quantity: null, gross: null, net: null, orders: null },
  });
  const gala = eventOf({
    name: "Gala",
    start: "2027-03-01T12:00:00Z",
    types: [{ name: "GA", price: 1, quantity: 9, sold: 0 }],
  });
  const report = reportOf([date(1), date(2), gala]);
  const text = renderStatusText(report, { ...plain, columns: 80 });
  expect(text).toMatch(/^ {2}Club +1 Feb–2 Feb +2 dates +not live$/m);
  expect(renderStatusText(report, { ...plain, columns: 36 })).toMatch(/1\sFeb–2\sFeb · not\slive · 2\sdates$/m);
  const page = renderStatusHtml(report, "date");
  expect(page).toMatch(/>Club<\/bdi><\/a><small>[^<]*<\/small><\/th><td><\/td><td colspan="5" class="quiet">not live</);
  expect(page).toContain("2 dates, Mon 1 Feb 2027 to Tue 2 Feb 2027. Not live.");
  expect(groupEvents(report.events, "remaining").map(({ name }) => name)).toEqual(["Gala", "Club"]);
});

test("the page marks drafts in the list of all events", () => {
  const types = [{ name: "GA", price: 1, quantity: 35, sold: 0 }];
  const events = [
    eventOf({ name: "Draft", start: "2027-02-01T12:00:00Z", status: "DRAFT", types }),
    eventOf({ name: "On sale", start: "2027-02-02T12:00:00Z", types }),
  ];
  const page = renderStatusHtml(reportOf(events), "date");
  expect(page).toMatch(/>Draft<\/bdi><\/a><small>[^<]*, DRAFT<\/small>/);
  expect(page).toMatch(/>On sale<\/bdi><\/a><small>[^<]* d<\/small>/);
});

test("a date without its own name keeps its mark where lines are stacked", () => {
  const types = [{ name: "GA", price: 1, quantity: 9, sold: 0 }];
  const date = (day: number) => eventOf({ name: "Club", series: "club", start: `2027-02-0${day}T12:00:00Z`, types });
  const report = reportOf([date(1), { ...date(2), key: null, managed: false, divergences: null, removed: true }]);
  const text = renderStatusText(report, { ...plain, columns: 30 });
  expect(text).toMatch(/^ {2}- Tue\s2\sFeb\s20:00 · 0\/9/m);
  expect(text).toMatch(/^- no longer in the files;/m);
});

test("the page says how many archived events it leaves out", () => {
  const page = (archived: number | null) => renderStatusHtml(reportOf(aYear(), { archived }), "date");
  expect(page(1)).toContain("1 archived event is not shown or counted; --archived includes it.");
  expect(page(12)).toContain("12 archived events are not shown or counted; --archived includes them.");
  for (const archived of [0, null]) expect(page(archived)).not.toContain("--archived");
});

test("where a named event cannot be matched, nothing is said of the other events of the organization", () => {
  const hint = "Check the id.";
  const remark = { severity: "warning", code: "pinned-id-missing", message: "The id is not live.", hint } as const;
  const report = reportOf([], { archived: null, diagnostics: [remark] });
  const said = "No live event could be matched; the warning says why.";
  expect(renderStatusText(report, { ...plain, columns: 80, named: true })).toContain(said);
  const markdown = renderStatusMarkdown(report);
  expect(markdown).toContain(`\n${said}\n`);
  expect(markdown).toContain("- **warning**`[pinned-id-missing]` The id is not live.<br>\n  **fix:** Check the id.\n");
});
