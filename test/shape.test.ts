// `npm run shape` finds imports past a door, cycles, names that two things share, and tests of no folder; that src itself keeps to it is checked by CI.
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

test("no two functions have one name, even where only their own files see them", () => {
  const own = "function textOf() {}\n";
  expect(shapeOf({ "one/a.ts": own, "two/b.ts": "async function textOf() {}\n" })).toEqual({
    status: 1,
    problems: ["error: textOf is a function in src/one/a.ts and src/two/b.ts; give each its own name"],
  });
  expect(shapeOf({ "one/a.ts": own, "two/b.ts": "export const texts = { textOf() {} };\n" }).status).toBe(0);
});

test("no function has the name of one that another file exports", () => {
  const files = { "one/a.ts": "export function read() {}\n", "two/b.ts": "async function read() {}\n" };
  expect(shapeOf(files)).toEqual({
    status: 1,
    problems: ["error: read in src/two/b.ts is exported by src/one/a.ts; name it otherwise"],
  });
});

test("a failure is a result: no exception is declared but the one that carries one", () => {
  const file = { "one/a.ts": "export class ReadFailure extends Error {}\n" };
  expect(shapeOf(file)).toEqual({ status: 1, problems: ["error: src/one/a.ts declares an exception: ReadFailure"] });
});

const inside = "../two/inside/deep.ts";

test.each([
  ["an import", `import { deep } from "${inside}";`],
  ["an import of a type", `import type { Deep } from '${inside}';`],
  ["a re-export", `export * from "${inside}";`],
  ["a type by its place", `export type Mine = import("${inside}").Deep;`],
  ["a lazy import", `export const load = () => import("${inside}");`],
  ["a lazy import of a template", `export const load = () => import(\`${inside}\`);`],
  ["another spelling of the name", 'export * from "../two/inside/deep.js";'],
  ["a name without an ending", 'export * from "../two/inside/deep";'],
  ["a place for a worker", `export const place = new URL("${inside}", import.meta.url);`],
])("a folder is private to its room: %s", (_, text) => {
  const shape = shapeOf({ "one/a.ts": `${text}\n`, "two/inside/deep.ts": "export type Deep = 1;\n" });
  expect(shape).toEqual({
    status: 1,
    problems: ["error: src/one/a.ts imports src/two/inside/deep.ts, which is private to src/two"],
  });
});

test("the folders of a room are private to src/index.ts, too", () => {
  const files = {
    "index.ts": 'export * from "./two/inside/deep.ts";\n',
    "two/inside/deep.ts": "export const deep = 1;\n",
  };
  expect(shapeOf(files).problems).toEqual([
    "error: src/index.ts imports src/two/inside/deep.ts, which is private to src/two",
  ]);
});

test.each([
  'export * from "../index.ts";',
  'import { deep } from "ticketing-as-code";',
  'import("ticketing-as-code");',
])("what is for users is not for rooms: %s", (text) => {
  expect(shapeOf({ "index.ts": "export const api = 1;\n", "one/a.ts": `${text}\n` })).toEqual({
    status: 1,
    problems: ["error: src/one/a.ts imports src/index.ts, which is for users"],
  });
});

test.each([
  "import(name);",
  "import(`../two/${name}.ts`);",
  'import("../two/" + name);',
  'require("../two/door.ts");',
  "const load = createRequire(import.meta.url);",
])("an import names its file: %s", (text) => {
  const { status, problems } = shapeOf({ "one/a.ts": `export const name = 1;\n${text}\n` });
  expect({ status, problems }).toEqual({
    status: 1,
    problems: [`error: src/one/a.ts imports what its text does not name: ${text.replace("const load = ", "")}`],
  });
});

test("what a comment names is not imported, and what follows one is", () => {
  const deep = { "two/inside/deep.ts": "export const deep = 1;\n" };
  const text = `/**\n * As "${inside}" has it.\n */\n// See "${inside}".\nexport const one = 1; // not import(name)\n`;
  expect(shapeOf({ "one/a.ts": text, ...deep })).toEqual({ status: 0, problems: [] });
  expect(shapeOf({ "one/a.ts": `/* lazy */ import "${inside}";\n`, ...deep }).problems).toHaveLength(1);
});

test("doors and folders import in no cycle, nor a door and the folder below it", () => {
  const around = {
    "one/door.ts": 'export * from "./left/a.ts";\n',
    "one/left/a.ts": 'export * from "../other.ts";\n',
    "one/left/b.ts": "export const b = 1;\n",
    "one/other.ts": 'export * from "./right/c.ts";\n',
    "one/right/c.ts": 'export * from "../left/b.ts";\n',
  };
  expect(shapeOf(around).problems).toEqual([
    "error: folders import in a cycle: src/one/left → src/one/other.ts → src/one/right → src/one/left",
  ]);
  const pair = {
    "one/door.ts": 'export * from "./left/a.ts";\nexport const door = 1;\n',
    "one/left/a.ts": "export const a = 1;\n",
    "one/left/b.ts": 'export { door as leftDoor } from "../door.ts";\n',
  };
  expect(shapeOf(pair).problems).toEqual([
    "error: folders import in a cycle: src/one/door.ts → src/one/left → src/one/door.ts",
  ]);
});

test("a folder of tests in a room has a counterpart in src; other suites and folders of helpers need none", () => {
  const shape = shapeOf({
    "one/left/a.ts": "export const a = 1;\n",
    "../test/one/b.test.ts": "",
    "../test/one/left/a.test.ts": "",
    "../test/one/left/samples/c.ts": "",
    "../test/one/right/a.test.ts": "",
    "../test/law/d.test.ts": "",
  });
  expect(shape.problems).toEqual(["error: test/one/right holds tests, and there is no src/one/right"]);
});

const show = 'export const show = {\n  name: "show",\n  plural: "shows",\n};\n';
/** The files that may name kinds are those of this program. */
function namedIn(files: Readonly<Record<string, string>>) {
  return shapeOf({ "kinds/objects/show.ts": show, ...files }).problems.filter((line) => !line.includes("take it out"));
}

test.each([
  ['kind === "show"', '=== "show"'],
  ['"show" !== kind', '"show" !=='],
  ['kind === kindOf("show").name', '=== kindOf("show"'],
  ['address.startsWith("shows/")', '.startsWith("shows/"'],
  ['path === "/shows"', '=== "/shows"'],
  ['address.slice("shows/".length)', '"shows/".length'],
  ['address.replace(/^shows\\//, "")', "/^shows\\/"],
  ['kinds.has("show")', '.has("show"'],
  ['() => { switch (kind) { case "show": return 1; } }', 'case "show":'],
])("nothing but its definition asks for a kind by its name: %s", (text, found) => {
  expect(namedIn({ "one/a.ts": `export const isShow = ${text};\n` })).toEqual([
    `error: src/one/a.ts asks for a kind by its name: ${found}; let src/kinds say what is special about it`,
  ]);
});

test("a kind may be named where nothing depends on it, in its own room and in the sandbox", () => {
  const text = 'export const kind = kindOf("show");\n// kind === "show"\nexport const near = kind === "shower";\n';
  const asks = 'export const isShow = kind === "show";\n';
  expect(
    namedIn({ "one/a.ts": text, "kinds/rules.ts": asks, "sandbox/b.ts": `${asks.replace("isShow", "has")}` }),
  ).toEqual([]);
});

test("a file that may name kinds and does not is taken out of the list", () => {
  const { problems } = shapeOf({ "kinds/objects/show.ts": show });
  expect(problems).toContain(
    "error: src/report/page/card.ts may name kinds and does not: take it out of scripts/shape.js",
  );
});
