// The state as one of the shared files. Somebody with the right to write there wrote it. It has no seal, because runners with
// different keys share it.
import { type Diagnostic, errorOf } from "../../model/diagnostic.ts";
import type { State } from "../../model/live.ts";
import { parsedOnce, readState } from "../file/parse-state.ts";
import { lockLost, type StateStore } from "../store.ts";
import type { HeldFiles } from "./held-files.ts";
import { mergeState } from "./merge-state.ts";
import type { StoreFailure } from "./shared-files.ts";
import type { ReadFiles } from "./shared-journal.ts";

const stateFile = "state.json";

/** `removal`: how to delete what is stored. */
export function sharedState(
  heldFiles: () => HeldFiles | null,
  read: ReadFiles,
  place: string,
  removal: () => string,
): Pick<StateStore, "load" | "save"> {
  const parse = parsedOnce(readStored);

  function readStored(text: string) {
    return readState(text, `${stateFile} (${place})`, removal());
  }

  async function load() {
    const found = await read();
    if (!found.ok) return found;
    const parsed = parse(found.files.get(stateFile) ?? null);
    return parsed?.ok === false ? parsed : ({ ok: true, state: parsed?.state ?? null, unverified: null } as const);
  }

  return {
    load,
    async save(state, before) {
      const present = await load();
      if (!present.ok) return present.diagnostics[0] ?? changedMeanwhile;
      const held = heldFiles();
      if (held === null) return lockLost;
      if (held.holder.joint !== undefined) {
        held.set(stateFile, (text) => {
          // What another shard wrote is not overwritten if it cannot be read.
          const found = text === undefined ? null : readStored(text);
          if (found?.ok === false) return foreignFailure(found.diagnostics[0] ?? changedMeanwhile);
          return stateText(mergeState(found?.state ?? null, state, before));
        });
        return null;
      }
      if (present.state?.serial !== before?.serial || present.state?.lineage !== before?.lineage)
        return changedMeanwhile;
      held.set(stateFile, stateText(state));
      return null;
    },
  };
}

function stateText(state: State): string {
  return `${JSON.stringify(state, null, 1)}\n`;
}

const changedMeanwhile = errorOf(
  "state-changed-meanwhile",
  "The state was changed by another run, so it was left as it is.",
  "Run the command again: it reads what is live first.",
);

function foreignFailure({ code, message, hint }: Diagnostic): StoreFailure {
  return { ok: false, reason: "foreign", message, code, ...(hint === undefined ? {} : { hint }) };
}
