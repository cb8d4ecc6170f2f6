import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { watchSeconds } from "../../../src/app/operate/read-status.ts";
import type { Live } from "../../../src/model/live.ts";
import {
  type EventFigures,
  figuresOfTicket,
  historyOfOrders,
  type StatusReport,
  sumOrders,
  sumTickets,
  totalsOf,
} from "../../../src/report/status/figures.ts";
import { salesSentence } from "../../../src/report/status/groups.ts";
import { barOf } from "../../../src/report/status/overview.ts";
import { startSandbox } from "../../../src/sandbox/index.ts";
import { ticketing } from "../../stage/test-world.ts";

const now = Date.parse("2027-01-10T00:00:00.000Z");

function ticket(quantity: number | null, remaining: number | null): Live {
  const fields = { name: "GA", price: 500, ...(quantity === null ? {} : { quantity }) };
  return { kind: "ticket", id: "t1", parentId: "e1", fields, status: null, remaining, slug: null };
}

function order(totalAmount: unknown, quantity = 1, id = "T1") {
  return { totalAmount, orderItems: [{ quantity, eventTicket: { id } }] };
}

describe("how many are sold", () => {
  test("follows from quantity and remainder while something remains", () => {
    expect(figuresOfTicket(ticket(100, 90), sumOrders([order(500, 3)])).sold).toBe(10);
  });

  test("follows from orders where a sale was closed early, and where the service shows no quantity", () => {
    expect(figuresOfTicket(ticket(100, 0), sumOrders([order(500, 3), order(500, 2)])).sold).toBe(5);
    expect(figuresOfTicket(ticket(null, 90), sumOrders([order(500, 3)])).sold).toBe(3);
  });

  test("is not guessed where neither says", () => {
    expect(figuresOfTicket(ticket(null, 90), null).sold).toBeNull();
    expect(figuresOfTicket(ticket(null, 90), sumOrders([{ totalAmount: 500 }])).sold).toBeNull();
    expect(figuresOfTicket(ticket(100, 0), null).sold).toBeNull();
    const known = figuresOfTicket(ticket(100, 90), null);
    const unknown = figuresOfTicket(ticket(null, null), null);
    expect(sumTickets([known, unknown], null, 50)).toMatchObject({ sold: null, capacityUsed: null, gross: null });
  });
});

test("amounts in other currencies are not added to pesos", () => {
  const sales = sumOrders([order(200), { ...order(5), currency: "USD" }, { ...order(500), currency: "JPY" }]);
  const figures = sumTickets([], sales, null);
  expect(figures).toMatchObject({ orders: 3, gross: 200, net: 186, otherCurrencies: { JPY: 500, USD: 5 } });
  const event = { ...figures, id: "e1" } as EventFigures;
  expect(salesSentence(event)).toMatch(/gross ₱200.00, .*; in other currencies: 500 JPY, 5 USD$/);
  expect(totalsOf([event, event])).toMatchObject({ gross: 400, otherCurrencies: { JPY: 1000, USD: 10 } });
});

test("an order in another currency that shows no amount makes that sum unknown, and php is the peso", () => {
  const silent = { ...order(null), currency: "USD", quantity: 1, createdAt: "2027-03-14T11:00:00Z" };
  const orders = [{ ...order(200), currency: "php" }, { ...order(5), currency: "usd" }, silent];
  const figures = sumTickets([], sumOrders(orders), null);
  expect(figures).toMatchObject({ orders: 3, gross: 200, otherCurrencies: { USD: null } });
  const event = { ...figures, id: "e1" } as EventFigures;
  expect(salesSentence(event)).toMatch(/gross ₱200.00, .*; in other currencies: an unknown amount of USD$/);
  expect(totalsOf([event, event])).toMatchObject({ gross: 400, otherCurrencies: { USD: null } });
  expect(historyOfOrders([silent], "UTC")).toMatchObject({ unclear: 1, days: [{ orders: 1, gross: 0 }] });
});

test("amounts are added up in whatever form they come, and the commission is exact", () => {
  expect(sumOrders([order(1500), order("1500"), order("1500.00")])).toMatchObject({ orders: 3, gross: 4500 });
  // A sum of a part would look like the whole.
  for (const silent of [order(null), {}]) {
    const sales = sumOrders([order(1500), silent]);
    expect(sales).toMatchObject({ orders: 2, gross: null });
    expect(sumTickets([], sales, null)).toMatchObject({ orders: 2, gross: null, commission: null, net: null });
  }
  expect(sumTickets([], sumOrders([order(1), order(2)]), null)).toMatchObject({
    gross: 3,
    commission: 0.21,
    net: 2.79,
  });
});

test("a bar shows the first ticket, and is full only when all are sold", () => {
  expect(barOf(0, 16)).toBe("░".repeat(16));
  expect(barOf(0.001, 16)).toBe(`█${"░".repeat(15)}`);
  expect(barOf(0.999, 16)).toBe(`${"█".repeat(15)}░`);
  expect(barOf(1, 16)).toBe("█".repeat(16));
  expect(barOf(3, 16)).toBe("█".repeat(16));
});

test("watching leaves half of the rate limit to others", () => {
  const window = (span: "minute" | "hour", limit: number) => ({
    span,
    limit,
    left: limit,
    resetsInSeconds: null,
    shown: true,
  });
  expect(watchSeconds({ tier: null, windows: [], callsLeft: null }, 50)).toBe(10);
  const free = { tier: "free", windows: [window("minute", 60), window("hour", 1000)], callsLeft: 60 } as const;
  expect(watchSeconds(free, 1)).toBe(10);
  expect(watchSeconds(free, 20)).toBe(144);
});

describe("under every reading of the service", () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "ticketing-status-"));
    mkdirSync(join(directory, "events"));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  test.each([
    "likely",
    "minimal",
    "strict",
    "lax",
    "hostile",
    "eventRecord=short-in-lists",
    "ticketRecord=no-quantity,ticketPrice=decimal",
    "childLists=paged,takeDefault=1,takeMax=2,takeAbove=clamped,listOrder=shuffled",
    "meScopes=without-orders",
  ])("%s: what was sold and earned is the same", async (profile) => {
    writeFileSync(join(directory, "events/gala.yaml"), "name: Gala\ndateTime: 2027-04-01T18:00\n");
    const sandbox = await startSandbox({ profile, now: () => now });
    try {
      const tickets = [
        { name: "VIP", price: 4500, quantity: 20, published: true, sold: 4 },
        { name: "GA", price: 500, quantity: 100, published: true, sold: 30 },
        { name: "Closed", price: 100, quantity: 50, published: true, sold: 2, remainingQuantity: 0 },
      ];
      const nothing = { totalAmount: 0, quantity: 0 };
      const more = [{ status: "REFUNDED", totalAmount: 9999 } as const, nothing, nothing];
      const gala = {
        name: "Gala",
        dateTime: "2027-04-01T18:00:00+08:00",
        status: "PUBLISHED",
        tickets,
        orders: more,
      } as const;
      const others = Array.from({ length: 12 }, (_, index) => ({ name: `Night ${index}` }));
      sandbox.control.seed({ events: [gala, ...others] });
      const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
      const ran = await ticketing(["status", "--format", "json"], { cwd: directory, env, now: () => now });
      expect(ran.exitCode, ran.stderr).toBe(0);
      const report = JSON.parse(ran.stdout) as StatusReport;
      expect(report.events).toHaveLength(13);
      const shown = report.events.find(({ name }) => name === "Gala");
      expect(shown).toMatchObject({ sold: 36, orders: 5, gross: 33_200, commission: 2324, net: 30_876 });
      const sold = shown?.tickets?.map(({ name, sold: count }) => `${name} ${count}`).sort();
      expect(sold).toEqual(["Closed 2", "GA 30", "VIP 4"]);
      expect(sandbox.control.calls().filter(({ method }) => method !== "GET")).toEqual([]);
    } finally {
      await sandbox.close();
    }
  });
});

describe("as few calls as the question needs", () => {
  const files = {
    "events/gala.yaml": "name: Gala\ndateTime: 2027-01-14T19:00\ntickets: [{ name: GA, price: 500, quantity: 100 }]\n",
    "events/ball.yaml": "name: Ball\ndateTime: 2027-04-01T18:00\ntickets: [{ name: GA, price: 500, quantity: 100 }]\n",
  };
  const events = ["2027-01-14T19:00:00+08:00", "2027-04-01T18:00:00+08:00"].map((dateTime, index) => ({
    id: `00000000-0000-4000-8000-00000000000${index + 1}`,
    name: index === 0 ? "Gala" : "Ball",
    dateTime,
    status: "PUBLISHED" as const,
    tickets: [{ name: "GA", price: 500, quantity: 100, published: true, sold: 7 }],
  }));
  const [gala, ball] = events.map(({ id }) => id);

  /** A page that is too large is asked for once more. */
  const plain = (path: string) => path.replace(/[?&]take=\d+/, "");
  function detailsOf(calls: readonly string[], id: string | undefined): readonly string[] {
    const below = calls.map(plain).flatMap((path) => path.split(`/events/${id}/`)[1]?.split("?")[0] ?? []);
    return [...new Set(below)].sort();
  }

  async function callsOf(words: readonly string[], profile = "likely"): Promise<readonly string[]> {
    const directory = mkdtempSync(join(tmpdir(), "ticketing-status-"));
    mkdirSync(join(directory, "events"));
    for (const [path, text] of Object.entries(files)) writeFileSync(join(directory, path), text);
    const sandbox = await startSandbox({ profile, now: () => now });
    try {
      sandbox.control.seed({ events });
      const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
      const ran = await ticketing(["status", ...words], { cwd: directory, env, now: () => now });
      expect(ran.exitCode, ran.stderr).toBe(0);
      expect(ran.stdout).toContain("Gala");
      expect(ran.stdout).not.toContain("Ball");
      return sandbox.control.calls().map(({ path }) => path);
    } finally {
      await sandbox.close();
      rmSync(directory, { recursive: true, force: true });
    }
  }

  test.each([["gala"], [gala ?? ""], ["--target", "events/gala"], ["--next", "14d"]])("%s %s", async (...words) => {
    const calls = await callsOf(words);
    expect(calls.filter((path) => path.includes(`${ball}`))).toEqual([]);
    expect(detailsOf(calls, gala)).toEqual(["orders", "tickets"]);
    expect(calls.filter((path) => path.includes("ARCHIVED"))).toEqual([]);
    expect(new Set(calls.map(plain)).size).toBeLessThanOrEqual(5);
  });

  test("where lists do not show when events start, each is asked, and nothing more is read of those that start later", async () => {
    const calls = await callsOf(["--next", "14d"], "eventRecord=short-in-lists");
    expect(detailsOf(calls, ball)).toEqual([]);
    expect(detailsOf(calls, gala)).toEqual(["orders", "tickets"]);
  });
});

test("as a page: every order is read once, and nothing of it but its sums is shown", async () => {
  const sandbox = await startSandbox({ now: () => now });
  try {
    const order = { quantity: 2, totalAmount: 1000, createdAt: "2027-01-08T17:00:00.000Z", buyerName: "Ana Buyer" };
    const [gala] = sandbox.control.seed({
      events: [
        {
          name: "Gala",
          status: "PUBLISHED",
          dateTime: "2027-04-01T18:00:00+08:00",
          tickets: [{ name: "GA", price: 500, quantity: 100, published: true, remainingQuantity: 94 }],
          orders: [order, order, order, { ...order, status: "REFUNDED" }, { ...order, status: "CANCELLED" }],
        },
      ],
    }).events;
    const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
    const cwd = mkdtempSync(join(tmpdir(), "ticketing-status-"));
    const ran = await ticketing(["status", "--format", "html"], { cwd, env, now: () => now });
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stdout).toMatch(/^<!doctype html>/);
    // By the clocks of Manila it was the next day.
    expect(ran.stdout).toContain('<th scope="row">9 Jan 2027</th><td>3</td><td>6</td><td>₱3,000.00</td>');
    expect(ran.stdout).toContain("Not counted: 1 canceled order (₱1,000.00), 1 refunded order (₱1,000.00).");
    expect(ran.stdout).not.toContain("Ana");
    expect(ran.stderr).toMatch(/Read 5 orders of 1 event in \d+ calls\./);
    const orders = sandbox.control
      .calls()
      .filter(({ path, status }) => path.includes(`${gala?.id}/orders`) && status === 200);
    expect(orders).toHaveLength(1);
    writeFileSync(join(cwd, "ticketing.yaml"), "version: 1\n");
    mkdirSync(join(cwd, "events"));
    const gone = "id: 22222222-2222-4222-8222-222222222222\nname: Gone\ndateTime: 2027-04-02T18:00\n";
    writeFileSync(join(cwd, "events/gone.yaml"), gone);
    const remarked = await ticketing(["status", "--format", "html"], { cwd, env, now: () => now });
    expect(remarked.stdout.match(/href="#code-pinned-id-missing"/g)).toHaveLength(1);
    expect(remarked.stderr).not.toContain("pinned-id-missing");
    const watched = await ticketing(["status", "--format", "html", "--watch"], { cwd, env, now: () => now });
    expect(watched.exitCode).toBe(1);
    expect(watched.stderr).toContain("--watch");
    rmSync(cwd, { recursive: true, force: true });
  } finally {
    await sandbox.close();
  }
});
