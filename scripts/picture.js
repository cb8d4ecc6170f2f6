// npm run picture: a plan of the festival example as a terminal shows it, for the README. `--print` writes to standard output instead.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import stringWidth from "fast-string-width";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "ticketing-picture-"));
const {
  TICKETING_API_KEY: _key,
  TICKETING_BASE_URL: _address,
  TICKETING_ENV: _name,
  NO_COLOR: _no,
  ...rest
} = process.env;
const env = { ...rest, FORCE_COLOR: "1", COLUMNS: "80", TICKETING_NOW: "2026-12-01T00:00:00Z" };

function type(words, exitCode = 0) {
  const program = join(root, "bin", "ticketing.js");
  const ran = spawnSync(process.execPath, [program, ...words, "-C", folder], { env, encoding: "utf8" });
  if (ran.status !== exitCode)
    throw new Error(`${words.join(" ")} ended with ${ran.status}: ${ran.stdout}${ran.stderr}`);
  return ran.stdout.trimEnd();
}

function edit(before, after) {
  const path = join(folder, "events", "bayside-sounds.yaml");
  const text = readFileSync(path, "utf8");
  if (!text.includes(before)) throw new Error(`the example has no ${before}`);
  writeFileSync(path, text.replace(before, after));
}

/** A festival on sale, and a pull request that raises two prices, one of them after people have bought, and adds an act. */
function planOfPullRequest() {
  cpSync(join(root, "examples", "festival"), folder, { recursive: true });
  type(["apply", "--yes"]);
  type(["sandbox", "sell", "bayside-sounds", "Weekend Pass", "3"]);
  edit("price: 3500", "price: 3900");
  edit("price: 2200", "price: 2400");
  edit("performers:\n", "performers:\n  - { name: Ana Ilog, type: ARTIST }\n");
  return type(["plan"], 1);
}

const colors = {
  31: "#ff8080",
  32: "#7ee787",
  33: "#e3b341",
  34: "#79c0ff",
  35: "#d2a8ff",
  36: "#76e3ea",
  90: "#9aa4b0",
};
const [background, bar, foreground, faint] = ["#161b22", "#21262d", "#e6edf3", "#9aa4b0"];
const [columnWidth, lineHeight, margin, top] = [8.4, 20, 20, 56];

/** The pieces of a line that look alike; `style` goes on from line to line. */
function piecesOf(line, style) {
  const pieces = [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escapes are what is read here
  for (const part of line.split(/(\u001b\[\d+m)/)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: likewise
    const [, code] = /^\u001b\[(\d+)m$/.exec(part) ?? [];
    if (code === undefined) {
      if (part !== "") pieces.push({ text: part, fill: style.fill ?? (style.dim ? faint : null), bold: style.bold });
    } else if (code === "1") style.bold = true;
    else if (code === "2") style.dim = true;
    else if (code === "22") style.bold = style.dim = false;
    else if (code === "39") style.fill = null;
    else if (colors[code] === undefined) throw new Error(`there is no color ${code} in the picture`);
    else style.fill = colors[code];
  }
  return pieces;
}

function escapeText(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** `textLength`: columns stay columns in whatever monospaced font the reader has. */
function drawLine(line, index, style) {
  const pieces = piecesOf(line, style);
  const whole = pieces.map(({ text }) => text).join("");
  const indent = whole.length - whole.trimStart().length;
  if (whole.trim() === "") return [];
  const spans = pieces.map(({ text, fill, bold }, at) => {
    const attributes = `${fill == null ? "" : ` fill="${fill}"`}${bold ? ' font-weight="bold"' : ""}`;
    const shown = escapeText(at === 0 ? text.trimStart() : text);
    return attributes === "" ? shown : `<tspan${attributes}>${shown}</tspan>`;
  });
  const length = ((stringWidth(whole) - indent) * columnWidth).toFixed(1);
  const x = (margin + indent * columnWidth).toFixed(1);
  return [`    <text x="${x}" y="${top + index * lineHeight}" textLength="${length}">${spans.join("")}</text>`];
}

function draw(output) {
  const lines = ["\u001b[32m$\u001b[39m \u001b[1mticketing plan\u001b[22m", ...output.split("\n")];
  const width = margin * 2 + Math.ceil(80 * columnWidth);
  const height = top + lines.length * lineHeight + 4;
  const style = { bold: false, dim: false, fill: null };
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title text">
  <title id="title">A plan, as a terminal shows it</title>
  <desc id="text">ticketing plan reads the files and the live service: one price would change, one performer would be created, and the price of a ticket type that people have already bought is blocked, with the reason and the fix.</desc>
  <rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="${background}" stroke="#484f58"/>
  <path d="M1 11a10 10 0 0 1 10-10h${width - 22}a10 10 0 0 1 10 10v21H1z" fill="${bar}"/>
  <g fill="${faint}"><circle cx="20" cy="16" r="5"/><circle cx="38" cy="16" r="5"/><circle cx="56" cy="16" r="5"/></g>
  <g fill="${foreground}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" xml:space="preserve">
${lines.flatMap((line, index) => drawLine(line, index, style)).join("\n")}
  </g>
</svg>
`;
}

const picture = draw(planOfPullRequest());
rmSync(folder, { recursive: true });
if (process.argv.includes("--print")) process.stdout.write(picture);
else {
  mkdirSync(join(root, "docs", "pictures"), { recursive: true });
  writeFileSync(join(root, "docs", "pictures", "plan.svg"), picture);
}
