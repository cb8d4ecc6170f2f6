// npm run record: types commands at the real program and keeps what it answers, for docs/recordings. Needs no account.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const program = join(root, "bin", "ticketing.js");
const { TICKETING_API_KEY: _key, TICKETING_BASE_URL: _address, TICKETING_ENV: _name, ...rest } = process.env;
const clean = { ...rest, NO_COLOR: "1", COLUMNS: "80", TICKETING_NOW: "2026-12-01T00:00:00Z" };

function recorder(cwd, env) {
  const lines = [];
  return {
    lines,
    note: (text) => lines.push(`# ${text}`),
    type(...argv) {
      const ran = spawnSync(process.execPath, [program, ...argv], { cwd, env, encoding: "utf8" });
      if (ran.status !== 0) throw new Error(`${argv.join(" ")} ended with ${ran.status}: ${ran.stdout}${ran.stderr}`);
      lines.push(`$ ticketing ${argv.join(" ")}`, `${ran.stdout}${ran.stderr}`.trimEnd(), "");
    },
    edit(file, from, to) {
      const path = join(cwd, file);
      writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
      lines.push(`# in ${file}: ${from} becomes ${to}`, "");
    },
  };
}

function keep(name, { lines }, host = null) {
  const text = `${lines.join("\n").trimEnd()}\n`;
  mkdirSync(join(root, "docs", "recordings"), { recursive: true });
  // Any free port was taken: a new recording should differ only in what is new.
  writeFileSync(
    join(root, "docs", "recordings", `${name}.txt`),
    host === null ? text : text.replaceAll(host, "127.0.0.1:4010"),
  );
}

// The festival example, from nothing.
const festival = join(mkdtempSync(join(tmpdir(), "ticketing-record-")), "festival");
cpSync(join(root, "examples", "festival"), festival, { recursive: true });
const first = recorder(festival, clean);
first.type("validate", "--strict");
first.type("apply", "--yes");
first.type("plan");
first.edit("events/bayside-sounds.yaml", "price: 3500", "price: 3900");
first.type("plan");
first.type("apply", "--yes");
keep("festival", first);

// A live organization, adopted: init with import, plan, edit, plan, apply.
const live = spawn(
  process.execPath,
  [program, "sandbox", "--port", "0", "--format", "json", "--data", join(festival, "live.json")],
  {
    env: clean,
    stdio: ["ignore", "pipe", "inherit"],
  },
);
try {
  const [line] = await once(live.stdout, "data");
  const { baseUrl, apiKey } = JSON.parse(String(line));
  const env = { ...clean, TICKETING_API_KEY: apiKey };
  const published = spawnSync(process.execPath, [program, "apply", "--yes", "-C", festival], {
    env: { ...env, TICKETING_BASE_URL: baseUrl },
  });
  if (published.status !== 0) throw new Error(String(published.stdout) + published.stderr);
  const project = mkdtempSync(join(tmpdir(), "ticketing-record-"));
  const second = recorder(project, env);
  second.note("An organization with one live event and two webhooks; its key is in TICKETING_API_KEY.");
  second.type("init", "--yes", "--base-url", baseUrl, "--import");
  second.type("import", "--env", "production", "--all", "--webhooks");
  second.type("plan", "--env", "production");
  second.edit("events/bayside-sounds-2027.yaml", "price: 2200", "price: 2400");
  second.type("plan", "--env", "production");
  second.type("apply", "--env", "production", "--yes");
  second.type("status", "--env", "production");
  keep("adopt-a-live-organization", second, new URL(baseUrl).host);
} finally {
  live.kill();
}
