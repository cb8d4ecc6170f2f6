// `npm run shape` finds names that two things share; that src itself keeps to it is checked by CI.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

function shapeOf(files: Readonly<Record<string, string>>) {
  const source = join(mkdtempSync(join(tmpdir(), "shape-")), "src");
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(source, file)), { recursive: true });
    writeFileSync(join(source, file), text);
  }
  const { status, stderr } = spawnSync(process.execPath, ["scripts/shape.js", source], { encoding: "utf8" });
  return { status, problems: stderr.split("\n").filter((line) => line !== "") };
}

test("an exported name, or the name of a type, is used once", () => {
  const shape = shapeOf({
    "one/a.ts":
      "export function read() {}\ninterface Entry {}\nexport const Schema = 1;\nexport type Schema = string;\n",
    "two/b.ts": "export async function read() {}\ntype Entry = string;\n",
  });
  expect(shape).toEqual({
    status: 1,
    problems: [
      "error: read is exported by src/one/a.ts and src/two/b.ts; give each its own name",
      "error: Entry is a type in src/one/a.ts and src/two/b.ts; give each its own name",
    ],
  });
});

test("two files may have a function of one name to themselves, three may not", () => {
  const own = "function textOf() {}\n";
  expect(shapeOf({ "one/a.ts": own, "two/b.ts": own })).toEqual({ status: 0, problems: [] });
  expect(shapeOf({ "one/a.ts": own, "two/b.ts": own, "two/c.ts": own }).problems).toEqual([
    "error: textOf is a function in src/one/a.ts and src/two/b.ts and src/two/c.ts; give each its own name",
  ]);
});
