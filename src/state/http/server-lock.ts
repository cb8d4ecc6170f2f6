// The server's own lock: requested, kept as long as the document names it, released, and taken from those that are gone.
import { setTimeout as sleep } from "node:timers/promises";
import { holdersIn } from "../shared/holder.ts";
import {
  type FilesVersion,
  readAgain,
  type StoredFiles,
  type StoreFailure,
  type StoreResult,
  storeFailure,
} from "../shared/shared-files.ts";
import type { StateDocument } from "./state-document.ts";
import {
  claimMaker,
  type DocumentReader,
  isOwnId,
  type LockClaim,
  type ServerLockAttempt,
  type StateServer,
} from "./state-server.ts";

/** A write under a passing lock is sent within this time after the lock was requested. */
export const passingMs = 10_000;
/** A passing lock that has been seen for this long is removed. */
export const standardLeaseMs = 60_000;

/** The lock under which a document is written: `passing` with the time of its request, or kept. */
export interface ServerLock {
  readonly claim: LockClaim;
  readonly passing: number | null;
}

export function serverLocks(
  server: StateServer,
  { moved, getUnmoved }: DocumentReader,
  signal: AbortSignal,
  leaseMs: number,
) {
  const claims = claimMaker();
  /** The lock that the document names. */
  let kept: LockClaim | null = null;
  /** Requested or released without a response: one of them may still be there. */
  const unsure = new Map<string, LockClaim>();
  /** Whether the server's lock was found with a holder that the files do not name. */
  let isHidden = false;

  async function ask(claim: LockClaim): Promise<StoreResult<ServerLockAttempt>> {
    // Requested again under the same id: the response names it if it was taken and only the response was lost.
    const request = () =>
      readAgain(async () => {
        const response = await server.lock(claim);
        if (!response.ok && response.reason === "unreachable") unsure.set(claim.ID, claim);
        return response;
      }, signal);
    let attempt = await request();
    const left = attempt.ok && !attempt.value.ours ? (attempt.value.by.ID ?? "") : "";
    if (claims.isOurs(left)) attempt = (await letGo({ ...claim, ID: left })) ?? (await request());
    if (attempt.ok && attempt.value.ours) isHidden = false;
    return attempt;
  }

  /** The holder of the server's lock, if the document does not name it; null: there is none. */
  async function findHidden(document: StateDocument | null): Promise<StoreResult<Partial<LockClaim> | null>> {
    // The server names the holder of its lock only in the response to a request for it.
    const claim = claims.next();
    const attempt = await ask(claim);
    if (!attempt.ok) return attempt;
    if (attempt.value.ours) {
      await letGo(claim);
      return { ok: true, value: null };
    }
    const { by } = attempt.value;
    const id = by.ID ?? document?.lock;
    isHidden = id == null || id !== document?.lock;
    return { ok: true, value: isHidden ? by : null };
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
      const attempt = await ask(claim);
      if (!attempt.ok) return attempt;
      if (attempt.value.ours) return { ok: true, value: { claim, passing } };
      const document = await getUnmoved(before);
      if (!document.ok) return document;
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
    enter,
    letGo,
    findHidden,
    isHidden: () => isHidden,
    keep(claim: LockClaim): void {
      kept = claim;
    },
    /** True if the lock is ours still or again. */
    async regain(claim: LockClaim): Promise<boolean> {
      const attempt = await ask(claim);
      return attempt.ok && attempt.value.ours;
    },
    async letGoOfAll(): Promise<void> {
      if (kept !== null) await letGo(kept);
      for (const claim of unsure.values()) if ((await letGo(claim)) !== null) break;
    },
  };
}
