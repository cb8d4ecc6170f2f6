import type { Settings } from "../model/wish.ts";
import { fileStore } from "./file/file-store.ts";
import type { StoreSetup } from "./file/folder.ts";
import { noneStore } from "./file/none-store.ts";
import type { StateStore } from "./store.ts";

/** The store that the project file asks for. Nothing is read or written yet. */
export function openStore(settings: Settings["state"], setup: StoreSetup): StateStore {
  switch (settings.backend) {
    case "file":
      return fileStore(setup);
    case "none":
      return noneStore(setup);
  }
}
