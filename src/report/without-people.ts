// What says who somebody is, and what only the receiver may know, left out of what others may read.

const personal =
  /buyer|customer|payer|holder|attendee|guest|contact|user|person|e-?mail|phone|mobile|address|billing|shipping|note|comment|memo|remark|instruction|(first|last|full)_?name|^name$|^ip$/i;
const mail = /(?<=[^\s@])@[^\s@]+\.[^\s@]/;

/** Nobody knows what a payment or a delivery may show of people, so what looks like it is left out. */
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
 * What the service shows beyond what its document names, without secrets: whatever goes by the name of one, at any depth,
 * in lists of names and values, and in JSON within a text.
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

/** `webhookSecret`, `X-Signature` and `api_key` go by the name of a secret; `monkey` and `author` do not. */
function isSecretName(name: string): boolean {
  if (secretPart.test(name)) return true;
  const words = name.replace(/([a-z0-9])(?=[A-Z])/g, "$1 ").toLowerCase();
  return words.split(/[^a-z0-9]+/).some((word) => secretWords.has(word));
}

/** Deliveries keep what was sent as text: null where it is no JSON. */
function withinJson(text: string, clean: (value: unknown) => unknown): string | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return JSON.stringify(clean(JSON.parse(text)));
  } catch {
    return null;
  }
}
