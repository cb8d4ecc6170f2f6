// Any valid document, however it is written and wherever its comments are, comes out in the one layout: the same values, every
// comment once and next to what it was next to, and nothing more to do the second time.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Document, parseAllDocuments, Scalar } from "yaml";
import { formatText } from "../../../src/import/text.ts";
import { fieldOrder, kindOf } from "../../../src/kinds/index.ts";

function format(text: string): string {
  const formatted = formatText("events/a.yaml", text, "event");
  if (!formatted.ok) throw new Error(`${JSON.stringify(formatted.diagnostics)}\n${text}`);
  return formatted.text;
}

const texts = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constantFrom("Manila Nights", "+6h", "-6w at 10:00", "day 2 10:00", "22:00", "2027-01-01"),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...[
        "yes",
        "1500",
        "a: b",
        "# no",
        "- dash",
        "${var.x}",
        "it's",
        'say "x"',
        "a\nb\n",
        "a\n\nb",
        "\n lead\nx",
        "x\n\n",
      ],
      ...[
        "  lead",
        "trail ",
        "a\tb",
        "🎉 party",
        "",
        "null",
        "~",
        "{a}",
        "a, b",
        "[x]",
        "?q",
        "? q",
        ": x",
        "key:",
        "x #y",
      ],
      ...[
        "%x",
        "@x",
        "<<",
        "=",
        "1e3",
        "0x10",
        "01:30:00",
        "a\\b",
        "\u200bhidden",
        "\u0007",
        "---",
        "...",
        "a\r\nb",
        "&a",
        "*a",
        "!t",
      ],
      ...[
        "${env.TICKETING_VAR_A}",
        "word ".repeat(40).trim(),
        `${"long  double ".repeat(20)}end`,
        `a ${"x".repeat(120)} b`,
      ],
    ),
  },
  {
    weight: 2,
    arbitrary: fc.string({ maxLength: 20, unit: "grapheme" }).filter((text) => !text.includes("__proto__")),
  },
);

const style = fc.record({
  quotes: fc.constantFrom<Scalar.Type>("PLAIN", "QUOTE_DOUBLE", "QUOTE_SINGLE", "BLOCK_LITERAL", "BLOCK_FOLDED"),
  above: fc.boolean(),
  behind: fc.boolean(),
  blank: fc.boolean(),
});

interface Written {
  readonly text: string;
  readonly style: { quotes: Scalar.Type; above: boolean; behind: boolean; blank: boolean };
}

const written = fc.record({ text: texts, style });
const some = { freq: 3 } as const;
const entry = (label: string, ...fields: string[]) =>
  fc.record({
    isFlow: fc.boolean(),
    style,
    endComment: fc.boolean(),
    order: fc.shuffledSubarray([label, ...fields], { minLength: fields.length + 1 }),
    values: fc.record(Object.fromEntries(fields.map((field) => [field, fc.option(written, some)]))),
  });
const list = (label: string, ...fields: string[]) =>
  fc.option(
    fc.record({
      style,
      endComment: fc.boolean(),
      items: fc.array(entry(label, ...fields), { minLength: 1, maxLength: 3 }),
    }),
    some,
  );
const scalars = ["name", "description", "imageUrl", "timezone", "dateTime", "callbackUrl", "key"];
const lists = {
  tickets: ["name", "section", "row", "type"],
  schedules: ["title", "startTime", "color"],
  phases: ["name", "from", "description"],
};

const documents = fc.record({
  head: fc.boolean(),
  step: fc.constantFrom(1, 2, 4),
  crlf: fc.boolean(),
  endComment: fc.boolean(),
  scalars: fc.record(Object.fromEntries(scalars.map((field) => [field, fc.option(written, some)]))),
  lists: fc.record(
    Object.fromEntries(Object.entries(lists).map(([field, [label = "", ...rest]]) => [field, list(label, ...rest)])),
  ),
  order: fc.shuffledSubarray([...scalars, ...Object.keys(lists)], { minLength: scalars.length + 3 }),
});

type Drawn = typeof documents extends fc.Arbitrary<infer T> ? T : never;

interface Expected {
  readonly comment: string;
  readonly where: "above" | "behind" | "end" | "tail" | "head";
  /** What is on the line that it is beside. */
  readonly token: string;
}

/** The document as somebody might have written it, and where its comments belong. */
function write(drawn: Drawn): { text: string; expected: readonly Expected[] } {
  const lines: string[] = [];
  const expected: Expected[] = [];
  let number = 0;
  const note = (where: Expected["where"], token: string): string => {
    number += 1;
    const comment = `# ${where} ${number}`;
    expected.push({ comment, where, token });
    return comment;
  };
  const scalar = (
    { text, style: { quotes } }: Written,
    column: number,
    isFlow: boolean,
  ): { first: string; rest: string[] } => {
    const node = new Scalar(text);
    node.type = isFlow && quotes.startsWith("BLOCK") ? "QUOTE_DOUBLE" : quotes;
    const document = new Document(isFlow ? { k: node } : node);
    if (isFlow) (document.contents as unknown as { flow: boolean }).flow = true;
    const printed = document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: 1e9 }).replace(/\n$/, "");
    const bare = isFlow ? printed.replace(/^\{ k: /, "").replace(/ \}$/, "") : printed;
    const [first = "", ...rest] = bare.split("\n");
    const shift = " ".repeat(Math.max(column - 2, 0));
    return {
      first,
      rest: rest.map((line) =>
        line === "" ? "" : shift + (isFlow ? "" : "  ".slice(0, column - shift.length)) + line.slice(0),
      ),
    };
  };
  const field = (name: string, value: Written, indent: number, dash: string): void => {
    const { first, rest } = scalar(value, indent + 2, false);
    if (dash === "") {
      if (value.style.blank) lines.push("");
      if (value.style.above && lines.some((line) => line.trim() !== "" && !line.startsWith("#")))
        lines.push(`${" ".repeat(indent)}${note("above", `${name}:`)}`);
    }
    const prefix = dash === "" ? " ".repeat(indent) : dash;
    const behind = value.style.behind ? ` ${note("behind", `${name}:`)}` : "";
    const own = [`${prefix}${name}: ${first}`, ...rest];
    const line = /^[|>]/.test(first) ? 0 : own.length - 1;
    lines.push(...own.map((each, index) => (index === line ? each + behind : each)));
  };
  if (drawn.head) lines.push(note("head", ""));
  let unique = 0;
  for (const name of drawn.order) {
    const value = drawn.scalars[name];
    if (value !== undefined && value !== null) field(name, value, 0, "");
    const drawnList = drawn.lists[name];
    if (drawnList === undefined || drawnList === null) continue;
    const label = (lists as Record<string, readonly string[]>)[name]?.[0] ?? "";
    if (drawnList.style.above && lines.some((line) => !line.startsWith("#"))) lines.push(note("above", `${name}:`));
    lines.push(`${name}:${drawnList.style.behind ? ` ${note("behind", `${name}:`)}` : ""}`);
    const indent = " ".repeat(drawn.step);
    for (const item of drawnList.items) {
      unique += 1;
      const called = `entry${unique}`;
      const values: Record<string, Written | null> = { ...item.values, [label]: { text: called, style: item.style } };
      if (item.style.blank) lines.push("");
      if (item.style.above) lines.push(`${indent}${note("above", called)}`);
      const fields = item.order.flatMap((each): [string, Written][] =>
        values[each] == null ? [] : [[each, values[each] as Written]],
      );
      if (item.isFlow) {
        const parts = fields.map(([each, one]) => `${each}: ${scalar(one, 0, true).first}`);
        lines.push(`${indent}- { ${parts.join(", ")} }${item.style.behind ? ` ${note("behind", called)}` : ""}`);
      } else {
        for (const [index, [each, one]] of fields.entries())
          field(
            each,
            each === label ? { ...one, style: { ...one.style, quotes: "PLAIN" } } : one,
            drawn.step + 2,
            index === 0 ? `${indent}- ` : "",
          );
        if (item.endComment) lines.push(`${indent}  ${note("end", name)}`);
      }
    }
    if (drawnList.endComment) lines.push(`${indent}${note("end", name)}`);
  }
  if (drawn.endComment) lines.push(note("tail", ""));
  return { text: lines.map((line) => line + (drawn.crlf ? "\r\n" : "\n")).join(""), expected };
}

function values(text: string): unknown {
  return parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw new Error(`${document.errors[0]}\n${text}`);
    return document.toJS();
  });
}

function isReadable(text: string): boolean {
  const formatted = formatText("a.yaml", text, "event");
  return formatted.ok || formatted.diagnostics.some(({ code }) => code === "not-formatted");
}

describe("formatting", () => {
  test("keeps every value and every comment, and is done the first time", () => {
    let refused = 0;
    let all = 0;
    void fc.assert(
      fc.property(documents, (drawn) => {
        const { text, expected } = write(drawn);
        all += 1;
        if (!isReadable(text)) {
          refused += 1;
          return;
        }
        const formatted = format(text);
        expect(values(formatted)).toEqual(values(text));
        expect(format(formatted)).toBe(formatted);
        expect(formatted).not.toMatch(/\r|[^\n]$|^\n/);
        const lines = formatted.split("\n");
        for (const { comment, where, token } of expected) {
          const at = lines.flatMap((line, index) => (line.endsWith(comment) ? [index] : []));
          expect(at, `${comment}\n${text}\n${formatted}`).toHaveLength(1);
          expect(isBeside(lines, at[0] ?? 0, where, token), `${comment} (${token})\n${text}\n${formatted}`).toBe(true);
        }
        const keys = lines
          .flatMap((line) => /^(\w+):/.exec(line)?.[1] ?? [])
          .filter((key) => fieldOrder(kindOf("event")).includes(key));
        const ranks = keys.map((key) => fieldOrder(kindOf("event")).indexOf(key));
        expect(ranks).toEqual([...ranks].sort((one, other) => one - other));
      }),
      { numRuns: 250 },
    );
    // What the reader itself refuses, such as `yes` without quotes.
    expect(refused / all).toBeLessThan(0.35);
  });
});

/** Whether the comment is where it was: on the line of what it is about, above it, or at the end of its list. */
function isBeside(lines: readonly string[], at: number, where: Expected["where"], token: string): boolean {
  const isContent = (line: string) => line.trim() !== "" && !line.trim().startsWith("#");
  const next = lines.slice(at + 1).find(isContent) ?? "";
  const owner = lines.slice(0, at).findLast((line) => /^\w+:/.test(line)) ?? "";
  switch (where) {
    case "head":
      return lines.slice(0, at).every((line) => !isContent(line));
    case "tail":
      return next === "";
    case "end":
      return owner.startsWith(`${token}:`) && /^\s/.test(lines[at] ?? "");
    case "above":
      return next.includes(token);
    case "behind":
      return (lines[at] ?? "").includes(token) || (token.startsWith("entry") && next.includes(token));
  }
}
