import type { Diagnostic } from "../model/diagnostic.ts";
import type { Settings } from "../model/settings.ts";
import { fileStore } from "./file-store.ts";
import type { LocalLockSetup } from "./local-lock.ts";
import { noneStore } from "./none-store.ts";
import type { StateStore } from "./state-store.ts";

export type OpenedStore =
  | { readonly ok: true; readonly store: StateStore }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

/** The store that the project file asks for. */
export function openStore(settings: Settings["state"], setup: LocalLockSetup): OpenedStore {
  switch (settings.backend) {
    case "file":
      return { ok: true, store: fileStore(setup) };
    case "none":
      return { ok: true, store: noneStore(setup) };
    case "postgres":
    case "s3":
    case "http":
      return {
        ok: false,
        diagnostic: {
          code: "state-backend-missing",
          severity: "error",
          message: `This version keeps state in files or not at all; \`state: { backend: ${settings.backend} }\` is not there yet.`,
          hint: "Write `state: { backend: file }` (and keep .ticketing/ between runs) or `state: { backend: none }` in ticketing.yaml.",
        },
      };
  }
}
