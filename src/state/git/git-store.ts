// State in a ref of the repository's own remote: for runners that forget everything.
import type { StoreSetup } from "../file/folder.ts";
import type { LockTimes } from "../shared/lock-times.ts";
import { checkAgreed, type Outside } from "../shared/outside.ts";
import { sharedStore } from "../shared/shared-store.ts";
import type { StateStore } from "../store.ts";
import { refHints } from "./ref-failure.ts";
import type { RemoteSetup } from "./remote-place.ts";
import { openStateRef } from "./state-ref.ts";

export interface GitStoreSetup extends StoreSetup, Pick<RemoteSetup, "remote" | "ref"> {
  readonly times: LockTimes;
  readonly outside: Pick<Outside, "env" | "disagreement">;
}

export function gitStore(setup: GitStoreSetup): StateStore {
  const { remote, ref, outside } = setup;
  return sharedStore({
    ...setup,
    async open() {
      // Without either it is this project's own ref, whatever the file says.
      const isNamed = ref !== undefined || remote !== "origin";
      const names = [ref === undefined ? remote : `${remote}/${ref}`];
      const unagreed = isNamed ? await checkAgreed(outside, { names, sendsCredentials: false }) : null;
      return unagreed ?? openStateRef(setup);
    },
    openLedger: (name) => openStateRef({ ...setup, ref: `refs/ticketing/pace/${name}`, environment: "pace" }),
    words: {
      place: `git, remote '${remote}'`,
      peer: "the remote",
      lead: (doing, reason) =>
        ["setup", "foreign", "too-new"].includes(reason)
          ? `State is kept in git, and cannot be ${doing}`
          : `The state on the remote '${remote}' could not be ${doing}`,
      hints: refHints,
    },
  });
}
