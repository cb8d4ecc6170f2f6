// The catalog is held to the program: it has every code that a message can have, and each example does what it says.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { kinds } from "../../../src/kinds/index.ts";
import { codes, riskCodes, silencingOf } from "../../../src/model/diagnostic.ts";
import { type FileExample, families, type Level } from "../../../src/report/reference/catalog.ts";
import { ciSituations } from "../../gitops/ci-situations.ts";
import { notStaged, situations } from "../../gitops/situations.ts";
import { entries, eventFile, projectOf, validate } from "./examples.ts";

const root = join(import.meta.dirname, "../../..");
const severityOf: Readonly<Record<string, Level>> = { error: "error", warning: "warning", info: "notice" };

test("every code of the list is in a message of the program, and in one family of the catalog", () => {
  const literals = new Set(sources("src").flatMap(literalsIn));
  const madeOfKinds = new Set(codesOfKinds());
  expect(codes.filter((code) => !literals.has(code) && !madeOfKinds.has(code))).toEqual([]);
  const listed = entries.map(([code]) => code);
  expect(listed.filter((code, at) => listed.indexOf(code) !== at)).toEqual([]);
  expect(codes.filter((code) => !listed.includes(code))).toEqual([]);
});

test("codes that are made for a kind are in the list for every kind", () => {
  expect(codesOfKinds().filter((code) => !(codes as readonly string[]).includes(code))).toEqual([]);
});

test("risks are what `allow` accepts", () => {
  const accepted = entries.filter(([, { levels }]) => levels.includes("risk")).map(([code]) => code);
  expect(accepted.toSorted()).toEqual([...riskCodes, "too-many-deletes"].toSorted());
});

test("`ignore` silences what the rules and the remarks of a plan find, save what makes the rest unreadable", () => {
  const remarks = [...sources("src/kinds/rules"), "src/plan/webhooks.ts"];
  const found = [...sources("src/lint"), ...sources("src/kinds/lint-rules"), ...remarks].flatMap(emittedIn);
  const silenced = new Set(found.filter((code) => !(riskCodes as readonly string[]).includes(code)));
  // Of time zones, and of the name that a command is given.
  for (const code of ["unknown-timezone", "wrong-case", "wrong-value", "secret-name-used"]) silenced.delete(code);
  expect(codes.filter((code) => silencingOf(code) === "silenced").toSorted()).toEqual([...silenced].sort());
});

test("the event that the examples change is sound itself", async () => {
  expect(await validate(projectOf("", ""))).toEqual([]);
});

const inFiles = entries.flatMap(([code, { example, levels }]) =>
  typeof example === "string" || "live" in example ? [] : [{ code, levels, ...(example as FileExample) }],
);

describe.each(inFiles)("$code", ({ code, levels, file, wrong, right, line }) => {
  test("comes up at the line that the example marks, and nothing else does", async () => {
    const found = await validate(projectOf(code, wrong, file));
    const own = found.filter((diagnostic) => diagnostic.code === code);
    const place = { file: file ?? eventFile, line: line ?? wrong.split("\n").length };
    expect(own[0]?.source).toMatchObject(place);
    for (const { severity } of own) expect(levels).toContain(severityOf[severity]);
    const others = found.filter((diagnostic) => diagnostic.code !== code && diagnostic.severity === "error");
    expect(others).toEqual([]);
  });

  test("does not come up in the corrected lines, nor does any error", async () => {
    const found = await validate(projectOf(code, right, file));
    expect(found.filter((diagnostic) => diagnostic.code === code || diagnostic.severity === "error")).toEqual([]);
  });

  // Without this, any lines without the mistake would pass.
  test.skipIf(right === "" || wrong.startsWith("#"))("is corrected in lines about the same thing", () => {
    const before = wordsIn(wrong);
    expect(wordsIn(right).filter((word) => before.includes(word))).not.toEqual([]);
  });
});

function wordsIn(lines: string): readonly string[] {
  return lines.toLowerCase().match(/[\w.-]+/g) ?? [];
}

// `npm run test:gitops` makes these situations.
test("every code of state, connection and CI has a situation that brings it up, or a reason why not", () => {
  const titles = ["State and local data", "Connection", "Codes of the service", "CI jobs"];
  const own = families.filter(({ title }) => titles.includes(title)).flatMap((family) => Object.keys(family.entries));
  const staged = [...Object.keys(situations), ...Object.keys(ciSituations)];
  expect(own.toSorted()).toEqual([...staged, ...Object.keys(notStaged)].toSorted());
  for (const [, tests] of Object.values(notStaged)) expect(existsSync(join(root, "test", tests)), tests).toBe(true);
});

/** Codes in the source that are not written there as a whole. */
function codesOfKinds(): readonly string[] {
  return kinds.flatMap((kind) => [
    ...(kind.identity.twins === "ask" ? [`ambiguous-${kind.name}`] : []),
    ...Object.entries(kind.fields).flatMap(([field, policy]) =>
      policy.role === "reference" ? [`unknown-${field}`, `unknown-${policy.to}`, `${policy.to}-in-use`] : [],
    ),
  ]);
}

function sources(folder: string): readonly string[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return files
    .map((file) => join(folder, file))
    .filter((file) => file.endsWith(".ts") && !/src\/(model\/diagnostic|reference)\//.test(file));
}

function literalsIn(file: string): readonly string[] {
  return [...readFileSync(join(root, file), "utf8").matchAll(/"([a-z][a-z-]*)"/g)].map(([, text = ""]) => text);
}

/** `code: "x"`, `risk("x", …)` and the like. */
function emittedIn(file: string): readonly string[] {
  const pattern =
    /\b(?:code|mistake): "([a-z-]+)"|\bmistake \?\? "([a-z-]+)"|\b(?:problem|errorAt|errorOf|warningOf|noticeOf|fileError)\(\s*"([a-z-]+)"/g;
  return [...readFileSync(join(root, file), "utf8").matchAll(pattern)].map(
    ([, one, other, third]) => one ?? other ?? third ?? "",
  );
}
