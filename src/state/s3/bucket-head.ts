// The head in its bucket: read, asked about, and swapped under a condition.
import { setTimeout as sleep } from "node:timers/promises";
import { type StoreResult, storeFailure, tipTimeoutMs } from "../shared/shared-files.ts";
import type { Bucket, ObjectAnswer, WriteCondition } from "./bucket.ts";
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

  function headIn(answer: ObjectAnswer): StoreResult<StoredHead | null> {
    if (isMissing(answer)) return { ok: true, value: null };
    if (!answer.ok) return bucketFailure(answer);
    const head = parseHead(answer.body, name);
    if (!head.ok) return head;
    if (answer.etag !== null) lastRead = { etag: answer.etag, id: head.value.id };
    return { ok: true, value: { head: head.value, etag: answer.etag } };
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
      const answer = await bucket.get(key, { mostMs: tipTimeoutMs, unless: known?.etag ?? null });
      if (answer.status === 304 && known !== null) return { ok: true, value: known.id };
      const found = headIn(answer);
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
        const answer = await bucket.put(key, headText(head), condition);
        if (answer.ok) return { swapped: { ok: true, value: answer.etag }, mayArrive: true };
        mayArrive ||= !isRefusal(answer);
        // Perhaps only the response was lost.
        const present = await read();
        if (present.ok && present.value?.head.id === head.id)
          return { swapped: { ok: true, value: present.value.etag }, mayArrive: true };
        if (present.ok && present.value?.head.id !== base?.head.id) return { swapped: moved, mayArrive };
        if (!present.ok || !isConflict(answer)) return { swapped: bucketFailure(answer), mayArrive };
        if (attempt === mostSwaps) {
          const message = `it responded with ${answer.status} to a write, although nothing has changed`;
          return { swapped: storeFailure("refused", message), mayArrive };
        }
        // Another write was in flight, and failed.
        await sleep(100 * attempt);
      }
    },
  };
}
