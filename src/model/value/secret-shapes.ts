// What keys and secrets look like, regardless of their issuer: long, and without any word in them.

/** The part of a text that looks like a key or a secret; null if none does. */
export function findSecret(text: string): string | null {
  if (!hasLongRun(text)) return null;
  const block = /-----BEGIN [A-Z ]*PRIVATE KEY-----/.exec(text);
  if (block !== null) return block[0];
  for (const match of withoutAddresses(text).matchAll(token)) {
    const candidate = match[0].replace(/(?<![-_.=])[-_.=]+$/, "");
    if (isSecretToken(candidate)) return candidate;
  }
  return null;
}

/** Whether one word of a text, or one value of a query, looks like a key or a secret. */
export function isSecretToken(word: string): boolean {
  if (uuid.test(word)) return false;
  return isSignedToken(word) || isPrefixed(word) || isRandom(word.replace(/[-_+=.]/g, ""));
}

/** Whether the value of a field named like a secret may be one: even a short one, if letters and digits are mixed. */
export function isMixed(word: string): boolean {
  const signs = word.replace(/[-_+=.]/g, "");
  if (signs.length < 8 || /\s/.test(word) || uuid.test(word)) return false;
  return /\d/.test(signs) && /[A-Za-z]/.test(signs) && turnsOf(signs) >= signs.length / 4;
}

const shortest = 16;

// Nearly every text ends its check here, so this is a plain loop: it looks for a long run of characters that tokens are made of.
function hasLongRun(text: string): boolean {
  let run = 0;
  for (let index = 0; index < text.length; index++) {
    run = isOfToken(text.charCodeAt(index)) ? run + 1 : 0;
    if (run === shortest) return true;
  }
  return text.includes("-----BEGIN");
}

function isOfToken(code: number): boolean {
  // Letters, digits, and + - . = _
  if (code >= 97) return code <= 122;
  if (code >= 65) return code <= 90 || code === 95;
  return code >= 48 ? code <= 57 || code === 61 : code === 43 || code === 45 || code === 46;
}

// Not after a slash, because a hash in a path names a file; not after # or @, because people run words together there.
const token = /(?<![\w/#@.+=-])[A-Za-z0-9][A-Za-z0-9_+=.-]{15,}(?![\w/@])/g;

const uuid = /^\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?$/i;

function withoutAddresses(text: string): string {
  // The scheme may stay: it is too short to be a token.
  return text.replace(/(?<=[a-z0-9+.-]):\/\/\S+/gi, " ");
}

function isSignedToken(word: string): boolean {
  return /^eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*$/.test(word);
}

// Many issuers put short words in front of a key, to say what it is: secret_, key-, ..._live_.
const prefixed = /^((?:[A-Za-z]{2,12}[_-]){1,3})([A-Za-z0-9]{16,})$/;
const credentialWord =
  /(^|[_-])(sk|rk|pk|ak|pat|tok|token|api|apikey|key|live|test|prod|auth|bearer|[a-z]*sec(?:ret)?)[_-]/i;

function isPrefixed(word: string): boolean {
  const [, prefix, body] = prefixed.exec(word) ?? [];
  if (prefix === undefined || body === undefined) return false;
  if (credentialWord.test(prefix)) return prefix.endsWith("_") || /\d/.test(body);
  return prefix.endsWith("_") && /\d/.test(body) && /[A-Za-z]/.test(body) && turnsOf(body) >= body.length / 4;
}

// In random letters and digits the sort of character changes all the time; in joined words it does not.
function isRandom(word: string): boolean {
  if (word.length < 24 || new Set(word).size < 10) return false;
  const turns = turnsOf(word);
  if (/[a-z]/.test(word) && /[A-Z]/.test(word)) return turns >= word.length * 0.4;
  return word.length >= 32 && (word.match(/\d/g)?.length ?? 0) >= 4 && turns >= word.length / 4;
}

function turnsOf(word: string): number {
  let turns = 0;
  for (let index = 1; index < word.length; index++) {
    if (sortOf(word.charCodeAt(index)) !== sortOf(word.charCodeAt(index - 1))) turns++;
  }
  return turns;
}

function sortOf(code: number): "digit" | "upper" | "lower" {
  return code < 58 ? "digit" : code < 91 ? "upper" : "lower";
}

// The one place that removes tokens from URLs: every report, message and log goes through it.

// As texts write a URL, or as an address does, where a slash is %2F.
const url = /(?<=[a-z0-9+.-])(:(?:\/\/|%2F%2F))([^\s"'`<>]+)/gi;
const parts = /^((?:(?!%2F)[^/?#])*)([^?#]*)(\?[^#]*)?(#.*)?$/is;

/** The text with the userinfo and the query of every URL in it masked: a report is read by more people than may know a token. */
export function maskUrls(text: string): string {
  if (!text.includes(":")) return text;
  return text.replace(url, (_, before: string, rest: string) => {
    const [, authority = "", path = "", query = "", fragment = ""] = parts.exec(rest) ?? [];
    const at = authority.lastIndexOf("@");
    const host = at === -1 ? authority : `***${authority.slice(at)}`;
    // A question mark alone ends a question about the URL, and a mark at its end ends the sentence.
    const end = /[.,:;!?)]?$/.exec(query)?.[0] ?? "";
    return `${before}${host}${path}${query.length < 2 ? query : `?***${end}`}${fragment}`;
  });
}

/** What happens to a new webhook's secret: it is stored, has no place to go, or is lost with a file on a runner. */
export interface SecretPlace {
  readonly fate: "kept" | "none" | "lost";
  /** Whose runner this is; null: none. */
  readonly host: "github" | "gitlab" | "other" | null;
}

/** How to keep a secret that has no place or would be lost, as a fix; a file is enough only outside a runner. */
export function keepSecretsOn(host: SecretPlace["host"]): string {
  if (host === null)
    return "Add `secrets: { sink: file, path: .ticketing/secrets.json }` to ticketing.yaml (or use `sink: command`, with a command that stores secrets).";
  const alone = "in a separate pull request";
  if (host === "other")
    return `Write \`secrets: { sink: command, command: [PROGRAM, "{secretName}"] }\` in ticketing.yaml, ${alone}: PROGRAM gets the secret on its standard input, and must store it where it outlives the job. Give the webhook a \`secretName\`.`;
  const [command, token] =
    host === "github"
      ? [`gh, secret, set, "{secretName}"`, "GH_TOKEN that may write secrets"]
      : [`glab, variable, set, "{secretName}", --masked`, "GITLAB_TOKEN with the `api` scope"];
  return `Write \`secrets: { sink: command, command: [${command}] }\` in ticketing.yaml, ${alone}, and give the webhook a \`secretName\` and the job a ${token}.`;
}
