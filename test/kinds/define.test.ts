import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { FieldPolicy } from "../../src/kinds/define.ts";
import { kinds } from "../../src/kinds/index.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const kindsFolder = join(root, "src", "kinds", "objects");

test("a field without a policy does not compile", async () => {
  const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  const fixtures = join(root, "test", "kinds", "fixtures");
  const run = promisify(execFile)(process.execPath, [compiler, "-p", fixtures]);
  const said = await run.catch((failed: { stdout: string }) => failed);
  expect(said.stdout).toMatch(/field-without-policy\.ts.*Property 'color' is missing/);
  expect(said.stdout).toMatch(/policy-without-field\.ts.*'size' does not exist/);
  expect(said.stdout).not.toContain("every-field-has-a-policy.ts");
});

test("every file that defines a kind is in the tuple", async () => {
  const defining: string[] = [];
  for (const entry of await readdir(kindsFolder, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = entry.name;
    const text = await readFile(join(kindsFolder, file), "utf8");
    const [, constant] = /export const (\w+) = defineKind\(/.exec(text) ?? [];
    if (constant === undefined) continue;
    expect(file).toBe(`${constant}.ts`);
    defining.push(constant);
  }
  expect(kinds.map((kind) => kind.name).toSorted()).toEqual(defining.toSorted());
});

describe.each(kinds.map((kind) => [kind.name, kind] as const))("%s", (_, kind) => {
  const fields = kind.fields as Readonly<Record<string, FieldPolicy>>;

  test("is identified by fields it has", () => {
    expect(Object.keys(fields)).toContain(kind.identity.label);
    for (const key of kind.identity.keys.flat()) expect(Object.keys(fields)).toContain(key);
  });

  test("is sorted and written by fields it has", () => {
    for (const key of kind.sortBy) expect(Object.keys(fields)).toContain(key.replace(/^-/, ""));
    for (const field of kind.writeFirst ?? []) expect(Object.keys(fields)).toContain(field);
  });

  test("its parent, children and references are kinds, and parents come first", () => {
    const names = kinds.map(({ name }) => name);
    if (kind.parent !== null) expect(names.indexOf(kind.parent)).toBeLessThan(names.indexOf(kind.name));
    for (const policy of Object.values(fields)) {
      if (policy.role === "children") expect(kinds.find(({ name }) => name === policy.kind)?.parent).toBe(kind.name);
      if (policy.role === "reference") expect(names.indexOf(policy.to)).toBeLessThan(names.indexOf(kind.name));
    }
  });

  test("can change a field only in a way that the service offers", () => {
    for (const policy of Object.values(fields)) {
      if (policy.role !== "value") continue;
      if (policy.change === "patch") expect(kind.endpoints.patch).toBe(true);
      if (policy.change === "replace") expect(kind.endpoints.patch).toBe(false);
    }
  });
});
