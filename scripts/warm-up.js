// Runs the program built in a folder once through its main paths, and keeps what V8 compiled on the way beside each bundle.
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import v8 from "node:v8";
import { sealCache } from "./load-bundle.js";
import { setWasmTierUp } from "./wasm-tier-up.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const built = resolve(process.argv[2]);
for (const file of readdirSync(built).filter((name) => name.endsWith(".cjs") && name !== "main.cjs")) {
  // An empty cache is not used, and makes the bundle one whose compiled form can be had.
  writeFileSync(join(built, `${file}.cache`), "");
}

const project = mkdtempSync(join(tmpdir(), "ticketing-build-"));
cpSync(join(root, "examples", "first-event"), project, { recursive: true });
writeFileSync(
  join(project, "events", "club.yaml"),
  "name: Club\ndateTime: 22:00\nseries: { every: friday, from: 2090-01-06, count: 2, table: club.csv }\n",
);
writeFileSync(join(project, "events", "club.csv"), "date,guest\n2090-01-06,Ana\n");
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (_text, done) => {
    if (typeof done === "function") done();
    return true;
  };
}
for (const name of Object.keys(process.env).filter((name) => name.startsWith("TICKETING_"))) delete process.env[name];

const { run } = await import(pathToFileURL(join(built, "main.cjs")).href);
process.chdir(project);
for (const words of ["--help", "validate", "__complete show e", "plan", "apply --yes", "plan --format json"]) {
  process.argv = [process.execPath, "ticketing", ...words.split(" ")];
  await run();
}
// V8 takes a cache only under the flags that it was made under, and a command begins with these.
setWasmTierUp(true, v8);
for (const { file, script } of globalThis[Symbol.for("ticketing.bundles")].values()) {
  writeFileSync(`${file}.cache`, sealCache(script.createCachedData()));
}
process.chdir(root);
rmSync(project, { recursive: true, force: true });
process.exit(0);
