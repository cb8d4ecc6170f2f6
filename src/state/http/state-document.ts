// The one document that a state server keeps: our files, and around them the `serial` and `lineage` that servers made for
// Terraform require. It has no `version`, so that Terraform itself refuses it and never overwrites it.
import { randomBytes, randomUUID } from "node:crypto";
import { isObject, parseJson } from "../../model/value.ts";
import type { PackedFiles } from "../packed-files.ts";
import { notOurs, type StoreFailure, type StoreResult, storeFailure, tooNew } from "../shared/shared-files.ts";

export interface StateDocument {
  /** Grows with every write. */
  readonly serial: number;
  readonly lineage: string;
  /** Another one with every write, and never the same again. */
  readonly id: string;
  /** The id of the server's lock that the holder in the files has; null: they name none. */
  readonly lock: string | null;
  readonly packed: PackedFiles;
}

const formatVersion = 1;

/** The next document, under the server's lock with the id `lock`. */
export function nextDocument(before: StateDocument | null, packed: PackedFiles, lock: string | null): StateDocument {
  const serial = (before?.serial ?? 0) + 1;
  const lineage = before?.lineage ?? randomUUID();
  return { serial, lineage, id: `${serial}.${randomBytes(12).toString("hex")}`, lock, packed };
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
  const packed = files as PackedFiles;
  return { ok: true, value: { serial, lineage, id, lock: typeof lock === "string" ? lock : null, packed } };
}

function foreign(value: unknown, where: string): StoreFailure {
  if (!isObject(value) || !("terraform_version" in value || "resources" in value)) return notOurs(where);
  const version = typeof value.terraform_version === "string" ? ` ${value.terraform_version}` : "";
  return storeFailure("foreign", `${where} contains a state of Terraform${version}, not of \`ticketing\`.`);
}
