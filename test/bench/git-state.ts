// State in git against state in a file: an apply of 100 writes to a service that is 150 ms away.
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Figure } from "./figure.ts";
import { writeProject } from "./night-project.ts";
import { bundle, run, startService } from "./processes.ts";

const rounds = 5;
const events = 20;
const latencyMs = 150;

export async function measure(): Promise<readonly Figure[]> {
  const service = await bundle("full-plan-service");
  const times = { file: [] as number[], git: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    for (const backend of ["file", "git"] as const) times[backend].push(await applyWith(service, backend));
  }
  // Whatever else the machine does makes a run longer, never shorter.
  const [git, file] = [Math.min(...times.git), Math.min(...times.file)];
  return [
    {
      name: "apply of 100 writes at 150 ms, state in git to state in a file",
      measured: git / file,
      goal: 1.1,
      bound: "at most",
      unit: "×",
      detail: `${Math.round(git)} ms to ${Math.round(file)} ms, the fastest of ${rounds} each`,
    },
  ];
}

async function applyWith(service: string, backend: "file" | "git"): Promise<number> {
  const folder = writeProject(events);
  const remote = `${folder}.git`;
  writeFileSync(join(folder, "ticketing.yaml"), `version: 1\nstate: { backend: ${backend} }\n`);
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: folder });
  git("init", "-q", "--bare", remote);
  git("init", "-q", ".");
  git("remote", "add", "origin", remote);
  git("add", "-A");
  git("commit", "-qm", "events");
  const live = await startService(service, ["0", String(latencyMs)]);
  const env = {
    TICKETING_BASE_URL: live.baseUrl,
    TICKETING_API_KEY: live.apiKey,
    TICKETING_NOW: "2027-01-10T00:00:00Z",
  };
  const ran = await run([resolve("bin", "ticketing.js"), "apply", "--yes", "-C", folder], env);
  const writes = (await live.calls()).filter((call) => !call.startsWith("GET")).length;
  live.stop();
  for (const each of [folder, remote]) rmSync(each, { recursive: true });
  if (ran.status !== 0 || writes !== 5 * events) throw new Error(`${writes} writes: ${ran.stdout.slice(-2000)}`);
  return ran.ms;
}
