// Scales and sums behind the charts of `status`.
import { describe, expect, test } from "vitest";
import { historyOfOrders, joinHistories } from "../../../src/report/status/figures.ts";
import { barChart, columnChart, historyHtml, niceTicks, stepChart } from "../../../src/report/status/sales-html.ts";

test.each([
  [0, [0]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [40, [0, 10, 20, 30, 40]],
  [41, [0, 20, 40, 60]],
  [543, [0, 200, 400, 600]],
  [2_209_000, [0, 1_000_000, 2_000_000, 3_000_000]],
])("the axis for %i has round numbers", (most, ticks) => {
  expect(niceTicks(most)).toEqual(ticks);
});

test("a bar is never wider than its frame, and the first ticket is visible", () => {
  expect(barChart({ part: 3, whole: 2 }, "x")).toContain("width:max(2px, 100%)");
  expect(barChart({ part: 1, whole: 4000 }, "x")).toContain("width:max(2px, 0.03%)");
  expect(barChart({ part: 0, whole: 0 }, "x")).toContain("width:0");
});

test("labels are text, whatever they say", () => {
  const bad = `"><script>x</script>`;
  const column = { part: 1, whole: 2, label: bad };
  expect(barChart(column, bad) + columnChart([column], bad, [bad, bad])).not.toContain("<script");
});

test("a step chart begins at nothing the day before, and holds its last sum to the end", () => {
  const steps = [
    { day: 10, value: 50 },
    { day: 15, value: 100 },
  ];
  const svg = stepChart(steps, 18, "x", "tickets");
  expect(svg).toContain('class="line tickets" d="M0 150H100V75H600V0H1000"');
  // What was sold on the last day is not a line at the edge.
  expect(stepChart(steps, 15, "x", "tickets")).toContain("V0H1000");
  expect(stepChart(steps, 15, "x", "tickets")).not.toContain("H1000V0");
});

test("a free event has no chart of money", () => {
  const day = { day: "2027-01-02", orders: 1, tickets: 2 };
  const chartsOf = (gross: number) =>
    historyHtml({ days: [{ ...day, gross }], unclear: 0, others: [] }, "Free", 20_000).match(/<figcaption>\S+/g);
  expect(chartsOf(0)).toEqual(["<figcaption>Tickets"]);
  expect(chartsOf(100)).toEqual(["<figcaption>Tickets", "<figcaption>Gross"]);
});

describe("sales by day", () => {
  const order = (more: object) => ({ status: "COMPLETED", totalAmount: 1000, quantity: 2, ...more });

  test("go by clocks of the zone, and by completed orders only", () => {
    const records = [
      order({ createdAt: "2027-01-01T15:59:00Z" }),
      order({ createdAt: "2027-01-01T16:01:00Z", totalAmount: "500.00" }),
      order({ createdAt: "2027-01-02T02:00:00Z", status: "REFUNDED" }),
      order({ createdAt: "2027-01-02T02:00:00Z", status: "CANCELLED", totalAmount: null }),
    ];
    expect(historyOfOrders(records, "Asia/Manila")).toEqual({
      days: [
        { day: "2027-01-01", orders: 1, tickets: 2, gross: 1000 },
        { day: "2027-01-02", orders: 1, tickets: 2, gross: 500 },
      ],
      unclear: 0,
      others: [
        { status: "CANCELLED", orders: 1, amount: 0 },
        { status: "REFUNDED", orders: 1, amount: 1000 },
      ],
    });
  });

  test("count tickets by items where an order does not show how many, and say what is not clear", () => {
    const items = order({
      quantity: undefined,
      orderItems: [{ quantity: 1 }, { quantity: 3 }],
      createdAt: "2027-01-02T02:00:00Z",
    });
    const history = historyOfOrders(
      [items, order({}), order({ createdAt: "2027-01-02T02:00:00Z", totalAmount: null })],
      "UTC",
    );
    expect(history.days).toEqual([{ day: "2027-01-02", orders: 2, tickets: 6, gross: 1000 }]);
    expect(history.unclear).toBe(2);
    expect(joinHistories([history, history]).days[0]).toMatchObject({ orders: 4, tickets: 12, gross: 2000 });
  });
});
