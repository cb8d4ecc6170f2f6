// The whole program against a service over a socket: an example in a folder of its own, and commands typed at it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { readFiles } from "../stage/golden.ts";
import { openProject } from "../stage/open-project.ts";
import type { Ran } from "../stage/test-world.ts";

export interface LawStage {
  readonly sandbox: Sandbox;
  run(...argv: readonly string[]): Promise<Ran>;
  /** Changes a file of the project. */
  edit(file: string, change: (text: string) => string): void;
  /** Writes that reached the service since the last time. */
  writes(): readonly string[];
  close(): Promise<void>;
}

const now = () => Date.parse("2026-12-01T00:00:00Z");

export async function lawStage(example: string, profile: string): Promise<LawStage> {
  const project = await openProject(readFiles(join("examples", example)), { profile, now });
  return {
    sandbox: project.sandbox,
    run: (...argv) => project.run(argv, { now }),
    edit(file, change) {
      const path = join(project.directory, file);
      writeFileSync(path, change(readFileSync(path, "utf8")));
    },
    writes: project.writes,
    close: project.close,
  };
}
