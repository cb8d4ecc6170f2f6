// What an interrupted run read of the service: the next run goes on from it, so that a plan of any size ends at any rate limit.
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { ensureFolder, fileWord, folderOf } from "./folder.ts";
import { writeDurably } from "./write-durably.ts";

type Answers<Answer> = Readonly<Record<string, Answer>>;

export interface KeptSnapshot {
  load<Answer>(now: number): Promise<Answers<Answer>>;
  save(answers: Answers<unknown>, now: number): Promise<void>;
  clear(): Promise<void>;
}

/** Older answers would make a plan of yesterday's truth. */
const longestMs = 2 * 3_600_000;

export function keptSnapshot(directory: string, environment: string, baseUrl: string): KeptSnapshot {
  const path = join(folderOf(directory), `snapshot.${fileWord(environment)}.json`);
  return {
    async load<Answer>(now: number) {
      try {
        const kept = JSON.parse(await readFile(path, "utf8")) as {
          baseUrl: string;
          savedAt: number;
          answers: Answers<Answer>;
        };
        return kept.baseUrl === baseUrl && now - kept.savedAt < longestMs ? kept.answers : {};
      } catch {
        // Nothing kept, or nothing that can be used: then everything is read anew.
        return {};
      }
    },
    async save(answers, now) {
      await ensureFolder(directory);
      await writeDurably(path, JSON.stringify({ baseUrl, savedAt: now, answers }));
    },
    async clear() {
      await rm(path, { force: true });
    },
  };
}
