import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Halt, orHalt } from "../../../src/model/diagnostic.ts";
import { appendGroups, fileJournal } from "../../../src/state/file/file-journal.ts";

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "ticketing-journal-"));
  path = join(directory, "journal.jsonl");
});
afterEach(() => rm(directory, { recursive: true, force: true }));

function open() {
  return fileJournal({
    path,
    shown: "journal.jsonl",
    prepare: async () => undefined,
    seals: {
      environment: "production",
      secrets: () => ({ current: "key-for-tests", previous: null }),
      now: () => Date.now(),
    },
  });
}

const line = (n: number) => `{"n":${n}}\n`;

async function lines(): Promise<string> {
  return orHalt(await open().read()).text;
}

test("lines are there in order once append ends, notes with them", async () => {
  const journal = open();
  expect(await lines()).toBe("");
  await journal.open(() => true);
  const first = journal.append(line(1));
  journal.note(line(2));
  await Promise.all([first, journal.append(line(3))]);
  expect(await lines()).toBe(line(1) + line(2) + line(3));
  journal.note(line(4));
  await journal.close();
  expect(await lines()).toBe(line(1) + line(2) + line(3) + line(4));
});

test("a line that was torn at any byte is cut off before anything follows it", async () => {
  const journal = open();
  await journal.open(() => true);
  await journal.append(line(1));
  await journal.append(line(2));
  await journal.close();
  const whole = await readFile(path, "utf8");
  const [head = "", first = ""] = whole.split("\n");
  for (let at = 0; at < whole.length; at += 7) {
    await writeFile(path, whole.slice(0, at));
    const next = open();
    await next.open(() => true);
    await next.append(line(3));
    await next.close();
    const kept = at <= head.length + 1 + first.length ? "" : line(1);
    expect([at, await lines()]).toEqual([at, kept + line(3)]);
  }
});

test("a run that has lost the lock can no longer write", async () => {
  let mine = true;
  const journal = open();
  await journal.open(() => mine);
  await journal.append(line(1));
  mine = false;
  await expect(journal.append(line(2))).rejects.toMatchObject({ why: { diagnostics: [{ code: "lock-lost" }] } });
  mine = true;
  await expect(journal.append(line(3))).rejects.toBeInstanceOf(Halt);
  await journal.close();
  expect(await lines()).toBe(line(1));
});

test("what replaces it is whole, and it can be opened again", async () => {
  const journal = open();
  await journal.open(() => true);
  await journal.append(line(1));
  await journal.replace("");
  expect(await readFile(path, "utf8")).toBe("");
  await journal.open(() => true);
  await journal.append(line(2));
  await journal.close();
  expect(await lines()).toBe(line(2));
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
