// State on a server of Terraform's HTTP state protocol, such as the one that GitLab has for every project.

import { setTimeout as sleep } from "node:timers/promises";
import { maskUrls } from "../../model/value.ts";
import type { HttpState } from "../../model/wish.ts";
import { filePacker, unpackFiles } from "../packed-files.ts";
import type { BackendSetup, Outside } from "../shared/backend-setup.ts";
import { holderIn, lockFile, lockText, withoutLock } from "../shared/holder.ts";
import {
  checkMarker,
  closedStore,
  type FilesVersion,
  markerIn,
  type SharedFiles,
  type StoredFiles,
  type StoreFailure,
  type StoreHints,
  type StoreResult,
  storeFailure,
  tipTimeoutMs,
  withMarker,
} from "../shared/shared-files.ts";
import { sharedStore } from "../shared/shared-store.ts";
import type { StateStore } from "../store.ts";
import { passingMs, type ServerLock, serverLocks, standardLeaseMs } from "./server-lock.ts";
import { findServerPlace, stateAddress } from "./server-place.ts";
import { nextDocument, type StateDocument } from "./state-document.ts";
import {
  type DocumentReader,
  documentReader,
  hiddenHolder,
  isOwnId,
  isSameVersion,
  type LockClaim,
  openStateServer,
  placeMark,
  probeServer,
  type StateServer,
} from "./state-server.ts";

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
    "Set TICKETING_STATE_USERNAME and TICKETING_STATE_PASSWORD to credentials that may read, lock and write this address. On GitLab, use a token with the scope `api`; its owner must be at least Developer to plan and Maintainer to apply. A job on the same GitLab uses its own token.",
  unreachable: "Check the address and the connection, then run the command again. Nothing was sent to the service.",
  foreign:
    "Nothing was changed there. Give this project and environment their own address in `state.address`; `{environment}` in it stands for the environment's name.",
  setup:
    "`state.address` must be the address of a server that supports Terraform's HTTP state protocol, with locks. If the lock has a different address or method, set `lockAddress`, `lockMethod`, `unlockAddress` and `unlockMethod` as for Terraform.",
  unsafe:
    "With this server, two runs could apply at once, so it is not used. Keep the state in GitLab or another server that honors locks, or use `backend: git`.",
};

// Our files in one document on a state server. The protocol has no compare and swap, so each write builds one: hold the server's
// lock, see that the document is still the one that was read, and write under the lock's id, which the server refuses to anyone
// else. A run on its own keeps the server's lock for as long as the files name it, and the document names that lock; it ends as
// such a holder does. Shards of one run, which write one after another, have it for one write each, and so has a run that is taking
// the files' lock: a passing lock. A write under one is given up in time, so a passing lock that stays longer than that can be
// removed.

/** A document that was read longer ago is read again before it is written over: the process may have been paused. */
const staleMs = 5_000;
/** A write under a passing lock is given up after this time. */
const passingPostMs = 20_000;
/** A write whose response was lost may arrive for this long: until then nothing follows it, and the lock stays. */
const settleMs = 5_000;

export function lockedDocument(
  server: StateServer,
  address: string,
  environment: string,
  closing: AbortController,
  leaseMs = standardLeaseMs,
): SharedFiles {
  const reader = documentReader(server, address, closing.signal);
  const locks = serverLocks(server, reader, closing.signal, leaseMs);
  const writeUnder = documentWriter(server, reader, locks.regain, address, environment);

  async function versionIn(document: StateDocument | null): Promise<StoreResult<FilesVersion | null>> {
    if (document === null) return { ok: true, value: null };
    const files = await unpackFiles(document.packed, address);
    if (!files.ok) return files;
    const isUnseen = markerIn(files.value).unseen !== undefined;
    return (
      checkMarker(files.value, environment, address) ??
      (isUnseen ? overwritten(address) : { ok: true, value: { id: document.id, files: files.value } })
    );
  }

  async function read(toWrite = false): Promise<StoreResult<FilesVersion | null>> {
    const end = performance.now() + leaseMs;
    let watched = { id: "", since: 0 };
    for (;;) {
      const document = await reader.get();
      if (!document.ok) return document;
      const version = await versionIn(document.value);
      if (!version.ok || !toWrite) return version;
      const isNamed = version.value !== null && holderIn(version.value.files) !== null;
      if (isNamed && !locks.isHidden()) return version;
      const hidden = await locks.findHidden(document.value);
      if (!hidden.ok) return hidden;
      if (hidden.value === null) return version;
      const { ID: id = "" } = hidden.value;
      const now = performance.now();
      if (watched.id !== id) watched = { id, since: now };
      // Usually it is about to write, perhaps one after another; otherwise it died before that, and counts as if the files named it.
      if (!isOwnId(id) || now > end || now - watched.since > passingMs) {
        const files = new Map(version.value?.files ?? []).set(lockFile, lockText(hiddenHolder(hidden.value)));
        return { ok: true, value: { id: version.value?.id ?? "", files } };
      }
      await sleep(300);
    }
  }

  return {
    name: address,
    async tip() {
      const document = await server.get(tipTimeoutMs);
      return document.ok ? { ok: true, value: document.value?.id ?? null } : document;
    },
    read,
    async write(files, before, _subject, onVersion) {
      if (closing.signal.aborted) return storeFailure("setup", closedStore);
      const entered = await locks.enter(files, before);
      if (!entered.ok) return entered;
      const { claim, passing } = entered.value;
      const written = await writeUnder(entered.value, files, before, onVersion);
      const isKept = written.ok ? files.has(lockFile) : passing === null && written.reason !== "moved";
      if (isKept) locks.keep(claim);
      else await locks.letGo(claim);
      return written;
    },
    async close() {
      await locks.letGoOfAll();
      closing.abort();
    },
  };
}

function overwritten(address: string): StoreFailure {
  return storeFailure(
    "foreign",
    `${address} showed no state before the first write, and now does not show what was written: an earlier state may have been overwritten.`,
    "If the server keeps versions of the document, restore the version from before that write. If there was no state, delete the document: the next apply begins a new one.",
  );
}

/** Writes under a lock of the server. `regain`: whether that lock is ours still or again. */
function documentWriter(
  server: StateServer,
  { moved, get, getUnmoved }: DocumentReader,
  regain: (claim: LockClaim) => Promise<boolean>,
  address: string,
  environment: string,
) {
  const pack = filePacker();
  const tried = placeMark(address);
  const notShown = storeFailure("unsafe", `${address} does not show what was just written to it.`);

  /** Null where the server keeps others out. */
  async function tryOut(files: StoredFiles, before: FilesVersion | null): Promise<StoreFailure | null> {
    const document = await getUnmoved(before);
    if (!document.ok) return document;
    return probeServer(server, document.value, await pack(withMarker(withoutLock(files), environment)));
  }

  /** What is there after a write. One without a response is waited for: a server may accept it after the next one. */
  async function readBack(before: FilesVersion | null, mayArrive: boolean, sent: number) {
    for (;;) {
      const present = await get();
      const isOpen = mayArrive && (!present.ok || isSameVersion(present.value, before));
      if (!isOpen || Math.abs(Date.now() - sent) >= settleMs) return present;
      await sleep(300);
    }
  }

  /** Why the document is not there after it was sent; null if it is. `isUnchanged`: the one before still is. */
  async function send(
    next: StateDocument,
    before: FilesVersion | null,
    { claim, passing }: ServerLock,
    isNew: boolean,
  ): Promise<{ readonly problem: StoreFailure | null; readonly isUnchanged: boolean }> {
    const sent = Date.now();
    const failure = await server.post(next, claim.ID, passing === null ? undefined : passingPostMs);
    if (failure === null && !isNew) return { problem: null, isUnchanged: false };
    // Perhaps only the response was lost; and the first write to a place counts once it was seen.
    const present = await readBack(before, failure?.mayArrive === true, sent);
    if (!present.ok) return { problem: failure ?? present, isUnchanged: false };
    if (present.value?.id === next.id) return { problem: null, isUnchanged: false };
    if (failure === null) return { problem: notShown, isUnchanged: false };
    const isUnchanged = isSameVersion(present.value, before);
    return { problem: isUnchanged ? failure : moved, isUnchanged };
  }

  /** If reads showed nothing before either, there may have been a state: the next run must not begin with this one. */
  async function markUnseen(
    problem: StoreFailure,
    written: StateDocument,
    files: StoredFiles,
    before: FilesVersion | null,
    claim: LockClaim,
  ): Promise<void> {
    if (problem !== notShown || before !== null) return;
    const marked = await pack(withMarker(withoutLock(files), environment, { unseen: 1 }));
    await server.post(nextDocument(written, marked, null), claim.ID);
  }

  return async function write(
    lock: ServerLock,
    files: StoredFiles,
    before: FilesVersion | null,
    onVersion?: (version: FilesVersion) => void,
  ): Promise<StoreResult<FilesVersion>> {
    const { claim, passing } = lock;
    const isNew = markerIn(before?.files ?? new Map()).tried !== tried;
    const unsafe = isNew ? await tryOut(files, before) : null;
    if (unsafe !== null) return unsafe;
    const whole = withMarker(files, environment, { tried });
    const packed = await pack(whole);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const start = Date.now();
      const document = await getUnmoved(before);
      if (!document.ok) return document;
      const now = Date.now();
      if (Math.abs(now - start) > staleMs) continue;
      if (passing !== null && Math.abs(now - passing) > passingMs) break;
      const next = nextDocument(document.value, packed, files.has(lockFile) ? claim.ID : null);
      const version = { id: next.id, files: whole };
      onVersion?.(version);
      const { problem, isUnchanged } = await send(next, before, lock, isNew);
      if (problem === null) return { ok: true, value: version };
      await markUnseen(problem, next, files, before, claim);
      // Somebody may have unlocked the server by hand: while the document is still ours, its lock is too.
      if (!isUnchanged || attempt > 1 || !(await regain(claim))) return problem;
    }
    return storeFailure("unreachable", "The server takes too long to respond.");
  };
}
