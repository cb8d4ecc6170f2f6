// Our files as objects of a bucket: a small head that is swapped under a condition, and parts of large files next to it,
// which are written before a head names them and never changed.
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Outside } from "../shared/outside.ts";
import {
  checkMarker,
  closedStore,
  type FilesVersion,
  readAgain,
  type SharedFiles,
  type StoredFiles,
  type StoreFailure,
  type StoreResult,
  storeFailure,
  tipTimeoutMs,
  withMarker,
} from "../shared/shared-files.ts";
import { type BucketPlace, openBucket, type WriteCondition } from "./bucket.ts";
import { bucketFailure, isConflict, isMissing, isRefusal } from "./bucket-failure.ts";
import { type EtagForm, probeExclusion, writeEtag } from "./exclusion-probe.ts";
import { digestOf, type Head, headText, isIntact, makeId, namePart, parseHead, partsIn, splitFile } from "./head.ts";

const atOnce = 6;
const mostAttempts = 4;
/** If nothing may be deleted, only this many are remembered. */
const mostOld = 500;

const restoreIt =
  "Somebody or a rule of the bucket has deleted it. Restore it if the bucket keeps versions; otherwise choose another `prefix` under `state` in ticketing.yaml and run `ticketing plan`: it finds live events by their names.";

interface StoredHead {
  readonly head: Head;
  /** null: its writer got no response. */
  readonly etag: string | null;
}

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
  const headKey = `${folder}head.json`;
  const store = digestOf(`${place.base}${folder}`).slice(0, 16);
  const moved = storeFailure("moved", `${name} was written by another run.`);
  const storedHeads = new WeakMap<FilesVersion, StoredHead>();
  let lastRead: { readonly etag: string; readonly id: string } | null = null;
  let etagForm: EtagForm | null = null;
  /** Parts in the bucket for no head that was ever sent, by their digest. */
  const spare = new Map<string, string>();
  let mayRemove = true;

  /** `unless`: it is the one that was read last; then "same". */
  async function askHead(unless: string | null): Promise<StoreResult<StoredHead | null> | "same"> {
    const answer = await bucket.get(headKey, { mostMs: tipTimeoutMs, unless });
    if (answer.status === 304 && unless !== null) return "same";
    if (isMissing(answer)) return { ok: true, value: null };
    if (!answer.ok) return bucketFailure(answer);
    const head = parseHead(answer.body, name);
    if (!head.ok) return head;
    if (answer.etag !== null) lastRead = { etag: answer.etag, id: head.value.id };
    return { ok: true, value: { head: head.value, etag: answer.etag } };
  }

  async function readHead(): Promise<StoreResult<StoredHead | null>> {
    const found = await askHead(null);
    return found === "same" ? { ok: true, value: null } : found;
  }

  async function tip(): Promise<StoreResult<string | null>> {
    const known = lastRead;
    const found = await askHead(known?.etag ?? null);
    if (found === "same") return { ok: true, value: known?.id ?? null };
    return found.ok ? { ok: true, value: found.value?.head.id ?? null } : found;
  }

  async function readWhole(): Promise<StoreResult<FilesVersion | null>> {
    for (let attempt = 1; ; attempt++) {
      const found = await readHead();
      if (!found.ok || found.value === null) return found as StoreResult<null>;
      const files = await filesOf(found.value.head);
      if (files === "gone" && attempt < mostAttempts) continue;
      if (files === "gone") return storeFailure("foreign", `${name} names a part that is not there.`, restoreIt);
      if (!files.ok) return files;
      const problem = checkMarker(files.value, environment, name);
      if (problem !== null) return problem;
      const version = { id: found.value.head.id, files: files.value };
      storedHeads.set(version, found.value);
      return { ok: true, value: version };
    }
  }

  /** "gone": somebody has replaced this head meanwhile, and removed what it named. */
  async function filesOf(head: Head): Promise<StoreResult<StoredFiles> | "gone"> {
    const texts = new Map<string, string>();
    let failure: StoreFailure | "gone" | null = null;
    await forAll([...partsIn(head)], async (part) => {
      if (failure !== null) return;
      const answer = await bucket.get(`${folder}${part}`);
      if (isMissing(answer)) failure = "gone";
      else if (!answer.ok) failure = bucketFailure(answer);
      else if (!isIntact(part, answer.body))
        failure = storeFailure("unreachable", "A part of the state arrived damaged.");
      else texts.set(part, answer.body);
    });
    if (failure !== null) return failure;
    const files = Object.entries(head.files).map(([file, content]): [string, string] => [
      file,
      typeof content === "string" ? content : content.map((part) => texts.get(part)).join(""),
    ]);
    return { ok: true, value: new Map(files) };
  }

  async function find(before: FilesVersion | null): Promise<StoreResult<StoredHead | null>> {
    const known = before === null ? null : storedHeads.get(before);
    if (known === null || known?.etag != null) return { ok: true, value: known };
    const found = await readHead();
    if (!found.ok) return found;
    return found.value?.head.id === before?.id ? found : moved;
  }

  async function write(
    files: StoredFiles,
    before: FilesVersion | null,
    onVersion?: (version: FilesVersion) => void,
  ): Promise<StoreResult<FilesVersion>> {
    const found = await find(before);
    if (!found.ok) return found;
    const base = found.value;
    const form = await formOf(base?.head ?? null);
    if (!form.ok) return form;
    const whole = withMarker(files, environment);
    const [packed, left] = await Promise.all([
      pack(whole, before, base?.head ?? null),
      removeParts(base?.head.old ?? []),
    ]);
    if (!packed.ok) return packed;
    const head: Head = { id: makeId(), files: packed.value, old: [], probe: { store, etagForm: form.value } };
    const named = partsIn(head);
    const old = [...left, ...[...partsIn(base?.head ?? null)].filter((part) => !named.has(part))];
    const version = { id: head.id, files: whole };
    const sent = { ...head, old: old.slice(-mostOld) };
    storedHeads.set(version, { head: sent, etag: null });
    onVersion?.(version);
    const taken = [...spare].filter(([, part]) => named.has(part));
    for (const [digest] of taken) spare.delete(digest);
    const { swapped, mayArrive } = await swap(sent, base, form.value);
    if (swapped.ok) {
      storedHeads.set(version, { head: sent, etag: swapped.value });
      return { ok: true, value: version };
    }
    // A head that may have arrived, or still may, names them.
    if (!mayArrive) for (const [digest, part] of taken) spare.set(digest, part);
    return swapped;
  }

  /** Tries the store out, unless that was done before it was first written. */
  async function formOf(head: Head | null): Promise<StoreResult<EtagForm>> {
    if (head?.probe?.store === store) etagForm = head.probe.etagForm;
    if (etagForm !== null) return { ok: true, value: etagForm };
    const probed = await probeExclusion(bucket, folder);
    if (probed.ok) etagForm = probed.value;
    return probed;
  }

  /** Sends the parts that are not there yet. */
  async function pack(
    files: StoredFiles,
    before: FilesVersion | null,
    head: Head | null,
  ): Promise<StoreResult<Head["files"]>> {
    const present = new Map([...partsIn(head)].map((part) => [part.slice(0, 64), part]));
    const packed: Record<string, string | readonly string[]> = {};
    const missing = new Map<string, string>();
    for (const [file, text] of files) {
      const same = before?.files.get(file) === text ? head?.files[file] : undefined;
      packed[file] =
        same ??
        splitFile(text)?.map((part) => {
          const digest = digestOf(part);
          const known = present.get(digest) ?? spare.get(digest);
          if (known !== undefined) return known;
          const made = namePart(part);
          missing.set(made, part);
          return made;
        }) ??
        text;
    }
    let failure: StoreFailure | null = null;
    await forAll([...missing], async ([part, text]) => {
      if (failure !== null) return;
      const answer = await bucket.put(`${folder}${part}`, text, { ifNone: true });
      if (answer.ok) spare.set(part.slice(0, 64), part);
      else failure = bucketFailure(answer);
    });
    return failure ?? { ok: true, value: packed };
  }

  /** Returns the ETag, if the store sent it. `mayArrive`: whether somebody may read the head, although this failed. */
  async function swap(
    head: Head,
    base: StoredHead | null,
    form: EtagForm,
  ): Promise<{ readonly swapped: StoreResult<string | null>; readonly mayArrive: boolean }> {
    const condition: WriteCondition = base?.etag == null ? { ifNone: true } : { ifMatch: writeEtag(base.etag, form) };
    let mayArrive = false;
    for (let attempt = 1; ; attempt++) {
      const answer = await bucket.put(headKey, headText(head), condition);
      if (answer.ok) return { swapped: { ok: true, value: answer.etag }, mayArrive: true };
      mayArrive ||= !isRefusal(answer);
      // Perhaps only the response was lost.
      const present = await readHead();
      if (present.ok && present.value?.head.id === head.id)
        return { swapped: { ok: true, value: present.value.etag }, mayArrive: true };
      if (present.ok && present.value?.head.id !== base?.head.id) return { swapped: moved, mayArrive };
      if (!present.ok || !isConflict(answer)) return { swapped: bucketFailure(answer), mayArrive };
      if (attempt === mostAttempts) {
        const message = `it responded with ${answer.status} to a write, although nothing has changed`;
        return { swapped: storeFailure("refused", message), mayArrive };
      }
      // Another write was in flight, and failed.
      await sleep(100 * attempt);
    }
  }

  /** Returns those that are left. A reader of the version that named them finds a newer one. */
  async function removeParts(parts: readonly string[]): Promise<readonly string[]> {
    const left: string[] = [];
    await forAll(parts, async (part) => {
      const answer = mayRemove ? await bucket.remove(`${folder}${part}`) : null;
      if (answer?.status === 403) mayRemove = false;
      if (answer === null || !(answer.ok || isMissing(answer))) left.push(part);
    });
    return left;
  }

  const closed = storeFailure("setup", closedStore);
  return {
    name,
    tip: async () => (closing.signal.aborted ? closed : tip()),
    read: () => readAgain(readWhole, closing.signal),
    write: async (files, before, _subject, onVersion) =>
      closing.signal.aborted ? closed : write(files, before, onVersion),
    async close() {
      if (closing.signal.aborted) return;
      await removeParts([...spare.values()]);
      closing.abort();
      await outside.close();
    },
  };
}

async function forAll<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const rest = [...items];
  await Promise.all(
    Array.from({ length: Math.min(atOnce, rest.length) }, async () => {
      for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
    }),
  );
}
