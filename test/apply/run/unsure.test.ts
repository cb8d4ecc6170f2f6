// What helps where it is not known whether a call took effect.
import { expect, test } from "vitest";
import { recheckHint, unsure } from "../../../src/apply/run/outcomes.ts";
import { describeAddress } from "../../../src/apply/run/run-context.ts";
import { problemOfFault } from "../../../src/service/endpoints/response.ts";
import { interrupted } from "../../../src/service/pace/pace.ts";
import { problemOf } from "../../../src/service/problem.ts";

test.each([
  ["a redirect is mended first", 307, `Set baseUrl to its new URL. ${recheckHint}`],
  ["a failure of the service passes by itself", 502, recheckHint],
  ["so does a response that was lost", null, recheckHint],
])("%s", (_, status, hint) => {
  const problem = problemOf("ambiguous", "redirect", "It moved.", "Set baseUrl to its new URL.", status);
  expect(unsure(problem, "It was sent.")).toMatchObject({ result: "unsure", error: { hint } });
});

test("a write that was given up after it was sent may have taken effect; a read may be sent again", () => {
  const fault = { code: "interrupted", sent: true, detail: "stopped" } as const;
  const classOf = (method: "GET" | "POST") => problemOfFault(fault, method, "https://tickets.example", null).class;
  expect([classOf("POST"), classOf("GET")]).toEqual(["ambiguous", "not-sent"]);
});

test("a call that was sent is not said to have been stopped before it was sent, where that is true of the read after it", () => {
  expect(unsure(interrupted(), "The call was sent, but looking for the new object failed.")).toMatchObject({
    error: { message: "The call was sent, but looking for the new object failed. The run was stopped." },
  });
});

test("an event is called by its name, a date of a series with its date, and what has no name by its key", () => {
  const names = new Map([
    ["events/gig", "Gig 1"],
    ["events/club@2026-12-31", "Club"],
  ]);
  expect(describeAddress("events/gig", names)).toBe('the event "Gig 1"');
  expect(describeAddress("events/club@2026-12-31/tickets/VIP", names)).toBe(
    'the ticket type "VIP" of "Club" (2026-12-31)',
  );
  expect(describeAddress("events/club@2027-01-07", names)).toBe('the event "club@2027-01-07"');
});
