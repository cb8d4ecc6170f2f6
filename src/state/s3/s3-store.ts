// Our files in an object of a bucket that is swapped under a condition.
import { createHash, randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { isObject, parseJson } from "../../model/value.ts";
import type { S3State } from "../../model/wish.ts";
import { filePacker, type PackedFiles, unpackFiles } from "../packed-files.ts";
import { type BackendSetup, type Outside, projectName } from "../shared/backend-setup.ts";
import {
  checkMarker,
  closedStore,
  type FilesVersion,
  notOurs,
  readAgain,
  type SharedFiles,
  type StoreResult,
  storeFailure,
  tipTimeoutMs,
  tooNew,
  withMarker,
} from "../shared/shared-files.ts";
import { sharedStore } from "../shared/shared-store.ts";
import type { StateStore } from "../store.ts";
import {
  type Bucket,
  type BucketPlace,
  bucketFailure,
  bucketHints,
  findBucket,
  isConflict,
  isMissing,
  keySegment,
  type ObjectResponse,
  openBucket,
  type WriteCondition,
} from "./bucket.ts";
import { type EtagForm, probeExclusion, writeEtag } from "./exclusion-probe.ts";

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

// The head in its bucket: read, asked about, and swapped under a condition.

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

// The one object that is swapped: it holds all files.

export interface Head {
  /** Another one with every write. */
  readonly id: string;
  readonly files: PackedFiles;
  /** The result of testing the store; null: it was not tested yet, or that was another store. */
  readonly probe: { readonly store: string; readonly etagForm: EtagForm } | null;
}

const formatVersion = 1;

export function makeId(): string {
  return randomBytes(16).toString("hex");
}

export function headText({ id, files, probe }: Head): string {
  return `${JSON.stringify({ formatVersion, id, probe, files })}\n`;
}

/** `where` begins a sentence. */
export function parseHead(text: string, where: string): StoreResult<Head> {
  const value = parseJson(text);
  if (!isObject(value) || typeof value.formatVersion !== "number") return notOurs(where);
  if (value.formatVersion > formatVersion) return tooNew(where);
  const { id, files, probe } = value;
  if (typeof id !== "string" || !isObject(files)) return notOurs(where);
  const known = isObject(probe) && typeof probe.store === "string" ? (probe as unknown as Head["probe"]) : null;
  return { ok: true, value: { id, files: files as PackedFiles, probe: known } };
}

// State as objects of a bucket, in a store that speaks S3 and honors conditional writes.

export function s3Store(settings: S3State, setup: BackendSetup): StateStore {
  const { directory, environment, outside } = setup;
  const folder = settings.prefix === undefined ? "" : keysBelow(settings.prefix, environment);
  const place = `s3://${settings.bucket}/${folder}`.replace(/\/$/, "");
  return sharedStore({
    ...setup,
    open: () => openS3Files(settings, directory, environment, outside),
    openLedger: (name) => openObjects(settings, `ticketing-pace/${name}/`, "pace", outside),
    words: { place, peer: "the bucket", hints: bucketHints },
  });
}

export async function openS3Files(
  settings: S3State,
  directory: string,
  environment: string,
  outside: Outside,
): Promise<StoreResult<SharedFiles>> {
  const project = await projectName(directory, settings.prefix, nameIt);
  if (!project.ok) return project;
  return openObjects(settings, keysBelow(project.value, environment), environment, outside);
}

const nameIt =
  "Choose a prefix for the names of its objects: `state: { backend: s3, bucket: …, prefix: … }` in ticketing.yaml.";

async function openObjects(
  settings: S3State,
  folder: string,
  environment: string,
  outside: Outside,
): Promise<StoreResult<SharedFiles>> {
  const place = await findBucket(settings, outside);
  if (!place.ok) return place;
  const name = `s3://${settings.bucket}/${folder.replace(/\/$/, "")}`;
  return { ok: true, value: bucketFiles(place.value, folder, name, environment, outside) };
}

function keysBelow(prefix: string, environment: string): string {
  return `${[...prefix.split("/").filter(Boolean), environment].map(keySegment).join("/")}/`;
}
