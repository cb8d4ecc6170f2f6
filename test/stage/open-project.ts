// A project in its own folder and a live sandbox, for commands as somebody types them.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { World } from "../../src/app/world.ts";
import type { State } from "../../src/model/live.ts";
import type { ApplyReport, Plan } from "../../src/model/plan.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/index.ts";
import { type Ran, ticketing } from "./test-world.ts";

export interface Project {
  readonly directory: string;
  readonly sandbox: Sandbox;
  readonly env: Record<string, string>;
  write(file: string, text: string): Promise<void>;
  edit(file: string, change: (text: string) => string): Promise<void>;
  remove(file: string): Promise<void>;
  read(file: string): Promise<string>;
  state(): Promise<State>;
  run(argv: readonly string[], world?: Partial<World>): Promise<Ran>;
  plan(...flags: readonly string[]): Promise<Ran & { readonly plan: Plan }>;
  /** Approved, and with a settle time of nothing. */
  apply(...flags: readonly string[]): Promise<Ran & { readonly report: AppliedJson }>;
  /** Calls other than reads since the last look at them. */
  writes(): readonly string[];
  close(): Promise<void>;
}

export type AppliedJson = ApplyReport & {
  readonly notes?: readonly { readonly code: string; readonly message: string }[];
};

const settings = "version: 1\nsecrets: { sink: file, path: .ticketing/secrets.json }\n";

export async function openProject(
  files: Readonly<Record<string, string>>,
  options: SandboxOptions = {},
): Promise<Project> {
  const directory = await mkdtemp(join(tmpdir(), "ticketing-project-"));
  // Each run comes long after the one before: nothing it wrote is young enough to be waited for.
  let laterMs = 0;
  const sandbox = await startSandbox({ now: () => Date.now() + laterMs, ...options });
  const env: Record<string, string> = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  async function write(file: string, text: string): Promise<void> {
    await mkdir(dirname(join(directory, file)), { recursive: true });
    await writeFile(join(directory, file), text);
  }
  async function run(argv: readonly string[], world: Partial<World> = {}): Promise<Ran> {
    const ran = await ticketing([...argv, "-C", directory], { env, ...world });
    laterMs += 10_000;
    return ran;
  }
  for (const [file, text] of Object.entries({ "ticketing.yaml": settings, ...files })) await write(file, text);
  return {
    directory,
    sandbox,
    env,
    write,
    edit: async (file, change) => write(file, change(await readFile(join(directory, file), "utf8"))),
    run,
    remove: (file) => rm(join(directory, file)),
    read: (file) => readFile(join(directory, file), "utf8"),
    state: async () => JSON.parse(await readFile(join(directory, ".ticketing/state.default.json"), "utf8")),
    async plan(...flags) {
      const ran = await run(["plan", "--format", "json", ...flags]);
      return { ...ran, plan: JSON.parse(ran.stdout) };
    },
    async apply(...flags) {
      const ran = await run(["apply", "--yes", "--settle", "0", "--format", "json", ...flags]);
      return { ...ran, report: JSON.parse(ran.stdout) };
    },
    writes() {
      const calls = sandbox.control.calls().filter((call) => call.method !== "GET");
      sandbox.control.clearCalls();
      return calls.map((call) => `${call.method} ${call.path.replace(/[0-9a-f-]{36}/g, "ID")}`);
    },
    async close() {
      await sandbox.abandon();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
