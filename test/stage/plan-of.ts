// A project, a live service in this process, and the planner between them.
import { type MadePlan, makePlan } from "../../src/app/planning/make-plan.ts";
import type { FieldValues, JournalEntry } from "../../src/apply/journal/journal-entry.ts";
import { fieldsAfter } from "../../src/apply/run/transition.ts";
import { loadProject } from "../../src/config/project.ts";
import { kindOfAddress } from "../../src/kinds/index.ts";
import { lint } from "../../src/lint/lint.ts";
import type { State } from "../../src/model/live.ts";
import type { Operation } from "../../src/model/plan.ts";
import type { Project } from "../../src/model/wish.ts";
import { createService, type SandboxService, type Seed } from "../../src/sandbox/index.ts";
import { TicketingClient } from "../../src/service/client.ts";
import { makeReader } from "../../src/snapshot/reader.ts";
import { memoryFiles } from "./memory-files.ts";
import { sandboxTransport } from "./plain-transport.ts";

export type Files = Readonly<Record<string, string>>;

export interface Setup {
  readonly files: Files;
  readonly base?: Files;
  readonly live?: Seed;
  readonly state?: State;
  readonly profile?: string;
  readonly service?: SandboxService;
  readonly targets?: readonly string[];
  readonly allow?: readonly string[];
  readonly maxDeletes?: number;
  readonly resendUnreadable?: boolean;
  readonly pin?: string;
  readonly sink?: "file" | "command" | null;
  readonly apiKey?: string;
  /** In CI. */
  readonly onRunner?: boolean;
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
  const made = await makePlan({
    project,
    remarks: [...project.diagnostics, ...lint(project, { now, environment: "sandbox" })].filter(
      (one) => one.severity === "error",
    ),
    base: setup.base === undefined ? null : await load(setup.base),
    state: setup.state ?? null,
    client,
    reader: makeReader(client),
    target: { environment: "test", baseUrl: "http://127.0.0.1/open-api/v1" },
    organizationPin: setup.pin ?? null,
    options: {
      targets: setup.targets ?? [],
      allow: setup.allow ?? [],
      maxDeletes: setup.maxDeletes ?? null,
      resendUnreadable: setup.resendUnreadable ?? false,
      settleMs: 0,
    },
    secretSink: setup.sink === undefined ? "file" : setup.sink,
    holdsSecret: () => null,
    onRunner: setup.onRunner ?? false,
    version: "0.0.0",
    planKey: null,
    now,
    serverNow: () => null,
    budget: () => [],
    estimateSeconds: () => 0,
    onProgress: () => undefined,
    sleep: async () => undefined,
  });
  const calls = service.control.calls().slice(before);
  return { ...made, service, calls: calls.map((call) => `${call.method} ${call.path.replace(/^\/open-api\/v1/, "")}`) };
}

export function clientOf(service: SandboxService, apiKey?: string): TicketingClient {
  return new TicketingClient({
    baseUrl: "http://127.0.0.1/open-api/v1",
    apiKey: apiKey ?? service.apiKey,
    transport: sandboxTransport(service),
  });
}

export function load(files: Files): Promise<Project> {
  return loadProject(memoryFiles(files), { environment: { name: "sandbox" }, env: {} });
}

/** Makes the calls of a plan one after the other, as nothing but a list of calls: each must succeed. Gives what to remember. */
export async function perform(
  service: SandboxService,
  operations: readonly Operation[],
): Promise<readonly JournalEntry[]> {
  const client = clientOf(service);
  const ids = new Map<string, string>();
  const entries: JournalEntry[] = [];
  const done = new Set<string>();
  for (const operation of operations) {
    const early = operation.needs.filter((need) => !done.has(need));
    if (early.length > 0) throw new Error(`${operation.verb} ${operation.address} comes before ${early.join(", ")}`);
    const path = operation.path.replace(
      /\{([^}]+)\}/g,
      (_, address: string) => ids.get(address) ?? `unknown:${address}`,
    );
    const body = operation.body === undefined ? undefined : fill(operation.body, ids);
    const result = await client.request(operation.method, path, { body });
    if (!result.ok) throw new Error(`${operation.verb} ${operation.address}: ${result.problem.message}`);
    const data = result.data as { id?: string } | null;
    if (operation.verb === "create" && data?.id) ids.set(operation.address, data.id);
    if (operation.verb === "create" && operation.body?.tickets !== undefined) await noteTickets(client, operation, ids);
    done.add(operation.id);
    entries.push(...entriesOf(operation, path, body as FieldValues | undefined, data?.id));
  }
  return entries;
}

function entriesOf(operation: Operation, path: string, body: FieldValues | undefined, made: string | undefined) {
  const { address, verb, method } = operation;
  const kind = kindOfAddress(address);
  const id = verb === "create" ? null : (path.split("/")[kind.parent === null ? 2 : 4] ?? null);
  const { tickets: _, ...sent } = body ?? {};
  const fields = { ...sent, ...fieldsAfter(kind, verb) };
  const about = { address, kind: kind.name, verb, method, path, parentId: null, id, fields, at: now, date: null };
  const seq = Number(operation.id);
  const intent: JournalEntry = { type: "intent", seq, run: "only", operation: operation.id, ...about };
  const close: JournalEntry = { type: "close", seq, how: "done", ...(verb === "create" && made ? { id: made } : {}) };
  return [intent, close];
}

async function noteTickets(client: TicketingClient, operation: Operation, ids: Map<string, string>): Promise<void> {
  const listed = await client.tickets.list(ids.get(operation.address) ?? "");
  if (!listed.ok) throw new Error(listed.problem.message);
  for (const ticket of listed.data) ids.set(`${operation.address}/tickets/${ticket.name}`, ticket.id);
}

function fill(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => fill(item, ids));
  if (typeof value !== "object" || value === null) return value;
  if ("$id" in value) return ids.get(String(value.$id));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, ids)]));
}
