import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import {
  type DiagnosticsReport,
  renderDiagnosticsGithub,
  renderDiagnosticsJson,
  renderDiagnosticsSarif,
  renderDiagnosticsText,
} from "../../src/report/diagnostics.ts";
import { helpOf } from "../../src/report/reference/explain.ts";
import { renderProblems } from "../../src/report/text.ts";

const price: Diagnostic = {
  code: "price-not-whole",
  severity: "error",
  message: "GA costs ₱1,500.50. Prices are whole pesos.",
  hint: "Write 1500 or 1501.",
  address: "events/a/tickets/GA",
  source: { file: "events/a.yaml", line: 12, column: 24 },
};

function report(diagnostics: readonly Diagnostic[], changes: Partial<DiagnosticsReport> = {}): DiagnosticsReport {
  return {
    ok: diagnostics.length === 0,
    target: { environment: "sandbox", baseUrl: "embedded", checkedAs: "sandbox" },
    files: 3,
    events: 2,
    webhooks: 0,
    diagnostics,
    hidden: 0,
    strict: false,
    ...changes,
  };
}

function text(given: DiagnosticsReport, line?: string, color = false): string {
  return renderDiagnosticsText(given, { columns: 80, color, lineAt: () => line });
}

describe("as text", () => {
  it("a problem has its place, its line with a caret, one sentence and a fix", () => {
    expect(
      text(report([price]), "  - { name: GA, price: 1500.50, quantity: 500 }"),
    ).toBe(`Target: sandbox (the embedded service), offline

error[price-not-whole] events/a.yaml:12:24 GA costs ₱1,500.50. Prices are whole
  pesos.
   12 |   - { name: GA, price: 1500.50, quantity: 500 }
      |                        ^
  fix: Write 1500 or 1501.

Learn more: ticketing explain price-not-whole

1 error. Checked 3 files (2 events).
`);
  });

  it("an error is explained before a warning that comes first", () => {
    const warning: Diagnostic = { ...price, code: "unused-column", severity: "warning" };
    expect(text(report([warning, price]))).toContain("Learn more: ticketing explain price-not-whole\n");
  });

  it("no problem is one sentence", () => {
    expect(text(report([], { webhooks: 1, hidden: 2 }))).toBe(
      "Target: sandbox (the embedded service), offline\n\nNo problems. Checked 3 files (2 events, 1 webhook). 2 more notices with\n  --verbose.\n",
    );
  });

  it("says when only warnings were too much", () => {
    const warning = { ...price, severity: "warning" } as const;
    expect(text(report([warning], { strict: true }))).toContain(
      "1 warning. Checked 3 files (2 events). With --strict, warnings",
    );
  });

  it("stays within 80 columns and keeps the caret under its place", () => {
    const line = `  - { ${"a".repeat(100)}: x, price: 1500.50, ${"b".repeat(100)}: y }`;
    const column = line.indexOf("1500.50") + 1;
    const lines = text(
      report([{ ...price, message: "word ".repeat(60), source: { file: "events/a.yaml", line: 1, column } }]),
      line,
    ).split("\n");
    for (const one of lines) expect(one.length).toBeLessThanOrEqual(80);
    const shown = lines.findIndex((one) => one.includes("1500.50"));
    expect((lines[shown + 1] ?? "").indexOf("^")).toBe((lines[shown] ?? "").indexOf("1500.50"));
  });

  it("shows a tab as a sign, with the caret under its place", () => {
    const lines = text(report([{ ...price, source: { file: "a", line: 1, column: 2 } }]), "\tvenue: x").split("\n");
    expect(lines.slice(3, 5)).toEqual(["    1 | →venue: x", "      |  ^"]);
  });

  it("keeps the caret under its place behind wide and unsafe characters", () => {
    const line = "name: 寿司\u200b🎉 x: 1";
    const lines = text(
      report([{ ...price, source: { file: "a", line: 1, column: line.indexOf("x") + 1 } }]),
      line,
    ).split("\n");
    expect(lines[3]).toBe("    1 | name: 寿司\\u{200b}🎉 x: 1");
    expect(lines[4]).toBe(`      | ${" ".repeat("name: ".length + 4 + "\\u{200b}".length + 2 + 1)}^`);
  });

  it("shows nothing of a line that holds a secret, for no problem in it", () => {
    const secret = { ...price, code: "secret-in-file" as const, message: "`key` holds a secret.", hint: "Revoke it." };
    const shown = text(report([secret, price]), "key: hunter2");
    expect(shown).not.toContain("hunter2");
    expect(shown).toContain("error[secret-in-file] events/a.yaml:12:24");
  });

  it("masks tokens of URLs and does nothing to a terminal or a workflow's log", () => {
    const evil = { ...price, message: "Bad \u001b[31mname\n::error::x https://me:pw@a.example/?token=t" };
    const shown = text(report([evil]), "::set-output name=x::y \u0007");
    for (const unsafe of ["\u001b", "\u0007", "pw@", "token=t"]) expect(shown).not.toContain(unsafe);
    expect(shown).not.toMatch(/^\s*::/m);
    expect(shown).toContain("\\u{1b}");
  });

  it("is colored only when asked to", () => {
    expect(text(report([price]), "x", true)).toContain("\u001b[");
    expect(text(report([price]), "x", false)).not.toContain("\u001b[");
  });

  it("names the other places of a problem", () => {
    const related = [{ message: "the first", source: { file: "events/b.yaml", line: 1, column: 2 } }];
    expect(text(report([{ ...price, related }]))).toContain("  the first: events/b.yaml:1:2\n");
  });
});

describe("what a service says at length", () => {
  const details = Array.from({ length: 100 }, (_, index) => `field${index}: is not what was expected of it`).join("; ");
  const long: Diagnostic = {
    code: "VALIDATION_ERROR",
    severity: "error",
    message: `Refused. ${details} (request req_777)`,
  };

  it("is cut in the middle: its sentence and its request are shown", () => {
    const shown = renderProblems([long], { columns: Number.POSITIVE_INFINITY, color: false });
    expect(shown).toContain("Refused. field0:");
    expect(shown).toContain("(request req_777)");
    expect(shown.length).toBeLessThan(4_200);
  });
});

describe("a line with a secret in it", () => {
  const line = "- { events: [nope], token: sk_live_4fT9xQ2mZ7LpR8vB }";
  const place = { ...price, source: { file: "webhooks.yaml", line: 1, column: 13 } };

  it("is not shown for another problem, whoever reports it", () => {
    const shown = renderProblems([place], { columns: 80, color: false, lineAt: () => line });
    expect(shown).not.toContain("sk_live");
  });

  it("is not shown where an API key is expected: a file that cannot be read was not searched", () => {
    const shown = renderProblems([place], { columns: 80, color: false, lineAt: () => "{ apiKeyEnv: abc123de, x: [ }" });
    expect(shown).not.toContain("abc123de");
  });

  it("is not shown where only its name reveals it, if that was found", () => {
    const found: Diagnostic = { ...place, code: "secret-in-file" };
    const shown = renderProblems([place], {
      columns: 80,
      color: false,
      lineAt: () => "token: abc123de",
      all: [place, found],
    });
    expect(shown).not.toContain("abc123de");
  });
});

describe("as JSON", () => {
  it("is complete and in the shape that CI reads", () => {
    expect(JSON.parse(renderDiagnosticsJson(report([price])))).toEqual({
      formatVersion: 1,
      ok: false,
      target: { environment: "sandbox", baseUrl: "embedded", checkedAs: "sandbox" },
      files: 3,
      events: 2,
      webhooks: 0,
      strict: false,
      hidden: 0,
      diagnostics: [price],
    });
  });

  it("masks tokens of URLs and holds no character that a terminal obeys", () => {
    const json = renderDiagnosticsJson(report([{ ...price, message: "a\u009b31m\u202e https://a.example/?token=t" }]));
    for (const unsafe of ["\u009b", "\u202e", "token=t"]) expect(json).not.toContain(unsafe);
    expect(JSON.parse(json).diagnostics[0].message).toBe("a\u009b31m\u202e https://a.example/?***");
  });
});

describe("as annotations", () => {
  it("each problem is one command with an escaped place and text", () => {
    const odd = { ...price, source: { file: "events/a,b:c%.yaml", line: 1, column: 2 }, message: "50%\n::error::x" };
    expect(renderDiagnosticsGithub(report([odd]), "tickets/")).toBe(
      "Target: sandbox (the embedded service), offline\n::error file=tickets/events/a%2Cb%3Ac%25.yaml,line=1,col=2,title=price-not-whole::50%25\\u{a}::error::x%0Afix: Write 1500 or 1501.\n1 error. Checked 3 files (2 events).\n",
    );
  });

  it("warnings and remarks have their own level, and places may be missing", () => {
    const lines = renderDiagnosticsGithub(
      report([
        { code: "A", severity: "warning", message: "A." },
        { code: "B", severity: "info", message: "B." },
      ]),
      "",
    ).split("\n");
    expect(lines.slice(1, 3)).toEqual(["::warning title=A::A.", "::notice title=B::B."]);
  });
});

describe("as SARIF", () => {
  it("has rules, levels and places", () => {
    const sarif = JSON.parse(
      renderDiagnosticsSarif(
        report([
          { ...price, source: { file: "events/ü b.yaml", line: 3, column: 4 } },
          { code: "no-files-matched", severity: "warning", message: "There are no event files." },
          price,
        ]),
        { prefix: "tickets/", version: "1.2.3", helpOf },
      ),
    );
    expect(sarif.version).toBe("2.1.0");
    const [run] = sarif.runs;
    expect(run.tool.driver).toMatchObject({ name: "ticketing", semanticVersion: "1.2.3" });
    expect(run.tool.driver.rules.map((rule: { id: string }) => rule.id)).toEqual([
      "price-not-whole",
      "no-files-matched",
    ]);
    expect(run.tool.driver.rules[0]).toMatchObject({
      shortDescription: { text: expect.stringContaining("A price with a fraction") },
      help: { text: expect.stringContaining("fix: "), markdown: expect.stringContaining("```yaml\ntickets:") },
    });
    expect(run.results.map((result: object) => ({ ...result, message: undefined }))).toMatchObject([
      {
        ruleId: "price-not-whole",
        ruleIndex: 0,
        level: "error",
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: "tickets/events/%C3%BC%20b.yaml" },
              region: { startLine: 3, startColumn: 4 },
            },
          },
        ],
      },
      {
        ruleIndex: 1,
        level: "warning",
        locations: [{ physicalLocation: { artifactLocation: { uri: "tickets/ticketing.yaml" } } }],
      },
      { ruleIndex: 0 },
    ]);
  });
});

it("the same mistake in many files is reported twice, and then by its places; all of it on demand", () => {
  const hint = "Add a line such as `dateTime: 2027-03-14T19:00`.";
  const mistake = (index: number) => ({
    code: "missing-field" as const,
    severity: "error" as const,
    message: `\`dateTime\` is missing in Night ${index}.`,
    hint,
    source: { file: `events/${Math.floor(index / 2)}.yaml`, line: 1 + index, column: 1 },
  });
  const report = {
    ok: false,
    target: { environment: "sandbox", baseUrl: "embedded", checkedAs: "sandbox" },
    files: 4,
    events: 0,
    webhooks: 0,
    diagnostics: Array.from({ length: 8 }, (_, index) => mistake(index)),
    hidden: 0,
    strict: false,
  };
  const options = { columns: 80, color: false, lineAt: () => undefined };
  const said = renderDiagnosticsText(report, options);
  expect(said.match(/is missing in/g)).toHaveLength(2);
  expect(said).toContain(`error[missing-field] 6 more like events/0.yaml:1:1 (--verbose shows each)
  events/1.yaml:3:1, events/1.yaml:4:1, events/2.yaml:5:1, events/2.yaml:6:1,
  events/3.yaml:7:1, events/3.yaml:8:1

Learn more: ticketing explain missing-field

8 errors. Checked 4 files (0 events).`);
  expect(renderDiagnosticsText(report, { ...options, full: true }).match(/is missing in/g)).toHaveLength(8);
});
