import { expect, test } from "vitest";
import { problemDiagnostic } from "../../../src/app/session/report-problems.ts";
import type { Problem, ProblemDetail } from "../../../src/service/problem.ts";

function said(message: string, ...details: ProblemDetail[]): string {
  const problem: Problem = {
    class: "refused",
    status: 400,
    code: "VALIDATION_ERROR",
    message,
    hint: null,
    details,
    requestId: "r-1",
  };
  return problemDiagnostic(problem).message;
}

test.each([
  ["take must be at most 3", [{ field: "take", message: "take must be at most 3" }], "take must be at most 3"],
  ["Take must be at most 3.", [{ field: "take", message: "take must be at most 3" }], "Take must be at most 3."],
  ["Not valid", [{ field: "take", message: "take is too large" }], "Not valid. take is too large."],
  ["Not valid", [{ field: "take", message: "too large" }], "Not valid. take: too large."],
  ["A field is required", [{ field: "name", message: "required" }], "A field is required. name: required."],
  [
    "Bad",
    [
      { field: "", message: "Twice." },
      { field: "", message: "Twice." },
    ],
    "Bad. Twice.",
  ],
])("%s with %j is reported once", (message, details, words) => {
  expect(said(message, ...details)).toBe(`${words} (request r-1)`);
});
