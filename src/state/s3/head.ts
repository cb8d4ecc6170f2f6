// The one object that is swapped: it holds all files.
import { randomBytes } from "node:crypto";
import { isObject, parseJson } from "../../model/value.ts";
import type { PackedFiles } from "../packed-files.ts";
import { notOurs, type StoreResult, tooNew } from "../shared/shared-files.ts";
import type { EtagForm } from "./exclusion-probe.ts";

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
