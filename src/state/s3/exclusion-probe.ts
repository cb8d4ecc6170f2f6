// Whether a store keeps two writers apart. Some respond 200 to both, so this is tested before a store is trusted, and so is
// how it wants its ETags written.
import { randomBytes } from "node:crypto";
import { type StoreFailure, type StoreResult, storeFailure } from "../shared/shared-files.ts";
import { type Bucket, bucketFailure, isConflict, type ObjectResponse, type WriteCondition } from "./bucket.ts";

/** How an ETag is written after If-Match: as the store sent it, or always with quotation marks, or never. */
export type EtagForm = "given" | "quoted" | "bare";

const forms: readonly EtagForm[] = ["given", "quoted", "bare"];

export function writeEtag(etag: string, form: EtagForm): string {
  if (form === "given") return etag;
  const bare = etag.replace(/^W\//, "").replace(/^"|"$/g, "");
  return form === "bare" ? bare : `"${bare}"`;
}

/** Two creates at once, a stale update, a wrong one, two updates at once. `folder` ends with a slash. */
export async function probeExclusion(bucket: Bucket, folder: string): Promise<StoreResult<EtagForm>> {
  const key = `${folder}probe-${randomBytes(12).toString("hex")}`;
  const result = await probe(bucket, key);
  if (result.ok || result.reason !== "unreachable") await bucket.remove(key);
  return result;
}

async function probe(bucket: Bucket, key: string): Promise<StoreResult<EtagForm>> {
  const created = await race(bucket, key, { ifNone: true }, "create an object that is to be created only once");
  if (!created.ok) return created;
  const again = await expectRefusal(bucket, key, { ifNone: true }, "create an object that exists already");
  if (again !== null) return again;
  const etag = created.value;
  const wrong = `"${"0".repeat(32)}"`;
  const mistaken = await expectRefusal(bucket, key, { ifMatch: wrong }, "replace an object of another version");
  if (mistaken !== null) return mistaken;
  for (const form of forms) {
    const ifMatch = writeEtag(etag, form);
    const update = await bucket.put(key, "update", { ifMatch });
    if (isConflict(update)) continue;
    if (!update.ok) return bucketFailure(update);
    const stale = await expectRefusal(bucket, key, { ifMatch }, "replace an object that has changed meanwhile");
    if (stale !== null) return stale;
    const read = await bucket.get(key);
    if (!read.ok) return bucketFailure(read);
    if (read.body !== "update" || read.etag === null) return unsafe("does not show what was written last");
    const updated = await race(bucket, key, { ifMatch: writeEtag(read.etag, form) }, "replace the same version");
    return updated.ok ? { ok: true, value: form } : updated;
  }
  return unsafe("refuses a conditional write whose condition is met");
}

/** Two at once, of which one must get through; returns the ETag of what is there then. */
async function race(
  bucket: Bucket,
  key: string,
  condition: WriteCondition,
  what: string,
): Promise<StoreResult<string>> {
  const bodies = ["one", "two"];
  const responses = await Promise.all(bodies.map((body) => bucket.put(key, body, condition)));
  if (responses.every(({ ok }) => ok)) return unsafe(`lets two runs ${what}`);
  const won = responses.findIndex(({ ok }) => ok);
  // Ceph responds 500 to the slower of two writes. That is no failure if the other one won.
  const failure = responses.find(
    (response) => !response.ok && !isConflict(response) && (won === -1 || response.status < 500),
  );
  if (failure !== undefined) return bucketFailure(failure);
  // If each write failed because of the other, one more is sent alone.
  const last = won === -1 ? await bucket.put(key, "three", condition) : null;
  if (last?.ok === false) return bucketFailure(last);
  const read = await bucket.get(key);
  if (!read.ok) return bucketFailure(read);
  if (read.body !== (bodies[won] ?? "three")) return unsafe("does not show what was written last");
  return read.etag === null ? unsafe("gives its objects no ETag") : { ok: true, value: read.etag };
}

async function expectRefusal(
  bucket: Bucket,
  key: string,
  condition: WriteCondition,
  what: string,
): Promise<StoreFailure | null> {
  const response: ObjectResponse = await bucket.put(key, "refuse me", condition);
  if (response.ok) return unsafe(`lets a run ${what}`);
  return isConflict(response) ? null : bucketFailure(response);
}

function unsafe(what: string): StoreFailure {
  return storeFailure("unsafe", `The store ${what}: it does not keep two runs apart.`);
}
