import { describe, expect, it } from "vitest";
import { lint } from "../../../src/lint/lint.ts";
import { sortDiagnostics } from "../../../src/model/diagnostic.ts";
import { eventProject, projectOf, reported } from "../project-of.ts";

const start = "dateTime: 2027-03-14T19:00\n";

describe("a code in `ignore` that no rule has", () => {
  it("is a warning at its place, with the code that was meant", async () => {
    const { diagnostics, events } = await eventProject(
      `name: A\n${start}ignore: [far-futur, odd-duration]\ntickets:\n  - { name: GA, price: 1, quantity: 1, ignore: [vip_cheaper_than_ga] }\n`,
    );
    expect(reported(diagnostics)).toEqual(["events/a.yaml:3:10 unknown-code", "events/a.yaml:5:49 unknown-code"]);
    expect(diagnostics.map(({ severity, hint }) => `${severity}: ${hint}`)).toEqual([
      "warning: Did you mean far-future?",
      "warning: Did you mean vip-cheaper-than-ga?",
    ]);
    expect(events[0]?.own.ignore).toEqual(["far-futur", "odd-duration"]);
  });

  it("may be a risk, which has its own place", async () => {
    const { diagnostics } = await eventProject(`name: A\n${start}ignore: [reschedule-with-sales]\n`);
    expect(diagnostics.map(({ hint }) => hint)).toEqual([expect.stringContaining("`allow: [reschedule-with-sales]`")]);
  });

  it("is reported without a guess where nothing is near", async () => {
    const { diagnostics } = await eventProject(`name: A\n${start}ignore: [everything-please]\n`);
    expect(diagnostics).toMatchObject([{ code: "unknown-code", hint: expect.not.stringContaining("Did you mean") }]);
  });

  it("of a webhook is reported too", async () => {
    const { diagnostics } = await projectOf({
      "events/a.yaml": `name: A\n${start}`,
      "webhooks.yaml": "- { url: https://hooks.example.com, events: [order.completed], ignore: [secret-not-hold] }\n",
    });
    expect(reported(diagnostics)).toEqual(["webhooks.yaml:1:73 unknown-code"]);
  });

  it("of the defaults is reported once, however many events there are", async () => {
    const { diagnostics } = await projectOf({
      "ticketing.yaml": "defaults: { ignore: [far-futur] }\n",
      "events/a.yaml": `name: A\n${start}`,
      "events/b.yaml": `name: B\n${start}`,
    });
    expect(reported(sortDiagnostics(diagnostics))).toEqual(["ticketing.yaml:1:22 unknown-code"]);
  });
});

describe("a code in `ignore` of a rule that cannot be silenced", () => {
  it.each([
    ["currency: USD", "currency-not-php"],
    ["tickets: [{ name: GA, price: 1.5, quantity: 1 }]", "price-not-whole"],
    ["capacity: 700", "unknown-key"],
  ])("is reported, beside what it is about: %s", async (line, code) => {
    const { diagnostics } = await eventProject(`name: A\n${start}ignore: [${code}]\n${line}\n`);
    expect(diagnostics.map((one) => one.code).sort()).toEqual([code, "unknown-code"].sort());
    expect(diagnostics.find((one) => one.code === "unknown-code")).toMatchObject({
      severity: "warning",
      message: `\`ignore\` names \`${code}\`, which cannot be silenced: the value cannot be used as written.`,
      hint: "Correct the value, and remove the code.",
      source: { line: 3, column: 10 },
    });
  });

  it("is reported where no object could ignore it", async () => {
    const { diagnostics } = await eventProject(`name: A\n${start}ignore: [over-budget]\n`);
    expect(diagnostics).toMatchObject([
      {
        code: "unknown-code",
        message:
          "`ignore` names `over-budget`, which cannot be silenced: it is not about an event, a list entry, or a webhook.",
      },
    ]);
  });

  it("leaves a zone unknown that the times need", async () => {
    const project = await eventProject(`name: A\n${start}timezone: Mars/Base\nignore: [unknown-timezone]\n`);
    expect(project.diagnostics).toMatchObject([{ code: "unknown-code" }]);
    const found = lint(project, { now: Date.parse("2026-11-15T00:00:00Z"), environment: "production" });
    expect(found).toContainEqual(expect.objectContaining({ code: "unknown-timezone" }));
  });
});
