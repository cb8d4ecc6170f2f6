// Our files as objects of a bucket: a small head that is swapped under a condition, and parts of large files next to it,
// which are written before a head names them and never changed.
import { setMaxListeners } from "node:events";
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
import { openParts } from "./bucket-parts.ts";
import { type EtagForm, probeExclusion } from "./exclusion-probe.ts";
import { digestOf, type Head, makeId, partsIn } from "./head.ts";

const mostReads = 4;
/** If nothing may be deleted, only this many are remembered. */
const mostOld = 500;

const restoreIt =
  "Somebody or a rule of the bucket has deleted it. Restore it if the bucket keeps versions; otherwise choose another `prefix` under `state` in ticketing.yaml and run `ticketing plan`: it finds live events by their names.";

/** `folder`: the prefix of the keys of all objects, with a slash at its end. `name`: the same for people. */
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
  const parts = openParts(bucket, folder);
  const store = digestOf(`${place.base}${folder}`).slice(0, 16);
  const storedHeads = new WeakMap<FilesVersion, StoredHead>();
  let etagForm: EtagForm | null = null;

  async function readWhole(): Promise<StoreResult<FilesVersion | null>> {
    for (let attempt = 1; ; attempt++) {
      const found = await heads.read();
      if (!found.ok || found.value === null) return found as StoreResult<null>;
      const files = await parts.unpack(found.value.head);
      if (files === "gone" && attempt < mostReads) continue;
      if (files === "gone") return storeFailure("foreign", `${name} names a part that is not there.`, restoreIt);
      if (!files.ok) return files;
      const problem = checkMarker(files.value, environment, name);
      if (problem !== null) return problem;
      const version = { id: found.value.head.id, files: files.value };
      storedHeads.set(version, found.value);
      return { ok: true, value: version };
    }
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
      const [packed, left] = await Promise.all([
        parts.pack(whole, before, base?.head ?? null),
        parts.remove(base?.head.old ?? []),
      ]);
      if (!packed.ok) return packed;
      const named = partsIn({ files: packed.value });
      const old = [...left, ...[...partsIn(base?.head ?? null)].filter((part) => !named.has(part))];
      const probe = { store, etagForm: form.value };
      const head: Head = { id: makeId(), files: packed.value, old: old.slice(-mostOld), probe };
      const version = { id: head.id, files: whole };
      storedHeads.set(version, { head, etag: null });
      onVersion?.(version);
      const takeBack = parts.useSpare(named);
      const { swapped, mayArrive } = await heads.swap(head, base, form.value);
      if (swapped.ok) {
        storedHeads.set(version, { head, etag: swapped.value });
        return { ok: true, value: version };
      }
      // A head that may have arrived, or still may, names them.
      if (!mayArrive) takeBack();
      return swapped;
    },
    async close() {
      if (closing.signal.aborted) return;
      await parts.removeSpare();
      closing.abort();
      await outside.close();
    },
  };
}
