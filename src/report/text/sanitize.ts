// One sanitizer for all text that comes from files or from the service: it is data, and must not affect its reader.
import { maskUrls } from "../../model/value.ts";

// C0, DEL and C1 move the cursor or worse; bidi marks reorder what is read; zero-width characters hide text, except for
// the joiner within an emoji; U+2028 and U+2029 end lines.
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\p{Cs}]|\u200d(?!(?<=\p{ExtPict}[\ufe0f\p{EMod}]?\u200d)\p{ExtPict})/gu;

/** The text on one line, with every character that could do harm shown as `\u{…}`. */
export function sanitize(text: string): string {
  return text.replace(unsafe, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
}

// Runners of workflows take commands from anywhere within a line of the log.

const logCommand = /##(?=\[|vso\[)/gi;

/** Data made safe to show: no control characters, no line ends, no tokens in URLs, no commands to a workflow's runner. */
export function safeText(text: string): string {
  return sanitize(maskUrls(text)).replace(logCommand, "#\\u{23}");
}

/** The same for a whole line: a runner treats one that begins with two colons as a command, even after spaces. */
export function safeLine(text: string): string {
  return safeText(text).replace(/^(\s*):(?=:)/, "$1\\u{3a}");
}

/** A message on one line: what it lists in indented lines follows its colon. Any other line end is data. */
export function safeSentence(text: string): string {
  const [head = "", ...items] = text.split(/\n {2}/).map((line) => safeText(line.trim()));
  return items.length === 0 ? head : `${head} ${items.join("; ")}.`;
}

/** The same for data of several lines. */
export function safeLines(text: string): readonly string[] {
  return text.split("\n").map(safeText);
}

// JSON for people's terminals, logs and pipes: it says the same, and does nothing to its reader.

/** JSON to print: URLs without userinfo and query, and nothing raw that a terminal or a workflow's runner obeys. */
export function safeJson(value: unknown): string {
  return withEscapes(JSON.stringify(value, withoutUrlSecrets, 2));
}

/** The same on one line, where each line is a separate value. */
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

/** Addresses of webhooks are keys, too; two that differ only in what is masked must both stay. */
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

const unsafeInJson = /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

// In JSON, `#` occurs only within strings, so escaping it keeps the value.
function withEscapes(json: string): string {
  return json
    .replace(unsafeInJson, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .replace(logCommand, "#\\u0023");
}

/**
 * A workflow runner treats a log line that begins with two colons as a command, even after spaces. A cell may wrap
 * anywhere, so it must not hold two colons in a row. A digit begins no command: `::1` stays as it is.
 */
export function disarmCell(text: string): string {
  return text.replace(/::(?!\d)/g, ":\\u{3a}");
}

// Personal data and secrets, left out of what others may read.

const personal =
  /buyer|customer|payer|holder|attendee|guest|contact|user|person|e-?mail|phone|mobile|address|billing|shipping|note|comment|memo|remark|instruction|(first|last|full)_?name|^name$|^ip$/i;
const mail = /(?<=[^\s@])@[^\s@]+\.[^\s@]/;

/** A payment or a delivery may show anything about people, so anything that looks like it is left out. */
export function withoutPeople(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPeople);
  if (typeof value === "string") return withinJson(value, withoutPeople) ?? (mail.test(value) ? "(hidden)" : value);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field]) => !personal.test(field))
      .map(([field, each]) => [field, withoutPeople(each)]),
  );
}

const secretPart = /secret|token|passw|passphrase|signature|authorization|credential|apikey/i;
const secretWords = new Set("key keys auth pwd bearer cookie cookies hmac".split(" "));
const hidden = "***";

/**
 * What the service shows beyond the API specification, without secrets: whatever is named like one, at any depth, in
 * lists of names and values, and in JSON within a text.
 */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value === "string") return withinJson(value, withoutSecrets) ?? value;
  if (typeof value !== "object" || value === null) return value;
  const { name, key } = value as { readonly name?: unknown; readonly key?: unknown };
  const namesSecret = [name, key].some((word) => typeof word === "string" && "value" in value && isSecretName(word));
  return Object.fromEntries(
    Object.entries(value).map(([field, each]) => {
      const isLabel = field === "key" && "value" in value;
      const isSecret = (!isLabel && isSecretName(field)) || (namesSecret && field === "value");
      return [field, isSecret && each !== null && typeof each !== "boolean" ? hidden : withoutSecrets(each)];
    }),
  );
}

/** `webhookSecret`, `X-Signature` and `api_key` are named like a secret; `monkey` and `author` are not. */
function isSecretName(name: string): boolean {
  if (secretPart.test(name)) return true;
  const words = name.replace(/([a-z0-9])(?=[A-Z])/g, "$1 ").toLowerCase();
  return words.split(/[^a-z0-9]+/).some((word) => secretWords.has(word));
}

/** Deliveries store what was sent as text: null if it is not JSON. */
function withinJson(text: string, clean: (value: unknown) => unknown): string | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return JSON.stringify(clean(JSON.parse(text)));
  } catch {
    return null;
  }
}
