import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { makePrivateFolder } from "../../src/system/private-files.ts";
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

test.each([
  ["", "*\n"],
  ["\0\0", "*\n"],
  ["state.json\n", "*\n"],
  ["*\n!secrets.json\n", "*\n"],
  ["!secrets.json\n*", "!secrets.json\n*"],
  ["# all but this file\r\n/*\r\n!.gitignore\r\n", "# all but this file\r\n/*\r\n!.gitignore\r\n"],
])("a folder of local data whose .gitignore is %j ignores everything the next time it is used", (before, after) => {
  const folder = join(root, "a", ".ticketing");
  makePrivateFolder(folder);
  writeFileSync(join(folder, ".gitignore"), before);
  makePrivateFolder(folder);
  expect(readFileSync(join(folder, ".gitignore"), "utf8")).toBe(after);
  expect(readdirSync(folder)).toEqual([".gitignore"]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});
