import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { usages } from "../../src/cli/usages.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".md"))
  .map((file) => join("docs", file));
const pages = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...docs];

/** As GitHub makes it of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
}

describe.each(pages)("%s", (page) => {
  test("its links lead somewhere", () => {
    for (const [, target = ""] of read(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
      if (!target.includes("://")) expect(existsSync(join(root, dirname(page), target)), target).toBe(true);
    }
  });

  test("its links to a heading lead to one", () => {
    for (const [, target = "", anchor = ""] of read(page).matchAll(/\]\(([^)#\s]*\.md|)#([^)\s]+)\)/g)) {
      const there = target === "" ? page : join(dirname(page), target);
      const headings = [...read(there).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));
      expect(headings, `${target}#${anchor}`).toContain(anchor);
    }
  });

  test("its npm scripts exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    for (const [, name = ""] of read(page).matchAll(/\bnpm run ([a-z0-9:]+)/g))
      expect(Object.keys(scripts)).toContain(name);
  });

  test("its commands exist", () => {
    const names = usages.map(({ name }) => name);
    for (const [, name = ""] of read(page).matchAll(/(?:^ {4}|`|\$ )ticketing ([a-z]+)/gm))
      expect(names).toContain(name);
  });
});

test("every page of docs is in their index", () => {
  const index = read("docs/README.md");
  for (const page of docs.filter((one) => !/README|decisions|recordings/.test(one)))
    expect(index).toContain(`](${page.slice("docs/".length)})`);
});

/** Where a name is made or exported, not only used: `type Fee`, `function plan`, `readonly held`. */
function declarationOf(name: string): RegExp {
  const made = `(?:const|let|function|class|interface|type|readonly) ${name}\\b|^  ${name}[(?:]`;
  return new RegExp(`${made}|export (?:type )?\\{[^}]*\\b${name}\\b`, "m");
}

test("every source file that a page for contributors names exists", () => {
  const files = readdirSync(root, { recursive: true })
    .map((file) => `/${String(file)}`)
    .filter((file) => !file.includes("node_modules"));
  // The kind that CONTRIBUTING adds as an example.
  files.push("/src/kinds/objects/parking.ts");
  let checked = 0;
  for (const page of ["CONTRIBUTING.md", "docs/glossary.md"]) {
    for (const [, path = ""] of read(page).matchAll(/`([\w/.-]+\.ts)`/g)) {
      expect(
        files.some((file) => file.endsWith(`/${path}`)),
        `${path} in ${page}`,
      ).toBe(true);
      checked += 1;
    }
  }
  expect(checked).toBeGreaterThan(80);
});

test("every word of the glossary is where it says", () => {
  const rows = read("docs/glossary.md").matchAll(/^\| (?<word>[^|]+) \| [^|]+ \| (?<places>[^|]+) \|$/gm);
  let checked = 0;
  for (const { groups } of rows) {
    for (const [, names, path = ""] of (groups?.places ?? "").matchAll(/(?:`([\w.]+)` in )?`(src\/[\w/.-]+)`/g)) {
      expect(existsSync(join(root, path)), path).toBe(true);
      if (names !== undefined)
        for (const name of names.split(".")) expect(read(path), `${name} in ${path}`).toMatch(declarationOf(name));
      checked += 1;
    }
  }
  expect(checked).toBeGreaterThan(30);
});

test("every room is in CONTRIBUTING and in the linter's rules", () => {
  const rooms = readdirSync(join(root, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of rooms) {
    expect(read("CONTRIBUTING.md")).toContain(`| \`src/${name}\` |`);
    expect(read("biome.json")).toContain(`"src/${name}/**"`);
  }
});

/** Each of them was a second word for something that has one; what to write instead is next to it. */
const abolished: readonly (readonly [words: RegExp, instead: string])[] = [
  [/\bremarks?\b/i, "check, warning or notice"],
  [/\bflags?\b/i, "option"],
  [/\bdirector(?:y|ies)\b/i, "folder"],
  [/\bthis program\b/i, "`ticketing`"],
  [/\bAPI document\b/i, "API specification"],
  [/\bheld back\b/i, "waiting"],
  [/\bmerged before\b/i, "already merged"],
  [/\btime has come\b/i, "due"],
  [/\b(?:service|webhook|callback|image|https|proxy) address(?:es)?\b|\baddress of the (?:service|proxy)\b/i, "URL"],
  [/\b(?:re-run|line-up|start-up)\b(?!\.\w)/i, "rerun, lineup, startup"],
];

/** Prose alone: code, names of files and targets of links say what they must. */
function proseOf(text: string): string {
  return text.replace(/^```[\s\S]*?^```$|^ {4}.*$|`[^`\n]*`|\]\([^)]*\)/gm, "");
}

const forUsers = pages.filter((page) => !/CHANGELOG|CONTRIBUTING|decisions|recordings/.test(page));
const help = usages.flatMap(({ summary, details = "", flags = [] }) => [
  summary,
  details,
  ...flags.map(({ description }) => description),
]);

test.each([...forUsers.map((page) => [page, read(page)] as const), ["help", help.join("\n")] as const])(
  "%s uses one word for each thing",
  (_, text) => {
    const prose = proseOf(text);
    for (const [words, instead] of abolished) expect(words.exec(prose)?.[0], `write ${instead}`).toBeUndefined();
  },
);
