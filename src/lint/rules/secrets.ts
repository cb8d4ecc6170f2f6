import type { Diagnostic, Source } from "../../model/diagnostic.ts";
import { findSecret, isSecretToken } from "../../model/secrets.ts";
import type { Wish } from "../../model/wish.ts";
import { none, placeOf, textFields, textOf, urlFields } from "./rule.ts";
import { isImage, placeOfItem, readAddress } from "./urls.ts";

/** Files in git are read by many and kept for ever: no place for a key, a password or a signing secret. */
export function secretInFile(wish: Wish): readonly Diagnostic[] {
  let found: Diagnostic[] | null = null;
  function tell(field: string, what: string | null, source?: Source): void {
    if (what === null) return;
    found ??= [];
    found.push(explain(wish, field, what, source ?? placeOf(wish, [field])));
  }
  for (const field of textFields[wish.kind]) tell(field, inText(textOf(wish, field)));
  for (const field of urlFields[wish.kind]) {
    const value = wish.fields[field];
    if (typeof value === "string") tell(field, inAddress(value, field));
    else if (Array.isArray(value)) {
      for (const [index, item] of (value as readonly string[]).entries()) {
        tell(field, inAddress(item, field), placeOfItem(wish, field, index));
      }
    }
  }
  tell("key", inText(wish.own.key));
  tell("secretName", inText(wish.own.secretName));
  tell("renamedFrom", inText(wish.own.renamedFrom));
  if (wish.own.venue !== undefined) {
    for (const [part, text] of Object.entries(wish.own.venue))
      tell("venue", inText(text), wish.places[`venue/${part}`]);
  }
  return found ?? none;
}

function inText(text: unknown): string | null {
  if (typeof text !== "string" || text.length < 12) return null;
  const secret = findSecret(text);
  if (secret !== null) return `something that looks like a key or a secret ('${secret.slice(0, 4)}...')`;
  return hasCredentials(text) ? "an address with a user name or password in it" : null;
}

function inAddress(text: string, field: string): string | null {
  if (hasCredentials(text)) return "an address with a user name or password in it";
  // An image's address is public, signature and all; that it expires is told on its own.
  if (isImage(field) || !text.includes("?")) return null;
  for (const [name, value] of readAddress(text)?.searchParams ?? []) {
    if (isSecretToken(value) || (secretParameter.test(name) && mayBeSecret(value))) {
      return `an address with a secret in it ('${name}=...')`;
    }
  }
  return null;
}

function hasCredentials(text: string): boolean {
  return text.includes("@") && credentials.test(text);
}

// No scheme is longer; without that bound, a long word would be read anew from each of its letters.
const credentials = /(?<=\b[a-z][a-z0-9+.-]{0,30}):\/\/[^/?#\s@]+@[^\s@]/i;
const secretParameter =
  /^(api[-_]?key|key|(access|auth|api)?[-_]?token|auth|(client[-_]?)?secret|password|passwd|pwd)$/i;

// Words are names of something; `?key=orders` gives nothing away.
function mayBeSecret(value: string): boolean {
  return value.length >= 8 && /\d/.test(value) && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
}

function explain(wish: Wish, field: string, what: string, source: Source): Diagnostic {
  return {
    code: "secret-in-file",
    severity: "error",
    message: `\`${field}\` holds ${what}, and everybody who can read the files could use it.`,
    hint: "Take it out of the file and have a new one issued. If it is no secret, add `ignore: [secret-in-file]`.",
    address: wish.address,
    source,
  };
}
