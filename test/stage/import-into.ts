// A live service in this process, a project in memory, and the import between them.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importLive } from "../../src/app/importing/import-live.ts";
import type { Imported } from "../../src/app/importing/imported.ts";
import { openEnvironmentStore } from "../../src/app/session/environment-store.ts";
import { chooseEnvironment } from "../../src/config/environment.ts";
import { loadProject } from "../../src/config/project.ts";
import { loadSettings } from "../../src/config/settings/load-settings.ts";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import type { State } from "../../src/model/live.ts";
import type { EventStatus } from "../../src/model/wish.ts";
import { createService, type SandboxService, type Seed } from "../../src/sandbox/index.ts";
import { memoryFiles } from "./memory-files.ts";
import { clientOf, type Files, now } from "./plan-of.ts";
import { testWorld } from "./test-world.ts";

export interface Import {
  readonly service: SandboxService;
  readonly files?: Files;
  readonly names?: readonly string[];
  readonly statuses?: readonly EventStatus[];
  readonly webhooks?: boolean;
  readonly series?: boolean;
  readonly folder?: string;
  readonly state?: State | null;
  readonly apiKey?: string;
  /** Whether git has the files as they are; it has where nothing else is said. */
  readonly committed?: boolean;
}

export interface Ran {
  /** The project afterwards. */
  readonly files: Files;
  readonly imported: Imported;
  readonly diagnostics: readonly Diagnostic[];
}

export function serviceWith(live: Seed, profile?: string): SandboxService {
  const service = createService({ profile, now: () => now });
  service.control.seed(live);
  return service;
}

const nowhere = join(tmpdir(), "ticketing-import-nowhere");

/** What `ticketing import` does, short of the disk. */
export async function importInto(setup: Import): Promise<Ran> {
  const before = setup.files ?? {};
  const { world } = testWorld([], { now: () => now });
  const files = memoryFiles(before);
  const loaded = await loadSettings(files);
  const chosen = chooseEnvironment(loaded.settings, { env: {} });
  if (!chosen.ok) throw new Error(chosen.diagnostics[0]?.message);
  const { environment } = chosen;
  const outcome = await importLive(world, {
    files,
    loaded,
    project: await loadProject(files, { environment, env: {}, now, loaded }),
    environment,
    state: setup.state ?? null,
    target: {
      environment,
      baseUrl: "",
      client: clientOf(setup.service, setup.apiKey),
      store: openEnvironmentStore(world, nowhere, loaded.settings.state, environment),
      line: "",
      close: async () => null,
    },
    asked: {
      names: setup.names ?? [],
      statuses: setup.statuses ?? (setup.names === undefined ? ["PUBLISHED", "DRAFT"] : []),
      webhooks: setup.webhooks ?? true,
      series: setup.series ?? false,
    },
    folder: setup.folder ?? "events",
    isCommitted: async () => setup.committed ?? true,
    onProgress: () => undefined,
  });
  if (!outcome.ok) {
    const nothing = {
      events: [],
      webhooks: null,
      templates: [],
      files: [],
      isSettled: false,
      diagnostics: outcome.diagnostics,
    };
    return { files: before, imported: nothing, diagnostics: outcome.diagnostics };
  }
  const { imported } = outcome;
  const written = Object.fromEntries(imported.files.map(({ file, text }) => [file, text]));
  return { files: { ...before, ...written }, imported, diagnostics: imported.diagnostics };
}
