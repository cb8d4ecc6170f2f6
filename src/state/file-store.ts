// State in files beside the project: for one person, one machine, or a runner that keeps its folder.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { State } from "../model/state.ts";
import { fileTrouble, isMissing } from "./file-trouble.ts";
import { ensureFolder, fileWord, folderName, folderOf } from "./folder.ts";
import { localJournal } from "./local-journal.ts";
import { type LocalLockSetup, localLock } from "./local-lock.ts";
import { goOnWithout, parseState } from "./parse-state.ts";
import type { Loaded, StateStore } from "./state-store.ts";
import { writeDurably } from "./write-durably.ts";

export function fileStore(setup: LocalLockSetup): StateStore {
  const { directory } = setup;
  const word = fileWord(setup.environment);
  const path = join(folderOf(directory), `state.${word}.json`);
  const shown = `${folderName}/state.${word}.json`;
  const journalName = `journal.${word}.jsonl`;

  async function load(): Promise<Loaded> {
    try {
      const parsed = parseState(await readFile(path, "utf8"), shown);
      return parsed;
    } catch (error) {
      if (isMissing(error)) return { ok: true, state: null };
      return { ok: false, diagnostic: fileTrouble(error, "Reading", shown) };
    }
  }

  async function save(state: State, before: State | null): Promise<Diagnostic | null> {
    const now = await load();
    if (!now.ok) return now.diagnostic;
    if (now.state?.serial !== before?.serial || now.state?.lineage !== before?.lineage) return changedMeanwhile(shown);
    try {
      await ensureFolder(directory);
      await writeDurably(path, `${JSON.stringify(state, null, 1)}\n`);
      return null;
    } catch (error) {
      return fileTrouble(error, "Writing", shown);
    }
  }

  return {
    place: shown,
    load,
    save,
    ...localLock(setup),
    journal: localJournal(join(folderOf(directory), journalName), `${folderName}/${journalName}`, () =>
      ensureFolder(directory),
    ),
  };
}

function changedMeanwhile(file: string): Diagnostic {
  return {
    code: "state-changed-meanwhile",
    severity: "error",
    message: `${file} was changed by somebody else while this run was at work, so it was left as it is.`,
    hint: `Run the command again: it reads what is live first. ${goOnWithout(file)}`,
  };
}
