import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { writeLocalTime } from "../../../src/import/describe/describe-object.ts";
import { describeEvent } from "../../../src/import/describe.ts";
import { renderEvent, renderOrigins } from "../../../src/import/text/render.ts";
import { canonical } from "../../../src/kinds/fields/canonical.ts";
import type { KindName } from "../../../src/model/address.ts";
import type { Live } from "../../../src/model/live.ts";
import { load } from "../../stage/plan-of.ts";

function live(kind: KindName, fields: Live["fields"]): Live {
  const id = "00000000-0000-4000-8000-000000000001";
  return { kind, id, parentId: null, fields, status: kind === "event" ? "DRAFT" : null, remaining: null, slug: null };
}

function textOf(fields: Live["fields"], performer: Live["fields"] = { name: "Ana" }): string {
  const sight = {
    live: live("event", fields),
    lists: { performer: [live("performer", performer)] },
    venueNames: new Map(),
  };
  return renderEvent(describeEvent(sight, {}, new Map(), { environment: "sandbox", zone: "Asia/Manila" }), {
    schema: null,
  });
}

const pieces = [
  "a",
  "word",
  " ",
  "  ",
  "\n",
  "\n\n",
  "\t",
  "#",
  " #",
  ": ",
  ":",
  "-",
  "- ",
  "? ",
  "'",
  '"',
  "\\",
  "|",
  ">",
  "%",
  "@",
  "`",
  "{",
  "}",
  "[",
  "]",
  ",",
  "&x",
  "*x",
  "!t",
  "${",
  "$${",
  "$",
  "}",
  "---",
  "...",
  "<<",
  "=",
  "~",
  "null",
  "true",
  "yes",
  "0x1",
  "1e3",
  "12:30",
  "林檎",
  "👩‍👧",
  "é",
  "\u0007",
  "\u0085",
  "\u2028",
  "\u202e",
  "\ufeff",
  "\u200b",
  "word word word word word word word word word ",
];

describe("a text in a file", () => {
  it("is read as it was written, whatever it holds", async () => {
    const text = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 60 }).map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(text, text, async (one, other) => {
        const name = canonical("text", one);
        const description = canonical("markup", other);
        fc.pre(typeof name === "string" && typeof description === "string");
        const fields = { name, description, dateTime: "2027-03-14T11:00:00.000Z" } as Live["fields"];
        const project = await load({ "events/one.yaml": textOf(fields, { name, description } as Live["fields"]) });
        expect(project.diagnostics).toEqual([]);
        expect(project.events[0]?.fields).toMatchObject({ name, description });
        expect(project.events[0]?.children.performer?.[0]?.fields).toMatchObject({ name, description });
      }),
      { numRuns: 400 },
    );
  });

  it("is a block where it has several lines, and escaped where no one would see it", () => {
    const text = textOf({ name: "x\u202ey", description: "one\ntwo" });
    expect(text).toContain('name: "x\\u202ey"\n');
    expect(text).toContain("description: |-\n  one\n  two\n");
  });
});

describe("a time in a file", () => {
  it("is what clocks show in the zone, to the millisecond where that matters", () => {
    expect(writeLocalTime("2027-03-14T11:00:00.000Z", "Asia/Manila")).toBe("2027-03-14T19:00");
    expect(writeLocalTime("2027-03-14T11:00:30.000Z", "Asia/Manila")).toBe("2027-03-14T19:00:30");
    expect(writeLocalTime("2027-03-14T11:00:00.005Z", "Asia/Manila")).toBe("2027-03-14T19:00:00.005");
  });

  it("says the offset where clocks show it twice, and nothing where they show it once", () => {
    expect(writeLocalTime("2027-10-31T00:30:00.000Z", "Europe/Berlin")).toBe("2027-10-31T02:30+02:00");
    expect(writeLocalTime("2027-10-31T01:30:00.000Z", "Europe/Berlin")).toBe("2027-10-31T02:30+01:00");
    expect(writeLocalTime("2027-10-31T02:30:00.000Z", "Europe/Berlin")).toBe("2027-10-31T03:30");
    expect(writeLocalTime("2027-03-28T01:30:00.000Z", "Europe/Berlin")).toBe("2027-03-28T03:30");
  });

  it("is none where no calendar that files are written in has it", () => {
    expect(writeLocalTime("+012027-03-14T11:00:00.000Z", "Asia/Manila")).toBeNull();
  });

  it("is read as the same instant in every zone", async () => {
    const zones = ["Asia/Manila", "Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Africa/Monrovia", "UTC"];
    const [first, last] = [Date.UTC(1950, 0, 1) / 1000, Date.UTC(2100, 0, 1) / 1000];
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: first, max: last }), fc.constantFrom(...zones), async (seconds, timezone) => {
        const dateTime = new Date(seconds * 1000).toISOString();
        const project = await load({ "events/one.yaml": textOf({ name: "One", dateTime, timezone }) });
        expect(project.diagnostics).toEqual([]);
        expect(project.events[0]?.fields.dateTime).toBe(dateTime);
      }),
      { numRuns: 200 },
    );
  });
});

it.each([
  "x\n::stop-commands::t\n  ::error::planted",
  Array.from({ length: 20 }, (_, index) => `::add-mask::v${index}`).join(" "),
  `a "quoted" ::error::\\ text \u200b${"x ".repeat(60)}`,
  "Jazz ##[error]planted ###vso[task.x]y",
  "::",
])("what is printed with its origins holds no command to a workflow's runner, and says the same: %j", (description) => {
  const text = renderOrigins({ description, tickets: [{ name: description }] }, {});
  expect(text).not.toMatch(/^\s*::|##(?:\[|vso\[)/m);
  expect(parse(text)).toEqual({ description, tickets: [{ name: description }] });
});
