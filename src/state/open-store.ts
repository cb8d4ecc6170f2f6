import type { Settings } from "../model/wish.ts";
import { fileStore, noneStore } from "./file/file-store.ts";
import { gitStore } from "./git/git-store.ts";
import { httpStore } from "./http/http-store.ts";
import { postgresStore } from "./postgres/postgres-store.ts";
import { s3Store } from "./s3/s3-store.ts";
import type { BackendSetup } from "./shared/backend-setup.ts";
import { type LockTimes, standardTimes } from "./shared/lock-times.ts";
import type { StateStore } from "./store.ts";

export type { LockTimes } from "./shared/lock-times.ts";

export interface OpenStoreSetup extends Omit<BackendSetup, "times"> {
  readonly times?: Partial<LockTimes>;
}

/** The store that the project file asks for. Nothing is read or written yet. */
export function openStore(settings: Settings["state"], setup: OpenStoreSetup): StateStore {
  const shared = { ...setup, times: { ...standardTimes, ...setup.times } };
  // The embedded sandbox lives in this folder, and so does what is remembered of it.
  if (setup.baseUrl === null && settings.backend !== "none") return fileStore(setup);
  switch (settings.backend) {
    case "file":
      return fileStore(setup);
    case "none":
      return noneStore(setup);
    case "git":
      return gitStore(settings, shared);
    case "http":
      return httpStore(settings, shared);
    case "postgres":
      return postgresStore(settings, shared);
    case "s3":
      return s3Store(settings, shared);
  }
}
