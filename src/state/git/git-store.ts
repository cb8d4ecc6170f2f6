// State in a ref of the repository's own remote: for runners that forget everything.
import type { StoreSetup } from "../file/folder.ts";
import type { LockTimes } from "../shared/lock-times.ts";
import { sharedStore } from "../shared/shared-store.ts";
import type { StateStore } from "../store.ts";
import { refProblem } from "./ref-failure.ts";
import type { RemoteSetup } from "./remote-place.ts";
import { openStateRef } from "./state-ref.ts";

export interface GitStoreSetup extends StoreSetup, Pick<RemoteSetup, "remote" | "ref"> {
  readonly times: LockTimes;
}

export function gitStore(setup: GitStoreSetup): StateStore {
  return sharedStore({
    ...setup,
    open: () => openStateRef(setup),
    openLedger: (name) => openStateRef({ ...setup, ref: `refs/ticketing/pace/${name}`, environment: "pace" }),
    words: {
      place: `git, remote '${setup.remote}'`,
      peer: "the remote",
      problem: (failure, doing) => refProblem(failure, doing, setup.remote),
    },
  });
}
