import { createHash } from "node:crypto";
import { join } from "node:path";
import type { LedgerStore } from "../service/pace/ledger-store.ts";
import { ensureFolder, fileWord, folderOf } from "../state/folder.ts";
import { readPrivate, writePrivate } from "../system/private-files.ts";

/** Our calls of the last hour, kept between runs, for each environment and address apart. */
export function keepPaceIn(directory: string, environment: string, baseUrl: string): LedgerStore {
  const address = createHash("sha256").update(baseUrl).digest("hex").slice(0, 8);
  const name = `pace.${fileWord(environment)}.${address}.json`;
  return {
    async load() {
      return JSON.parse(readPrivate(join(folderOf(directory), name)) ?? "null");
    },
    async save(data) {
      await writePrivate(join(await ensureFolder(directory), name), JSON.stringify(data));
    },
  };
}
