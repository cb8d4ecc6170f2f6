// State on a server of Terraform's HTTP state protocol, such as the one that GitLab has for every project.
import { maskUrls } from "../../model/value.ts";
import type { HttpState } from "../../model/wish.ts";
import type { BackendSetup, Outside } from "../shared/outside.ts";
import type { SharedFiles, StoreHints, StoreResult } from "../shared/shared-files.ts";
import { sharedStore } from "../shared/shared-store.ts";
import type { StateStore } from "../store.ts";
import { lockedDocument } from "./locked-document.ts";
import { findServerPlace, stateAddress } from "./server-place.ts";
import { openStateServer } from "./state-server.ts";

/** Outcomes are sent with renewals of the lock, because each write sends the whole document, and GitLab keeps each. */
const gatherMs = 3_600_000;

export function httpStore(settings: HttpState, setup: BackendSetup): StateStore {
  const { environment, outside } = setup;
  const address = maskUrls(stateAddress(settings.address, environment));
  return sharedStore({
    ...setup,
    // A lock that a dead shard left is removed after a minute: those that wait for their turn outlast that.
    times: { ...setup.times, gatherMs, patienceMs: 1.5 * setup.times.patienceMs },
    open: () => openHttpFiles(settings, environment, outside),
    // A plan only reads here, and a server such as GitLab keeps each version for good: too many for a ledger.
    openLedger: null,
    words: {
      place: address,
      peer: "the state server",
      lead: (doing) => `The state at ${address} could not be ${doing}`,
      hints,
    },
  });
}

export async function openHttpFiles(
  settings: HttpState,
  environment: string,
  outside: Outside,
  leaseMs?: number,
): Promise<StoreResult<SharedFiles>> {
  const place = await findServerPlace(settings, environment, outside);
  if (!place.ok) return place;
  const closing = new AbortController();
  const server = openStateServer(place.value, outside, closing.signal);
  const files = lockedDocument(server, place.value.address, environment, closing, leaseMs);
  return {
    ok: true,
    value: {
      ...files,
      async close() {
        await files.close();
        await outside.close();
      },
    },
  };
}

const hints: StoreHints = {
  refused:
    "Set TICKETING_STATE_USERNAME and TICKETING_STATE_PASSWORD to credentials that may read, lock and write this address. On GitLab: a token with the scope `api` of somebody who is at least Developer to plan and Maintainer to apply; a job of the same GitLab uses its own token.",
  unreachable: "Check the address and the connection, then run the command again. Nothing was sent to the service.",
  foreign:
    "Nothing was changed there. Give this project and environment their own address in `state.address`; `{environment}` in it stands for the environment's name.",
  setup:
    "`state.address` must be that of a server of Terraform's HTTP state protocol, with locks. Where its lock has a different address or method, set `lockAddress`, `lockMethod`, `unlockAddress` and `unlockMethod` as for Terraform.",
  unsafe:
    "Two runs could apply at once with it, so it is not used. Keep the state in GitLab or another server that honors locks, or with `backend: git`.",
};
