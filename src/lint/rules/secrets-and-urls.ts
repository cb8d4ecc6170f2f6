import { type Finding, findingAt, placeOf, whyNotPublic } from "../../kinds/lint-rules.ts";
import { uuidPattern } from "../../model/address.ts";
import { type Diagnostic, errorOf, warningOf } from "../../model/diagnostic.ts";
import { findSecret, isSecretToken, parseUrl } from "../../model/value.ts";
import type { Project, Wish } from "../../model/wish.ts";
import { fieldTexts } from "./field-texts.ts";

/** Why an image's URL will stop working, as the end of a sentence; null if nothing shows that it will. */
function whyLinkExpires(address: URL): string | null {
  if (networks.test(address.hostname)) return "links from social networks and chats change and expire";
  return address.search !== "" && isSigned(address.searchParams) ? "its signature expires" : null;
}

const networks =
  /(^|\.)(facebook\.com|fb\.com|fb\.me|fbcdn\.net|fbsbx\.com|instagram\.com|cdninstagram\.com|threads\.net|twitter\.com|x\.com|t\.co|tiktok\.com|tiktokcdn(-us)?\.com|linkedin\.com|licdn\.com|discordapp\.(com|net)|discord\.com|viber\.com|whatsapp\.(com|net)|telegram\.org|t\.me)$/i;

/** Names of the signature in a signed URL, and of its expiry. */
const signature = /^(x-[a-z0-9]+-(signature|security-token)|signature|sig|hmac|policy|key-pair-id)$/i;
const end = /^(x-[a-z0-9]+-expires|expires?|expiry|expires_?at|exp|se|e)$/i;

function isSigned(query: URLSearchParams): boolean {
  let signed = false;
  let ends = false;
  for (const name of query.keys()) {
    if (/^x-[a-z0-9]+-(signature|expires)$/i.test(name)) return true;
    signed ||= signature.test(name) || /^(token|st|hash|oh|hm)$/i.test(name);
    ends ||= end.test(name) || /^(oe|ex)$/i.test(name);
  }
  return signed && ends;
}

/** URLs that buyers open. Those that the service calls are checked by the rules of webhooks. */
export function addressesForBuyers(wish: Wish): readonly Diagnostic[] {
  return fieldTexts(wish, "urls").flatMap(({ leadsTo, text, places }) => {
    if (leadsTo === "receiver") return [];
    const finding = judgeUrl(text, leadsTo === "image");
    return finding === null ? [] : findingAt(wish, places, finding);
  });
}

function judgeUrl(text: string, isImage: boolean): Finding | null {
  const url = parseUrl(text);
  const why = whyNotPublic(url);
  if (why !== null || url === null) return notAPublicUrl(text, isImage, why ?? "");
  if (!isImage) return null;
  return url.protocol === "http:" ? httpImage(text) : expiringImageLink(text, url);
}

function notAPublicUrl(text: string, isImage: boolean, why: string): Finding {
  const bare = text.replace(/^\/\//, "");
  const onlyLacksScheme = /^[\w-]+(\.[\w-]+)*\.[a-z]{2,}\//i.test(bare) || /^www\.[\w-]+\./i.test(bare);
  return errorOf(
    "not-a-public-url",
    `Buyers cannot open ${shownUrl(text)}: ${why}.`,
    onlyLacksScheme
      ? `Write https://${shownUrl(bare)} if that is the right URL.`
      : isImage
        ? "Put the image on a public site and use its https URL."
        : "Write a public https URL.",
  );
}

function httpImage(text: string): Finding {
  const message = `${shownUrl(text)} is not https, and many browsers and apps will not show it.`;
  const hint = "Write https:// if the site offers it, or put the image on another site.";
  return warningOf("http-image", message, hint);
}

function expiringImageLink(text: string, address: URL): Finding | null {
  const why = whyLinkExpires(address);
  if (why === null) return null;
  const message = `${shownUrl(text)} will stop working: ${why}.`;
  const hint = "Put the image on your own site and use its permanent URL.";
  return warningOf("expiring-image-link", message, hint);
}

// Long addresses would bury the sentence; queries and user names may hold secrets, which do not belong in a log.
function shownUrl(text: string): string {
  const bare = text.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@\s]*@/i, "$1").replace(/[?#].*$/s, "");
  return bare.length > 80 ? `${bare.slice(0, 77)}...` : bare;
}

/** Many people read files in git, and they stay forever: no place for a key, a password or a signing secret. */
export function secretInFile(wish: Wish): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  function check(field: string, what: string | null, places: readonly string[] = [field]): void {
    if (what !== null) found.push(secretFinding(wish, field, what, places));
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
  return hasCredentials(text) ? "a URL with a user name or password in it" : null;
}

function inAddress(text: string, isImage: boolean): string | null {
  if (hasCredentials(text)) return "a URL with a user name or password in it";
  // An image's address is public, including its signature; an expiring one is reported by another rule.
  if (isImage || !text.includes("?")) return null;
  for (const [name, value] of parseUrl(text)?.searchParams ?? []) {
    if (isSecretToken(value) || (secretParameter.test(name) && mayBeSecret(value))) {
      return `a URL with a secret in it ('${name}=...')`;
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

// Words are names of something; `?key=orders` reveals nothing.
function mayBeSecret(value: string): boolean {
  return value.length >= 8 && /\d/.test(value) && !uuidPattern.test(value);
}

function secretFinding(wish: Wish, field: string, what: string, places: readonly string[]): Diagnostic {
  return findingAt(wish, places, {
    code: "secret-in-file",
    severity: "error",
    message: `\`${field}\` contains ${what}, and anyone who can read the files could use it.`,
    hint: "Remove it from the file, and get a new one if it was pushed. If it is not a secret, add `ignore: [secret-in-file]`.",
  });
}

/** A command that stores secrets needs a name for each in each environment. Checked before the create: a webhook's secret is shown only once. */
export function secretNames({ settings, webhooks }: Pick<Project, "settings" | "webhooks">): readonly Diagnostic[] {
  const { secrets, environments } = settings;
  if (secrets?.sink !== "command") return [];
  const live = Object.entries(environments).filter(([, { baseUrl }]) => baseUrl !== null);
  // A variable in `secretName` may give each environment its own name.
  const isDistinct =
    secrets.command.some((part) => part.includes("{environment}")) || live.some(([, { hasVars }]) => hasVars === true);
  const first = new Map<string, Wish>();
  return webhooks.flatMap((webhook) => {
    if (webhook.own.secretName === undefined) {
      // An invalid `secretName` has its own error.
      if (webhook.places.secretName !== undefined) return [];
      return findingAt(webhook, [], {
        code: "secret-name-missing",
        severity: "error",
        message: `The webhook "${webhook.name}" has no \`secretName\`, and the command in ticketing.yaml stores its secret by name.`,
        hint: "Add a name that no other webhook has, for example `secretName: ORDERS_WEBHOOK_SECRET`.",
      });
    }
    // Many stores do not distinguish upper and lower case.
    const name = webhook.own.secretName.toUpperCase();
    if (Object.values(environments).some(({ apiKeyEnv }) => apiKeyEnv?.toUpperCase() === name))
      return nameOfKey(webhook);
    const isNamed = secrets.command.some((part) => part.includes("{secretName}"));
    const other = first.get(isNamed ? name : "");
    if (other !== undefined) return sharedName(webhook, other, isNamed);
    first.set(isNamed ? name : "", webhook);
    if (isDistinct || live.length < 2) return [];
    return findingAt(webhook, ["secretName"], {
      code: "secret-name-shared",
      message: `The command in ticketing.yaml stores the secrets of ${live.map(([name]) => name).join(" and ")} under the same name, ${webhook.own.secretName}: each overwrites the other.`,
      hint: 'Use `{environment}` in the command, for example `[gh, secret, set, "{secretName}", --env, "{environment}"]`.',
    });
  });
}

/** The receiver would know the API key that the next job reads. */
function nameOfKey(webhook: Wish): Diagnostic {
  return findingAt(webhook, ["secretName"], {
    code: "wrong-value",
    severity: "error",
    message: `\`secretName\` cannot be "${webhook.own.secretName}": in ticketing.yaml, an environment takes its API key from the variable of that name, and the webhook's secret would overwrite the key.`,
    hint: "Give the secret a name of its own, for example `secretName: ORDERS_WEBHOOK_SECRET`.",
  });
}

/** A command without the names may still keep the secrets apart, for example in a list. */
function sharedName(webhook: Wish, first: Wish, isNamed: boolean): Diagnostic {
  const [one, other] = [first.name, webhook.name];
  const [severity, why, hint] = isNamed
    ? ([
        "error",
        `The webhooks ${one} and ${other} have the same \`secretName\``,
        "Give each webhook its own `secretName`.",
      ] as const)
    : ([
        "warning",
        `The command in ticketing.yaml does not use \`{secretName}\`, so it gets the secrets of ${one} and ${other} without a name`,
        'Put "{secretName}" in the command where it expects the name of a secret.',
      ] as const);
  return findingAt(webhook, ["secretName"], {
    code: "secret-name-shared",
    severity,
    message: `${why}: the secret of one ${isNamed ? "would" : "may"} overwrite that of the other, and the service shows each only once.`,
    hint,
    related: [{ message: `the webhook ${first.name}`, source: placeOf(first, ["secretName"]) }],
  });
}
