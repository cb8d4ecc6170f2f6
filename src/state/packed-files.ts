// The files of a state as they fit into one document: long texts are compressed, because all of it is sent with every write.
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { type StoredFiles, type StoreResult, storeFailure } from "./shared/shared-files.ts";

export type PackedFiles = Readonly<Record<string, PackedFile>>;

type PackedFile = string | { readonly gzip: string };

const longText = 8 * 2 ** 10;
/** Far more than the state of any organization; a text that unpacks to more is not ours. */
const longestFile = 512 * 2 ** 20;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Packs what has changed since the last time; the rest is as it was then. */
export function filePacker(): (files: StoredFiles) => Promise<PackedFiles> {
  let known = new Map<string, { readonly text: string; readonly packed: PackedFile }>();
  return async (files) => {
    const next: typeof known = new Map();
    for (const [file, text] of files) {
      const same = known.get(file);
      next.set(file, same?.text === text ? same : { text, packed: await packFile(text) });
    }
    known = next;
    return Object.fromEntries([...next].map(([file, { packed }]) => [file, packed]));
  };
}

async function packFile(text: string): Promise<PackedFile> {
  return text.length < longText ? text : { gzip: (await compress(text)).toString("base64") };
}

/** `where` begins a sentence. */
export async function unpackFiles(packed: PackedFiles, where: string): Promise<StoreResult<StoredFiles>> {
  const files = new Map<string, string>();
  try {
    for (const [file, content] of Object.entries(packed)) {
      const isPlain = typeof content === "string";
      const bytes = isPlain
        ? null
        : await decompress(Buffer.from(content.gzip, "base64"), { maxOutputLength: longestFile });
      files.set(file, isPlain ? content : String(bytes));
    }
  } catch {
    return storeFailure("foreign", `${where} contains files that cannot be unpacked.`);
  }
  return { ok: true, value: files };
}
