// npm run demo: a festival on sale, as a short story: the example against the embedded service, in a folder of its own. Needs no account.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const program = join(root, "bin", "ticketing.js");
const project = join(mkdtempSync(join(tmpdir(), "ticketing-demo-")), "festival");
const { TICKETING_API_KEY: _key, TICKETING_BASE_URL: _address, TICKETING_ENV: _name, ...env } = process.env;
// Before everything in the example, so that the demo still works when its dates are past.
env.TICKETING_NOW = "2026-12-01T00:00:00Z";
if (process.stdout.isTTY && env.NO_COLOR === undefined) env.FORCE_COLOR ??= "1";
// What is printed passes through this script, which knows the terminal.
if (process.stdout.isTTY) env.COLUMNS = String(process.stdout.columns);

/** `top` and `bottom`: how many lines of a long output are shown, by default its last paragraph; `from`: the first line of interest. */
function type(words, { top = Number.POSITIVE_INFINITY, bottom = null, from = null, exitCode = 0 } = {}) {
  const ran = spawnSync(process.execPath, [program, ...words], { cwd: project, env, encoding: "utf8" });
  const said = `${ran.stdout}${ran.stderr}`.trimEnd().split("\n");
  const start = from === null ? 0 : said.findIndex((line) => line.includes(from));
  const lines = said.slice(Math.max(0, start));
  const end = bottom === null ? lines.lastIndexOf("") : lines.length - bottom;
  const shown = end - top <= 1 ? lines : [...lines.slice(0, top), `  … ${end - top} more lines …`, ...lines.slice(end)];
  console.log(`\n$ ticketing ${words.map((word) => (word.includes(" ") ? `"${word}"` : word)).join(" ")}`);
  console.log(shown.join("\n"));
  if (ran.status !== exitCode) process.exit(ran.status || 1);
}

function tell(text) {
  console.log(`\n# ${text}`);
}

function edit(before, after, words = `In events/bayside-sounds.yaml:\n#   - ${before}\n#   + ${after}`) {
  const path = join(project, "events", "bayside-sounds.yaml");
  writeFileSync(path, readFileSync(path, "utf8").replace(before, after));
  tell(words);
}

cpSync(join(root, "examples", "festival"), project, { recursive: true });
console.log(`# A festival as files, a copy of examples/festival:\n#   ${project}`);
type(["validate", "--strict"]);
tell("What would happen if these files were applied?");
type(["plan"], { top: 13, bottom: 11 });
tell("Do it. Then there is nothing left to do.");
type(["apply", "--yes"], { from: "[ 1/", top: 3, bottom: 4 });
type(["plan"]);
edit("price: 3500", "price: 3900");
type(["plan"], { top: 7 });
type(["apply", "--yes"], { from: "[1/" });
tell("Somebody buys. Then the start is moved: the plan says how many buyers are affected.");
type(["sandbox", "sell", "bayside-sounds", "Weekend Pass", "3"]);
edit("dateTime: 2027-04-10T14:00", "dateTime: 2027-04-10T13:00");
type(["plan"], { top: 11, exitCode: 1 });
edit("dateTime: 2027-04-10T13:00", "dateTime: 2027-04-10T14:00", "The start is restored. How are sales going?");
type(["status"], { top: 14 });
console.log(`\n# Now change something yourself, and look at the plan:\nnode ${program} -C ${project} plan`);
