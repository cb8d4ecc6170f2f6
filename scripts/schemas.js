// Writes schemas/*.json from what `ticketing schema` prints. Needs a build; a test fails when they drift apart.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("..", import.meta.url);
mkdirSync(new URL("schemas", root), { recursive: true });
for (const name of ["event", "template", "webhooks", "project"]) {
  const program = fileURLToPath(new URL("bin/ticketing.js", root));
  const text = execFileSync(process.execPath, [program, "schema", name]);
  writeFileSync(new URL(`schemas/${name}.json`, root), text);
}
