import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { buildProgram, cleanEnv, root } from "./program.ts";

const kept = readFileSync(join(root, "docs/pictures/plan.svg"), "utf8");

beforeAll(buildProgram);

test("the README's picture is what the program prints", () => {
  const drawn = spawnSync(process.execPath, [join(root, "scripts/picture.js"), "--print"], {
    env: cleanEnv(),
    encoding: "utf8",
  });
  expect(drawn.status, drawn.stderr).toBe(0);
  expect(kept, "run `npm run picture`").toBe(drawn.stdout);
});

test("it says what it shows, and needs neither script nor font from elsewhere", () => {
  expect(kept).toMatch(/role="img" aria-labelledby="title text"/);
  expect(kept).toMatch(/<title id="title">\S.*<\/title>\s+<desc id="text">\S.*<\/desc>/);
  expect(kept).not.toMatch(/<script|<style|@import|href|url\(|\son\w+=/);
  expect(kept.match(/https?:\/\/[^"]+/g)).toEqual(["http://www.w3.org/2000/svg"]);
});

test("the README and the package hold it", () => {
  expect(readFileSync(join(root, "README.md"), "utf8")).toMatch(/!\[[^\]]{30,}\]\(docs\/pictures\/plan\.svg\)/);
  const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { files: readonly string[] };
  expect(files).toContain("docs");
});
