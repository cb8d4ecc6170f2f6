// At the rate limit of a small plan an organization of any size is read in several goes.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importLive } from "../../../src/app/importing/import-live.ts";
import { openEnvironmentStore } from "../../../src/app/session/environment-store.ts";
import { chooseEnvironment } from "../../../src/config/environment.ts";
import { loadProject } from "../../../src/config/project.ts";
import { loadSettings } from "../../../src/config/settings/load-settings.ts";
import { createService } from "../../../src/sandbox/index.ts";
import { TicketingClient } from "../../../src/service/client.ts";
import { memoryFiles } from "../../stage/memory-files.ts";
import { sandboxTransport } from "../../stage/sandbox-transport.ts";
import { testWorld } from "../../stage/test-world.ts";

test("an import that would wait too long keeps what it read, and the next one continues from there", async () => {
  let time = Date.parse("2027-01-10T00:00:00Z");
  const clock = {
    now: () => time,
    async sleep(ms: number) {
      time += ms;
    },
  };
  const service = createService({ profile: "tier=free", now: clock.now, elapsed: clock.now });
  const events = Array.from({ length: 30 }, (_, index) => ({ name: `Event ${index}`, slug: `event-${index}` }));
  service.control.seed({ events });
  const directory = mkdtempSync(join(tmpdir(), "ticketing-resume-"));
  const files = memoryFiles({});
  const loaded = await loadSettings(files);
  const chosen = chooseEnvironment(loaded.settings, { env: {} });
  if (!chosen.ok) throw new Error(chosen.diagnostics[0]?.message);
  const { environment } = chosen;
  const project = await loadProject(files, { environment, env: {}, now: 0, loaded });

  async function run() {
    const client = new TicketingClient({
      baseUrl: "http://127.0.0.1/open-api/v1",
      apiKey: service.apiKey,
      transport: sandboxTransport(service),
      clock,
      maxWaitSeconds: 5,
    });
    const { world } = testWorld([], { now: clock.now });
    const store = openEnvironmentStore(world, directory, loaded.settings.state, environment);
    return importLive(world, {
      files,
      loaded,
      project,
      environment,
      state: null,
      target: { environment, baseUrl: "", client, store, line: "", close: async () => null },
      asked: { names: [], statuses: ["DRAFT"], webhooks: false },
      folder: "events",
      isCommitted: async () => true,
      onProgress: () => undefined,
    });
  }

  let runs = 0;
  let outcome = await run();
  for (; !outcome.ok && runs < 10; runs += 1) {
    expect(outcome.diagnostics[0]?.code).toBe("rate-limited-too-long");
    expect(outcome.diagnostics[0]?.hint).toContain("the same command continues from there");
    time += 60_000;
    outcome = await run();
  }
  expect(runs).toBeGreaterThan(0);
  expect(outcome.ok && outcome.imported.events).toHaveLength(30);
  // No list is read twice: /me, the list of events in pages, and four lists of each.
  const paths = service.control.calls().map(({ path }) => path);
  expect(new Set(paths.filter((path) => path.includes("/tickets"))).size).toBe(30);
  expect(paths.filter((path) => path.includes("/tickets"))).toHaveLength(30);
});
