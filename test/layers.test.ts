import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const biome = join(dirname(createRequire(import.meta.url).resolve("@biomejs/biome/package.json")), "bin", "biome");

/** What the linter says of files in a project with our rules. */
function lint(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "ticketing-layers-"));
  cpSync(join(root, "package.json"), join(folder, "package.json"));
  const rules = JSON.parse(readFileSync(join(root, "biome.json"), "utf8")) as Record<string, unknown>;
  writeFileSync(join(folder, "biome.json"), JSON.stringify({ ...rules, $schema: undefined, vcs: { enabled: false } }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const ran = spawnSync(process.execPath, [biome, "lint", "--max-diagnostics=none", "."], {
    cwd: folder,
    encoding: "utf8",
  });
  return ran.stdout + ran.stderr;
}

function importing(path: string): string {
  return `import { thing } from "${path}";\n\nexport const used = thing;\n`;
}

const forbidden = [
  ["src/model/x.ts", "../kinds/event.ts"],
  ["src/kinds/x.ts", "../config/project.ts"],
  ["src/plan/x.ts", "../service/client.ts"],
  ["src/plan/x.ts", "node:fs"],
  ["src/report/x.ts", "../plan/compare.ts"],
  ["src/service/pace/x.ts", "../../kinds/event.ts"],
  ["src/sandbox/x.ts", "../kinds/event.ts"],
  ["src/sandbox/endpoints/x.ts", "../../service/client.ts"],
  ["src/sandbox/x.ts", "../model/plan.ts"],
  ["src/snapshot/x.ts", "../app/world.ts"],
  ["src/app/x.ts", "../cli/main.ts"],
  ["src/cli/commands/x.ts", "../../plan/match/match-events.ts"],
  ["src/cli/commands/x.ts", "../../plan/match.ts"],
  ["src/cli/commands/x.ts", "../../service/client.ts"],
  ["src/cli/commands/x.ts", "../../state/store.ts"],
  ["src/cli/commands/x.ts", "node:fs/promises"],
  ["src/plan/compare/x.ts", "../../kinds/fields/canonical.ts"],
  ["src/apply/x.ts", "../service/http/transport.ts"],
  ["src/system/x.ts", "../model/plan.ts"],
  ["src/plan/x.ts", "../system/processes.ts"],
  ["src/host/x.ts", "../service/client.ts"],
  ["src/host/x.ts", "../report/text.ts"],
  ["src/host/x.ts", "node:fs"],
  ["src/report/x.ts", "../host/host.ts"],
  ["src/plan/x.ts", "../host/host.ts"],
  ["src/app/x.ts", "../host/api/rest-host.ts"],
  ["src/snapshot/x.ts", "undici"],
  ["src/cli/x.ts", "undici"],
  ["src/config/x.ts", "../system/git/run.ts"],
  ["src/index.ts", "./service/http/undici-transport.ts"],
] as const;

const fine = [
  ["src/kinds/x.ts", "../model/plan.ts"],
  ["src/plan/x.ts", "../kinds/event.ts"],
  ["src/snapshot/x.ts", "../service/client.ts"],
  ["src/service/x.ts", "undici"],
  ["src/app/x.ts", "../plan/match.ts"],
  ["src/cli/commands/x.ts", "../../app/plan.ts"],
  ["src/cli/commands/x.ts", "../../app/import.ts"],
  ["src/cli/commands/x.ts", "../../report/text.ts"],
  ["src/cli/commands/x.ts", "../terminal/progress.ts"],
  ["src/plan/compare/x.ts", "../match/match-events.ts"],
  ["src/report/formats/x.ts", "../plan-view/view.ts"],
  ["src/state/x.ts", "node:fs"],
  ["src/state/x.ts", "../system/processes.ts"],
  ["src/sandbox/x.ts", "../system/processes.ts"],
  ["src/sandbox/endpoints/x.ts", "../../model/diagnostic.ts"],
  ["src/host/x.ts", "../model/plan.ts"],
  ["src/app/x.ts", "../host/host.ts"],
  ["src/config/x.ts", "../system/git.ts"],
] as const;

/** Every import in its own file, and all of them read by one run of the linter. */
let refused: ReadonlySet<string>;
const fileOf = (file: string, path: string) => file.replace(/\bx\.ts$/, `x-${path.replace(/\W+/g, "-")}.ts`);
beforeAll(() => {
  const files = [...forbidden, ...fine].map(([file, path]) => [fileOf(file, path), importing(path)]);
  const said = lint(Object.fromEntries(files) as Readonly<Record<string, string>>);
  refused = new Set(
    Array.from(said.matchAll(/^(src\S+?):\d+:\d+ lint\/\w+\/noRestrictedImports/gm), ([, file = ""]) => file),
  );
});

test.each(forbidden)("%s may not import %s", (file, path) => {
  expect(refused).toContain(fileOf(file, path));
});

test.each(fine)("%s may import %s", (file, path) => {
  expect(refused).not.toContain(fileOf(file, path));
});

test("no circles, no console, no reaching for the process in a pure room", () => {
  const said = lint({
    "src/plan/one.ts": 'import { two } from "./two.ts";\n\nexport const one = () => two;\n',
    "src/plan/two.ts": 'import { one } from "./one.ts";\n\nexport const two = () => one;\n',
    "src/cli/loud.ts": 'console.log("x");\n',
    "src/report/curious.ts": "export const home = process.env.HOME;\n",
  });
  expect(said).toContain("noImportCycles");
  expect(said).toContain("noConsole");
  expect(said).toContain("noRestrictedGlobals");
});
