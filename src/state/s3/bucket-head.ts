// The head in its bucket: read, asked about, and swapped under a condition.
import { setTimeout as sleep } from "node:timers/promises";
import { type StoreResult, storeFailure, tipTimeoutMs } from "../shared/shared-files.ts";
import type { Bucket, ObjectResponse, WriteCondition } from "./bucket.ts";
import { bucketFailure, isConflict, isMissing, isRefusal } from "./bucket-failure.ts";
import { type EtagForm, writeEtag } from "./exclusion-probe.ts";
import { type Head, headText, parseHead } from "./head.ts";

export interface StoredHead {
  readonly head: Head;
  /** null: its writer got no response. */
  readonly etag: string | null;
}

const mostSwaps = 4;

/** `folder` as for its parts. `name`: the same for people. */
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
    return headIn(await bucket.get(key, { mostMs: tipTimeoutMs }));
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
    /** Returns the ETag, if the store sent it. `mayArrive`: whether somebody may read the head, although this failed. */
    async swap(
      head: Head,
      base: StoredHead | null,
      form: EtagForm,
    ): Promise<{ readonly swapped: StoreResult<string | null>; readonly mayArrive: boolean }> {
      const condition: WriteCondition = base?.etag == null ? { ifNone: true } : { ifMatch: writeEtag(base.etag, form) };
      let mayArrive = false;
      for (let attempt = 1; ; attempt++) {
        const response = await bucket.put(key, headText(head), condition);
        if (response.ok) return { swapped: { ok: true, value: response.etag }, mayArrive: true };
        mayArrive ||= !isRefusal(response);
        // Perhaps only the response was lost.
        const present = await read();
        if (present.ok && present.value?.head.id === head.id)
          return { swapped: { ok: true, value: present.value.etag }, mayArrive: true };
        if (present.ok && present.value?.head.id !== base?.head.id) return { swapped: moved, mayArrive };
        if (!present.ok || !isConflict(response)) return { swapped: bucketFailure(response), mayArrive };
        if (attempt === mostSwaps) {
          const message = `it responded with ${response.status} to a write, although nothing has changed`;
          return { swapped: storeFailure("refused", message), mayArrive };
        }
        // Another write was in flight, and failed.
        await sleep(100 * attempt);
      }
    },
  };
}
