// A service may close a sale by lowering the quantity to what is sold. Where nothing remembers what was sent, to raise it
// again would open the sale with every run.
import { expect, test } from "vitest";
import { planOf } from "../../stage/plan-of.ts";

const start = "2027-03-14T19:00:00+08:00";

async function plan(ticket: string, live: { quantity: number; remainingQuantity: number; sold?: number }) {
  const { plan: made } = await planOf({
    files: { "events/gala.yaml": `name: Gala\ndateTime: ${start}\ntickets:\n  - { name: GA, ${ticket} }\n` },
    live: {
      events: [{ name: "Gala", dateTime: start, tickets: [{ name: "GA", price: 500, published: true, ...live }] }],
    },
  });
  return made.operations.map(({ verb, body }) => ({ verb, body }));
}

test("what is sold out stays so", async () => {
  const closed = "price: 500, quantity: 100, published: true, soldOut: true";
  expect(await plan(closed, { quantity: 30, remainingQuantity: 0, sold: 30 })).toEqual([]);
  expect(await plan(closed, { quantity: 30, remainingQuantity: 0 })).toEqual([]);
});

test("a quantity that is still to be sold is raised", async () => {
  const raised = [{ verb: "update", body: { quantity: 100 } }];
  expect(await plan("price: 500, quantity: 100", { quantity: 30, remainingQuantity: 0 })).toEqual(raised);
  expect(await plan("price: 500, quantity: 100, soldOut: true", { quantity: 30, remainingQuantity: 10 })).toEqual([
    ...raised,
    { verb: "sold-out", body: undefined },
  ]);
});
