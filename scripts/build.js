// Bundles src into dist. What a command needs is in few files, and beside each lies what V8 made of it when it was run
// at build time: starting up is mostly compiling, and this way it is done once. See docs/decisions/start-up.md.
import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { boundaries, withoutChildProcesses } from "./build-plugins.js";
import { licensesOf } from "./licenses.js";
import { setWasmTierUp } from "./wasm-tier-up.js";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);
// Beside dist, so that the program finds what it needs while it is run. Other builds, and programs that run, never see half a file.
const next = await mkdtemp(".dist-");
process.on("exit", () => rmSync(next, { recursive: true, force: true }));

const shared = {
  bundle: true,
  platform: "node",
  target: "node20.19",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
  // Of the two builds in the package this one can be split, and does not ask for an environment variable at every token.
  alias: { yaml: join(root, "node_modules/yaml/browser/dist/index.js") },
};
// Node begins with a CommonJS file sooner than with an ES module, and can be handed what V8 made of one.
const commonJs = {
  format: "cjs",
  outExtension: { ".js": ".cjs" },
  supported: { "dynamic-import": false },
  // The loader asks for it only where there is no __dirname.
  logOverride: { "empty-import-meta": "silent" },
};
const bundled = new Set();

// What runs at every save and at every Tab starts fastest: each is in a bundle of its own.
const validate = "./commands/validate.ts";
const completion = "./completion/completion.ts";
const loaded = (await readFile("src/cli/loaders.ts", "utf8")).matchAll(/import\("(\.\/[^"]+)"\)/g);
// What explains codes and fields is large, and read by people: it is loaded for them alone.
const explainer = "./commands/explain.ts";
const online = [...new Set([...loaded].map(([, path]) => path))].filter(
  (path) => ![validate, completion, explainer].includes(path),
);

// Of undici two parts are used, and what one of them calls; the rest, such as its fetch, takes time, and loads the undici within Node.
// Its parser is WebAssembly, which V8 compiles again, for speed, once it is used: a quarter of a second of every command, and more
// than thousands of responses give back. Only the program's own process is spared that; one that uses the library is left alone.
const undici = await bundle(
  "undici",
  "node_modules",
  `exports.Pool = require("undici/lib/dispatcher/pool.js");
  exports.ProxyAgent = require("undici/lib/dispatcher/proxy-agent.js");
  require("undici/lib/dispatcher/dispatcher.js").prototype.connect = require("undici/lib/api/api-connect.js");
  (${setWasmTierUp})(false, require("node:v8"));`,
  [],
);
const pg = await bundle("pg", "node_modules", 'module.exports = require("pg");', []);
// Most projects have no series, and what reads their rules and sheets is large.
const seriesFolder = "src/config/compose/series";
const seriesFile = await bundle("series", seriesFolder, reexport(["./recurrence.ts", "./read-csv.ts"]), []);
const series = { filter: /^\.\/(recurrence|read-csv)\.ts$/, file: seriesFile };
const referenceFile = await bundle("reference", "src/cli", reexport([explainer, "../report/reference.ts"]), []);
const reference = { filter: /^\.\/commands\/explain\.ts$|\/report\/reference\.ts$/, file: referenceFile };
const onlineFile = await bundle("online", "src/cli", reexport(online), [
  { filter: /^undici$/, file: undici },
  { filter: /^pg$/, file: pg },
  series,
  reference,
]);
const validateFile = await bundle("validate", "src/cli", reexport([validate]), [series, reference]);
const completionFile = await bundle("completion", "src/cli", reexport([completion]), [series, reference]);
// The parser alone: what a command needs is loaded once, with the command.
const commandLine = await bundle("command-line", "src/cli", reexport(["./run-arguments.ts"]), [
  reference,
  loadedFrom([validate], validateFile),
  loadedFrom([completion], completionFile),
  loadedFrom(online, onlineFile),
]);
await emit({
  ...shared,
  ...commonJs,
  entryPoints: { main: "src/cli/start.ts" },
  plugins: [boundaries([{ filter: /^\.\/run-arguments\.ts$/, from: "start.ts", file: commandLine }])],
});
await emit({
  ...shared,
  entryPoints: { index: "src/index.ts" },
  format: "esm",
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
  // Bundled CommonJS packages still ask for Node's own modules by require.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
});

const licenses = "third-party-licenses.txt";
await writeFile(join(next, licenses), licensesOf(bundled));
const run = promisify(execFile);
await run(process.execPath, [join("scripts", "warm-up.js"), next]);
// Types, for those who use it as a library; whether they hold is for `npm run types` to say.
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
await run(process.execPath, [compiler, "-p", "tsconfig.build.json", "--noCheck", "--outDir", join(next, "types")]);

// What other files load comes before them, and last what tells how old dist is.
const built = await filesIn(next);
const places = ["chunks", "types", "main.cjs", "index.js", licenses];
const rank = (file) => places.findIndex((place) => file.startsWith(place));
for (const file of built.toSorted((one, other) => rank(one) - rank(other))) {
  await mkdir(dirname(join("dist", file)), { recursive: true });
  await rename(join(next, file), join("dist", file));
}
for (const file of await filesIn("dist")) if (!built.includes(file)) await rm(join("dist", file), { force: true });

async function filesIn(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** A bundle that is loaded at run time by its name, which tells its content: a cache can never belong to another one. */
async function bundle(name, resolveDir, contents, rules) {
  const { outputs } = await emit({
    ...shared,
    stdin: { contents, resolveDir, sourcefile: `${name}.ts`, loader: "ts" },
    entryNames: `${name}-[hash]`,
    ...commonJs,
    plugins: [withoutChildProcesses, boundaries(rules)],
  });
  const [file] = Object.keys(outputs);
  await writeFile(file, inAscii(await readFile(file, "utf8")));
  return basename(file);
}

/** V8 keeps a source with one wider character in twice the memory. esbuild escapes them wherever they stand, except in patterns. */
function inAscii(source) {
  return source.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

async function emit(options) {
  const { metafile } = await build({ ...options, outdir: next });
  for (const input of Object.keys(metafile.inputs)) bundled.add(input);
  return metafile;
}

function loadedFrom(paths, file) {
  return {
    filter: new RegExp(`^(${paths.map((path) => path.replaceAll(".", "\\.")).join("|")})$`),
    from: "loaders.ts",
    file,
  };
}

function reexport(paths) {
  return paths.map((path) => `export * from "${path}";`).join("\n");
}
