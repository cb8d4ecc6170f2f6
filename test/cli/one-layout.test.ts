// The same mistake reads the same, whichever command finds it.
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Output } from "../../src/app/world.ts";
import { loaders } from "../../src/cli/loaders.ts";
import { main } from "../../src/cli/main.ts";
import { testWorld } from "../stage/test-world.ts";

const broken =
  'defaults: { timezone: Asia/Manila }\nevnts: [shows/*.yaml]\nenvironments: { live: { baseUrl: "https://service.invalid/open-api/v1" } }\n';

/** What a command needs besides its name. */
const words: Readonly<Record<string, string>> = {
  "ci apply": "ci apply --env live",
  "ci drift": "ci drift --env live",
  import: "import --all",
  orders: "orders gig",
  copy: "copy gig --to 2028-03-10",
  show: "show gig",
  "state show": "state show events/gig",
  "state rm": "state rm events/gig --yes",
  "state migrate": "state migrate --to git",
  "orders show": "orders show ORD-1",
  "venues search": "venues search hall",
  "webhooks test": "webhooks test w",
  "webhooks rotate": "webhooks rotate w --yes",
  "webhooks deliveries": "webhooks deliveries w",
};

/** They work without a project, make one, show its problems on a page, or read it from a commit, which has no folder. */
const without = [
  "init",
  "preview",
  "ci plan",
  "explain",
  "schema",
  "completion",
  "sandbox",
  "sandbox sell",
  "sandbox refund",
  "sandbox reset",
];

const commands = Object.keys(loaders).filter((path) => !without.includes(path));

test.each(commands)("%s shows the line of ticketing.yaml that is wrong, and the fix", async (path) => {
  const cwd = mkdtempSync(join(tmpdir(), "layout-"));
  writeFileSync(join(cwd, "ticketing.yaml"), broken);
  // Jobs work on a revision.
  if (path.startsWith("ci ")) {
    const git = (...words: readonly string[]) => execFileSync("git", words, { cwd });
    git("init", "-q");
    git("add", ".");
    git("-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-qm", "A mistake");
  }
  const said = async (line: string) => {
    const { world, written } = testWorld(line.split(" "), { cwd, env: { NO_COLOR: "1" } });
    const onTerminal = (output: Output) => ({ ...output, isTerminal: true });
    expect(await main({ ...world, stdout: onTerminal(world.stdout), stderr: onTerminal(world.stderr) })).toBe(1);
    return written.stdout + written.stderr;
  };
  const lines = /^error\[unknown-key\][\s\S]*?\n {2}fix: .*\n/m;
  const [expected = ""] = lines.exec(await said("validate")) ?? [];
  expect(expected).toContain("    2 | evnts: [shows/*.yaml]\n      | ^\n");
  expect(await said(words[path] ?? path)).toContain(expected);
});
