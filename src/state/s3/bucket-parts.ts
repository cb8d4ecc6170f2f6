// The parts of large files in their bucket: sent before a head names them, never changed, and removed once no head does.
import {
  type FilesVersion,
  type StoredFiles,
  type StoreFailure,
  type StoreResult,
  storeFailure,
} from "../shared/shared-files.ts";
import type { Bucket } from "./bucket.ts";
import { bucketFailure, isMissing } from "./bucket-failure.ts";
import { digestOf, type Head, isIntact, namePart, partsIn, splitFile } from "./head.ts";

const atOnce = 6;

/** `folder`: the prefix of the keys of all objects, with a slash at its end. */
export function openParts(bucket: Bucket, folder: string) {
  /** Parts in the bucket for no head that was ever sent, by their digest. */
  const spare = new Map<string, string>();
  let mayRemove = true;

  /** The files as a head has them, and the parts that are not there yet. */
  function split(files: StoredFiles, before: FilesVersion | null, head: Head | null) {
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
    return { packed, missing };
  }

  /** Returns those that are left. A reader of the version that named them finds a newer one. */
  async function remove(parts: Iterable<string>): Promise<readonly string[]> {
    const left: string[] = [];
    await forAll(parts, async (part) => {
      const response = mayRemove ? await bucket.remove(`${folder}${part}`) : null;
      if (response?.status === 403) mayRemove = false;
      if (response === null || !(response.ok || isMissing(response))) left.push(part);
    });
    return left;
  }

  return {
    remove,
    removeSpare: () => remove(spare.values()),
    /** The files as a head has them, once all of their parts are there. `before`: the files of the head that is replaced. */
    async pack(
      files: StoredFiles,
      before: FilesVersion | null,
      head: Head | null,
    ): Promise<StoreResult<Head["files"]>> {
      const { packed, missing } = split(files, before, head);
      let failure: StoreFailure | null = null;
      await forAll(missing, async ([part, text]) => {
        if (failure !== null) return;
        const response = await bucket.put(`${folder}${part}`, text, { ifNone: true });
        if (response.ok) spare.set(part.slice(0, 64), part);
        else failure = bucketFailure(response);
      });
      return failure ?? { ok: true, value: packed };
    },
    /** A head is about to be sent that names these parts. Returns how to take that back if nobody can ever read it. */
    useSpare(named: ReadonlySet<string>): () => void {
      const used = [...spare].filter(([, part]) => named.has(part));
      for (const [digest] of used) spare.delete(digest);
      return () => {
        for (const [digest, part] of used) spare.set(digest, part);
      };
    },
    /** "gone": somebody has replaced this head meanwhile, and removed what it named. */
    async unpack(head: Head): Promise<StoreResult<StoredFiles> | "gone"> {
      const texts = new Map<string, string>();
      let failure: StoreFailure | "gone" | null = null;
      await forAll(partsIn(head), async (part) => {
        if (failure !== null) return;
        const response = await bucket.get(`${folder}${part}`);
        if (isMissing(response)) failure = "gone";
        else if (!response.ok) failure = bucketFailure(response);
        else if (!isIntact(part, response.body))
          failure = storeFailure("unreachable", "A part of the state arrived damaged.");
        else texts.set(part, response.body);
      });
      if (failure !== null) return failure;
      const files = Object.entries(head.files).map(([file, content]): [string, string] => [
        file,
        typeof content === "string" ? content : content.map((part) => texts.get(part)).join(""),
      ]);
      return { ok: true, value: new Map(files) };
    },
  };
}

async function forAll<Item>(items: Iterable<Item>, work: (item: Item) => Promise<unknown>): Promise<void> {
  const rest = [...items];
  await Promise.all(
    Array.from({ length: Math.min(atOnce, rest.length) }, async () => {
      for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
    }),
  );
}
