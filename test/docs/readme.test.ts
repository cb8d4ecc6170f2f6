// The README's event does what the page says.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ticketing } from "../stage/test-world.ts";

const page = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
const [, text = ""] = /```yaml\n(# events\/manila-nights\.yaml\n[^`]*)```/.exec(page) ?? [];

function project(): { readonly run: (...argv: string[]) => ReturnType<typeof ticketing>; readonly file: string } {
  const folder = mkdtempSync(join(tmpdir(), "ticketing-readme-"));
  mkdirSync(join(folder, "events"));
  const file = join(folder, "events/manila-nights.yaml");
  writeFileSync(file, text);
  return { run: (...argv) => ticketing([...argv, "-C", folder]), file };
}

test("it validates without problems, even with --strict", async () => {
  expect(text).toContain("Manila Nights");
  const ran = await project().run("validate", "--strict");
  expect(ran.exitCode, ran.stdout + ran.stderr).toBe(0);
});

test("a change of a price is shown as the page shows it", async () => {
  const { run, file } = project();
  const applied = await run("apply", "--yes");
  expect(applied.exitCode, applied.stdout + applied.stderr).toBe(0);
  writeFileSync(file, text.replace("price: 1500", "price: 1800"));
  const [, shown = ""] = /says so:\n\n((?: {4}.*\n)+)/.exec(page) ?? [];
  expect(shown).toContain("1,800");
  expect((await run("plan")).stdout).toContain(shown.replaceAll(/^ {4}/gm, ""));
});
