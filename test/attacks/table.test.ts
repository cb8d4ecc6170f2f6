import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(join(root, "docs", "security.md"), "utf8");
const named = [...page.matchAll(/`((?:app|attacks|cli|gitops|growth|mistakes)\/[\w/-]+)`/g)].map(
  ([, name]) => name as string,
);

test("every row of the security page names a test that exists", () => {
  const rows = page.split("\n").filter((line) => line.startsWith("| ") && !/^\| (attack|mistake) \|/.test(line));
  expect(rows.length).toBeGreaterThan(25);
  expect(rows.filter((row) => !/`(?:app|attacks|cli|gitops|growth|mistakes)\/[\w/-]+` \|$/.test(row))).toEqual([]);
  expect(named.filter((name) => !existsSync(join(root, "test", `${name}.test.ts`)))).toEqual([]);
});

test.each(["attacks", "growth"])("all of test/%s is on the security page", (folder) => {
  const staged = readdirSync(join(root, "test", folder))
    .filter((file) => file.endsWith(".test.ts") && file !== "table.test.ts")
    .map((file) => `${folder}/${file.replace(".test.ts", "")}`);
  expect(staged.filter((name) => !named.includes(name))).toEqual([]);
});
