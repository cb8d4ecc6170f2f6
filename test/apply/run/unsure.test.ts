// What helps where it is not known whether a call took effect.
import { expect, test } from "vitest";
import { recheckHint, unsure } from "../../../src/apply/run/outcomes.ts";
import { problemOfFault } from "../../../src/service/endpoints/answer.ts";
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
