// How long a command takes to begin: the bundled program against a Node script that does nothing.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { type Figure, median } from "./figure.ts";

const rounds = 25;

export async function measure(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "ticketing-bench-"));
  const empty = join(folder, "empty.js");
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(empty, "");
  const project = join(folder, "project");
  cpSync(resolve("examples", "first-event"), project, { recursive: true });
  const program = resolve("bin", "ticketing.js");
  const runs = {
    empty: [empty],
    version: [program, "--version"],
    libraries: [await bundleLibraries(folder), "validate", "-C", project],
    validate: [program, "validate", "-C", project],
  };
  type Name = keyof typeof runs;
  const times: Record<Name, number[]> = { empty: [], version: [], libraries: [], validate: [] };
  // One after the other in every round, so that a busy moment of the machine falls on all alike.
  for (let round = 0; round < rounds; round += 1) {
    for (const name of Object.keys(runs) as Name[]) times[name].push(timeOf(runs[name]));
  }
  const ms = (name: Name) => median(times[name]).toFixed(0);
  const figure = (name: Name, words: string, goal: number, more = ""): Figure => ({
    name: words,
    measured: median(times[name]) / median(times.empty),
    goal,
    bound: "at most",
    unit: "×",
    detail: `${ms(name)} ms against ${ms("empty")} ms for an empty script${more}`,
  });
  return [
    figure("version", "ticketing --version", 1.25),
    figure("validate", "ticketing validate, one file", 1.8, `; its libraries alone take ${ms("libraries")} ms`),
  ];
}

/** The libraries alone, compiled beforehand like the program's own bundles. */
async function bundleLibraries(folder: string): Promise<string> {
  const bundle = join(folder, "libraries.cjs");
  await build({
    entryPoints: [resolve("test", "bench", "libraries-alone.ts")],
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "cjs",
    charset: "ascii",
    minifySyntax: true,
    minifyWhitespace: true,
    alias: { yaml: resolve("node_modules", "yaml", "browser", "dist", "index.js") },
  });
  const start = join(folder, "start.cjs");
  writeFileSync(
    start,
    `const { existsSync, readFileSync, writeFileSync } = require("node:fs");
    const cache = ${JSON.stringify(`${bundle}.cache`)};
    const { Script } = require("node:vm");
    const source = "(function (exports, require, module) {" + readFileSync(${JSON.stringify(bundle)}, "latin1") + "})";
    const isMade = existsSync(cache);
    const script = new Script(source, isMade ? { cachedData: readFileSync(cache) } : {});
    const module_ = { exports: {} };
    script.runInThisContext()(module_.exports, require, module_);
    module_.exports.run().then(() => {
      if (!isMade) writeFileSync(cache, script.createCachedData());
      process.exit(0);
    });`,
  );
  timeOf([start, "validate", "-C", join(folder, "project")]);
  return start;
}

function timeOf(argv: readonly string[]): number {
  const start = performance.now();
  const ran = spawnSync(process.execPath, argv, { stdio: "ignore" });
  if (ran.status !== 0) throw new Error(`${argv.join(" ")} ended with ${ran.status}`);
  return performance.now() - start;
}
