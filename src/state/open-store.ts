import type { Diagnostic } from "../model/diagnostic.ts";
import type { Settings } from "../model/wish.ts";
import { type FileStoreSetup, fileStore, noneStore } from "./file/file-store.ts";
import type { StateStore } from "./store.ts";

export type OpenedStore =
  | { readonly ok: true; readonly store: StateStore }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

/** The store that the project file asks for. */
export function openStore(settings: Settings["state"], setup: FileStoreSetup): OpenedStore {
  switch (settings.backend) {
    case "file":
      return { ok: true, store: fileStore(setup) };
    case "none":
      return { ok: true, store: noneStore(setup) };
  }
}
