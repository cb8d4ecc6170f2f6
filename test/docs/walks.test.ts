// The two walks of CONTRIBUTING.md: how many files decide, that they are there, and that none is longer than a reader likes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");

function filesIn(text: string): readonly string[] {
  return [...text.matchAll(/`(src\/[\w/-]+\.ts)`/g)].map(([, file = ""]) => file);
}

/** The files in each column of the table below a heading. */
function walkOf(heading: string) {
  const [, text = ""] = new RegExp(`\n## ${heading}\n([\\s\\S]*?)\n## `).exec(page) ?? [];
  const rows = text.split("\n").filter((line) => line.startsWith("| "));
  return { column: (nth: number) => rows.flatMap((row) => filesIn(row.split("|")[nth] ?? "")) };
}

const lostCreate = walkOf("A lost create");
const price = walkOf("Follow a price");
test.each([
  ["A lost create", lostCreate.column(1), 10],
  ["Follow a price", price.column(2), 25],
] as const)("%s: the table has no more files than a reader opens", (_, files, most) => {
  expect(files.length).toBeGreaterThan(most / 2);
  expect(files.length).toBeLessThanOrEqual(most);
  expect(new Set(files).size).toBe(files.length);
  for (const file of files) expect(readFileSync(join(root, file), "utf8").split("\n").length, file).toBeLessThan(302);
});

test("the page counts the files of its table as they are", () => {
  expect(page).toContain(`In ${price.column(2).length} of them something is done`);
  expect(page).toContain(`${price.column(3).length} only pass it along`);
});
