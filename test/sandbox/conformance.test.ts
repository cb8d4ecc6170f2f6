// The tables in docs speak of tests, endpoints and knobs that exist, and of all of them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { faultKinds, type Knob, knobs, profiles } from "../../src/sandbox/index.ts";
import { routes } from "../../src/sandbox/server/respond.ts";

const docs = join(import.meta.dirname, "..", "..", "docs");
const conformance = readFileSync(join(docs, "conformance.md"), "utf8");
const manual = readFileSync(join(docs, "sandbox.md"), "utf8");
const rows = [...conformance.matchAll(/^\| (.+) \| `([a-z-]+\/[a-z-]+\.test\.ts)` (.+) \|$/gm)];

test("the table has a row for every sentence that it was written for", () => {
  const bodies = conformance
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (the API specification says|endpoint) \|/.test(line));
  expect(rows).toHaveLength(bodies.length);
  expect(rows.length).toBeGreaterThan(90);
});

test.each(rows.map(([, sentence = "", file = "", name = ""]) => ({ sentence, file, name })))(
  "$sentence: $file $name",
  ({ file, name }) => {
    const source = readFileSync(join(import.meta.dirname, file), "utf8");
    const titles = [...source.matchAll(/\("([^"]+)", async \(|\("([^"]+)", \(/g)].map((match) => match[1] ?? match[2]);
    expect(titles).toContain(name);
  },
);

test("every endpoint is in the table", () => {
  const named = rows.map(([, sentence = ""]) => sentence);
  for (const { method, path } of routes) {
    expect(named.some((sentence) => sentence.startsWith(`\`${method} ${path}\``))).toBe(true);
  }
});

test("the manual lists every knob with its values, every profile and every fault", () => {
  for (const [name, knob] of Object.entries<Knob>(knobs)) {
    const values =
      "values" in knob ? knob.values.map((value) => `\`${value}\``).join(", ") : `a number, \`${knob.number}\``;
    expect(manual).toContain(`| \`${name}\` | ${values} | ${knob.about} |`);
  }
  for (const name of [...Object.keys(profiles), ...faultKinds]) expect(manual).toContain(`| \`${name}\` |`);
});
