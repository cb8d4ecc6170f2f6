// The page of rules is held to the program: every code is on it, and each example does what the page says.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { FileSource } from "../../src/config/files/read-text.ts";
import { loadProject } from "../../src/config/project.ts";
import { kinds, riskCodes } from "../../src/kinds/index.ts";
import { lint } from "../../src/lint/lint.ts";
import { type Diagnostic, silencingOf } from "../../src/model/diagnostic.ts";
import { ruleSentences } from "../../src/report/diagnostics/rule-sentences.ts";
import { now } from "./build.ts";

const ruleCodes = Object.keys(ruleSentences);
const root = join(import.meta.dirname, "../..");

interface Row {
  readonly code: string;
  readonly severities: readonly string[];
  readonly wrong: readonly string[];
  readonly right: readonly string[];
}

const rows = readFileSync(join(root, "docs/rules.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .flatMap(readRows);

function readRows(line: string): Row[] {
  const [codes = "", severity = "", , wrong = "", right = ""] = line.split("|").slice(1, -1);
  return spans(codes).map((code) => ({
    code,
    severities: severity.split(",").map((word) => word.trim()),
    wrong: right === "" ? [] : spans(wrong),
    right: spans(right),
  }));
}

function spans(cell: string): string[] {
  return [...cell.matchAll(/`([^`]*)`/g)].map(([, span = ""]) => span);
}

const base = [
  "status: PUBLISHED",
  "name: Manila Nights",
  "dateTime: 2027-03-14T19:00",
  "endDateTime: 2027-03-15T02:00",
  "description: A night of live music by the bay.",
  "imageUrl: https://example.com/cover.jpg",
  "venue: Palace",
  "tickets: [{ name: GA, published: true }]",
];

function filesOf(lines: readonly string[], code: string): FileSource {
  const isWebhook = lines[0]?.startsWith("-") ?? false;
  const keys = new Set(lines.map((line) => line.split(":")[0]));
  // An event has its venue by name or by id.
  if (keys.has("venueId")) keys.add("venue");
  const event = isWebhook ? base : [...base.filter((line) => !keys.has(line.split(":")[0])), ...lines];
  // So that examples can be short; what they leave out must not be given where that is the mistake.
  const rest = code === "published-not-stated" ? "" : ", published: true";
  const texts: Record<string, string> = {
    "ticketing.yaml": `defaults: { tickets: { price: 1500, quantity: 500${rest} } }\n`,
    "events/manila-nights.yaml": `${event.join("\n")}\n`,
    ...(isWebhook ? { "webhooks.yaml": `${lines.join("\n")}\n` } : {}),
  };
  return {
    async list([glob = ""]) {
      const folder = glob.startsWith("events") ? "events/" : "webhooks";
      return { files: Object.keys(texts).filter((file) => file.startsWith(folder)), diagnostics: [] };
    },
    async read(path) {
      const text = texts[path];
      return text === undefined ? "missing" : new TextEncoder().encode(text);
    },
  };
}

async function tell(lines: readonly string[], code = ""): Promise<readonly Diagnostic[]> {
  const project = await loadProject(filesOf(lines, code), { environment: { name: "production" }, env: {}, now: 0 });
  return [...project.diagnostics, ...lint(project, { now, environment: "production" })];
}

test("the event that the examples change is sound itself", async () => {
  expect(await tell([])).toEqual([]);
});

describe.each(rows.filter(({ wrong }) => wrong.length > 0))("$code", ({ code, severities, wrong, right }) => {
  test("comes up as the page says", async () => {
    const found = (await tell(wrong, code)).filter((diagnostic) => diagnostic.code === code);
    expect(found).not.toEqual([]);
    for (const { severity, source } of found) {
      expect(severities).toContain(severity);
      expect(source).toBeDefined();
    }
  });

  test("does not come up where the page's advice is taken", async () => {
    const found = await tell(right, code);
    expect(found.filter((diagnostic) => diagnostic.code === code)).toEqual([]);
    expect(found.filter(({ severity }) => severity === "error")).toEqual([]);
  });
});

test("every code of the rules, the readers and the kinds is on the page", () => {
  const codes = new Set(["src/lint", "src/kinds/lint-rules", "src/config"].flatMap(codesIn));
  for (const kind of kinds) {
    for (const policy of Object.values(kind.fields)) {
      if (policy.role === "value" && policy.mistake !== undefined) codes.add(policy.mistake);
    }
  }
  const known = new Set(rows.map(({ code }) => code));
  expect([...codes].filter((code) => !known.has(code))).toEqual([]);
});

test("every remark of a plan that `ignore` reaches is on the page", () => {
  const codes = planRemarks();
  expect(codes).toContain("sold-out-stays");
  const known = new Set(rows.map(({ code }) => code));
  expect(codes.filter((code) => !known.has(code))).toEqual([]);
});

test("every code on the page is one of the program", () => {
  const codes = new Set(codesIn("src"));
  // Made from the name of the kind that an entry names.
  codes.add("unknown-performer");
  expect(rows.map(({ code }) => code).filter((code) => !codes.has(code))).toEqual([]);
});

test("`ignore` knows every code on the page, and no other", () => {
  expect(ruleCodes.toSorted()).toEqual([...new Set(rows.map(({ code }) => code))].sort());
});

test("`ignore` silences what the rules and the remarks of a plan find, save what makes the rest unreadable", () => {
  const found = planRemarks();
  const codes = new Set([...codesIn("src/lint"), ...codesIn("src/kinds/lint-rules"), ...found]);
  codes.delete("unknown-timezone");
  expect(ruleCodes.filter((code) => silencingOf(code) === "silenced").toSorted()).toEqual([...codes].sort());
});

/** The codes of remarks on a plan; a risk is accepted by `allow`, not ignored. */
function planRemarks(): string[] {
  const files = ["src/kinds/rules/event-rules.ts", "src/kinds/rules/ticket-rules.ts", "src/plan/webhooks.ts"];
  return files.flatMap(codesOf).filter((code) => !riskCodes.includes(code as (typeof riskCodes)[number]));
}

function codesIn(folder: string): string[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return files.filter((file) => file.endsWith(".ts")).flatMap((file) => codesOf(join(folder, file)));
}

function codesOf(file: string): string[] {
  return [...readFileSync(join(root, file), "utf8").matchAll(codeInSource)].map(
    ([, one, other, third]) => one ?? other ?? third ?? "",
  );
}

// `code: "x"`, `code: mistake ?? "x"`, `mistake: "x"`, `problem("x", ...)`
const codeInSource =
  /\b(?:code|mistake): "([a-z-]+)"|\bmistake \?\? "([a-z-]+)"|\b(?:problem|errorAt|errorOf|fileError)\(\s*"([a-z-]+)"/g;
