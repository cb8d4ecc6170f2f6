// Where a runner gets the program: only what npm itself says came from a registry is taken from there.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { installSource, packSelf } from "../../../../src/app/importing/init/ci-project.ts";
import { version } from "../../../../src/app/world.ts";
import { root } from "../../../bin/program.ts";

const digest = Buffer.alloc(64, 7);
const integrity = `sha512-${digest.toString("base64")}`;
const resolved = `https://packages.example.com/ticketing-as-code/-/ticketing-as-code-${version}.tgz`;
const tarball = { from: "tarball", file: `vendor/ticketing-${version}.tgz` };
const registry = { from: "registry", version, digest: digest.toString("hex") };

test.each([
  ["by npm from a registry", { version, integrity, resolved }, registry],
  ["by npm, which was set to write down no address", { version, integrity }, registry],
  ["from a file", { version, integrity, resolved: "file:../ticketing.tgz" }, tarball],
  ["from an address", { version, integrity, resolved: "https://example.com/ticketing.tgz" }, tarball],
  ["from git", { version, resolved: "git+ssh://git@example.com/a/b.git#1234" }, tarball],
  ["as a link", { resolved: "../ticketing", link: true }, tarball],
  ["with a weak digest", { version, integrity: "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=", resolved }, tarball],
  ["in another version", { version: "0.0.1", integrity, resolved }, tarball],
])("installed %s", (_, entry, expected) => {
  const modules = join(mkdtempSync(join(tmpdir(), "ticketing-copy-")), "node_modules");
  mkdirSync(join(modules, "ticketing-as-code"), { recursive: true });
  const lock = { packages: { "node_modules/ticketing-as-code": entry } };
  writeFileSync(join(modules, ".package-lock.json"), JSON.stringify(lock));
  expect(installSource(join(modules, "ticketing-as-code"))).toEqual(expected);
});

test("a checkout, and a copy of which nothing is known, are packed", () => {
  expect(installSource()).toEqual(tarball);
  const folder = mkdtempSync(join(tmpdir(), "ticketing-copy-"));
  writeFileSync(join(folder, ".package-lock.json"), "{");
  expect(installSource(join(folder, "ticketing-as-code"))).toEqual(tarball);
});

test("it is packed with the files that npm would pack, the same each time", () => {
  const packed = packSelf();
  expect(packSelf().equals(packed)).toBe(true);
  const names: string[] = [];
  const archive = gunzipSync(packed);
  for (let at = 0; archive[at] !== 0; ) {
    names.push(archive.toString("utf8", at, at + 100).replace(/\0+$/, ""));
    const size = Number.parseInt(archive.toString("utf8", at + 124, at + 135), 8);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  const npm = spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  const [{ files }] = JSON.parse(npm.stdout) as [{ files: { path: string }[] }];
  expect(names.sort()).toEqual(files.map(({ path }) => `package/${path}`).sort());
});
