// Our files in one document on a state server. The protocol has no compare and swap, so each write makes one of what it has:
// hold the server's lock, see that the document is still the one that was read, and write under the lock's id, which the
// server refuses to anyone else. The lock is held as long as the files name a holder; a holder that died leaves it behind,
// and whoever writes over the document that names it takes the server's lock over too.
import { setTimeout as sleep } from "node:timers/promises";
import { holderIn, lockFile, lockText, withoutLock } from "../shared/holder.ts";
import {
  checkMarker,
  closedStore,
  type FilesVersion,
  markerIn,
  type SharedFiles,
  type StoredFiles,
  type StoreFailure,
  type StoreResult,
  storeFailure,
  withMarker,
} from "../shared/shared-files.ts";
import { hiddenHolder, isOwnId, makeClaim, placeMark, probeServer, readTimeoutMs } from "./server-lock.ts";
import { filePacker, nextDocument, type StateDocument, unpackFiles } from "./state-document.ts";
import type { LockAttempt, StateServer } from "./state-server.ts";

/** Calls may be waiting for this one. */
const tipTimeoutMs = 15_000;
/** A document that was read longer ago is read again before it is written over: the process may have been paused. */
const staleMs = 5_000;

export function lockedDocument(
  server: StateServer,
  address: string,
  environment: string,
  closing: AbortController,
): SharedFiles {
  const claim = makeClaim();
  const pack = filePacker();
  const tried = placeMark(address);
  const moved = storeFailure("moved", `${address} was written by another run.`);
  /** Whether we hold the server's lock, as far as we know. */
  let isLocked = false;
  /** Whether we may hold it: the answer can be lost. */
  let mayHold = false;
  /** Whether a write under it was seen to have arrived. */
  let hasWritten = false;
  /** Whether the files name a holder that this is or belongs to. */
  let hasJoined = false;
  /** Whether somebody was found to hold it whom the files do not name. */
  let wasHidden = false;

  async function get(): Promise<StoreResult<StateDocument | null>> {
    for (let again = 2; ; again -= 1) {
      if (closing.signal.aborted) return storeFailure("setup", closedStore);
      const found = await server.get(readTimeoutMs);
      if (found.ok || found.reason !== "unreachable" || again === 0) return found;
      await sleep(500);
    }
  }

  async function versionOf(document: StateDocument | null): Promise<StoreResult<FilesVersion | null>> {
    if (document === null) return { ok: true, value: null };
    const files = await unpackFiles(document, address);
    if (!files.ok) return files;
    return (
      checkMarker(files.value, environment, address) ?? { ok: true, value: { id: document.id, files: files.value } }
    );
  }

  async function askForLock(): Promise<StoreResult<LockAttempt>> {
    const attempt = await server.lock(claim);
    mayHold = !attempt.ok || attempt.value.ours;
    if (attempt.ok && attempt.value.ours !== isLocked) [isLocked, hasWritten] = [attempt.value.ours, false];
    return attempt;
  }

  async function read(toWrite = false): Promise<StoreResult<FilesVersion | null>> {
    for (let again = 10; ; again -= 1) {
      const document = await get();
      if (!document.ok) return document;
      const version = await versionOf(document.value);
      if (!version.ok || !toWrite || isLocked || hasJoined) return version;
      const isNamed = version.value !== null && holderIn(version.value.files) !== null;
      if (isNamed && !wasHidden) return version;
      // Who holds the server's lock shows only in the answer to whoever asks for it.
      const attempt = await askForLock();
      if (!attempt.ok) return attempt;
      if (attempt.value.ours) {
        wasHidden = false;
        if (isNamed) await letGo();
        return version;
      }
      const { by } = attempt.value;
      const id = by.ID ?? document.value?.lock;
      wasHidden = id == null || id !== document.value?.lock;
      if (!wasHidden) return version;
      // Mostly it is about to write; else it died before it did so, and counts as if the files named it.
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
    onVersion: (version: FilesVersion) => void,
  ): Promise<StoreResult<FilesVersion>> {
    const refusal = isLocked ? null : await lockOver(before);
    if (refusal !== null) return refusal;
    const isFirst = !hasWritten;
    const unsafe = isFirst ? await tryOut(files, before) : null;
    const written = unsafe ?? (await writeLocked(files, before, isFirst, onVersion));
    hasWritten ||= written.ok;
    if (written.ok) hasJoined = holderIn(files) !== null;
    const isOver = written.ok ? !hasJoined : isFirst || written.reason === "moved";
    if (isOver) await letGo();
    return written;
  }

  /** Null once the server's lock is ours: it was free, or held by whom `before` names. */
  async function lockOver(before: FilesVersion | null): Promise<StoreFailure | null> {
    for (let again = 3; again > 0; again -= 1) {
      const attempt = await askForLock();
      if (!attempt.ok) return attempt;
      if (attempt.value.ours) return null;
      const document = await get();
      if (!document.ok) return document;
      const named = [document.value?.lock, before === null ? null : holderIn(before.files)?.token];
      const { ID = document.value?.lock ?? "" } = attempt.value.by;
      wasHidden = !named.includes(ID);
      if (!isSame(document.value, before) || wasHidden) return moved;
      await server.unlock({ ...attempt.value.by, ID });
    }
    return moved;
  }

  /** Null where the server was tried out before, or keeps others out. */
  async function tryOut(files: StoredFiles, before: FilesVersion | null): Promise<StoreFailure | null> {
    if (markerIn(before?.files ?? new Map())?.tried === tried) return null;
    const document = await get();
    if (!document.ok) return document;
    if (!isSame(document.value, before)) return moved;
    return probeServer(server, document.value, await pack(withMarker(withoutLock(files), environment)));
  }

  async function writeLocked(
    files: StoredFiles,
    before: FilesVersion | null,
    isFirst: boolean,
    onVersion: (version: FilesVersion) => void,
  ): Promise<StoreResult<FilesVersion>> {
    const whole = withMarker(files, environment, { tried });
    const packed = await pack(whole);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const start = Date.now();
      const document = await get();
      if (!document.ok) return document;
      if (!isSame(document.value, before)) return moved;
      if (Math.abs(Date.now() - start) > staleMs) continue;
      const next = nextDocument(document.value, packed, holderIn(files) === null ? null : claim.ID);
      const version = { id: next.id, files: whole };
      onVersion(version);
      const failure = await server.post(next, claim.ID);
      if (failure === null && !isFirst) return { ok: true, value: version };
      // What was lost may be no more than the answer; and what was confirmed is believed once it was seen.
      const present = await get();
      if (!present.ok) return failure ?? present;
      if (present.value?.id === next.id) return { ok: true, value: version };
      // Another shard may have written on top of it already.
      if (failure === null && (present.value?.serial ?? 0) > next.serial) return { ok: true, value: version };
      if (failure === null) return storeFailure("unsafe", `${address} does not show what was just written to it.`);
      if (!isSame(present.value, before)) return moved;
      // Somebody may have unlocked the server by hand: while the document is still ours, its lock is too.
      const again = attempt === 1 ? await askForLock() : null;
      if (again?.ok !== true || !again.value.ours) return failure;
    }
    return storeFailure("unreachable", "The server takes too long to answer.");
  }

  /** What cannot be unlocked now, others take over like the lock of a run that died. */
  async function letGo(): Promise<void> {
    isLocked = mayHold = false;
    for (const waitMs of [500, 2_000, 0]) {
      const failure = await server.unlock(claim);
      if (failure === null || failure.reason !== "unreachable" || waitMs === 0) return;
      await sleep(waitMs);
    }
  }

  return {
    name: address,
    async tip() {
      const document = await server.get(tipTimeoutMs);
      return document.ok ? { ok: true, value: document.value?.id ?? null } : document;
    },
    read,
    write: async (files, before, _subject, onVersion = () => undefined) =>
      closing.signal.aborted ? storeFailure("setup", closedStore) : write(files, before, onVersion),
    async close() {
      if (mayHold) await letGo();
      closing.abort();
    },
  };
}

/** Whether the document is the version that was read; an empty id: there was none. */
function isSame(document: StateDocument | null, version: FilesVersion | null): boolean {
  return (document?.id ?? "") === (version?.id ?? "");
}
