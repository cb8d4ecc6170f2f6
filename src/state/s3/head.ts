// The one object that is swapped: it holds the small files, and names the objects that hold the parts of large ones.
import { createHash, randomBytes } from "node:crypto";
import { isObject, parseJson } from "../../model/value.ts";
import { notOurs, type StoreResult, tooNew } from "../shared/shared-files.ts";
import type { EtagForm } from "./exclusion-probe.ts";

export interface Head {
  /** Another one with every write. */
  readonly id: string;
  /** A file's text, or the names of its parts. */
  readonly files: Readonly<Record<string, string | readonly string[]>>;
  /** Parts that the previous version was the last to name: the next write removes them. */
  readonly old: readonly string[];
  /** The result of testing the store; null: it was not tested yet, or that was another store. */
  readonly probe: { readonly store: string; readonly etagForm: EtagForm } | null;
}

const formatVersion = 1;
/** A file up to this length goes into the head itself. */
const longestInline = 64 * 1024;
/** A file that only grows is sent again from its last part on. */
const partLength = 2 ** 20;

export function makeId(): string {
  return randomBytes(16).toString("hex");
}

export function headText({ id, files, old, probe }: Head): string {
  return `${JSON.stringify({ formatVersion, id, probe, old, files })}\n`;
}

/** `where` begins a sentence. */
export function parseHead(text: string, where: string): StoreResult<Head> {
  const foreign = notOurs(where);
  const value = parseJson(text);
  if (!isObject(value) || typeof value.formatVersion !== "number") return foreign;
  if (value.formatVersion > formatVersion) return tooNew(where);
  const { id, files, old, probe } = value;
  if (typeof id !== "string" || !isObject(files) || !Array.isArray(old) || !old.every(isPartName)) return foreign;
  const areFiles = Object.values(files).every(
    (each) => typeof each === "string" || (Array.isArray(each) && each.every(isPartName)),
  );
  if (!areFiles) return foreign;
  return {
    ok: true,
    value: {
      id,
      files: files as Head["files"],
      old,
      probe: isObject(probe) && typeof probe.store === "string" ? (probe as unknown as Head["probe"]) : null,
    },
  };
}

/** Its content becomes part of the keys of objects that are read and deleted. */
function isPartName(name: unknown): name is string {
  return typeof name === "string" && /^[0-9a-f]{64}\.[0-9a-f]{1,64}$/.test(name);
}

export function partsIn(head: Pick<Head, "files"> | null): ReadonlySet<string> {
  return new Set(Object.values(head?.files ?? {}).flatMap((each) => (typeof each === "string" ? [] : each)));
}

export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Named after its content and a random number, so that no two names are equal: a part that was removed is not the one that somebody else has just sent. */
export function namePart(text: string): string {
  return `${digestOf(text)}.${randomBytes(8).toString("hex")}`;
}

export function isIntact(name: string, text: string): boolean {
  return name.startsWith(`${digestOf(text)}.`);
}

/** Null: it is short enough for the head. */
export function splitFile(text: string): readonly string[] | null {
  if (text.length <= longestInline) return null;
  const parts: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + partLength, text.length);
    // A surrogate pair is one character: half of it cannot be sent.
    if (to < text.length && /[\ud800-\udbff]/.test(text.charAt(to - 1))) to += 1;
    parts.push(text.slice(from, to));
    from = to;
  }
  return parts;
}
