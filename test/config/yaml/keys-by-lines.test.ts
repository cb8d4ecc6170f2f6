import { describe, expect, it } from "vitest";
import { keysByLines } from "../../../src/config/yaml/keys-by-lines.ts";
import { projectOf } from "../project-of.ts";

const start = "name: A\ndateTime: 2027-03-14T19:00\n";

/** What reading the whole file finds. */
async function read(text: string) {
  const { events } = await projectOf({ "events/a-file.yaml": text });
  return events.map(({ own }) => own.key);
}

describe("the keys of a file by its lines", () => {
  it.each([
    ["none", start],
    ["one", `${start}key: one\n`],
    ["behind a mark and comments", `# first\n---\n# second\n${start}key: one # its key\n`],
    ["with the line ends of Windows", `${start}key: one\n`.replaceAll("\n", "\r\n")],
    ["in quotes, the field too", `${start}"key" : 'it''s one'\n`],
    ["with escapes", `key: "a\\tb \\u00e9"\n${start}`],
    ["several documents", `${start}key: one\n---\nkey: two\n${start}...\n---\n${start}key: three\n---\n`],
    [
      "of others, which are not its own",
      `${start}description: |\n  key: no\n  ---\nvars: { key: no }\ntickets:\n- name: x\n  key: no\n`,
    ],
    ["a text of several lines", `${start}description: "one\n  key: no\n\n  two"\nkey: one\n`],
    ["beside a comment that looks like one", `${start}#key: no\n`],
  ])("%s", async (_, text) => {
    expect(keysByLines("events/a-file.yaml", text)).toEqual(await read(text));
  });

  it.each([
    ["a variable", `${start}vars: { k: one }\nkey: "\${var.k}"\n`],
    ["a map in braces", "{ name: A, key: one, dateTime: 2027-03-14T19:00 }\n"],
    ["an indented map", "  name: A\n  key: one\n  dateTime: 2027-03-14T19:00\n"],
    ["a value on the next line", `${start}key:\n  one\n`],
    ["a value of two lines", `${start}key: one\n  two\n`],
    ["a block", `${start}key: |\n  one\n`],
    ["a number", `${start}key: 2027\n`],
    ["an alias", `${start}x: &k one\nkey: *k\n`],
    ["merged", `${start}<<: { key: one }\n`],
    ["content behind a mark", `--- { name: A, key: one }\n`],
    ["several documents, one without", `${start}key: one\n---\n${start}`],
  ])("are not found, but the file is read, where they are %s", (_, text) => {
    expect(keysByLines("events/a-file.yaml", text)).toBeNull();
  });
});
