// What an interrupted run read of the service: the next run goes on from it, so that a plan of any size ends at any rate limit.
import { join } from "node:path";
import { checkEntry, readPrivate, removePrivate, writePrivate } from "../system/private-files.ts";
import { ensureFolder, fileWord, folderOf } from "./file/folder.ts";
import { currentSealer, type FindSealSecrets, isInTheFuture, isSameCode } from "./seal.ts";

type Answers<Answer> = Readonly<Record<string, Answer>>;

export interface SnapshotCache {
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

interface Sealed {
  readonly key: string;
  readonly code: string;
  /** What was kept, as text: what is sealed is what is read. */
  readonly kept: string;
}

export interface SnapshotCacheSetup {
  readonly directory: string;
  readonly environment: string;
  readonly baseUrl: string;
  readonly secrets: FindSealSecrets;
}

/** Older answers would make a plan of yesterday's truth. */
const longestMs = 2 * 3_600_000;

/** Answers that no run with this key has written count as none: reading them anew costs only time. */
export function snapshotCache({ directory, environment, baseUrl, secrets }: SnapshotCacheSetup): SnapshotCache {
  const path = join(folderOf(directory), `snapshot.${fileWord(environment)}.json`);
  /** When the oldest of the answers came: going on does not make them younger. */
  let since: number | null = null;
  return {
    async isThere() {
      try {
        return checkEntry(path) !== null;
      } catch {
        return false;
      }
    },
    async load<Answer>(organizationId: string, now: number) {
      try {
        const kept = unseal(readPrivate(path)) as Kept<Answer>;
        if (kept.baseUrl !== baseUrl || kept.organizationId !== organizationId) return {};
        if (now - kept.since >= longestMs || isInTheFuture(kept.since, now)) return {};
        since = kept.since;
        return kept.answers;
      } catch {
        // Nothing kept, or nothing that can be used: then everything is read anew.
        return {};
      }
    },
    async save(answers, organizationId, now) {
      const sealer = currentSealer(secrets, environment, "snapshot");
      if (sealer === null) return;
      await ensureFolder(directory);
      const kept = JSON.stringify({ baseUrl, organizationId, since: since ?? now, answers } satisfies Kept<unknown>);
      const sealed: Sealed = { key: sealer.keyId, code: sealer.codeOf(kept), kept };
      await writePrivate(path, JSON.stringify(sealed));
    },
    async clear() {
      await removePrivate(path);
    },
  };

  function unseal(text: string | null): unknown {
    const { key, code, kept } = JSON.parse(text ?? "null") as Sealed;
    const sealer = currentSealer(secrets, environment, "snapshot");
    return sealer?.keyId === key && isSameCode(sealer.codeOf(kept), code) ? JSON.parse(kept) : null;
  }
}
