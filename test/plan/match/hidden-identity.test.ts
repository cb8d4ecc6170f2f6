// Ticket types of one name, on a service that does not show all that distinguishes them, and with nothing that remembers them.
import { describe, expect, test } from "vitest";
import { planOf } from "../../stage/plan-of.ts";

type Seat = readonly [section: string, row: string];

/** The service shows the section, and not the row. */
async function plan(wished: readonly Seat[], live: readonly Seat[]) {
  const tickets = wished.map(([section, row]) => ticketOf(section, row));
  const lines = tickets.map((ticket) => `  - ${JSON.stringify(ticket)}\n`).join("");
  const start = "2027-03-14T19:00:00+08:00";
  const { plan: made } = await planOf({
    files: { "events/gala.yaml": `name: Gala\ndateTime: ${start}\ntickets:\n${lines}` },
    live: {
      events: [{ name: "Gala", dateTime: start, tickets: live.map(([section, row]) => ticketOf(section, row)) }],
    },
    profile: "ticketRecord=minimal",
  });
  expect(made.operations.filter(({ verb }) => verb === "delete")).toEqual([]);
  return made.changes.map(({ action, blockedBy }) => [action, ...blockedBy.map(({ code }) => code)].join(" "));
}

function ticketOf(section: string, row: string) {
  return { name: "VIP", price: 4500, quantity: 100, section, row, published: false };
}

describe("a ticket type that is shown without its row", () => {
  test("is found by its section", async () => {
    const seats: readonly Seat[] = [
      ["A", "1"],
      ["B", "1"],
    ];
    expect(await plan(seats, seats)).toEqual([]);
  });

  test("is never replaced by a new one where two rows of one section are wished", async () => {
    const seats: readonly Seat[] = [
      ["A", "1"],
      ["A", "2"],
    ];
    expect(await plan(seats, seats)).toEqual(["create ambiguous-ticket", "create ambiguous-ticket"]);
    expect(await plan(seats, [["A", "1"]])).toEqual(["create ambiguous-ticket", "create ambiguous-ticket"]);
  });
});
