// npm run demo: the main job on the festival example, against the embedded service, in a folder of its own. Needs no account.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const project = join(mkdtempSync(join(tmpdir(), "ticketing-demo-")), "festival");
cpSync(join(root, "examples", "festival"), project, { recursive: true });
console.log(`The project is a copy of examples/festival: ${project}`);

const { TICKETING_API_KEY: _key, TICKETING_BASE_URL: _address, TICKETING_ENV: _name, ...env } = process.env;
// Before everything in the example, so that the demo still works when its dates are past.
env.TICKETING_NOW = "2026-12-01T00:00:00Z";
for (const argv of [["validate", "--strict"], ["plan"], ["apply", "--yes"], ["plan"]]) {
  console.log(`\n$ ticketing ${argv.join(" ")}`);
  const ran = spawnSync(process.execPath, [join(root, "bin", "ticketing.js"), ...argv], {
    cwd: project,
    env,
    stdio: "inherit",
  });
  if (ran.status !== 0) process.exit(ran.status ?? 1);
}
console.log(
  `\nNow change something in ${project} and run \`node ${join(root, "bin", "ticketing.js")} -C ${project} plan\`.`,
);
