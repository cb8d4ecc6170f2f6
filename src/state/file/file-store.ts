// State in files beside the project: for one person, one machine, or a runner that keeps its folder.
import { join } from "node:path";
import { type Diagnostic, errorOf, failed } from "../../model/diagnostic.ts";
import type { State } from "../../model/live.ts";
import { digestPrivate, readPrivate, writePrivate } from "../../system/private-files.ts";
import { currentSealer, isShowable, sealProblem } from "../seal.ts";
import type { LoadResult, StateStore } from "../store.ts";
import { fileJournal } from "./file-journal.ts";
import { ensureFolder, fileProblem, fileWord, folderName, folderOf, type StoreSetup } from "./folder.ts";
import { localCaches } from "./local-caches.ts";
import { localLock } from "./local-lock.ts";
import { continueWithoutState, type ParsedState, parsedOnce, parseState, sealedState } from "./parse-state.ts";

export function fileStore(setup: StoreSetup): StateStore {
  const { directory, environment, secrets } = setup;
  const now = setup.now ?? Date.now;
  const word = fileWord(environment);
  const path = join(folderOf(directory), `state.${word}.json`);
  const shown = `${folderName}/state.${word}.json`;
  const journalShown = `${folderName}/journal.${word}.jsonl`;
  const journal = fileJournal({
    path: join(folderOf(directory), `journal.${word}.jsonl`),
    shown: journalShown,
    prepare: () => ensureFolder(directory),
    seals: { environment, use: "journal", secrets, now },
  });

  const parse = parsedOnce((text) => parseState(text, shown, { environment, secrets, now: now() }));

  /** null: there is none. */
  function read(): ParsedState | null {
    try {
      return parse(
        () => readPrivate(path),
        () => digestPrivate(path),
      );
    } catch (error) {
      return failed(fileProblem(error, "Reading", shown));
    }
  }

  async function load(): Promise<LoadResult> {
    const found = read();
    if (found === null) return { ok: true, state: null, unverified: null };
    if (!found.ok) return found;
    const problem = sealProblem(found.status, shown);
    if (problem !== null && !isShowable(found.status)) return failed(problem);
    return { ok: true, state: found.state, unverified: problem };
  }

  async function write(state: State): Promise<Diagnostic | null> {
    try {
      const sealer = currentSealer(secrets, environment, "state");
      if (sealer === null) return sealProblem("no-key", shown);
      ensureFolder(directory);
      await writePrivate(path, sealedState(state, sealer, now()));
      return null;
    } catch (error) {
      return fileProblem(error, "Writing", shown);
    }
  }

  async function save(state: State, before: State | null): Promise<Diagnostic | null> {
    const present = await load();
    if (!present.ok) return present.diagnostics[0] ?? fileProblem("no reason given", "Reading", shown);
    if (present.unverified !== null) return present.unverified;
    if (present.state?.serial !== before?.serial || present.state?.lineage !== before?.lineage) {
      return errorOf(
        "state-changed-meanwhile",
        `${shown} was changed by another run meanwhile, so it was left as it is.`,
        `Run the command again: it reads what is live first. ${continueWithoutState(shown)}`,
      );
    }
    return write(state);
  }

  return {
    place: shown,
    load,
    save,
    ...localLock(setup),
    journal,
    ...localCaches(setup),
    seals: {
      async inspect() {
        const found = read();
        if (found?.ok === false) return found;
        const lines = await journal.inspect();
        return {
          ok: true,
          state: found === null ? null : { file: shown, status: found.status, state: found.state },
          journal: lines.text === "" ? null : { file: journalShown, status: lines.status, text: lines.text },
        };
      },
      write,
    },
  };
}
