// Point 18: what V8 compiled at build time lies next to each bundle, and V8 crashes on one that is damaged.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildProgram, cleanEnv, root } from "../bin/program.ts";

let copy: string;
let cache: string;
let whole: Buffer;
let good: ReturnType<typeof help>;

beforeAll(() => {
  buildProgram();
  copy = mkdtempSync(join(tmpdir(), "ticketing-cache-"));
  for (const name of ["bin", "dist", "package.json"]) cpSync(join(root, name), join(copy, name), { recursive: true });
  const name = readdirSync(join(copy, "dist")).find((each) => /^command-line-.*\.cache$/.test(each)) ?? "";
  cache = join(copy, "dist", name);
  whole = readFileSync(cache);
  good = help();
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function help() {
  const ran = spawnSync(process.execPath, [join(copy, "bin", "ticketing.js"), "--help"], { env: cleanEnv() });
  return { status: ran.status, signal: ran.signal, says: ran.stdout.toString().slice(0, 40) };
}

function withDamage(at: number): Buffer {
  const damaged = Buffer.from(whole);
  // Not the header, which V8 does check.
  for (let index = at; index < at + 256; index++) damaged.writeUInt8(damaged.readUInt8(index) ^ 0xff, index);
  return damaged;
}

test.each([0.1, 0.3, 0.5, 0.7, 0.9])("damaged at %f of its length, the program runs without it", (part) => {
  expect(good).toMatchObject({ status: 0, signal: null });
  writeFileSync(cache, withDamage(Math.floor(whole.length * part)));
  expect(help()).toEqual(good);
});

test.each([0, 3, 1000])("cut off after %i bytes, too", (length) => {
  writeFileSync(cache, whole.subarray(0, length));
  expect(help()).toMatchObject({ status: 0, signal: null });
});
