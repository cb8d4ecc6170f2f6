// Terraform's own work: its built-in `terraform_data` resources in place of the objects of a project of nights. No provider exists for the
// service, so it makes no calls: what is measured is what Terraform itself takes for each resource.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ran } from "./processes.ts";

export interface TerraformRan {
  readonly resources: number;
  readonly apply: Used;
  readonly plan: Used;
  readonly stateMb: number;
}

type Used = Pick<Ran, "ms" | "cpuMs" | "peakMb">;

const env = { ...process.env, TF_CLI_CONFIG_FILE: "/dev/null", CHECKPOINT_DISABLE: "1", TF_IN_AUTOMATION: "1" };

/** null: it is not installed. */
export function terraformVersion(): string | null {
  try {
    return execFileSync("terraform", ["version"], { env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
      .split("\n", 1)
      .join();
  } catch {
    return null;
  }
}

/** State goes to a server in memory by Terraform's HTTP backend: a local file is written again for every resource. */
export async function measureTerraform(events: number): Promise<TerraformRan> {
  const folder = mkdtempSync(join(tmpdir(), "ticketing-terraform-"));
  const store = await startStateServer();
  try {
    for (let index = 0; index < events; index++) writeFileSync(join(folder, `night-${index}.tf`), nightIn(index));
    writeFileSync(
      join(folder, "backend.tf"),
      `terraform {\n  backend "http" {\n    address = "${store.url}"\n  }\n}\n`,
    );
    await used(folder, ["init", "-no-color"]);
    const apply = await used(folder, ["apply", "-auto-approve", "-no-color", "-parallelism=8"]);
    const plan = await used(folder, ["plan", "-no-color"]);
    return { resources: events * 6, apply, plan, stateMb: store.size() / 1e6 };
  } finally {
    store.stop();
    rmSync(folder, { recursive: true });
  }
}

/** GNU time says what a program used that does not say it itself. */
async function used(folder: string, argv: readonly string[]): Promise<Used> {
  const report = join(folder, "used.txt");
  const started = performance.now();
  const child = spawn("time", ["-f", "%U %S %M", "-o", report, "terraform", ...argv], {
    cwd: folder,
    env,
    stdio: "ignore",
  });
  const [status] = (await once(child, "close")) as [number | null];
  if (status !== 0 || statSync(report).size === 0) throw new Error(`terraform ${argv.join(" ")} failed`);
  const [user = 0, system = 0, kib = 0] = readFileSync(report, "utf8").trim().split(" ").map(Number);
  return { ms: performance.now() - started, cpuMs: 1000 * (user + system), peakMb: kib / 1024 };
}

async function startStateServer() {
  let state: Buffer | null = null;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.method === "POST") state = Buffer.concat(chunks);
      response.statusCode = request.method === "GET" && state === null ? 404 : 200;
      response.end(request.method === "GET" ? state : undefined);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/state`,
    size: () => state?.length ?? 0,
    stop: () => void server.close(),
  };
}

/** The same six objects as in night-project.ts, with the same references. */
function nightIn(index: number): string {
  const night = `night_${index}`;
  const resource = (name: string, input: string) =>
    `resource "terraform_data" "${name}" {\n  input = { ${input} }\n}\n`;
  const event = `event = terraform_data.${night}.id`;
  return [
    resource(
      night,
      `name = "Night ${index}", dateTime = "2027-03-14T19:00", endDateTime = "2027-03-15T01:00", locationType = "ONLINE", status = "PUBLISHED", description = "A night out in the city, with three rooms and a terrace.", imageUrl = "https://images.example/night.jpg"`,
    ),
    resource(`${night}_ga`, `${event}, name = "GA", price = 1500, quantity = 100, published = true`),
    resource(`${night}_vip`, `${event}, name = "VIP", price = 4500, quantity = 20, published = true`),
    resource(`${night}_ana`, `${event}, name = "Ana", type = "DJ"`),
    resource(
      `${night}_set`,
      `${event}, title = "Set", startTime = "2027-03-14T19:00", endTime = "2027-03-14T20:00", performer = terraform_data.${night}_ana.id`,
    ),
    resource(`${night}_acme`, `${event}, name = "Acme", url = "https://acme.example"`),
  ].join("");
}
