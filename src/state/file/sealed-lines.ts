// Lines that are each sealed together with all before them: none can be altered, dropped from the middle, moved, or brought
// in from another file. Lines missing at the end look like a run that was cut off there.
import { randomBytes } from "node:crypto";
import { asObject, parseJson } from "../../model/value.ts";
import {
  currentSealer,
  type FindSealSecrets,
  isInTheFuture,
  isSameCode,
  type Sealer,
  type SealStatus,
  sealerFor,
} from "../seal.ts";

export interface UnsealedLines {
  /** The lines without their seals. */
  readonly text: string;
  readonly status: SealStatus;
  /** Continues after the last line; null if another key sealed them, or nothing may follow. */
  readonly chain: Chain | null;
}

export interface Chain {
  seal(lines: string): string;
}

export interface LineSeals {
  readonly environment: string;
  readonly secrets: FindSealSecrets;
  readonly now: () => number;
}

const ending = /,"seal":"([0-9a-f]{32})"\}$/;

/** A chain for an empty file; null if there is no key. */
export function beginChain(seals: LineSeals): Chain | null {
  const sealer = currentSealer(seals.secrets, seals.environment, "journal");
  return sealer === null ? null : chainFrom(sealer, null);
}

/** `text` holds whole lines. */
export function unsealLines(text: string, seals: LineSeals): UnsealedLines {
  const lines = text.split("\n");
  lines.pop();
  const [head, ...rest] = lines;
  if (head === undefined) return { text: "", status: "good", chain: beginChain(seals) };
  const header = readHeader(head);
  const plain = header === null ? lines : rest;
  const unsealed = plain.map((line) => `${line.replace(ending, "}")}\n`).join("");
  const give = (status: SealStatus, chain: Chain | null = null) => ({ text: unsealed, status, chain });
  if (header === null) return give("unsealed");
  const sealer = sealerFor(seals.secrets, seals.environment, "journal", header.key);
  if (typeof sealer === "string") return give(sealer);
  let code = sealer.codeOf(headerText(header));
  if (!isSameCode(code, header.code)) return give("altered");
  for (const line of rest) {
    const found = ending.exec(line);
    if (found === null) return give("altered");
    code = nextCode(sealer, code, `${line.slice(0, found.index)}}`);
    if (!isSameCode(code, found[1])) return give("altered");
  }
  if (rest.some((line) => isInTheFuture(timeOf(line), seals.now()))) return give("future");
  const current = currentSealer(seals.secrets, seals.environment, "journal");
  return give("good", current?.keyId === sealer.keyId ? chainFrom(sealer, code) : null);
}

function chainFrom(sealer: Sealer, last: string | null): Chain {
  let code = last;
  return {
    seal(lines) {
      let sealed = "";
      if (code === null && lines !== "") {
        const header = { key: sealer.keyId, nonce: randomBytes(8).toString("hex") };
        code = sealer.codeOf(headerText(header));
        sealed = `${JSON.stringify({ type: "seal", ...header, code })}\n`;
      }
      for (const line of lines.split("\n").slice(0, -1)) {
        code = nextCode(sealer, code ?? "", line);
        sealed += `${line.slice(0, -1)},"seal":"${code}"}\n`;
      }
      return sealed;
    },
  };
}

function nextCode(sealer: Sealer, before: string, line: string): string {
  return sealer.codeOf(`${before}\n${line}`);
}

interface Header {
  readonly key: string;
  readonly nonce: string;
}

function headerText({ key, nonce }: Header): string {
  return JSON.stringify([key, nonce]);
}

function readHeader(line: string): (Header & { readonly code: unknown }) | null {
  const value = asObject(parseJson(line));
  if (value.type !== "seal" || typeof value.key !== "string" || typeof value.nonce !== "string") return null;
  return { key: value.key, nonce: value.nonce, code: value.code };
}

function timeOf(line: string): number {
  const { at } = asObject(parseJson(line));
  return typeof at === "number" ? at : Number.NEGATIVE_INFINITY;
}
