// From the text of a state file to state. A damaged file is a problem with a place and a fix.
import { hash } from "node:crypto";
import { isKindName } from "../../kinds/index.ts";
import { uuidPattern } from "../../model/address.ts";
import { type Diagnostic, errorOf, type Fallible, failed } from "../../model/diagnostic.ts";
import type { LastRun, State, StateEntry } from "../../model/live.ts";
import { isObject } from "../../model/value.ts";
import { type FindSealSecrets, isInTheFuture, isSameCode, type Sealer, type SealStatus, sealerFor } from "../seal.ts";

export type ParsedState = Fallible<{ readonly state: State; readonly status: SealStatus }>;

export interface SealQuestion {
  readonly environment: string;
  readonly secrets: FindSealSecrets;
  readonly now: number;
}

/** The fix for every problem with state, and what it costs. */
export function continueWithoutState(file: string, removal = "delete it"): string {
  return (
    `Restore ${file} from a copy, or ${removal} and continue without it: live events are found again by name and start, ` +
    "but events whose files you removed are no longer recognized, and fields that the service does not show are not compared until they change."
  );
}

/** The text of a state file: the state, with its seal as the last member. */
export function sealedState(state: State, sealer: Sealer, at: number): string {
  const seal = { key: sealer.keyId, at, code: sealer.codeOf(sealedText(state, at)) };
  return `${JSON.stringify({ ...state, seal }, null, 1)}\n`;
}

function sealedText(state: object, at: unknown): string {
  return JSON.stringify([at ?? null, state]);
}

export function parseState(text: string, file: string, question: SealQuestion): ParsedState {
  const read = readState(text, file);
  return read.ok ? { ok: true, state: read.state, status: sealStatusOf(read.state, read.seal, question) } : read;
}

/** A state of many objects takes long to parse, and a run asks for it several times: the same text is parsed once. */
export function parsedOnce<Parsed>(parse: (text: string) => Parsed) {
  let last: { readonly digest: string; readonly parsed: Parsed } | null = null;
  return (text: string | null): Parsed | null => {
    if (text === null) return null;
    const digest = hash("sha256", text, "base64");
    if (last?.digest !== digest) last = { digest, parsed: parse(text) };
    return last.parsed;
  };
}

export type ReadState = Fallible<{ readonly state: State; readonly seal: unknown }>;

/** The state as it is written, no matter by whom. `removal`: how to delete it, if it is not a file of the checkout. */
export function readState(text: string, file: string, removal?: string): ReadState {
  const placed = (problem: Diagnostic, place = { line: 1, column: 1 }) =>
    failed(removal === undefined ? { ...problem, source: { file, ...place } } : problem);
  const corrupt = (what: string, place?: ReturnType<typeof errorPosition>) =>
    placed(errorOf("state-corrupt", `The state file ${file} ${what}.`, continueWithoutState(file, removal)), place);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return corrupt("is not valid JSON", errorPosition(text, error));
  }
  if (!isObject(value)) return corrupt("does not hold state");
  if (typeof value.formatVersion === "number" && value.formatVersion > 1) {
    const message = `The state file ${file} was written by a newer version of \`ticketing\`.`;
    const problem = errorOf("state-too-new", message, "Update `ticketing` on this machine.");
    return placed(problem);
  }
  const { seal, ...rest } = value;
  const fault = stateFault(rest);
  return fault === null ? { ok: true, state: rest as unknown as State, seal } : corrupt(fault);
}

function sealStatusOf(state: State, seal: unknown, { environment, secrets, now }: SealQuestion): SealStatus {
  if (!isObject(seal)) return "unsealed";
  const sealer = sealerFor(secrets, environment, "state", seal.key);
  if (typeof sealer === "string") return sealer;
  if (!isSameCode(sealer.codeOf(sealedText(state, seal.at)), seal.code)) return "altered";
  return typeof seal.at === "number" && isInTheFuture(seal.at, now) ? "future" : "good";
}

function stateFault(value: Readonly<Record<string, unknown>>): string | null {
  if (value.formatVersion !== 1) return "has no `formatVersion`";
  if (typeof value.lineage !== "string" || value.lineage === "") return "has no `lineage`";
  if (!Number.isSafeInteger(value.serial)) return "has no `serial`";
  if (value.organization !== null && !isOrganization(value.organization)) return "has no valid `organization`";
  if (value.appliedRevision !== undefined && !isCommit(value.appliedRevision)) return "has no valid `appliedRevision`";
  if (value.lastRun !== undefined && !isLastRun(value.lastRun)) return "has no valid `lastRun`";
  if (value.held !== undefined && !isHeldTable(value.held)) return "has no valid `held`";
  for (const name of ["sent", "venues", "changed", "deleted", "moved"]) {
    if (value[name] !== undefined && !isNames(value[name])) return `has no valid \`${name}\``;
  }
  if (!isObject(value.objects)) return "has no `objects`";
  for (const [address, entry] of Object.entries(value.objects)) {
    if (!isEntry(entry)) return `has an entry for "${address}" that cannot be read`;
  }
  return null;
}

function isEntry(value: unknown): value is StateEntry {
  if (!isObject(value)) return false;
  const { kind, id, applied, returned, uncleared, unconfirmed, carried, named, former } = value;
  return (
    isKindName(kind) &&
    typeof id === "string" &&
    uuidPattern.test(id) &&
    isObject(applied) &&
    (returned === undefined || isObject(returned)) &&
    (uncleared === undefined || isObject(uncleared)) &&
    (unconfirmed === undefined || (Array.isArray(unconfirmed) && unconfirmed.every(isObject))) &&
    (carried === undefined || isObject(carried)) &&
    (named === undefined || isObject(named)) &&
    (former === undefined || typeof former === "string")
  );
}

function isHeldTable(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((each) => isObject(each) && typeof each.address === "string");
}

function isNames(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((name) => typeof name === "string");
}

function isLastRun(value: unknown): value is LastRun {
  if (!isObject(value)) return false;
  const { revision, dirty, at, clean, asOf, since, url, shard, cleanShards } = value;
  return (
    (revision === null || isCommit(revision)) &&
    (dirty === undefined || dirty === true) &&
    typeof at === "string" &&
    typeof clean === "boolean" &&
    (since === undefined || isCommit(since)) &&
    (asOf === undefined || typeof asOf === "string") &&
    (url === undefined || typeof url === "string") &&
    (shard === undefined || (typeof shard === "string" && /^\d+\/\d+$/.test(shard))) &&
    (cleanShards === undefined || isNames(cleanShards))
  );
}

/** Git is asked about it, and must not take it for an option. */
function isCommit(value: unknown): boolean {
  return typeof value === "string" && /^[0-9a-f]{40,64}$/.test(value);
}

function isOrganization(value: unknown): boolean {
  return isObject(value) && typeof value.id === "string" && typeof value.slug === "string";
}

function errorPosition(text: string, error: unknown): { readonly line: number; readonly column: number } {
  const found = /position (\d+)/.exec(error instanceof Error ? error.message : "");
  const before = text.slice(0, found === null ? text.length : Number(found[1]));
  return { line: before.split("\n").length, column: before.length - before.lastIndexOf("\n") };
}
