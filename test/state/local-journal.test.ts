import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { appendGroups } from "../../src/state/append-groups.ts";
import { JournalError } from "../../src/state/journal-error.ts";
import { localJournal } from "../../src/state/local-journal.ts";

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "ticketing-journal-"));
  path = join(directory, "journal.jsonl");
});
afterEach(() => rm(directory, { recursive: true, force: true }));

function open() {
  return localJournal(path, "journal.jsonl", async () => undefined);
}

test("lines are there in order once append ends, notes with them", async () => {
  const journal = open();
  expect(await journal.read()).toBe("");
  await journal.open(() => true);
  const first = journal.append("1\n");
  journal.note("2\n");
  await Promise.all([first, journal.append("3\n")]);
  expect(await readFile(path, "utf8")).toBe("1\n2\n3\n");
  journal.note("4\n");
  await journal.close();
  expect(await journal.read()).toBe("1\n2\n3\n4\n");
});

test("a torn last line is cut off before anything follows it", async () => {
  await appendFile(path, "whole\ntorn li");
  const journal = open();
  await journal.open(() => true);
  await journal.append("next\n");
  await journal.close();
  expect(await readFile(path, "utf8")).toBe("whole\nnext\n");
});

test("who has lost the lock cannot write any more", async () => {
  let mine = true;
  const journal = open();
  await journal.open(() => mine);
  await journal.append("1\n");
  mine = false;
  await expect(journal.append("2\n")).rejects.toMatchObject({ diagnostic: { code: "lock-lost" } });
  mine = true;
  await expect(journal.append("3\n")).rejects.toBeInstanceOf(JournalError);
  await journal.close();
  expect(await readFile(path, "utf8")).toBe("1\n");
});

test("what replaces it is whole, and it can be opened again", async () => {
  const journal = open();
  await journal.open(() => true);
  await journal.append("1\n");
  await journal.replace("");
  expect(await journal.read()).toBe("");
  await journal.open(() => true);
  await journal.append("2\n");
  await journal.close();
  expect(await journal.read()).toBe("2\n");
});

test("callers share a write; only notes do not wait for the disk", async () => {
  const writes: [string, boolean][] = [];
  const groups = appendGroups(async (content, durable) => {
    writes.push([content, durable]);
    await new Promise((resolve) => setTimeout(resolve, 5));
  });
  await Promise.all([groups.append("a"), groups.append("b"), groups.append("c")]);
  groups.note("d");
  await groups.settled();
  expect(writes).toEqual([
    ["abc", true],
    ["d", false],
  ]);
});

test("a full disk fails those who wait, and everyone after them", async () => {
  const groups = appendGroups(async () => {
    throw new Error("ENOSPC");
  });
  const results = await Promise.allSettled([groups.append("a"), groups.append("b")]);
  expect(results.map((result) => result.status)).toEqual(["rejected", "rejected"]);
  await expect(groups.append("c")).rejects.toThrow("ENOSPC");
});
