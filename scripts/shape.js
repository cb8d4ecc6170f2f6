// The shape of the house, measured: how many files and lines, what each room shows of itself, how full its folders are,
// whether anything imports in a cycle, whether two things share a name, and whether tests lie where src has what they test.
// `npm run shape` prints it and fails where a limit of docs/decisions/layers.md is broken. Another folder than src can be named.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const limits = { rooms: 17, doors: 8, entries: 15, files: 460, lines: 78_928 };
/** An import of a value that is worked out, or by a function that the linter does not know. */
const hiddenImport = /(\bimport\((?!\s*["'`][^"'`$]*["'`]\s*\)).*|\bcreateRequire\b.*|(?<![.\w])require\(.*)$/gm;
/** Files that may compare with the name of a kind, or of its lists, because they are about that kind alone. */
const mayNameKinds = {
  "src/app/documents/list-names.ts": "what can be typed on a command line: keys of events, URLs of webhooks",
  "src/app/documents/open-documents.ts": "the event that a typed key or address means",
  "src/app/importing/existing-text.ts": "a text is read as a file of events, or of webhooks",
  "src/app/session/guarded-settings.ts": "`schedule` is what GitHub calls a job that a clock started",
  "src/config/check/unknown-key.ts": "`event` is a field of an entry of `allow`",
  "src/config/document-schemas.ts": "which schema is that of a file of events, or of webhooks",
  "src/plan/compare/targets.ts": "the file of an event, typed as if it were an address",
  "src/report/page/card.ts": "the page of an event, with a look of its own for performers and brands",
  "src/report/reference/fields.ts": "which fields a file of events has, or of webhooks",
};
/** The second is what the embedded service says no with: its endpoints throw it, and its server answers with it. */
const exceptions = ["src/model/diagnostic.ts Halt", "src/sandbox/endpoints/handler.ts Refusal"];
const source = resolve(process.argv[2] ?? fileURLToPath(new URL("../src", import.meta.url)));
const files = listFiles(source);
const texts = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
const imports = new Map(files.map((file) => [file, importsOf(file)]));
const problems = [];

const rooms = [...new Set(files.map(roomOf))].filter((room) => room !== "").sort();
const rows = rooms.map((room) => {
  const inside = files.filter((file) => roomOf(file) === room);
  const doors = inside.filter((file) => dirname(file) === join(source, room));
  if (doors.length > limits.doors) problems.push(`src/${room} has ${doors.length} doors; at most ${limits.doors}`);
  return { room, files: inside.length, lines: sum(inside.map(linesOf)), doors: doors.length };
});

// Folders of helpers and of expected texts are their tests' own.
const tests = join(dirname(source), "test");
const testFolders = rooms
  .map((room) => join(tests, room))
  .flatMap((folder) => (existsSync(folder) ? listFiles(folder) : []))
  .flatMap((file) => (file.endsWith(".test.ts") ? [dirname(file)] : []));
for (const folder of new Set(testFolders)) {
  const tested = join(source, relative(tests, folder));
  if (!existsSync(tested)) problems.push(`${name(folder)} holds tests, and there is no ${name(tested)}`);
}
for (const folder of new Set([...files.flatMap(foldersOf), ...testFolders])) {
  const entries = readdirSync(folder).length;
  // src itself holds the rooms and the library's public API: 16 and 1. With fewer entries two rooms would have to be one, or lie
  // in a folder that means nothing.
  const most = folder === source ? limits.rooms : limits.entries;
  if (entries > most) problems.push(`${name(folder)} has ${entries} entries; at most ${most}`);
}
for (const [file, targets] of imports) {
  for (const target of targets) {
    const isPrivate = dirname(target) !== join(source, roomOf(target)) && roomOf(target) !== "";
    if (isPrivate && roomOf(file) !== roomOf(target)) {
      problems.push(`${name(file)} imports ${name(target)}, which is private to src/${roomOf(target)}`);
    }
    if (target === join(source, "index.ts")) problems.push(`${name(file)} imports ${name(target)}, which is for users`);
  }
}
for (const [file, text] of texts) {
  for (const [, what] of withoutComments(text).matchAll(hiddenImport)) {
    problems.push(`${name(file)} imports what its text does not name: ${what}`);
  }
}
// A failure is a result, or a Halt that carries one: see CONTRIBUTING.md, "Failing".
for (const [file, text] of texts) {
  for (const [, what] of text.matchAll(/\bclass (\w*) ?extends \w*(?:Error|Exception|Halt|Refusal)\b/g)) {
    if (!exceptions.includes(`${name(file)} ${what}`)) problems.push(`${name(file)} declares an exception: ${what}`);
  }
}
// A kind says what is special about it, in its definition: elsewhere a comparison with its name is a rule that a new kind would miss.
const kindNames = [...texts].flatMap(([file, text]) =>
  name(file).startsWith("src/kinds/objects/") ? namesOfKind(text) : [],
);
const byKindName = new Map();
for (const [file, text] of texts) {
  const found = /^src\/(kinds|sandbox)\//.test(name(file)) ? [] : comparisonsWith(kindNames, withoutComments(text));
  if (found.length > 0) byKindName.set(name(file), found);
}
for (const [file, found] of byKindName) {
  if (file in mayNameKinds) continue;
  for (const what of found)
    problems.push(`${file} asks for a kind by its name: ${what}; let src/kinds say what is special about it`);
}
for (const file of kindNames.length === 0 ? [] : Object.keys(mayNameKinds)) {
  if (!byKindName.has(file)) problems.push(`${file} may name kinds and does not: take it out of scripts/shape.js`);
}

const fileCycles = cyclesOf(imports);
for (const cycle of fileCycles) problems.push(`files import in a cycle: ${cycle.map(name).join(" → ")}`);
const folderCycles = cyclesOf(folderImports());
for (const cycle of folderCycles) problems.push(`folders import in a cycle: ${cycle.map(name).join(" → ")}`);

// Two things never share a name, nor do two functions that only their own files see.
const declarations = [...texts].flatMap(([file, text]) => declarationsIn(text).map((each) => ({ ...each, file })));
const repeated = [
  ...repeatedNames("is exported by", 2, ({ isExported }) => isExported),
  ...repeatedNames("is a type in", 2, ({ what }) => /^(type|interface|class)$/.test(what)),
  ...repeatedNames("is a function in", 2, ({ isExported, what }) => !isExported && what === "function"),
  ...namesOfExported(),
];
problems.push(...repeated);

const lines = sum(files.map(linesOf));
if (files.length > limits.files) problems.push(`src has ${files.length} files; at most ${limits.files}`);
if (lines > limits.lines) problems.push(`src has ${lines} lines; at most ${limits.lines}`);

const widths = [12, 7, 8, 7];
const row = (cells) =>
  cells.map((cell, at) => (at === 0 ? String(cell).padEnd(widths[0]) : String(cell).padStart(widths[at]))).join("");
console.log(row(["room", "files", "lines", "doors"]));
for (const { room, files, lines, doors } of rows) console.log(row([room, files, lines, doors]));
console.log(row(["all of src", files.length, lines, ""]));
console.log(`cycles: ${fileCycles.length} between files, ${folderCycles.length} between folders`);
console.log(`names that are used again: ${repeated.length}`);
for (const problem of problems) console.error(`error: ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;

function listFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFiles(path) : entry.name.endsWith(".ts") ? [path] : [];
  });
}

/**
 * Every text that is the path of a file of src counts, whatever is done with it: an import, a type `import("…").Name`, a `require`,
 * a worker. So does an import of the package by its own name, which is src/index.ts.
 */
function importsOf(file) {
  const text = withoutComments(texts.get(file));
  const words = text.matchAll(/["'`](\.{1,2}\/[^"'`\n]*)["'`]/g);
  const found = [...words].map(([, word]) => fileNamed(file, word));
  if (/(from|import\s*\(?)\s*["'`]ticketing-as-code["'`/]/.test(text)) found.push(join(source, "index.ts"));
  return new Set(found.filter((path) => path !== undefined && path !== file));
}

function fileNamed(file, word) {
  const path = resolve(dirname(file), word);
  const spellings = [path, `${path}.ts`, path.replace(/\.js$/, ".ts"), join(path, "index.ts")];
  return spellings.find((each) => texts.has(each));
}

/** Lines of comments, and what follows code where no text can be meant: `//` and `/*` are also in addresses and globs. */
function withoutComments(text) {
  return text
    .replaceAll(/^\s*\/\*.*?\*\//gm, "")
    .replaceAll(/^\s*(\/\/|\/\*|\*[ /]).*$/gm, "")
    .replaceAll(/ \/\/ [^"'`]*$/gm, "");
}

/** The name of the kind that a file defines, and that of its lists. */
function namesOfKind(text) {
  return [...text.matchAll(/^ {2}(?:name|plural): "(\w+)",$/gm)].map(([, word]) => word);
}

/** `kind === "event"`, `case "event":`, `.startsWith("events/")`, `/^events\//`, `"events/".length`. */
function comparisonsWith(names, text) {
  if (names.length === 0) return [];
  const word = `["'\`]/?(?:${names.join("|")})/?["'\`]`;
  const asked = [
    `[!=]== (?:kindOf\\()?${word}`,
    `${word} [!=]==`,
    `\\bcase ${word}:`,
    `\\.(?:startsWith|endsWith|includes|has|indexOf|replace|split)\\(${word}`,
    `${word}\\.length`,
    `/\\^(?:\\\\/)?(?:${names.join("|")})(?:\\\\/|\\b)`,
  ];
  return [...text.matchAll(new RegExp(asked.join("|"), "g"))].map(([found]) => found.trim());
}

/** What a file declares at its top level. A schema and its type share a name, and so do the overloads of a function. */
function declarationsIn(text) {
  const found = text.matchAll(/^(export )?(?:async )?(function|type|interface|class|const|let)\*? (\w+)/gm);
  return [...found].map(([, isExported, what, name]) => ({ isExported: isExported !== undefined, what, name }));
}

function repeatedNames(words, least, counts) {
  const places = new Map();
  for (const each of declarations.filter(counts)) {
    places.set(each.name, (places.get(each.name) ?? new Set()).add(name(each.file)));
  }
  return [...places]
    .filter(([, where]) => where.size >= least)
    .map(([repeated, where]) => `${repeated} ${words} ${[...where].sort().join(" and ")}; give each its own name`);
}

/** Who reads a call of an exported function must not find another one of its name. */
function namesOfExported() {
  const exported = new Map(declarations.filter(({ isExported }) => isExported).map((each) => [each.name, each.file]));
  return declarations
    .filter((each) => !each.isExported && each.what === "function" && exported.has(each.name))
    .map(
      (each) => `${each.name} in ${name(each.file)} is exported by ${name(exported.get(each.name))}; name it otherwise`,
    );
}

/** Folders by what their files import of one another; a door stands for itself. */
function folderImports() {
  const graph = new Map();
  const nodeOf = (path) => (dirname(dirname(path)) === source ? path : dirname(path));
  for (const [file, targets] of imports) {
    for (const target of targets) {
      const [from, to] = [nodeOf(file), nodeOf(target)];
      if (from !== to) graph.set(from, (graph.get(from) ?? new Set()).add(to));
    }
  }
  return graph;
}

/** One cycle for each group of nodes that reach one another. */
function cyclesOf(graph) {
  const cycles = [];
  const done = new Set();
  for (const start of graph.keys()) {
    if (done.has(start)) continue;
    const cycle = wayBack(graph, start);
    if (cycle === null) continue;
    cycles.push(cycle);
    for (const node of cycle) done.add(node);
  }
  return cycles;
}

/** The shortest way from a node back to itself. */
function wayBack(graph, start) {
  const before = new Map();
  const line = [start];
  for (const node of line) {
    for (const next of graph.get(node) ?? []) {
      if (next === start) {
        const way = [start];
        for (let at = node; at !== start; at = before.get(at)) way.unshift(at);
        return [start, ...way];
      }
      if (!before.has(next)) {
        before.set(next, node);
        line.push(next);
      }
    }
  }
  return null;
}

function foldersOf(file) {
  const folders = [];
  for (let folder = dirname(file); folder.startsWith(source); folder = dirname(folder)) folders.push(folder);
  return folders;
}

function roomOf(file) {
  const parts = relative(source, file).split(sep);
  return parts.length === 1 ? "" : parts[0];
}

function linesOf(file) {
  return texts.get(file).split("\n").length - 1;
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

function name(path) {
  return relative(dirname(source), path).split(sep).join("/");
}
