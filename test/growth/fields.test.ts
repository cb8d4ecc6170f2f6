// Hostile text in every field, in the files and on the service: eight times the text takes about eight times the time.
import { describe, expect, test } from "vitest";
import { renderPlan } from "../../src/app/planning/save-plan.ts";
import { kinds } from "../../src/kinds/index.ts";
import { lint } from "../../src/lint/lint.ts";
import { type Diagnostic, sortDiagnostics } from "../../src/model/diagnostic.ts";
import {
  renderDiagnosticsGithub,
  renderDiagnosticsJson,
  renderDiagnosticsSarif,
  renderDiagnosticsText,
} from "../../src/report/diagnostics.ts";
import { helpOf } from "../../src/report/reference/explain.ts";
import { withoutPeople } from "../../src/report/text/sanitize.ts";
import { type Files, load, now, planOf } from "../stage/plan-of.ts";
import { expectLinear } from "./growth.ts";

const hostile: Readonly<Record<string, string>> = {
  tabs: "\t",
  spaces: " ",
  "lines and spaces": "  \n",
  letters: "a",
  "words with dots": "a.",
  dashes: "-",
  slashes: "/",
  stars: "**a",
  backticks: "`a",
  quotes: "“ ",
  backslashes: "\\",
  "opened tags": "<p ",
  "opened comments": "<!--",
  "closed paragraphs": "</p> ",
  entities: "&amp;",
  addresses: "https://a?b=c ",
  credentials: "https://a:b@",
  mails: "a@b",
  escapes: "\u001b[31m",
  "directions and joiners": "\u202e\u200d",
  "wide characters": "あ、",
  accents: "e\u0301",
  emoji: "👩‍👩‍👧",
  variables: "$${",
};

/** What reports have trouble with: the rest is checked before anything is planned. */
const shownHostile = Object.entries(hostile).filter(([name]) =>
  /tabs|lines|letters|stars|backticks|quotes|tags|comments|addresses|escapes|accents|emoji|joiners/.test(name),
);

const long = 16_000;

/** About so many characters, ended so that nothing is what it began as. */
function textOf(piece: string, length: number, end = "\u0001x"): string {
  return piece.repeat(Math.floor(length / piece.length)) + end;
}

interface Field {
  readonly kind: string;
  readonly plural: string;
  readonly parent: string | null;
  readonly name: string;
}

const fields: readonly Field[] = kinds.flatMap(({ name: kind, plural, parent, fields: policies }) =>
  Object.entries(policies).flatMap(([name, policy]) =>
    policy.role === "children" ? [] : [{ kind, plural, parent, name }],
  ),
);

const lists = new Set(["galleryUrls", "events", "ignore", "allow"]);
const sound: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  event: { name: "Manila Nights", dateTime: "2027-03-14T19:00", locationType: "ONLINE" },
  ticket: { name: "GA", price: 100, quantity: 10 },
  performer: { name: "DJ Ana" },
  schedule: { title: "Doors", startTime: "2027-03-14T19:00", endTime: "2027-03-14T20:00" },
  brand: { name: "Acme" },
  webhook: { url: "https://hooks.example.com/orders", events: ["order.completed"] },
};

/** Each field with the text in its own file; JSON is YAML. */
function filesWith(text: string, only: readonly Field[] = fields): Files {
  const files: Record<string, string> = {};
  for (const { kind, plural, parent, name } of only) {
    const object = { ...sound[kind], [name]: lists.has(name) ? [text] : text };
    const event = { ...sound.event, name: `${kind} ${name}` };
    const whole = parent === null ? object : { ...event, [plural]: [object] };
    if (kind === "webhook") files[`webhooks/${name}.yaml`] = JSON.stringify([object]);
    else files[`events/${kind}-${name}.yaml`] = JSON.stringify(whole);
  }
  return { ...files, "ticketing.yaml": "version: 1\nwebhooks: webhooks/*.yaml\n" };
}

async function validate(files: Files): Promise<readonly Diagnostic[]> {
  const project = await load(files);
  const found = sortDiagnostics([...project.diagnostics, ...lint(project, { now, environment: "sandbox" })]);
  const report = {
    ...{
      ok: false,
      target: { environment: "sandbox", baseUrl: "embedded", checkedAs: "sandbox" },
      files: 1,
      events: 1,
      webhooks: 1,
      diagnostics: found,
      hidden: 0,
      strict: false,
    },
  };
  const lineAt = () => files["events/event-name.yaml"];
  renderDiagnosticsText(report, { columns: 80, color: false, lineAt, full: true });
  renderDiagnosticsJson(report);
  renderDiagnosticsSarif(report, { helpOf, prefix: "", version: "0.0.0" });
  renderDiagnosticsGithub(report, "");
  return found;
}

// Fields that take any text, so that nothing but the text prevents a plan.
const anyText = ["description", "section", "row", "icon"];
const shownFields = fields.filter(({ name, kind }) => anyText.includes(name) && kind !== "webhook");

/** The text in every field and name of the files, another one on the service. */
async function plan(text: string, shown: string): Promise<void> {
  // Six of them have to fit into one file.
  const label = text.trim().slice(0, 40_000);
  const files = {
    ...filesWith(text, shownFields),
    "events/names.yaml": JSON.stringify({
      ...{ ...sound.event, name: label },
      tickets: [{ ...sound.ticket, name: label }],
      performers: [{ name: label }],
      schedules: [{ ...sound.schedule, title: label, performer: label }],
      brands: [{ name: label }],
    }),
    "webhooks/url.yaml": JSON.stringify([{ ...sound.webhook, url: `https://hooks.example.com/${text}` }]),
  };
  const start = "2027-03-14T11:00:00.000Z";
  const times = { startTime: start, endTime: "2027-03-14T12:00:00.000Z" };
  const events = shownFields.map(({ kind, plural, parent, name }) => {
    const object = { ...sound[kind], [name]: shown };
    const event = { name: `${kind} ${name}`, dateTime: start };
    if (parent === null) return { ...event, ...object, name: "Manila Nights", dateTime: start };
    return { ...event, [plural]: [{ ...object, ...(kind === "schedule" ? times : {}) }] };
  });
  const names = {
    ...{ name: shown, dateTime: start, tickets: [{ ...sound.ticket, name: shown }], performers: [{ name: shown }] },
    ...{ schedules: [{ title: shown, ...times }], brands: [{ name: shown }] },
  };
  const webhooks = [
    { url: `https://hooks.example.com/${shown}`, events: ["order.completed" as const] },
    { url: "https://hooks.example.com/**a**b**c**d**e**f**g", events: ["order.completed" as const] },
  ];
  const made = await planOf({ files, live: { events: [...events, names], webhooks } });
  // A password in a file is an error, and then there is nothing to plan.
  if (!text.includes("://a:b@")) expect(made.plan.changes.length).toBeGreaterThan(5);
  for (const format of ["text", "json", "markdown", "html"]) {
    await renderPlan(made, { format, color: true, verbose: true, directory: ".", columns: 80 });
  }
}

describe("checking files takes time in proportion to their text", () => {
  test.each(Object.entries(hostile))("%s in every field", async (_, piece) => {
    await expectLinear((length) => validate(filesWith(textOf(piece, length))), long);
  });

  test("a text of 50,000 characters is read, one of more than 100,000 is refused at its place", async () => {
    const description = fields.filter(({ name, kind }) => name === "description" && kind === "event");
    expect((await validate(filesWith("word ".repeat(10_000), description))).map(({ code }) => code)).not.toContain(
      "too-long",
    );
    const [refused] = (await validate(filesWith("word ".repeat(20_001), description))).filter(
      ({ code }) => code === "too-long",
    );
    expect(refused?.message).toBe("This text has 100,005 characters; the limit is 100,000.");
    expect(refused?.source).toMatchObject({ file: "events/event-description.yaml", line: 1 });
  });
});

describe("planning takes time in proportion to what is live", () => {
  test.each(shownHostile)("%s, on both sides, a little different", async (_, piece) => {
    await expectLinear((length) => plan(textOf(piece, length), textOf(piece, length, " y")), long);
  });

  test("and altogether different", async () => {
    await expectLinear((length) => plan(textOf("a b ", length), textOf("c\nd ", length)), long);
  });

  test("what may be people in a delivery", async () => {
    await expectLinear((length) => withoutPeople({ payload: textOf("a", length), other: textOf("a@", length) }), long);
  });
});
