// Bundles src into dist: one entry per face, shared code in chunks, so that a command loads only what it needs.
import { execFile } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const { metafile } = await build({
  entryPoints: { main: "src/cli/run.ts", index: "src/index.ts" },
  outdir: "dist",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  minifySyntax: true,
  minifyWhitespace: true,
  chunkNames: "chunks/[name]-[hash]",
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
  // Bundled CommonJS packages still ask for Node's own modules by require.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
});

// Chunks of an earlier build go only now, so that dist is whole at every moment.
for (const name of await readdir("dist/chunks")) {
  if (!(`dist/chunks/${name}` in metafile.outputs)) await rm(join("dist", "chunks", name));
}

// Types, for those who use it as a library.
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
await promisify(execFile)(process.execPath, [compiler, "-p", "tsconfig.build.json"]);
