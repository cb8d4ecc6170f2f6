// What the server's lock is asked for with, and who holds it where the files do not say so.
import { createHash, randomBytes } from "node:crypto";
import { thisHost, thisUser } from "../../system/file-lock.ts";
import type { SharedHolder } from "../shared/holder.ts";
import { longestCallMs, type StoreFailure, storeFailure } from "../shared/shared-files.ts";
import { nextDocument, type StateDocument } from "./state-document.ts";
import type { LockClaim, StateServer } from "./state-server.ts";

/** By this the locks of this program are known from those of others, which are never broken unasked. */
const idPrefix = "ticketing-";

export function isOwnId(id: string | null | undefined): boolean {
  return id?.startsWith(idPrefix) === true;
}

/** Each lock has an id of its own, so that one that stands still can be told from one that was let go and taken again. */
export function claimMaker(): { next(): LockClaim; isOurs(id: string): boolean } {
  const prefix = `${idPrefix}${randomBytes(12).toString("hex")}-`;
  let count = 0;
  return {
    next: () => ({
      ID: `${prefix}${++count}`,
      Operation: "ticketing",
      Info: "",
      Who: `${thisUser()}@${thisHost()}`,
      Version: "ticketing",
      Created: new Date().toISOString(),
      Path: "",
    }),
    isOurs: (id) => id.startsWith(prefix),
  };
}

/** Others than this program are never taken for dead: their serial is another one each time. */
export function hiddenHolder({ ID = "", Who = "", Created = "", Operation = "" }: Partial<LockClaim>): SharedHolder {
  const isOurs = isOwnId(ID);
  const [user = "", host = ""] = Who.split("@");
  return {
    token: ID,
    command: isOurs || Operation === "" ? "a run" : Operation,
    pid: 0,
    began: null,
    host: host || "unknown machine",
    machine: null,
    user: user || "unknown user",
    since: Created || "unknown time",
    run: null,
    serial: isOurs ? 0 : Date.now(),
    ...(isOurs ? {} : { isForeign: true }),
  };
}

/** Remembered in the files, so that a server is tried out once, and again after the files have moved to another. */
export function placeMark(address: string): number {
  return createHash("sha256").update(address).digest().readUIntBE(0, 6);
}

/**
 * Tries out, under our lock, whether the server keeps others out: a second lock must be refused, and so must a write under an id
 * that holds none. What is written for that is no other than what is there. Null if it does.
 */
export async function probeServer(
  server: StateServer,
  present: StateDocument | null,
  packed: StateDocument["packed"],
): Promise<StoreFailure | null> {
  const other = claimMaker().next();
  const second = await server.lock(other);
  if (!second.ok) return second;
  if (second.value.ours) {
    await server.unlock(other);
    return storeFailure("unsafe", "The server gives its lock to two runs at once.");
  }
  const decoy = nextDocument(present, present?.packed ?? packed, present?.lock ?? null);
  const refusal = await server.post(decoy, other.ID);
  const after = await server.get(longestCallMs);
  if (!after.ok) return after;
  if (refusal === null || after.value?.id === decoy.id)
    return storeFailure("unsafe", "The server lets a run write that does not hold its lock.");
  return null;
}
