// The whole program against a service over a socket: a project in a folder, and commands typed at it.
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import { type Ran, ticketing } from "../stage/test-world.ts";

export interface LawStage {
  readonly folder: string;
  readonly sandbox: Sandbox;
  run(...argv: readonly string[]): Promise<Ran>;
  /** Changes a file of the project. */
  edit(file: string, change: (text: string) => string): void;
  /** Writes that reached the service since the last time. */
  writes(): readonly string[];
  close(): Promise<void>;
}

export const clock = "2026-12-01T00:00:00Z";

export async function lawStage(example: string, profile: string): Promise<LawStage> {
  const folder = mkdtempSync(join(tmpdir(), "ticketing-law-"));
  cpSync(join("examples", example), folder, { recursive: true, filter: (path) => !path.includes(".ticketing") });
  const now = () => Date.parse(clock);
  const sandbox = await startSandbox({ profile, now });
  const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  return {
    folder,
    sandbox,
    run: (...argv) => ticketing([...argv, "-C", folder], { env, now }),
    edit(file, change) {
      const path = join(folder, file);
      writeFileSync(path, change(readFileSync(path, "utf8")));
    },
    writes() {
      const calls = sandbox.control.calls().filter((call) => call.method !== "GET");
      sandbox.control.clearCalls();
      return calls.map((call) => `${call.method} ${call.path} ${call.status}`);
    },
    close: () => sandbox.close(),
  };
}
