import { describe, expect, it } from "vitest";
import { plainValue } from "../../../src/config/yaml/located.ts";
import { readYaml } from "../../../src/config/yaml/read-yaml.ts";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { reported } from "../project-of.ts";

function parse(text: string) {
  const problems: Diagnostic[] = [];
  const documents = readYaml("a.yaml", text, problems);
  return { documents, problems, reported: reported(problems) };
}

describe("mistakes in YAML", () => {
  it.each([
    ["description: A night\nby the bay\na: 1\n", "If it continues `description`, put two spaces in front of it"],
    ["description: |\nby the bay\na: 1\n", "Put two spaces in front of each of its lines."],
    ["description: |\n  First\nby the bay\na: 1\n", "Put two spaces in front of each of its lines."],
    ["name: [SOLD OUT] Night\n", 'Write "[SOLD OUT] Night".'],
    ["name: {{act}} Night\n", 'Write "{{act}} Night".'],
    ["name: {{act}}\n", "Text that starts with {{ must be in quotes."],
    ["name: x\nstatus DRAFT now\na: 1\n", "Write `status: …`, with a space after the colon."],
  ])("%j: %s", (text, hint) => {
    expect(parse(text).problems.map((problem) => problem.hint)).toEqual([expect.stringContaining(hint)]);
  });

  it.each([
    ["a tab", "name: x\ntickets:\n\t- name: GA\n", "a.yaml:3:1 yaml-trap"],
    ["an open quote", 'name: "x\ndateTime: y\n', "a.yaml:1:7 yaml-syntax"],
    ["an open bracket", "tickets: [ { name: x }\nfoo: 1\n", "a.yaml:1:10 yaml-syntax"],
    ["a bracket that is open at the end", "a: 1\nb: [ { name: x }\n", "a.yaml:2:4 yaml-syntax"],
    ["a bracket within a closed one", "a: [\n  { name: x\n  ]\nb: 1\n", "a.yaml:2:3 yaml-syntax"],
    ["a field that is indented too far", "name: x\n  dateTime: y\n", "a.yaml:2:3 yaml-syntax"],
    ["a field that is indented too little", "tickets:\n  - name: x\n   price: 1\n", "a.yaml:3:4 yaml-syntax"],
    ["a colon in a text", "name: Act 1: Doors\n", "a.yaml:1:7 yaml-syntax"],
    ["a merge conflict", "a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> x\n", "a.yaml:2:1 yaml-syntax"],
    ["a missing colon", "name x\ndateTime: y\n", "a.yaml:1:1 yaml-syntax"],
    ["a text that begins with a star", "name: *** Party ***\n", "a.yaml:1:7 yaml-syntax"],
    ["a text that begins with an at sign", "name: @home\n", "a.yaml:1:7 yaml-syntax"],
    ["a tag", "name: !wow\n", "a.yaml:1:7 yaml-syntax"],
    ["a key that is no word", "? [a, b]\n: c\n", "a.yaml:1:3 yaml-syntax"],
    ["an alias of nothing", "a: *b\n", "a.yaml:1:4 yaml-syntax"],
    ["an alias of itself", "a: &a [*a]\n", "a.yaml:1:8 yaml-syntax"],
    ["a refused key", "a: { constructor: 1 }\n", "a.yaml:1:6 forbidden-key"],
    ["a switch word", "published: yes\n", "a.yaml:1:12 yaml-trap"],
    ["a point for thousands", "quantity: 2.000\n", "a.yaml:1:11 yaml-trap"],
    ["a leading zero", "row: 007\n", "a.yaml:1:6 yaml-trap"],
    ["another base", "price: 0x5DC\n", "a.yaml:1:8 yaml-trap"],
    ["a color without quotes", "color: #FF8800\n", "a.yaml:1:8 yaml-trap"],
    ["a text that begins with an ampersand", "name: &VIP\n", "a.yaml:1:11 yaml-trap"],
    ["a text of which an ampersand takes the first word", "name: &Friends Night\n", "a.yaml:1:16 yaml-trap"],
    ["a text that begins with a bracket", "name: [SOLD OUT] Night\n", "a.yaml:1:7 yaml-syntax"],
    ["a text that continues without indentation", "description: A night\nby the bay\na: 1\n", "a.yaml:2:1 yaml-syntax"],
    ["a block without indentation", "description: |\nby the bay\na: 1\n", "a.yaml:2:1 yaml-syntax"],
    ["a merge of no map", "<<: 3\na: 1\n", "a.yaml:1:5 yaml-syntax"],
  ])("such as %s are reported at their place", (_, text, expected) => {
    expect(parse(text).reported).toEqual([expected]);
  });

  it("such as an anchor that nothing refers to are only warnings, and none where it stands before quotes", () => {
    const severities = (text: string) => parse(text).problems.map(({ severity }) => severity);
    expect(["a: &x Manila\n", 'a: &x "Manila"\n', "a: &x Manila\nb: *x\n"].map(severities)).toEqual([
      ["warning"],
      [],
      [],
    ]);
  });

  it.each([
    ["tickets:\n  - { name: GA, price: 1 },\n  - { name: VIP, price: 2 }\n", "a.yaml:2:27"],
    ["tickets:\n  - { name: GA, price: 1 }, # all\n", "a.yaml:2:27"],
    ['name: "Jazz",\r\ndateTime: x\r\n', "a.yaml:1:13"],
    ["tickets: [{ name: GA },, { name: VIP }]\n", "a.yaml:1:24"],
  ])("such as a comma too many say to remove it: %j", (text, place) => {
    const { problems, reported } = parse(text);
    expect(reported).toEqual([`${place} yaml-syntax`]);
    expect(problems).toMatchObject([{ message: "There is an extra comma here.", hint: "Remove the comma." }]);
  });

  it.each([
    ["name:Jazz Night\ndateTime: x\n", "Write `name: Jazz Night`."],
    ["name:Jazz Night  # at last\r\ndateTime: x\r\n", "Write `name: Jazz Night`."],
    ["tickets:\n  - name:Early Bird\n    price: 1\n", "Write `name: Early Bird`."],
  ])("such as a missing space show the whole line without it: %j", (text, hint) => {
    expect(parse(text).problems).toMatchObject([{ hint }]);
  });

  it("such as a key written twice are reported at both places", () => {
    expect(parse("a: 1\nb: 2\na: 3\n").reported).toEqual(["a.yaml:1:1 yaml-trap", "a.yaml:3:1 yaml-trap"]);
  });

  it("in one document do not hide the others", () => {
    const { documents, reported } = parse("a: [\n---\nb: 1\n");
    expect(reported).toHaveLength(1);
    expect(documents.map(({ content }) => content && plainValue(content))).toEqual([null, { b: 1 }]);
  });

  it.each(["YES", "Off", "no"])("include %s, in any case of letters", (word) => {
    expect(parse(`a: ${word}\n`).reported).toEqual(["a.yaml:1:4 yaml-trap"]);
    expect(parse(`a: "${word}"\n`).reported).toEqual([]);
  });
});

describe("hostile YAML ends soon", () => {
  it.each([
    ["brackets", `a: ${"[".repeat(200_000)}`, "too-deep"],
    ["dashes", "- ".repeat(200_000), "too-deep"],
    ["keys", Array.from({ length: 40_000 }, (_, index) => `k${index}: 1`).join("\n"), "too-many-keys"],
    [
      "keys in brackets",
      `a: {${Array.from({ length: 40_000 }, (_, index) => `k${index}: 1`).join(", ")}}`,
      "too-many-keys",
    ],
    ["aliases", `a: &a x\nb: [${Array(101).fill("*a").join(", ")}]`, "yaml-trap"],
    [
      "aliases of aliases",
      [
        "a: &a [x, x, x, x, x, x, x, x, x]",
        ..."bcdefgh"
          .split("")
          .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${"abcdefg"[index]}`).join(", ")}]`),
      ].join("\n"),
      "yaml-trap",
    ],
  ])("although it is made of %s", { timeout: 20_000 }, (_, text, code) => {
    const { problems, documents } = parse(text);
    expect(problems.map((problem) => problem.code)).toEqual([code]);
    expect(documents.every(({ content }) => content === null)).toBe(true);
  });
});

describe("good YAML", () => {
  it("may use anchors, merges, folded texts and up to 64 levels", () => {
    const { documents, reported } = parse("base: &b { x: 1, y: 2 }\nown: { <<: *b, y: 3 }\ntext: >\n  a\n  b\n");
    expect(reported).toEqual([]);
    expect(documents.map(({ content }) => content && plainValue(content))).toEqual([
      { base: { x: 1, y: 2 }, own: { y: 3, x: 1 }, text: "a b\n" },
    ]);
    expect(parse(`a: ${"[".repeat(62)}${"]".repeat(62)}`).reported).toEqual([]);
  });

  it("is numbered in lines and columns from one, whatever the line ends are", () => {
    const { documents } = parse("a: 1\r\nb:\r\n  c: 2\r\n");
    const content = documents[0]?.content;
    expect(content?.type === "map" && content.entries.get("b")?.value.source).toEqual({
      file: "a.yaml",
      line: 3,
      column: 3,
    });
  });

  it.each(["name: Gala\rstatus: DRAFT\r", "# Spring\rname: Gala\rstatus: DRAFT\n", "a: 1\nb: 2\rc: 3\n"])(
    "is refused with the line ends of old Macs, which would hide a field: %j",
    (text) => {
      const { documents, problems } = parse(text);
      expect(documents).toEqual([]);
      expect(problems).toMatchObject([{ message: expect.stringContaining("only a carriage return (CR)") }]);
    },
  );
});
