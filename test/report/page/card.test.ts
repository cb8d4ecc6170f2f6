import { join } from "node:path";
import { expect, test } from "vitest";
import { diskFiles } from "../../../src/config/files.ts";
import { loadProject } from "../../../src/config/project.ts";
import type { CardEntry } from "../../../src/model/live.ts";
import { cardOfWish } from "../../../src/plan/compare.ts";
import { renderCard } from "../../../src/report/page/card.ts";
import { colorStyle, linkHtml, pictureAddress } from "../../../src/report/page/marks.ts";
import { pairHtml } from "../../../src/report/page/plan-sections.ts";
import { layOut } from "../../../src/report/page/timetable.ts";
import { expectGolden } from "../../stage/golden.ts";

const examples = join(import.meta.dirname, "../../../examples");

async function cardsOf(example: string) {
  const options = { environment: { name: "sandbox" }, env: {}, now: Date.UTC(2026, 10, 1) };
  const project = await loadProject(diskFiles(join(examples, example)), options);
  return project.events.map((wish) => cardOfWish(wish));
}

test("a card shows what a buyer sees of an event", async () => {
  const [card] = await cardsOf("festival");
  expectGolden(join(import.meta.dirname, "golden/card.golden.html"), renderCard(card as NonNullable<typeof card>));
});

test("a card knows what fees mean: buyers pay them on top, or the organizer receives less", async () => {
  const [card] = await cardsOf("first-event");
  const { price = 0, commission = 0, absorbFees = null } = card?.tickets?.[0]?.fee ?? {};
  expect([commission, absorbFees]).toEqual([(price * 7) / 100, true]);
});

function entry(key: string, start: string, end: string): CardEntry {
  const day = (time: string) => `2027-03-${time}:00.000Z`;
  const rest = { name: key, facts: [], color: null, performer: null, description: null };
  return { key, start: day(start), end: day(end), ...rest };
}

test("entries that overlap are side by side, and a lane is used again once it is free", () => {
  const entries = [
    entry("doors", "14T10:00", "14T11:00"),
    entry("main", "14T11:00", "14T13:00"),
    entry("side", "14T11:30", "14T12:00"),
    entry("side-2", "14T12:00", "14T13:30"),
  ];
  const [day] = layOut(entries);
  expect(day?.slots.map(({ entry: { key }, lane, lanes }) => [key, lane, lanes])).toEqual([
    ["doors", 0, 1],
    ["main", 0, 2],
    ["side", 1, 2],
    ["side-2", 1, 2],
  ]);
});

test("both sides of a pair have the same hours", async () => {
  const [card] = await cardsOf("first-event");
  const base = card as NonNullable<typeof card>;
  const before = { ...base, schedule: [entry("doors", "14T10:00", "14T11:00")] };
  const long = { ...entry("talk", "14T11:00", "14T11:20"), name: "A short talk with a rather long title for its time" };
  const after = { ...base, schedule: [entry("doors", "14T10:15", "14T11:00"), long] };
  const html = pairHtml({ address: "events/a", series: null, before, after, blocked: [] }, 3);
  const heights = [...html.matchAll(/--hour:([\d.]+)rem/g)].map(([, height]) => Number(height));
  expect(heights).toHaveLength(2);
  expect(heights[0]).toBe(heights[1]);
  expect(heights[0]).toBeGreaterThan(2.5);
});

test("a description with tags keeps its paragraphs, and never becomes markup", async () => {
  const [card] = await cardsOf("first-event");
  const description = "<p>One &amp; <b>two</b>.</p><ul><li>Three<li>&lt;img src=x onerror=1&gt;</ul>Four<br/>Five\nSix";
  const html = renderCard({ ...(card as NonNullable<typeof card>), description });
  expect(html).toContain(
    "<p>One &amp; two.</p><p>• Three</p><p>• &lt;img src=x onerror=1&gt;</p><p>Four</p><p>Five</p><p>Six</p></div>",
  );
});

test("amounts of a table have centavos throughout, or not at all", async () => {
  const [card] = await cardsOf("first-event");
  const base = card as NonNullable<typeof card>;
  const [ticket] = base.tickets ?? [];
  const priced = (price: number) => ({
    ...(ticket as NonNullable<typeof ticket>),
    key: String(price),
    price,
    fee: { price, commission: (price * 7) / 100, absorbFees: true },
  });
  const amounts = (...prices: readonly number[]) =>
    [...renderCard({ ...base, tickets: prices.map(priced) }).matchAll(/₱[\d,.]+/g)].map(([text]) => text);
  expect(amounts(1500, 3000)).toEqual(["₱1,500", "₱1,500", "₱1,395", "₱3,000", "₱3,000", "₱2,790"]);
  expect(amounts(1550, 3000)).toEqual(["₱1,550.00", "₱1,550.00", "₱1,441.50", "₱3,000.00", "₱3,000.00", "₱2,790.00"]);
});

test("a night between two days is not drawn, and an entry that ends before it begins is", () => {
  const entries = [entry("one", "14T10:20", "14T11:00"), entry("two", "15T10:00", "15T09:00")];
  const days = layOut(entries).map(({ from, to }) => (to - from) / 3_600_000);
  expect(days).toEqual([1, 1]);
});

test("text on a color is black or white, whichever is easier to read; what is no color styles nothing", () => {
  expect(colorStyle("#FFD23F")).toContain("color:#000");
  expect(colorStyle("#1B1B3A")).toContain("color:#fff");
  // Its border is that of the page, so that one in the page's own color is visible.
  expect(colorStyle("#FFFFFF")).not.toContain("border");
  for (const color of ["red", "#fff", "#123456;position:fixed", "url(https://example.com)", null]) {
    expect(colorStyle(color)).toBe("");
  }
});

test("a picture is loaded over https alone, and never with what may be a token", () => {
  expect(pictureAddress("https://example.com/a.jpg?w=800&fm=jpg")).toBe("https://example.com/a.jpg?w=800&fm=jpg");
  for (const address of [
    "http://example.com/a.jpg",
    "javascript:alert(1)",
    "data:image/png;base64,AAAA",
    "https://user:pass@example.com/a.jpg",
    "https://example.com/a.jpg?token=abc",
    "https://example.com/a.jpg?v=4f9a8c7b6d",
    "/a.jpg",
  ]) {
    expect(pictureAddress(address)).toBeNull();
  }
});

test("only addresses of web pages become links", () => {
  expect(linkHtml("https://example.com")).toContain('<a href="https://example.com/"');
  expect(linkHtml("javascript:alert(1)")).toBe("javascript:alert(1)");
  for (const secret of [
    "https://:s3cr3t@example.com/",
    "https://a:b@example.com/",
    "https://example.com/#access_token=x",
  ])
    expect(linkHtml(secret)).not.toContain("href");
  expect(linkHtml('https://example.com/"onmouseover=1')).not.toContain('"onmouseover');
});
