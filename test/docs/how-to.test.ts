// Every how-to is done as it is written, in an empty folder and against the embedded service.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { isCode } from "../../src/model/diagnostic.ts";
import { doPage } from "../stage/how-to-page.ts";

const docs = fileURLToPath(new URL("../../docs", import.meta.url));
const pages = readdirSync(join(docs, "how-to"));

function read(file: string): string {
  return readFileSync(join(docs, file), "utf8");
}

describe.each(pages)("docs/how-to/%s", (page) => {
  const text = read(join("how-to", page));

  test("does what it shows", async () => {
    expect(await doPage(text)).toBeGreaterThan(2);
  });

  test("answers one question, and says what buyers notice and what to watch out for", () => {
    expect(text).toMatch(/^# .+\n\n/);
    for (const heading of ["What buyers notice", "Watch out for"]) expect(text).toContain(`\n## ${heading}\n`);
  });

  test("names only codes that exist", () => {
    for (const [code] of text.matchAll(/(?<=`|\w\[)[a-z]+(?:-[a-z]+)+(?=`|\] )/g))
      expect(isCode(code), code).toBe(true);
  });
});
