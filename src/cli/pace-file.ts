import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { LedgerStore } from "../service/pace/ledger-store.ts";
import { ensureFolder, fileWord, folderOf } from "../state/folder.ts";
import { writeDurably } from "../state/write-durably.ts";

/** Our calls of the last hour, kept between runs, for each environment and address apart. */
export function keepPaceIn(directory: string, environment: string, baseUrl: string): LedgerStore {
  const address = createHash("sha256").update(baseUrl).digest("hex").slice(0, 8);
  const name = `pace.${fileWord(environment)}.${address}.json`;
  return {
    async load() {
      return JSON.parse(await readFile(join(folderOf(directory), name), "utf8"));
    },
    async save(data) {
      await writeDurably(join(await ensureFolder(directory), name), JSON.stringify(data));
    },
  };
}
