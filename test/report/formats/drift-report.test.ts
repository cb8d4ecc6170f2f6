// What people read of drift, and of an apply in a pull request's comment.

import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { expect, test } from "vitest";
import { errorOf } from "../../../src/model/diagnostic.ts";
import type { Change } from "../../../src/model/plan.ts";
import {
  type DriftReport,
  driftHeading,
  renderApplyResult,
  renderDriftIssue,
  renderDriftText,
  withResult,
} from "../../../src/report/comment.ts";
import { codeEntry } from "../../../src/report/reference/catalog.ts";
import { change, edit, operation, plan } from "../../stage/plan-samples.ts";
import { commentInput } from "./comment-samples.ts";

const { place } = commentInput(plan());
const page = (markdown: string) =>
  micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });

function report(parts: Partial<DriftReport> = {}): DriftReport {
  return {
    environment: "production",
    flags: ["--env", "production"],
    flagsInJob: ["--env", "production"],
    project: "",
    drifted: [],
    unapplied: [],
    leaving: {},
    webhooksChecked: false,
    unmanaged: [],
    checked: ["events/a"],
    events: 1,
    oldestDays: 0,
    never: 0,
    driftedBefore: [],
    diagnostics: [],
    errors: [],
    calls: 3,
    ...parts,
  };
}

const terminal = { columns: 80, color: false };

const drifted = (name: string, address = "events/a") =>
  change("event", address, {
    edits: [edit("eventCapacity", 900, 700, { origin: "drift" })],
    context: { name },
    source: { file: "events/a.yaml", line: 4, column: 1 },
  });

test("how much was checked is said as people count it", () => {
  const part = { checked: Array.from({ length: 412 }, (_, at) => `events/e${at}`), events: 2000 };
  expect(renderDriftText(report({ ...part, oldestDays: 5 }), terminal)).toContain(
    "412 of 2,000 events checked in this run; every event was checked within the last 5 days.",
  );
  expect(renderDriftText(report({ ...part, oldestDays: 0 }), terminal)).toContain("was checked within the last day.");
  expect(renderDriftText(report({ ...part, oldestDays: null, never: 1588 }), terminal)).toContain(
    "No drift was found.\n412 of 2,000 events checked in this run; 1,588 are still to be checked.",
  );
});

test("each drifted object has both fixes, and what the key cannot see is said", () => {
  const unseen = { code: "webhooks-not-read", severity: "warning", message: "Webhooks were not compared." } as const;
  const text = renderDriftIssue(report({ drifted: [drifted("A")], diagnostics: [unseen] }), place, 60_000);
  expect(text).toContain("# to keep it\nticketing import a --env production");
  expect(text).toContain("# to undo it\nticketing apply --env production --target events/a");
  expect(text).toContain("### Not checked\n\n- Webhooks were not compared.");
  expect(text).toContain("/blob/cccccccccccccccccccccccccccccccccccccccc/shows/events/a.yaml#L4");
});

test("what was archived on the service stays so: no command is offered to undo it", () => {
  const final = { code: "archived-is-final", message: "It is archived.", hint: "Keep it." } as const;
  const archived = report({ drifted: [{ ...drifted("A"), blockedBy: [final] }] });
  for (const text of [renderDriftText(archived, terminal), renderDriftIssue(archived, place, 60_000)]) {
    expect(text).toMatch(/it cannot be undone: an archived event stays archived/i);
    expect(text).not.toContain("ticketing apply");
  }
});

test("what was deleted on the service is not there to be imported", () => {
  const gone = { ...drifted("A"), action: "create" as const };
  const [text, issue] = [
    renderDriftText(report({ drifted: [gone] }), terminal),
    renderDriftIssue(report({ drifted: [gone] }), place, 60_000),
  ];
  expect(text).toContain(
    "    to leave it deleted, delete events/a.yaml, or only its part if the file has more events\n    to create it again: ticketing apply --env",
  );
  expect(issue).toContain(
    "To leave it deleted, delete events/a.yaml, or only its part if the file has more events.\n\n```sh\n# to create it again\nticketing apply --env",
  );
  expect(text + issue).not.toContain("ticketing import");
});

test("a date that was deleted on the service is named with its day, and leaves its series as it stands there", () => {
  const root = "events/club@2027-01-15";
  const gone = { ...drifted("Club", root), action: "create" as const };
  const leaving = { [root]: "remove 2027-01-15 from `also` and delete its entry under `dates`" };
  const text = renderDriftText(report({ drifted: [gone], leaving }), terminal);
  expect(text).toContain("Club (2027-01-15): in the files, not on the service\n");
  expect(text).toContain("to leave it deleted, remove 2027-01-15 from `also` and delete its entry under `dates` in ");
});

test("what an apply would not undo is said, with the risks that it takes", () => {
  const blockedBy = (code: "price-change-with-sales" | "delete-after-sales") => [
    { code, message: "The ticket type cannot be deleted.", hint: "" },
  ];
  const risky = report({ drifted: [{ ...drifted("A"), blockedBy: blockedBy("price-change-with-sales") }] });
  expect(renderDriftIssue(risky, place, 60_000)).toContain(
    "# to undo it, and to accept the risk price-change-with-sales\nticketing apply --env production --target events/a --allow price-change-with-sales\n",
  );
  const ruled = report({ drifted: [{ ...drifted("A"), blockedBy: blockedBy("delete-after-sales") }] });
  const text = renderDriftText(ruled, terminal);
  expect(text).toContain("    an apply cannot undo it: The ticket type cannot be deleted\n");
  expect(text).not.toContain("ticketing apply");
});

test("a held edit is undone by a job, which uses no default environment", () => {
  const held = drifted("A");
  const edits = held.edits.map((edit) => ({ ...edit, held: true as const }));
  expect(renderDriftText(report({ drifted: [{ ...held, edits }], flags: [] }), terminal)).toContain(
    "to undo it: ticketing ci apply --env production --target events/a --unreviewed apply\n",
  );
});

test("no command is offered that would send what nobody has reviewed", () => {
  const held = { held: true } as const;
  const drift = edit("eventCapacity", 900, 700, { origin: "drift", ...held });
  const merged = change("event", "events/a", {
    edits: [edit("eventCapacity", 900, 15, { origin: "unapplied", ...held }), edit("timezone", "UTC", "Asia/Manila")],
    context: { name: "A" },
  });
  const found = report({ drifted: [{ ...drifted("A"), edits: [drift] }], unapplied: [merged] });
  const [text, issue] = [renderDriftText(found, terminal), renderDriftIssue(found, place, 60_000)];
  for (const said of [text, issue]) {
    expect(said).toMatch(/to undo it, first merge a branch that reverts the held change, or whose plan lists it/i);
    expect(said).not.toContain("--unreviewed");
    expect(said).toContain("ticketing import a");
  }
  expect(issue).toContain('- A: timezone "UTC" → "Asia/Manila"\n- Held: A: eventCapacity 900 → 15');
});

test("the heading and the link say what was found", () => {
  expect(driftHeading(report())).toBe("No drift on production");
  expect(renderDriftIssue(report(), place, 60_000)).toContain("[Checked in this run]");
  expect(driftHeading(report({ drifted: [drifted("A")] }))).toContain("the service differs from the files");
  const failure = errorOf("unreachable", "No response.", "");
  expect(driftHeading(report({ errors: [failure] }))).toBe("Drift check of production: failed");
});

test("what has no file is listed with its day, and what to do about it", () => {
  const party = { id: "1", name: "Party", status: "DRAFT", dateTime: "2027-06-01T11:00:00.000Z" };
  expect(renderDriftIssue(report({ unmanaged: [party] }), place, 60_000)).toContain(
    "- Party (DRAFT, Tue 1 Jun 2027, 1)\n\nEvents without a file are never changed. `ticketing import --all --env production` writes",
  );
});

test("a check of webhooks alone does not count events", () => {
  expect(renderDriftText(report({ checked: [], events: 0, webhooksChecked: true }), terminal)).toBe(
    "No drift was found.\nAll webhooks checked.\n",
  );
});

test("an issue about very many objects is shortened, and says so on top", () => {
  const many = Array.from({ length: 2_000 }, (_, at) => drifted(`Night ${at}`, `events/night-${at}`));
  const text = renderDriftIssue(report({ drifted: many }), place, 60_000);
  expect(text.length).toBeLessThanOrEqual(60_000);
  expect(text).toMatch(/^> \*\*This issue is shortened:\*\* [\d,]+ objects left out\. \[The run has all of it\]/);
});

test.each(["<img src=x>", "[a](https://evil.example)", "`rm -rf` $(reboot)", "x\n\n# y", "@acme #1 --> <!--"])(
  "a name is neither markup nor a command: %s",
  (name) => {
    const odd = { id: "1", name, status: "DRAFT", dateTime: null };
    const html = page(
      renderDriftIssue(report({ drifted: [drifted(name)], unmanaged: [odd], environment: name }), place, 60_000),
    );
    for (const [, tag = ""] of html.matchAll(/<\/?([a-z0-9]+)/gi))
      expect(["p", "strong", "a", "h3", "code", "ul", "li", "pre", "blockquote"]).toContain(tag);
    for (const [, href = ""] of html.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^https:\/\/github\.example\//);
  },
);

type Result = Parameters<typeof renderApplyResult>[0];

function resultOf(applied: Pick<Result, "report"> & Partial<Result>): string {
  const nothing = { notes: [], refusal: null, problem: null, succeeded: false };
  return renderApplyResult({ ...nothing, ...applied }, place, codeEntry);
}

const allDone: Result["report"] = {
  formatVersion: 1,
  plan: plan({ operations: [operation(1, "update", "events/a")] }),
  outcomes: [{ operation: "1", result: "done" }],
  summary: { done: 1, failed: 0, skipped: 0, unsure: 0 },
  calls: { reads: 1, writes: 1, rateLimited: 0 },
};

test("what came of an apply is below the marker, once, and the plan stays", () => {
  const of = plan({
    changes: [drifted("A")],
    operations: [operation(1, "update", "events/a"), operation(2, "publish", "events/a")],
  });
  const error = { code: "CONFLICT" as const, message: "No.", hint: null, requestId: null, status: 409 };
  const result = resultOf({
    report: {
      formatVersion: 1,
      plan: of,
      outcomes: [
        { operation: "1", result: "done" },
        { operation: "2", result: "failed", error },
      ],
      summary: { done: 1, failed: 1, skipped: 0, unsure: 0 },
      calls: { reads: 1, writes: 2, rateLimited: 0 },
    },
  });
  expect(result).toContain("### Not fully applied to `production`");
  expect(result).toContain("**1 of 2 calls done, 1 failed.**");
  expect(result).toContain("- **failed:** publish `events/a`: No.");
  const body = "<!-- ticketing plan project=. environment=production digests= events= -->\n### The plan\n";
  const once = withResult(body, result, 60_000);
  expect(once.split("\n")[0]).toBe(body.split("\n")[0]);
  expect(once).toContain("### The plan");
  expect(withResult(once, result, 60_000)).toBe(once);
  expect(withResult(`${body}${"x".repeat(60_000)}`, result, 60_000).length).toBeLessThan(60_000);
});

test("what waits is released in the words of the host", () => {
  const of = plan({
    changes: [{ ...drifted("A"), blockedBy: [{ code: "protected", message: "It is.", hint: "" }] }],
    held: [drifted("B")],
  });
  const report = { ...allDone, plan: of, outcomes: [], summary: { ...allDone.summary, done: 0 } };
  const applied = { report, notes: [], refusal: null, problem: null, succeeded: false, elsewhere: true };
  const onHost = (host: "github" | "gitlab") => renderApplyResult(applied, place && { ...place, host }, codeEntry);
  expect(onHost("github")).toContain("by hand with `unreviewed: apply`.\n\nWhat is blocked waits for a pull request");
  const said = onHost("gitlab");
  expect(said).toContain("by hand with `TICKETING_UNREVIEWED` set to `apply`.\n\nWhat is blocked waits for a merge");
  expect(said).toContain("Changes of other merge requests were left out: the job shows which, and why.");
  expect(said).not.toContain("pull request");
});

test("what failed is followed by what to do about it, and by how to go on", () => {
  const operations = [operation(1, "publish", "events/a"), operation(2, "publish", "events/b")];
  const resultFor = (code: "FORBIDDEN" | "VALIDATION_ERROR", hint: string) => {
    const error = { code, message: "No image.", hint, requestId: null, status: null };
    const outcomes = operations.map(({ id }) => ({ operation: id, result: "failed" as const, error }));
    const summary = { done: 0, failed: 2, skipped: 0, unsure: 0 };
    return resultOf({ report: { ...allDone, plan: plan({ operations }), outcomes, summary } });
  };
  const refused = resultFor("VALIDATION_ERROR", "Correct the event.");
  expect(refused).toContain("`events/a`: No image.\n- **failed:** publish `events/b`: No image. Correct the event.");
  expect(refused).toMatch(/\n\nIn a pull request, correct what the service refused: the apply after its merge .*$/);
  expect(resultFor("FORBIDDEN", "Add the scope.")).toMatch(
    /Add the scope\.\n\nAfter correcting this, run the job again: .*$/,
  );
});

test("held drift was never part of what is applied; anything else that is held was", () => {
  const holding = (held: Change, succeeded: boolean) =>
    resultOf({ report: { ...allDone, plan: { ...allDone.plan, held: [held] } }, succeeded });
  expect(holding(drifted("B"), true)).toMatch(/^### Applied to .*- \*\*Held:\*\* B/s);
  const merged = change("event", "events/c", { edits: [edit("eventCapacity", 1, 2, { origin: "edit" })] });
  expect(holding(merged, false)).toMatch(/^### Not fully applied to /);
});

test("a run without calls counts none", () => {
  const idle = { ...allDone, outcomes: [], summary: { ...allDone.summary, done: 0 }, plan: plan() };
  expect(resultOf({ report: idle, succeeded: true })).toMatch(
    /^### Nothing left to apply to `production`[^*]*\n\nWhat was merged needs no change on the service now: it is live already, or a later merge reverted it\. Checked in this \[run\][^*]*$/,
  );
  const phase = { at: "2027-01-31T02:00:00.000Z", address: "events/a", type: "phase", phase: "A", fields: [] } as const;
  const later = { ...idle, plan: plan({ upcoming: [phase] }) };
  expect(resultOf({ report: later, succeeded: true })).toContain("it is live already, comes later, or a later merge");
  const refused = resultOf({ report: idle, refusal: errorOf("lock-lost", "It is locked.", "Wait.") });
  expect(refused).toMatch(/^### Not applied to `production`[^*]*It is locked\. Wait\.$/s);
});

test("what is blocked is counted beside the calls, with what helps", () => {
  const blocked = change("event", "events/c", { blockedBy: [{ code: "protected", message: "It is.", hint: "" }] });
  const result = resultOf({ report: { ...allDone, plan: { ...allDone.plan, changes: [blocked] } }, succeeded: false });
  expect(result).toContain("**1 call done, 1 blocked.**");
  expect(result).toContain("What is blocked waits for a pull request that fixes or accepts it");
});

test("a run that failed beside its calls is not called applied, and the result says why", () => {
  const verify = { severity: "warning", code: "verify", message: "The event is gone.", hint: "Apply again." } as const;
  const problem = errorOf("lock-lost", "The state could not be saved.", "Free some space.");
  const unverified = resultOf({ report: allDone, notes: [verify] });
  expect(unverified).toMatch(/^### Applied with problems to .*1 of 1 call done.*\[verify\]` The event is gone\./s);
  expect(resultOf({ report: allDone, problem })).toMatch(/^### Applied with problems to .*could not be saved\. Free/s);
});

test("drift is said as it is: what the service has, and what the files have", () => {
  const origin = "drift";
  const text = renderDriftText(
    report({
      drifted: [
        drifted("A"),
        change("event", "events/b", { action: "none", origin, transition: { from: "DRAFT", to: "PUBLISHED" } }),
        change("ticket", "events/c/tickets/GA", { action: "create", origin, id: null }),
        change("ticket", "events/c/tickets/VIP", { action: "delete", origin }),
        change("webhook", "webhooks/w", { edits: [edit("url", "https://a.example", "https://b.example", { origin })] }),
      ],
    }),
    terminal,
  );
  expect(text).toContain("Drift: 3 events and 1 webhook changed on the service.\n");
  expect(text).toContain("  A: eventCapacity 900 on the service, 700 in the files\n");
  expect(text).toContain("  b: status DRAFT on the service, PUBLISHED in the files\n");
  expect(text).toContain("  GA of c: in the files, not on the service\n");
  expect(text).toContain("  VIP of c: on the service, not in the files\n");
  expect(text).not.toContain("→");
});

test("a code in the result is explained below it", () => {
  const block = { code: "delete-after-sales", message: "Sold.", hint: "Wait." } as const;
  const result = resultOf({
    report: {
      formatVersion: 1,
      plan: plan({ changes: [{ ...drifted("A"), blockedBy: [block] }], summary: { blocked: 1 } }),
      outcomes: [],
      summary: { done: 0, failed: 0, skipped: 0, unsure: 0 },
      calls: { reads: 1, writes: 0, rateLimited: 0 },
    },
  });
  expect(result).toContain("- **Blocked:**");
  expect(result).toContain("- `delete-after-sales`: An event or ticket type would be deleted");
});

test("errors in the files are all listed, with their places and what to do", () => {
  const at = (line: number) => ({
    ...errorOf("missing-field", `Line ${line}.`, "Add it."),
    source: { file: "events/a.yaml", line, column: 3 },
  });
  const diagnostics = [at(4), at(9)];
  const refused = { ...allDone, outcomes: [], summary: { ...allDone.summary, done: 0 }, plan: plan({ diagnostics }) };
  const text = resultOf({ report: refused, refusal: diagnostics[0] ?? null });
  expect(
    text.match(
      /- \*\*error\*\*`\[missing-field\]` `events\/a.yaml:[49]:3` Line [49]\.<br>\n {2}\*\*fix:\*\* Add it\./g,
    ),
  ).toHaveLength(2);
  expect(text.match(/Line 4/g)).toHaveLength(1);
});
