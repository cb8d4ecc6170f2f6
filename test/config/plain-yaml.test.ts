import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseYaml } from "../../src/config/yaml/parse-yaml.ts";
import { readPlainYaml } from "../../src/config/yaml/plain-yaml.ts";
import type { Diagnostic } from "../../src/model/diagnostic.ts";

function readFully(text: string) {
  const problems: Diagnostic[] = [];
  const contents = parseYaml("a.yaml", text, problems).map((document) => document.content);
  return { contents, problems };
}

/** Either the plain reader is not sure, or both readers agree in every value and place, and there is nothing to complain about. */
function expectAgreement(text: string): boolean {
  const plain = readPlainYaml("a.yaml", text);
  if (plain === null) return false;
  expect(readFully(text), text).toEqual({ contents: plain, problems: [] });
  return true;
}

const event = `# a comment
status: PUBLISHED
name: Manila Nights   # buyers see it
dateTime: 2027-03-14T19:00
venue: { name: Palace, city: "Quezon City" }
description: |
  A night by the bay.

    With # and ${"${var.x}"}.

galleryUrls: [https://example.com/1.jpg, 'https://example.com/2.jpg']
tickets:
  - { name: VIP, price: 4500, quantity: 200, published: true }
  - name: GA
    price: 1500
    ignore:
      - a
      - b
performers:
- name: DJ Ana
  type: DJ
  description: >-
    House and disco
    since 2009.
  imageUrl: 'it''s'
- name: "DJ \\"Ben\\" \\\\ \\n"
  description: plays until
    the sun comes up
    at ${"${var.place}"}
schedules: []
---
key: "two \${env.TICKETING_VAR_X}"
description: |-
  x
---
`;

describe("the plain reader", () => {
  it("reads an ordinary file as the full parser does", () => {
    expect(expectAgreement(event)).toBe(true);
  });

  it("reads the line ends of Windows as the full parser does", () => {
    expect(expectAgreement(event.replaceAll("\n", "\r\n"))).toBe(true);
  });

  it.each([
    ["an anchor", "a: &x 1\nb: *x\n"],
    ["a tag", "a: !!str 1\n"],
    ["a folded text with a gap", "a: >\n  b\n\n  c\n"],
    ["a text over two lines with a comment", "a: b # x\n  c\n"],
    ["a text over two lines with a gap", "a: b\n\n  c\n"],
    ["a value that is left out", "a:\nb: 1\n"],
    ["a rare escape", 'a: "\\u00e9"\n'],
    ["a key written twice", "a: 1\na: 2\n"],
    ["a refused key", "__proto__: 1\n"],
    ["a tab", "a:\t1\n"],
    ["a lone CR", "a: 1\rb: 2\r\n"],
    ["a switch word", "a: NO\n"],
    ["a leading zero", "a: 007\n"],
    ["a colon in a text", "a: b: c\n"],
    ["a bracket over two lines", "a: [1,\n  2]\n"],
    ["a text instead of a map", "hello\n"],
    ["a stray item", "a: 1\n- b\n"],
    ["a marker with content", "--- a: 1\n"],
  ])("leaves %s to the full parser", (_, text) => {
    expect(readPlainYaml("a.yaml", text)).toBeNull();
  });

  const snippets = [
    "a",
    "b: ",
    ": ",
    ":",
    " ",
    "  ",
    "\n",
    "\n  ",
    "\n- ",
    "\n  - ",
    "- ",
    "-",
    "#",
    " #",
    '"',
    "'",
    "{",
    "}",
    "[",
    "]",
    ",",
    ", ",
    "|",
    "|-",
    ">",
    ">-",
    "\\\\n",
    '\\\\"',
    "''",
    "\n   c",
    "|\n    x",
    "\n\n",
    "\r\n",
    "\r\n  ",
    "\n    ",
    "1",
    "0",
    "-1",
    "1.5",
    "true",
    "null",
    "~",
    "yes",
    "2027-03-14T19:00",
    "${",
    "${var.x}",
    "}",
    "&",
    "*",
    "!",
    "?",
    "? ",
    "%",
    "@",
    "`",
    "---",
    "\n---\n",
    "...",
    "<<: ",
    "https://x.example",
    "é",
    "🎉",
    "\u00a0",
    "key: v",
    "x: {a: b}",
    "\n# c\n",
  ];

  it("never disagrees with the full parser on a file with typing mistakes", () => {
    const edit = fc.record({
      at: fc.nat(),
      drop: fc.nat({ max: 4 }),
      add: fc.constantFrom("", ...snippets),
    });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 4 }), (edits) => {
        let text = event;
        for (const { at, drop, add } of edits) {
          const place = at % (text.length + 1);
          text = text.slice(0, place) + add + text.slice(place + drop);
        }
        expectAgreement(text);
      }),
      { numRuns: 1_500 },
    );
  });

  it("never disagrees with the full parser on scraps of YAML", () => {
    let sure = 0;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...snippets), { maxLength: 14 }), (parts) => {
        if (expectAgreement(parts.join(""))) sure += 1;
      }),
      { numRuns: 5_000 },
    );
    expect(sure).toBeGreaterThan(100);
  });
});
