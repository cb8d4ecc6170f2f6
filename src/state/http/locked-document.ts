// Our files in one document on a state server. The protocol has no compare and swap, so each write builds one: hold the server's
// lock, see that the document is still the one that was read, and write under the lock's id, which the server refuses to anyone
// else. A run on its own keeps the server's lock for as long as the files name it, and the document names that lock; it ends as
// such a holder does. Shards of one run, which write one after another, have it for one write each, and so has a run that is taking
// the files' lock: a passing lock. A write under one is given up in time, so a passing lock that stays longer than that can be
// removed.
import { setTimeout as sleep } from "node:timers/promises";
import { holderIn, holdersIn, lockFile, lockText, withoutLock } from "../shared/holder.ts";
import {
  checkMarker,
  closedStore,
  type FilesVersion,
  longestCallMs,
  markerIn,
  readAgain,
  type SharedFiles,
  type StoredFiles,
  type StoreFailure,
  type StoreResult,
  storeFailure,
  tipTimeoutMs,
  withMarker,
} from "../shared/shared-files.ts";
import { filePacker, nextDocument, type StateDocument, unpackFiles } from "./state-document.ts";
import type { LockClaim, PostFailure, ServerLockAttempt, StateServer } from "./state-server.ts";
import { claimMaker, hiddenHolder, isOwnId, placeMark, probeServer } from "./state-server.ts";

/** A document that was read longer ago is read again before it is written over: the process may have been paused. */
const staleMs = 5_000;
/** A write under a passing lock is sent within this time after the lock was requested. */
const passingMs = 10_000;
/** A write under a passing lock is given up after this time. */
const passingPostMs = 20_000;
/** A passing lock that has been seen for this long is removed. */
const standardLeaseMs = 60_000;
/** A write whose response was lost may arrive for this long: until then nothing follows it, and the lock stays. */
const settleMs = 5_000;

/** The lock under which a document is written: `passing` with the time of its request, or kept. */
interface ServerLock {
  readonly claim: LockClaim;
  readonly passing: number | null;
}

export function lockedDocument(
  server: StateServer,
  address: string,
  environment: string,
  closing: AbortController,
  leaseMs = standardLeaseMs,
): SharedFiles {
  const claims = claimMaker();
  const pack = filePacker();
  const tried = placeMark(address);
  const moved = storeFailure("moved", `${address} was written by another run.`);
  /** The document names it. */
  let kept: LockClaim | null = null;
  /** Requested or released without a response: one of them may still be there. */
  const unsure = new Map<string, LockClaim>();
  /** Whether somebody was found to hold the server's lock whom the files that we wait for do not name. */
  let isHidden = false;

  function get(): Promise<StoreResult<StateDocument | null>> {
    return readAgain(() => server.get(longestCallMs), closing.signal);
  }

  async function versionOf(document: StateDocument | null): Promise<StoreResult<FilesVersion | null>> {
    if (document === null) return { ok: true, value: null };
    const files = await unpackFiles(document, address);
    if (!files.ok) return files;
    return (
      checkMarker(files.value, environment, address) ?? { ok: true, value: { id: document.id, files: files.value } }
    );
  }

  async function askForLock(claim: LockClaim): Promise<StoreResult<ServerLockAttempt>> {
    // Requested again under the same id: the response names it if it was taken and only the response was lost.
    const ask = () =>
      readAgain(async () => {
        const answer = await server.lock(claim);
        if (!answer.ok && answer.reason === "unreachable") unsure.set(claim.ID, claim);
        return answer;
      }, closing.signal);
    let attempt = await ask();
    const left = attempt.ok && !attempt.value.ours ? (attempt.value.by.ID ?? "") : "";
    if (claims.isOurs(left)) attempt = (await letGo({ ...claim, ID: left })) ?? (await ask());
    if (attempt.ok && attempt.value.ours) isHidden = false;
    return attempt;
  }

  async function read(toWrite = false): Promise<StoreResult<FilesVersion | null>> {
    for (let again = 10; ; again -= 1) {
      const document = await get();
      if (!document.ok) return document;
      const version = await versionOf(document.value);
      if (!version.ok || !toWrite) return version;
      const isNamed = version.value !== null && holderIn(version.value.files) !== null;
      if (isNamed && !isHidden) return version;
      // The server names the holder of its lock only in the response to a request for it.
      const claim = claims.next();
      const attempt = await askForLock(claim);
      if (!attempt.ok) return attempt;
      if (attempt.value.ours) {
        await letGo(claim);
        return version;
      }
      const { by } = attempt.value;
      const id = by.ID ?? document.value?.lock;
      isHidden = id == null || id !== document.value?.lock;
      if (!isHidden) return version;
      // Usually it is about to write; otherwise it died before that, and counts as if the files named it.
      if (again === 0 || !isOwnId(id)) {
        const files = new Map(version.value?.files ?? []).set(lockFile, lockText(hiddenHolder(by)));
        return { ok: true, value: { id: version.value?.id ?? "", files } };
      }
      await sleep(300);
    }
  }

  async function write(
    files: StoredFiles,
    before: FilesVersion | null,
    onVersion?: (version: FilesVersion) => void,
  ): Promise<StoreResult<FilesVersion>> {
    const entered = await enter(files, before);
    if (!entered.ok) return entered;
    const lock = entered.value;
    const isNew = markerIn(before?.files ?? new Map()).tried !== tried;
    const unsafe = isNew ? await tryOut(files, before) : null;
    const written = unsafe ?? (await writeLocked(files, before, lock, isNew, onVersion));
    const isKept = written.ok ? files.has(lockFile) : lock.passing === null && written.reason !== "moved";
    if (isKept) kept = lock.claim;
    else await letGo(lock.claim);
    return written;
  }

  /** The server's lock, once it is free or was left by somebody who is gone. */
  async function enter(files: StoredFiles, before: FilesVersion | null): Promise<StoreResult<ServerLock>> {
    if (kept !== null) return { ok: true, value: { claim: kept, passing: null } };
    const end = performance.now() + leaseMs + passingMs;
    const named = holdersIn(before?.files ?? new Map()).map(({ token }) => token);
    /** Whether others of the run continue, one of which has the server's lock. Otherwise all named ones are gone. */
    const isJoint = holdersIn(files).some(({ token }) => named.includes(token));
    let watched = { id: "", since: 0 };
    while (performance.now() < end) {
      const claim = claims.next();
      const passing = Date.now();
      const attempt = await askForLock(claim);
      if (!attempt.ok) return attempt;
      if (attempt.value.ours) return { ok: true, value: { claim, passing } };
      const document = await get();
      if (!document.ok) return document;
      if (!isSame(document.value, before)) return moved;
      const { ID: id = document.value?.lock ?? "" } = attempt.value.by;
      if (id !== watched.id) watched = { id, since: performance.now() };
      const isGone = isJoint
        ? isOwnId(id) && performance.now() - watched.since >= leaseMs
        : id === document.value?.lock || named.includes(id);
      if (isGone) await server.unlock({ ...attempt.value.by, ID: id });
      else if (!isJoint) {
        isHidden = true;
        return moved;
      }
      await sleep(100 + 200 * Math.random());
    }
    return storeFailure("unreachable", "Other programs held the server's lock the whole time.");
  }

  /** Null where the server keeps others out. */
  async function tryOut(files: StoredFiles, before: FilesVersion | null): Promise<StoreFailure | null> {
    const document = await get();
    if (!document.ok) return document;
    if (!isSame(document.value, before)) return moved;
    return probeServer(server, document.value, await pack(withMarker(withoutLock(files), environment)));
  }

  async function writeLocked(
    files: StoredFiles,
    before: FilesVersion | null,
    { claim, passing }: ServerLock,
    isNew: boolean,
    onVersion?: (version: FilesVersion) => void,
  ): Promise<StoreResult<FilesVersion>> {
    const whole = withMarker(files, environment, { tried });
    const packed = await pack(whole);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const start = Date.now();
      const document = await get();
      if (!document.ok) return document;
      if (!isSame(document.value, before)) return moved;
      const sent = Date.now();
      if (Math.abs(sent - start) > staleMs) continue;
      if (passing !== null && Math.abs(sent - passing) > passingMs) break;
      const next = nextDocument(document.value, packed, files.has(lockFile) ? claim.ID : null);
      const version = { id: next.id, files: whole };
      onVersion?.(version);
      const failure = await server.post(next, claim.ID, passing === null ? undefined : passingPostMs);
      if (failure === null && !isNew) return { ok: true, value: version };
      // Perhaps only the response was lost; and a confirmed write counts once it was seen.
      const present = await readBack(before, failure, sent);
      if (!present.ok) return failure ?? present;
      if (present.value?.id === next.id) return { ok: true, value: version };
      if (failure === null) return storeFailure("unsafe", `${address} does not show what was just written to it.`);
      if (!isSame(present.value, before)) return moved;
      // Somebody may have unlocked the server by hand: while the document is still ours, its lock is too.
      const again = attempt === 1 ? await askForLock(claim) : null;
      if (again?.ok !== true || !again.value.ours) return failure;
    }
    return storeFailure("unreachable", "The server takes too long to respond.");
  }

  /** What is there after a write. One without a response is waited for: a server may accept it after the next one. */
  async function readBack(
    before: FilesVersion | null,
    failure: PostFailure | null,
    sent: number,
  ): Promise<StoreResult<StateDocument | null>> {
    for (;;) {
      const present = await get();
      const isOpen = failure?.mayArrive === true && (!present.ok || isSame(present.value, before));
      if (!isOpen || Math.abs(Date.now() - sent) >= settleMs) return present;
      await sleep(300);
    }
  }

  /** A lock that cannot be released now is removed by our next attempt, or by others, like that of a run that died. */
  async function letGo(claim: LockClaim): Promise<StoreFailure | null> {
    kept = null;
    unsure.set(claim.ID, claim);
    for (const waitMs of [500, 2_000, 0]) {
      const failure = await server.unlock(claim);
      if (failure?.reason !== "unreachable") {
        unsure.delete(claim.ID);
        return null;
      }
      if (waitMs === 0) return failure;
      await sleep(waitMs);
    }
    return null;
  }

  return {
    name: address,
    async tip() {
      const document = await server.get(tipTimeoutMs);
      return document.ok ? { ok: true, value: document.value?.id ?? null } : document;
    },
    read,
    write: async (files, before, _subject, onVersion) =>
      closing.signal.aborted ? storeFailure("setup", closedStore) : write(files, before, onVersion),
    async close() {
      if (kept !== null) await letGo(kept);
      for (const claim of unsure.values()) if ((await letGo(claim)) !== null) break;
      closing.abort();
    },
  };
}

/** Whether the document is the version that was read; an empty id: there was none. */
function isSame(document: StateDocument | null, version: FilesVersion | null): boolean {
  return (document?.id ?? "") === (version?.id ?? "");
}
