import { existsSync, mkdtempSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { makeFolder } from "../../src/system/private-folder.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ticketing-folder-"));
});

test("makes what is missing, all of it with the mode, and leaves what is there", () => {
  makeFolder(join(root, "a", "b"), 0o700);
  makeFolder(join(root, "a", "b"), 0o755);
  expect([join(root, "a"), join(root, "a", "b")].map((folder) => statSync(folder).mode & 0o777)).toEqual([
    0o700, 0o700,
  ]);
  makeFolder("/");
});

test("ends where no folder can be made: below a file, a dangling link, or in the process table", () => {
  writeFileSync(join(root, "file"), "");
  symlinkSync(join(root, "nowhere", "else"), join(root, "link"));
  expect(() => makeFolder(join(root, "file", "below", "it"))).toThrow("ENOTDIR");
  expect(() => makeFolder(join(root, "link", "below"))).toThrow();
  if (existsSync("/proc/self")) expect(() => makeFolder("/proc/x/y")).toThrow("ENOENT");
});
