// npm run bench [-- NAME…]: runs what the files of this folder measure, each in a process of its own, and holds it to its goals.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, "test", "bench");
const out = join(folder, "out");
const resultsFile = join(folder, "results.json");
process.chdir(root);
// Node reads these certificates at every start: the ratios would say more about them than about the program.
process.env.NODE_EXTRA_CA_CERTS = "";

const [mode, ...rest] = process.argv.slice(2);
if (mode === "--measure") {
  const [bundle, response] = rest;
  const { measure } = await import(pathToFileURL(bundle).href);
  writeFileSync(response, JSON.stringify(await measure()));
  process.exit(0);
}

const all = readdirSync(folder)
  .filter((file) => file.endsWith(".ts"))
  .filter((file) => /export (async function|const) measure\b/.test(readFileSync(join(folder, file), "utf8")))
  .map((file) => file.slice(0, -".ts".length));
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`Nothing measures ${unknown.join(", ")}. There is: ${all.join(", ")}`);
  process.exit(1);
}

await import("../../scripts/build.js");
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const figures = [];
let failed = false;
for (const name of wanted.length > 0 ? wanted : all) {
  console.error(`measuring ${name} …`);
  const bundle = join(out, `${name}.mjs`);
  await build({
    entryPoints: [join(folder, `${name}.ts`)],
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    target: "node20.19",
    logLevel: "warning",
  });
  const response = join(out, `${name}.json`);
  const argv = ["--expose-gc", fileURLToPath(import.meta.url), "--measure", bundle, response];
  const ran = spawnSync(process.execPath, argv, { stdio: ["ignore", "inherit", "inherit"] });
  if (ran.status === 0)
    figures.push(...JSON.parse(readFileSync(response, "utf8")).map((figure) => ({ from: name, ...figure })));
  else failed = true;
}

const judged = figures.map((figure) => ({
  ...figure,
  ok: figure.bound === "at most" ? figure.measured <= figure.goal : figure.measured >= figure.goal,
}));
print(judged);
// What was not measured this time is kept as it was.
const kept = wanted.length === 0 ? [] : earlier().filter((figure) => !wanted.includes(figure.from));
const machine = `${cpus().length} × ${cpus()[0]?.model ?? "?"}, Node ${process.version}, ${process.platform}`;
writeFileSync(resultsFile, `${JSON.stringify({ machine, figures: [...kept, ...judged] }, null, 2)}\n`);
process.exitCode = failed || judged.some((figure) => !figure.ok) ? 1 : 0;

function print(list) {
  const rows = list.map((figure) => [
    figure.name,
    `${shown(figure.measured)} ${figure.unit}`,
    `${figure.bound} ${shown(figure.goal)} ${figure.unit}`,
    figure.ok ? "ok" : "missed",
    figure.detail ?? "",
  ]);
  const table = [["figure", "measured", "goal", "", ""], ...rows];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  for (const row of table) {
    console.log(
      row
        .map((cell, column) => (column === 4 ? cell : cell.padEnd(widths[column])))
        .join("  ")
        .trimEnd(),
    );
  }
}

function shown(number) {
  return Math.abs(number) >= 100 ? Math.round(number).toLocaleString("en") : Number(number.toPrecision(3)).toString();
}

function earlier() {
  try {
    return JSON.parse(readFileSync(resultsFile, "utf8")).figures;
  } catch {
    return [];
  }
}
