// What is left where the system refuses a write halfway.
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeFiles } from "../../../src/app/importing/imported.ts";

async function* halfThenFull(): AsyncGenerator<string> {
  yield "name: Ga";
  throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", syscall: "write" });
}

test("a full disk leaves no half file, so that the next run can write it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ticketing-write-"));
  const file = { file: "events/gala.yaml", before: null };
  const failing = writeFiles(folder, [{ ...file, text: halfThenFull() as unknown as string }]);
  await expect(failing).rejects.toMatchObject({ code: "ENOSPC", path: "events/gala.yaml" });
  expect(existsSync(join(folder, file.file))).toBe(false);
  expect(await writeFiles(folder, [{ ...file, text: "name: Gala\n" }])).toEqual([]);
  expect(readFileSync(join(folder, file.file), "utf8")).toBe("name: Gala\n");
});
