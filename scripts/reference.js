// Writes what `ticketing explain` prints into docs/reference/*.md, below what people wrote there. Needs a build; a test fails
// when they drift apart.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("..", import.meta.url);
const program = fileURLToPath(new URL("bin/ticketing.js", root));
for (const page of ["event", "template", "webhooks", "project", "codes"]) {
  const words = page === "codes" ? [] : [page];
  const text = execFileSync(process.execPath, [program, "explain", ...words, "--format", "markdown"]);
  const file = new URL(`docs/reference/${page}.md`, root);
  const [written] = readFileSync(file, "utf8").match(/^.*<!-- What follows is written by .*?-->\n\n/s);
  writeFileSync(file, written + text);
}
