// The one document that a state server keeps: our files, and around them the `serial` and `lineage` that servers made for
// Terraform require. It has no `version`, so that Terraform itself refuses it and never overwrites it.
import { randomBytes, randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { isObject, parseJson } from "../../model/value.ts";
import {
  notOurs,
  type StoredFiles,
  type StoreFailure,
  type StoreResult,
  storeFailure,
  tooNew,
} from "../shared/shared-files.ts";

export interface StateDocument {
  /** Grows with every write. */
  readonly serial: number;
  readonly lineage: string;
  /** Another one with every write, and never the same again. */
  readonly id: string;
  /** The id of the server's lock that the holder in the files has; null: they name none. */
  readonly lock: string | null;
  readonly packed: Readonly<Record<string, PackedFile>>;
}

/** Long texts are compressed: a server keeps each version of the document. */
type PackedFile = string | { readonly gzip: string };

const formatVersion = 1;
const longText = 8 * 2 ** 10;
/** Far more than the state of any organization; a text that unpacks to more is not ours. */
const longestFile = 512 * 2 ** 20;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Packs what has changed since the last time; the rest is as it was then. */
export function filePacker(): (files: StoredFiles) => Promise<StateDocument["packed"]> {
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

/** The next document, under the server's lock with the id `lock`. */
export function nextDocument(
  before: StateDocument | null,
  packed: StateDocument["packed"],
  lock: string | null,
): StateDocument {
  const serial = (before?.serial ?? 0) + 1;
  const lineage = before?.lineage ?? randomUUID();
  return { serial, lineage, id: `${serial}.${randomBytes(12).toString("hex")}`, lock, packed };
}

async function packFile(text: string): Promise<PackedFile> {
  return text.length < longText ? text : { gzip: (await compress(text)).toString("base64") };
}

export function documentBody({ serial, lineage, id, lock, packed }: StateDocument): string {
  return `${JSON.stringify({ serial, lineage, ticketing: { formatVersion, id, lock, files: packed } })}\n`;
}

/** `where` begins a sentence. */
export function parseDocument(text: string, where: string): StoreResult<StateDocument> {
  const value = parseJson(text);
  if (value === undefined)
    return storeFailure("unreachable", `${where} responded with something that is not complete JSON.`);
  if (!isObject(value) || !isObject(value.ticketing)) return foreign(value, where);
  const { serial, lineage, ticketing } = value;
  const { id, lock, files } = ticketing;
  if (typeof ticketing.formatVersion === "number" && ticketing.formatVersion > formatVersion) return tooNew(where);
  if (typeof serial !== "number" || typeof lineage !== "string" || typeof id !== "string" || !isObject(files))
    return notOurs(where);
  const packed = files as Readonly<Record<string, PackedFile>>;
  return { ok: true, value: { serial, lineage, id, lock: typeof lock === "string" ? lock : null, packed } };
}

function foreign(value: unknown, where: string): StoreFailure {
  if (!isObject(value) || !("terraform_version" in value || "resources" in value)) return notOurs(where);
  const version = typeof value.terraform_version === "string" ? ` ${value.terraform_version}` : "";
  return storeFailure("foreign", `${where} holds a state of Terraform${version}, not of \`ticketing\`.`);
}

export async function unpackFiles({ packed }: StateDocument, where: string): Promise<StoreResult<StoredFiles>> {
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
    return storeFailure("foreign", `${where} holds files that cannot be unpacked.`);
  }
  return { ok: true, value: files };
}
