// State in PostgreSQL against state in a file: an apply of 100 writes to a service that is 150 ms away.
import { rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type PostgresServer, startPostgres } from "../stores/postgres/server.ts";
import type { Figure } from "./figure.ts";
import { writeProject } from "./night-project.ts";
import { bundle, run, startService } from "./processes.ts";

const rounds = 5;
const events = 20;
const latencyMs = 150;

export async function measure(): Promise<readonly Figure[]> {
  const service = await bundle("full-plan-service");
  // As it is installed: what it confirms is on disk.
  const database = await startPostgres([]);
  const times = { file: [] as number[], postgres: [] as number[] };
  try {
    for (let round = 0; round < rounds; round++) {
      for (const backend of ["file", "postgres"] as const)
        times[backend].push(await applyWith(service, database, backend, `round-${round}`));
    }
  } finally {
    await database.remove();
  }
  // Whatever else the machine does makes a run longer, never shorter.
  const [postgres, file] = [Math.min(...times.postgres), Math.min(...times.file)];
  return [
    {
      name: "apply of 100 writes at 150 ms: share of the journal in PostgreSQL",
      measured: ((postgres - file) / postgres) * 100,
      goal: 10,
      bound: "at most",
      unit: "%",
      detail: `${Math.round(postgres)} ms, with a file ${Math.round(file)} ms, the fastest of ${rounds} each`,
    },
  ];
}

async function applyWith(
  service: string,
  database: PostgresServer,
  backend: "file" | "postgres",
  project: string,
): Promise<number> {
  const folder = writeProject(events);
  const state = backend === "file" ? "backend: file" : `backend: postgres, project: ${project}`;
  writeFileSync(join(folder, "ticketing.yaml"), `version: 1\nstate: { ${state} }\n`);
  const live = await startService(service, ["0", String(latencyMs)]);
  const env = {
    TICKETING_BASE_URL: live.baseUrl,
    TICKETING_API_KEY: live.apiKey,
    TICKETING_NOW: "2027-01-10T00:00:00Z",
    TICKETING_STATE_URL: database.url(),
  };
  const ran = await run([resolve("bin", "ticketing.js"), "apply", "--yes", "-C", folder], env);
  const writes = (await live.calls()).filter((call) => !call.startsWith("GET")).length;
  live.stop();
  rmSync(folder, { recursive: true });
  if (ran.status !== 0 || writes !== 5 * events) throw new Error(`${writes} writes: ${ran.stdout.slice(-2000)}`);
  return ran.ms;
}
