// Our files in an object of a bucket that is swapped under a condition.
import { createHash } from "node:crypto";
import { setMaxListeners } from "node:events";
import { filePacker, unpackFiles } from "../packed-files.ts";
import type { Outside } from "../shared/outside.ts";
import {
  checkMarker,
  closedStore,
  type FilesVersion,
  readAgain,
  type SharedFiles,
  type StoreResult,
  storeFailure,
  withMarker,
} from "../shared/shared-files.ts";
import { type BucketPlace, openBucket } from "./bucket.ts";
import { openHead, type StoredHead } from "./bucket-head.ts";
import { type EtagForm, probeExclusion } from "./exclusion-probe.ts";
import { type Head, makeId } from "./head.ts";

/** `folder`: the prefix of all keys, with a slash at its end. `name`: the same for people. */
export function bucketFiles(
  place: BucketPlace,
  folder: string,
  name: string,
  environment: string,
  outside: Pick<Outside, "send" | "close">,
): SharedFiles {
  const closing = new AbortController();
  // Each call in flight listens to it: not a leak to warn about.
  setMaxListeners(0, closing.signal);
  const bucket = openBucket(place, outside, closing.signal);
  const heads = openHead(bucket, folder, name);
  const pack = filePacker();
  const store = createHash("sha256").update(`${place.base}${folder}`).digest("hex").slice(0, 16);
  const storedHeads = new WeakMap<FilesVersion, StoredHead>();
  let etagForm: EtagForm | null = null;

  async function readWhole(): Promise<StoreResult<FilesVersion | null>> {
    const found = await heads.read();
    if (!found.ok || found.value === null) return found as StoreResult<null>;
    const { head } = found.value;
    const files = await unpackFiles(head.files, name);
    if (!files.ok) return files;
    const problem = checkMarker(files.value, environment, name);
    if (problem !== null) return problem;
    const version = { id: head.id, files: files.value };
    storedHeads.set(version, found.value);
    return { ok: true, value: version };
  }

  async function find(before: FilesVersion | null): Promise<StoreResult<StoredHead | null>> {
    const known = before === null ? null : storedHeads.get(before);
    if (known === null || known?.etag != null) return { ok: true, value: known };
    const found = await heads.read();
    if (!found.ok) return found;
    return found.value?.head.id === before?.id ? found : heads.moved;
  }

  /** Tries the store out, unless that was done before it was first written. */
  async function formOf(head: Head | null): Promise<StoreResult<EtagForm>> {
    if (head?.probe?.store === store) etagForm = head.probe.etagForm;
    if (etagForm !== null) return { ok: true, value: etagForm };
    const probed = await probeExclusion(bucket, folder);
    if (probed.ok) etagForm = probed.value;
    return probed;
  }

  const closed = storeFailure("setup", closedStore);
  return {
    name,
    tip: async () => (closing.signal.aborted ? closed : heads.tip()),
    read: () => readAgain(readWhole, closing.signal),
    async write(files, before, _subject, onVersion) {
      if (closing.signal.aborted) return closed;
      const found = await find(before);
      if (!found.ok) return found;
      const base = found.value;
      const form = await formOf(base?.head ?? null);
      if (!form.ok) return form;
      const whole = withMarker(files, environment);
      const head: Head = { id: makeId(), files: await pack(whole), probe: { store, etagForm: form.value } };
      const version = { id: head.id, files: whole };
      storedHeads.set(version, { head, etag: null });
      onVersion?.(version);
      const swapped = await heads.swap(head, base, form.value);
      if (!swapped.ok) return swapped;
      storedHeads.set(version, { head, etag: swapped.value });
      return { ok: true, value: version };
    },
    async close() {
      if (closing.signal.aborted) return;
      closing.abort();
      await outside.close();
    },
  };
}
