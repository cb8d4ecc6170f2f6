// npm run scale: measures how the program grows with an organization, and writes the tables of docs/scale.md; with numbers of
// events (`npm run scale -- 200`) it measures those instead, and prints the tables.
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);
await import("./build.js");
const outfile = join(root, "test", "bench", "out", "scale-table.mjs");
await build({
  entryPoints: [join("test", "bench", "scale-table.ts")],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  target: "node20.19",
  logLevel: "warning",
});
const { writeTables } = await import(pathToFileURL(outfile).href);
await writeTables(process.argv.slice(2));
