// What an interrupted run read of the service: the next run goes on from it, so that a plan of any size ends at any rate limit.
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ensureFolder, fileWord, folderOf } from "./folder.ts";
import { writeDurably } from "./write-durably.ts";

type Answers<Answer> = Readonly<Record<string, Answer>>;

export interface KeptSnapshot {
  /** What was read of this organization, and nobody else's. */
  load<Answer>(organizationId: string, now: number): Promise<Answers<Answer>>;
  /** Whether there is anything to load. */
  isThere(): Promise<boolean>;
  save(answers: Answers<unknown>, organizationId: string, now: number): Promise<void>;
  clear(): Promise<void>;
}

interface Kept<Answer> {
  readonly baseUrl: string;
  readonly organizationId: string;
  readonly since: number;
  readonly answers: Answers<Answer>;
}

/** Older answers would make a plan of yesterday's truth. */
const longestMs = 2 * 3_600_000;

export function keptSnapshot(directory: string, environment: string, baseUrl: string): KeptSnapshot {
  const path = join(folderOf(directory), `snapshot.${fileWord(environment)}.json`);
  /** When the oldest of the answers came: going on does not make them younger. */
  let since: number | null = null;
  return {
    isThere: () =>
      stat(path).then(
        () => true,
        () => false,
      ),
    async load<Answer>(organizationId: string, now: number) {
      try {
        const kept = JSON.parse(await readFile(path, "utf8")) as Kept<Answer>;
        if (kept.baseUrl !== baseUrl || kept.organizationId !== organizationId || now - kept.since >= longestMs)
          return {};
        since = kept.since;
        return kept.answers;
      } catch {
        // Nothing kept, or nothing that can be used: then everything is read anew.
        return {};
      }
    },
    async save(answers, organizationId, now) {
      await ensureFolder(directory);
      const kept: Kept<unknown> = { baseUrl, organizationId, since: since ?? now, answers };
      await writeDurably(path, JSON.stringify(kept));
    },
    async clear() {
      await rm(path, { force: true });
    },
  };
}
