// JSON for people's terminals, logs and pipes: it says the same, and does nothing to who reads it.
import { maskUrls } from "../model/mask-urls.ts";

/** JSON to print: URLs without userinfo and query, and nothing raw that a terminal or a workflow's runner obeys. */
export function safeJson(value: unknown): string {
  return withEscapes(JSON.stringify(value, withoutUrlSecrets, 2));
}

/** The same on one line, where each line is a value of its own. */
export function safeJsonLine(value: unknown): string {
  return withEscapes(JSON.stringify(value, withoutUrlSecrets));
}

/** JSON for a file that a later run works from: URLs stay whole. */
export function wholeJson(value: unknown): string {
  return withEscapes(JSON.stringify(value, null, 2));
}

function withoutUrlSecrets(_key: string, value: unknown): unknown {
  if (typeof value === "string") return maskUrls(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const keys = Object.keys(value);
  return keys.some((key) => maskUrls(key) !== key) ? withMaskedKeys(value as Record<string, unknown>) : value;
}

/** Addresses of webhooks are keys too; two that differ only in what is masked must both stay. */
function withMaskedKeys(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const masked = new Map<string, unknown>();
  for (const [key, inner] of Object.entries(value)) {
    const plain = maskUrls(key);
    let name = plain;
    for (let number = 2; masked.has(name); number++) name = `${plain}#${number}`;
    masked.set(name, inner);
  }
  return Object.fromEntries(masked);
}

const unsafe = /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;
// Runners of workflows take commands from anywhere within a line. In JSON `#` only ever stands within a string.
const logCommand = /##(?=\[|vso\[)/gi;

function withEscapes(json: string): string {
  return json
    .replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .replace(logCommand, "#\\u0023");
}
