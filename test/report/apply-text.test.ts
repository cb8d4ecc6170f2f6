import { expect, test } from "vitest";
import { type AnyCode, errorOf } from "../../src/model/diagnostic.ts";
import type { ApplyReport, Outcome } from "../../src/model/plan.ts";
import { renderApplyJson, renderApplyText } from "../../src/report/apply.ts";

const again = "Run `ticketing apply` again.";

function outcome(
  at: number,
  result: "failed" | "skipped",
  code: AnyCode,
  message: string,
  status: number | null = null,
): Outcome {
  return { operation: `op-${at}`, result, error: { code, message, hint: again, requestId: null, status } };
}

function endOf(outcomes: readonly Outcome[]) {
  const operations = outcomes.map(({ operation }) => ({
    id: operation,
    verb: "create",
    address: `events/${operation}`,
  }));
  const count = (result: string) => outcomes.filter((one) => one.result === result).length;
  const report = {
    formatVersion: 1,
    plan: { operations, summary: { blocked: 0 } },
    outcomes,
    summary: { done: 0, failed: count("failed"), skipped: count("skipped"), unsure: 0 },
    calls: { reads: 1, writes: 1, rateLimited: 0 },
  } as unknown as ApplyReport;
  const problem = errorOf("lock-lost", "State could not be saved.", again);
  return { report, notes: [], problem, next: "ticketing apply" };
}

function textOf(outcomes: readonly Outcome[]): string {
  return renderApplyText(endOf(outcomes), { columns: 80, color: false });
}

test("JSON also says what went wrong apart from the operations, and the command that continues", () => {
  const { next, problem, report, notes } = endOf([outcome(0, "failed", "interrupted", "Stopped.")]);
  expect(JSON.parse(renderApplyJson({ report, notes, problem, next }))).toMatchObject({ problem, next });
  expect(JSON.parse(renderApplyJson({ report, notes, problem: null }))).toMatchObject({ problem: null, next: null });
});

function many(count: number, make: (at: number) => Outcome): readonly Outcome[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

test.each([
  ["cannot-clear", null],
  ["VALIDATION_ERROR", 422],
] as const)(
  "what the service refuses is refused again by the same command: the file comes first (%s)",
  (code, status) => {
    const text = textOf([outcome(0, "failed", code, "The service does not take this value.", status)]);
    expect(text).toMatch(/\n\nCorrect what the service refused, then continue with: ticketing apply\n$/);
  },
);

test("what was left out for one reason is one line with a count", () => {
  const text = textOf(many(3000, (at) => outcome(at, "skipped", "interrupted", "The run was stopped before this.")));
  expect(text).toBe(`skipped[interrupted] 3,000 of 3,000 operations: The run was stopped before this.
  fix: ${again}

Not fully applied: 0 of 3,000 done, 3,000 skipped (1 write and 1 read).

Continue with: ticketing apply
`);
});

test("a wait that grows too long is the same reason in every second", () => {
  const text = textOf(many(40, (at) => outcome(at, "skipped", "rate-limited-too-long", `Must wait ${at} seconds.`)));
  expect(text.match(/^skipped\[/gm)).toHaveLength(1);
});

test("different reasons stay apart, and so does everything that failed", () => {
  const text = textOf([
    outcome(1, "skipped", "no-id", 'It needs the id of "a".'),
    outcome(2, "skipped", "no-id", 'It needs the id of "b".'),
    outcome(3, "skipped", "no-id", 'It needs the id of "b".'),
    outcome(4, "failed", "VALIDATION_ERROR", "No."),
    outcome(5, "failed", "VALIDATION_ERROR", "No."),
  ]);
  expect(text.match(/^(skipped|failed)\[.*/gm)).toEqual([
    'skipped[no-id] create events/op-1: It needs the id of "a".',
    'skipped[no-id] 2 of 5 operations: It needs the id of "b".',
    "failed[VALIDATION_ERROR] create events/op-4: No.",
    "failed[VALIDATION_ERROR] create events/op-5: No.",
  ]);
  expect(text.match(/fix: /g)).toHaveLength(1);
});

test("the last line counts what is held, also a safeguard that is not in force", () => {
  const ended = endOf([]);
  const held = { setting: "allow", value: "", digest: "1", held: true };
  const said = (more: object) => {
    const plan = { ...ended.report.plan, ...more } as ApplyReport["plan"];
    return renderApplyText({ ...ended, report: { ...ended.report, plan } }, { columns: 120, color: false });
  };
  expect(said({ guards: [held, { ...held, held: undefined }] })).toContain("Held and waiting: 1 changed safeguard.");
  expect(said({ guards: [held], held: [{}, {}] })).toContain("Held and waiting: 2 changes and 1 changed safeguard.");
});
