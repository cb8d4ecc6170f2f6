// The head in its bucket: read, asked about, and swapped under a condition.
import { setTimeout as sleep } from "node:timers/promises";
import { type StoreResult, storeFailure, tipTimeoutMs } from "../shared/shared-files.ts";
import type { Bucket, ObjectResponse, WriteCondition } from "./bucket.ts";
import { bucketFailure, isConflict, isMissing } from "./bucket-failure.ts";
import { type EtagForm, writeEtag } from "./exclusion-probe.ts";
import { type Head, headText, parseHead } from "./head.ts";

export interface StoredHead {
  readonly head: Head;
  /** null: its writer got no response. */
  readonly etag: string | null;
}

const mostSwaps = 4;

/** `folder`: the prefix of its key, with a slash at its end. `name`: the same for people. */
export function openHead(bucket: Bucket, folder: string, name: string) {
  const key = `${folder}head.json`;
  const moved = storeFailure("moved", `${name} was written by another run.`);
  let lastRead: { readonly etag: string; readonly id: string } | null = null;

  function headIn(response: ObjectResponse): StoreResult<StoredHead | null> {
    if (isMissing(response)) return { ok: true, value: null };
    if (!response.ok) return bucketFailure(response);
    const head = parseHead(response.body, name);
    if (!head.ok) return head;
    if (response.etag !== null) lastRead = { etag: response.etag, id: head.value.id };
    return { ok: true, value: { head: head.value, etag: response.etag } };
  }

  async function read(): Promise<StoreResult<StoredHead | null>> {
    return headIn(await bucket.get(key));
  }

  return {
    moved,
    read,
    /** The id of the current head. */
    async tip(): Promise<StoreResult<string | null>> {
      const known = lastRead;
      const response = await bucket.get(key, { mostMs: tipTimeoutMs, unless: known?.etag ?? null });
      if (response.status === 304 && known !== null) return { ok: true, value: known.id };
      const found = headIn(response);
      return found.ok ? { ok: true, value: found.value?.head.id ?? null } : found;
    },
    /** Returns the ETag, if the store sent it. */
    async swap(head: Head, base: StoredHead | null, form: EtagForm): Promise<StoreResult<string | null>> {
      const condition: WriteCondition = base?.etag == null ? { ifNone: true } : { ifMatch: writeEtag(base.etag, form) };
      for (let attempt = 1; ; attempt++) {
        const response = await bucket.put(key, headText(head), condition);
        if (response.ok) return { ok: true, value: response.etag };
        // Perhaps only the response was lost.
        const present = await read();
        if (present.ok && present.value?.head.id === head.id) return { ok: true, value: present.value.etag };
        if (present.ok && present.value?.head.id !== base?.head.id) return moved;
        if (!present.ok || !isConflict(response)) return bucketFailure(response);
        if (attempt === mostSwaps) {
          const message = `it responded with ${response.status} to a write, although nothing has changed`;
          return storeFailure("refused", message);
        }
        // Another write was in flight, and failed.
        await sleep(100 * attempt);
      }
    },
  };
}
