// A run that was cut off with all its creates announced and none confirmed: what finding them costs.
import { expect, test } from "vitest";
import { openTheater } from "../stage/theater.ts";

const people = "performers: [{ name: Ana }, { name: Ben }]\nbrands: [{ name: Brew }]\n";
const files = {
  "ticketing.yaml": "version: 1\n",
  ...Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [
      `events/night-${index}.yaml`,
      `name: Night ${index}\ndateTime: 2027-03-${String(index + 1).padStart(2, "0")}T19:00+08:00\ntickets: [{ name: GA, price: 100, quantity: 10 }]\n${people}`,
    ]),
  ),
};

test.each([
  ["all of it was made", 1],
  ["half of it was made", 2],
])("recovery costs no more than a look at everything: %s", async (_name, part) => {
  const rehearsal = openTheater();
  const whole = await rehearsal.run(files, { pushes: true });
  const look = (await rehearsal.run(files, { pushes: true })).calls;
  const theater = openTheater();
  const at = Math.floor(whole.calls / part);
  const killed = await theater.run(files, { pushes: true, death: { of: "call", at, moment: "after" } });
  expect(killed.applied).toBeNull();
  theater.service.control.clearCalls();
  const next = await theater.run(files, { pushes: true });
  const asked = theater.service.control.calls().filter(({ method }) => method === "GET");
  const reads = asked.length;
  // The service lists performers and brands by event only.
  expect(asked.filter(({ path }) => !/^\/(events|me|webhooks)\b/.test(path))).toEqual([]);
  expect(next.applied?.report.summary.failed).toBe(0);
  // One look by the recovery, one by the plan.
  expect(reads).toBeLessThanOrEqual(2 * look + 5);
  expect(theater.service.dump().events).toHaveLength(20);
  expect(theater.service.dump().performers).toHaveLength(40);
  expect((await theater.run(files, { pushes: true })).applied?.report.plan.changes).toEqual([]);
});
