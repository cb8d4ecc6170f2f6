// A run of the executor against a sandbox in this process, with a journal in memory.
import { type Executed, type ExecuteOptions, executePlan } from "../../src/apply/execute.ts";
import type { JournalEntry } from "../../src/apply/journal/journal-entry.ts";
import { openJournal } from "../../src/apply/journal/open-journal.ts";
import { parseJournal } from "../../src/apply/journal/open-work.ts";
import type { SecretStore, WebhookSecret } from "../../src/apply/run/run-context.ts";
import type { Plan } from "../../src/model/plan.ts";
import {
  type BrandRow,
  createService,
  type EventRow,
  type PerformerRow,
  type SandboxService,
  type ScheduleRow,
  type TicketRow,
  type WebhookRow,
} from "../../src/sandbox/index.ts";
import { sandboxClient, sandboxTransport, type TransportSetup } from "./sandbox-transport.ts";

export interface Stage {
  readonly service: SandboxService;
  readonly secrets: Map<string, WebhookSecret>;
  /** The journal's text, as the disk would hold it. */
  journal: string;
  run(plan: Plan, more?: Partial<ExecuteOptions>): Promise<Executed>;
  entries(): readonly JournalEntry[];
  writes(): readonly string[];
  rows(): Rows;
}

export interface Rows {
  readonly events: readonly EventRow[];
  readonly tickets: readonly TicketRow[];
  readonly performers: readonly PerformerRow[];
  readonly schedules: readonly ScheduleRow[];
  readonly brands: readonly BrandRow[];
  readonly webhooks: readonly WebhookRow[];
}

export function openStage(profile = "likely", setup: TransportSetup = {}): Stage {
  const service = createService({ profile, apiKey: "key-for-tests" });
  const secrets = new Map<string, WebhookSecret>();
  const sink: SecretStore = {
    holds: async (id) => secrets.has(id),
    async put(secret) {
      secrets.set(secret.id, secret);
      return null;
    },
  };
  const stage: Stage = {
    service,
    secrets,
    journal: "",
    async run(plan, more = {}) {
      const earlier = parseJournal(stage.journal).entries;
      const journal = openJournal(`run-${earlier.length}`, earlier, {
        async append(lines) {
          stage.journal += lines;
        },
        note(lines) {
          stage.journal += lines;
        },
      });
      return executePlan({
        plan,
        service: sandboxClient(service, { transport: sandboxTransport(service, setup), retries: { faults: 2 } }),
        journal,
        sink,
        state: null,
        matched: {},
        known: [],
        settleMs: 20,
        parallelism: 4,
        ...more,
      });
    },
    rows: () => service.dump() as unknown as Rows,
    entries: () => parseJournal(stage.journal).entries,
    writes: () =>
      service.control
        .calls()
        .filter((call) => call.method !== "GET")
        .map((call) => `${call.method} ${call.path.replace(/[0-9a-f-]{36}/g, "ID")}`),
  };
  return stage;
}
