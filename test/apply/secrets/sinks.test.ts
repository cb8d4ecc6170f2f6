import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { commandSink } from "../../../src/apply/secrets/command-sink.ts";
import { secretFile } from "../../../src/state/secret-file.ts";

const secret = {
  id: "7b1e5c7e-2222-4222-8222-222222222222",
  url: "https://hooks.example.com/a",
  secret: "whsec-1",
  name: "A",
};

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "ticketing-sink-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

function open(path = ".ticketing/secrets.json") {
  return secretFile(directory, path, () => 0);
}

test("the file sink keeps secrets by webhook, privately, and adds to what is there", async () => {
  const sink = open();
  const others = Array.from({ length: 5 }, (_, at) => ({
    ...secret,
    id: `7b1e5c7e-2222-4222-8222-22222222222${at + 3}`,
  }));
  expect(await Promise.all([secret, ...others].map((each) => sink.put(each)))).toEqual(Array(6).fill(null));
  const file = join(directory, ".ticketing/secrets.json");
  const kept = JSON.parse(await readFile(file, "utf8"));
  expect(Object.keys(kept.webhooks)).toHaveLength(6);
  expect(kept.webhooks[secret.id]).toMatchObject({ url: secret.url, secret: "whsec-1" });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await open().holds(secret.id)).toBe(true);
  expect(await open().holds("another")).toBe(false);
});

test("what the file holds is never overwritten, and a damaged file is left as it is", async () => {
  await open().put(secret);
  expect(await open().put({ ...secret, secret: "whsec-2" })).toContain("a different secret");
  expect(await open().put(secret)).toBeNull();
  const file = join(directory, ".ticketing/secrets.json");
  await writeFile(file, "{ half");
  expect(await open().put(secret)).toContain("damaged");
  expect(await readFile(file, "utf8")).toBe("{ half");
});

test("the file stays in the project", async () => {
  expect(await open("../secrets.json").put(secret)).toContain("outside");
  const elsewhere = await mkdtemp(join(tmpdir(), "ticketing-elsewhere-"));
  await symlink(elsewhere, join(directory, "out"));
  expect(await open("out/secrets.json").put(secret)).toContain("link");
  await symlink(join(elsewhere, "x"), join(directory, "direct.json"));
  expect(await open("direct.json").put(secret)).toContain("link");
  await rm(elsewhere, { recursive: true });
});

test("a disk that refuses is reported in a sentence", async () => {
  await mkdir(join(directory, "locked"));
  await writeFile(join(directory, "locked/secrets.json"), "");
  await rm(join(directory, "locked/secrets.json"));
  await mkdir(join(directory, "locked/secrets.json"));
  expect(await open("locked/secrets.json").put(secret)).toContain("secrets.json");
});

async function script(text: string): Promise<string> {
  const path = join(directory, "store.sh");
  await writeFile(path, `#!/bin/sh\n${text}\n`);
  await chmod(path, 0o755);
  return path;
}

function command(words: readonly string[], timeoutMs = 5000) {
  return commandSink({ command: words, directory, env: { PATH: process.env.PATH }, timeoutMs });
}

test("the command gets the secret on its input and the name as an argument", async () => {
  const sink = command([await script('printf "%s=" "$1" > out; cat >> out'), "{secretName}"]);
  expect(await sink.put(secret)).toBeNull();
  expect(await readFile(join(directory, "out"), "utf8")).toBe("A=whsec-1");
  expect(await sink.holds(secret.id)).toBeNull();
});

test("however much a command says after the secret, no part of the secret is reported", async () => {
  const long = { ...secret, secret: `whsec-${"0123456789abcdef".repeat(4)}` };
  const anyPart = new RegExp(Array.from({ length: 16 }, (_, at) => long.secret.slice(6 + at, 12 + at)).join("|"));
  for (let more = 330; more <= 400; more += 10) {
    const text = `cat >&2; cat >&2; head -c ${more} /dev/zero | tr '\\0' x >&2; exit 3`;
    const failed = await command([await script(text)]).put(long);
    expect(failed).toContain("exited with 3");
    expect(failed).not.toMatch(anyPart);
  }
  // Said more than once, and in pieces.
  const twice =
    's=$(cat); for i in 1 2 3 4 5 6 7 8; do printf %s "$s" | head -c 30 >&2; sleep 0.02; printf %s "$s" | tail -c +31 >&2; done; exit 3';
  expect(await command([await script(twice)]).put(long)).not.toMatch(anyPart);
});

test("a command that fails, hangs, is missing or lacks a name has stored nothing; it never shows the secret", async () => {
  const failed = await command([await script("cat >&2; exit 3")]).put(secret);
  expect(failed).toContain("exited with 3");
  expect(failed).not.toContain("whsec-1");
  expect(await command([await script("sleep 5")], 100).put(secret)).toContain("SIGKILL");
  expect(await command(["./nowhere"]).put(secret)).toContain("cannot be started");
  expect(await command(["true", "{secretName}"]).put({ ...secret, name: null })).toContain("secretName");
  expect(await command(["true"]).put(secret)).toBeNull();
});
