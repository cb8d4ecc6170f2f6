import { findingAt } from "../../kinds/lint-rules.ts";
import { uuidPattern } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { findSecret, isSecretToken, parseUrl } from "../../model/value.ts";
import type { Project, Wish } from "../../model/wish.ts";
import { fieldTexts } from "./field-texts.ts";

/** Files in git are read by many and kept forever: no place for a key, a password or a signing secret. */
export function secretInFile(wish: Wish): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  function check(field: string, what: string | null, places: readonly string[] = [field]): void {
    if (what !== null) found.push(secretAt(wish, field, what, places));
  }
  for (const { field, text } of fieldTexts(wish, "words")) check(field, inText(text));
  for (const { field, leadsTo, text, places } of fieldTexts(wish, "urls"))
    check(field, inAddress(text, leadsTo === "image"), places);
  for (const field of ["key", "secretName", "renamedFrom"] as const) check(field, inText(wish.own[field]));
  for (const [part, text] of Object.entries(wish.own.venue ?? {}))
    check("venue", inText(text), [`venue/${part}`, "venue"]);
  return found;
}

function inText(text: unknown): string | null {
  if (typeof text !== "string" || text.length < 12) return null;
  const secret = findSecret(text);
  if (secret !== null) return `something that looks like a key or a secret ('${secret.slice(0, 4)}...')`;
  return hasCredentials(text) ? "an address with a user name or password in it" : null;
}

function inAddress(text: string, isImage: boolean): string | null {
  if (hasCredentials(text)) return "an address with a user name or password in it";
  // An image's address is public, including its signature; an expiring one is reported by another rule.
  if (isImage || !text.includes("?")) return null;
  for (const [name, value] of parseUrl(text)?.searchParams ?? []) {
    if (isSecretToken(value) || (secretParameter.test(name) && mayBeSecret(value))) {
      return `an address with a secret in it ('${name}=...')`;
    }
  }
  return null;
}

function hasCredentials(text: string): boolean {
  return text.includes("@") && credentials.test(text);
}

// No scheme is longer; without that bound, a long word would be scanned again from each of its letters.
const credentials = /(?<=\b[a-z][a-z0-9+.-]{0,30}):\/\/[^/?#\s@]+@[^\s@]/i;
const secretParameter =
  /^(api[-_]?key|key|(access|auth|api)?[-_]?token|auth|(client[-_]?)?secret|password|passwd|pwd)$/i;

// Words are names of something; `?key=orders` gives nothing away.
function mayBeSecret(value: string): boolean {
  return value.length >= 8 && /\d/.test(value) && !uuidPattern.test(value);
}

function secretAt(wish: Wish, field: string, what: string, places: readonly string[]): Diagnostic {
  return findingAt(wish, places, {
    code: "secret-in-file",
    severity: "error",
    message: `\`${field}\` holds ${what}, and everybody who can read the files could use it.`,
    hint: "Take it out of the file and have a new one issued. If it is not a secret, add `ignore: [secret-in-file]`.",
  });
}

/** A command that stores secrets needs a name for each. Checked before the create, because a webhook's secret is shown only once. */
export function secretNameMissing({
  settings,
  webhooks,
}: Pick<Project, "settings" | "webhooks">): readonly Diagnostic[] {
  if (settings.secrets?.sink !== "command") return [];
  return webhooks
    .filter((webhook) => webhook.own.secretName === undefined)
    .map((webhook) =>
      findingAt(webhook, [], {
        code: "secret-name-missing",
        severity: "error",
        message: `The webhook ${webhook.name} has no \`secretName\`, and the command in ticketing.yaml stores its secret by name.`,
        hint: "Add for example `secretName: ORDERS_WEBHOOK_SECRET`.",
      }),
    );
}
