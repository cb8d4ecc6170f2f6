// A project, a live service in this process, and the planner between them.
import { type MadePlan, makePlan } from "../../src/app/planning/make-plan.ts";
import type { PlanInputs } from "../../src/app/planning/plan-inputs.ts";
import { loadProject } from "../../src/config/project.ts";
import { lint } from "../../src/lint/lint.ts";
import type { Shard, State } from "../../src/model/live.ts";
import type { Project } from "../../src/model/wish.ts";
import { createService, type SandboxService, type Seed } from "../../src/sandbox/index.ts";
import type { TicketingClient } from "../../src/service/client.ts";
import { makeReader } from "../../src/snapshot/reader.ts";
import { memoryFiles } from "./memory-files.ts";
import { sandboxClient } from "./sandbox-transport.ts";

export type Files = Readonly<Record<string, string>>;

export interface Setup {
  readonly files: Files;
  readonly base?: Files;
  readonly live?: Seed;
  readonly state?: State;
  readonly profile?: string;
  readonly service?: SandboxService;
  readonly targets?: readonly string[];
  readonly shard?: Shard;
  readonly allow?: readonly string[];
  readonly maxDeletes?: number;
  readonly resendUnreadable?: boolean;
  readonly pin?: string;
  readonly environment?: string;
  readonly sink?: "file" | "command" | null;
  readonly apiKey?: string;
  /** Why an apply of it is refused. */
  readonly refusal?: string;
  /** In CI. */
  readonly onRunner?: boolean;
  readonly secretPlace?: PlanInputs["secretPlace"];
}

export interface Staged extends MadePlan {
  readonly service: SandboxService;
  /** The reads that the plan made, in order: `GET /events?status=DRAFT`. */
  readonly calls: readonly string[];
}

export const now = Date.parse("2027-01-10T00:00:00.000Z");

export async function planOf(setup: Setup): Promise<Staged> {
  const service = setup.service ?? createService({ profile: setup.profile, now: () => now });
  if (setup.live !== undefined) service.control.seed(setup.live);
  const client = clientOf(service, setup.apiKey);
  const project = await load(setup.files);
  service.control.clearCalls?.();
  const before = service.control.calls().length;
  const base = setup.base === undefined ? null : await load(setup.base);
  const made = await makePlan({
    project,
    remarks: [...project.diagnostics, ...lint(project, { now, environment: "sandbox" })].filter(
      (one) => one.severity === "error",
    ),
    base,
    comparedWith: base,
    review: { mode: "off" },
    state: setup.state ?? null,
    client,
    reader: makeReader(client),
    target: { environment: setup.environment ?? "test", baseUrl: "http://127.0.0.1/open-api/v1" },
    organizationPin: setup.pin ?? null,
    flags: {
      target: setup.targets ?? [],
      ...(setup.shard === undefined ? {} : { shard: setup.shard }),
      allow: setup.allow ?? [],
      ...(setup.maxDeletes === undefined ? {} : { maxDeletes: setup.maxDeletes }),
      resendUnreadable: setup.resendUnreadable ?? false,
    },
    use: { purpose: "show", sealed: true },
    secretSink: setup.sink === undefined ? "file" : setup.sink,
    holdsSecret: () => null,
    secretPlace: setup.secretPlace ?? { fate: setup.sink === null ? "none" : "kept", host: null },
    onRunner: setup.onRunner ?? false,
    version: "0.0.0",
    planKey: null,
    now,
    keyNow: () => now,
    budget: () => [],
    estimateSeconds: () => 0,
    onProgress: () => undefined,
  });
  const calls = service.control.calls().slice(before);
  return { ...made, service, calls: calls.map((call) => `${call.method} ${call.path.replace(/^\/open-api\/v1/, "")}`) };
}

export function clientOf(service: SandboxService, apiKey = service.apiKey): TicketingClient {
  return sandboxClient(service, { apiKey });
}

export function load(files: Files): Promise<Project> {
  return loadProject(memoryFiles(files), { environment: { name: "sandbox" }, env: {}, now });
}
