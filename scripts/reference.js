// Writes docs/reference/*.md from what `ticketing explain` prints. Needs a build; a test fails when they drift apart.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("..", import.meta.url);
const program = fileURLToPath(new URL("bin/ticketing.js", root));
mkdirSync(new URL("docs/reference", root), { recursive: true });
for (const page of ["event", "template", "webhooks", "project", "codes"]) {
  const words = page === "codes" ? [] : [page];
  const text = execFileSync(process.execPath, [program, "explain", ...words, "--format", "markdown"]);
  writeFileSync(new URL(`docs/reference/${page}.md`, root), text);
}
