import { findSecret, isMixed } from "../model/secret-shape.ts";

/**
 * Where an entry stands: among the settings, where a key has no business; in an event, a webhook or the defaults of one; or
 * among the vars, which people name as they like.
 */
export type Surroundings = "settings" | "document" | "vars";

const secretName =
  /^(?:api[-_]?key|(?:client|signing|webhook)?[-_]?secret|password|passwd|pwd|passphrase|credentials?|(?:secret[-_]?)?access[-_]?key|private[-_]?key|(?:access|auth|api|bearer)[-_]?token)$/i;
// Words with other meanings as well: `key` of an event, `token` of a bar.
const vagueName = /^(?:key|token)$/i;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;
const credentials = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+@/i;

/** What makes an entry look like a secret, without the secret; null where nothing does. `filled`: a variable is in it. */
export function whySecret(name: string, text: string, surroundings: Surroundings, filled: boolean): string | null {
  // What goes by the name of a secret and comes from a variable is where it belongs.
  if (!filled && isSecretByName(name, text, surroundings)) return `\`${name}\` holds a secret`;
  if (credentials.test(text)) return `\`${name}\` carries a user name or password in its address`;
  if (name === "apiKeyEnv" && surroundings === "settings") {
    if (!variableName.test(text) || looksRandom(text))
      return "`apiKeyEnv` holds what looks like a key, not the NAME of a variable";
    return null;
  }
  return findSecret(text) === null ? null : `\`${name}\` holds what looks like a key or a secret`;
}

function isSecretByName(name: string, text: string, surroundings: Surroundings): boolean {
  if (vagueName.test(name)) return surroundings === "settings" || isMixed(text);
  if (!secretName.test(name)) return false;
  // The word of the day may be called a password; what no person would type by heart is one.
  return surroundings !== "vars" || isMixed(text) || /^\S{16,}$/.test(text);
}

/** A long run of letters and digits mixed. Stricter than elsewhere: a variable's name is made of words. */
function looksRandom(text: string): boolean {
  return (text.match(/[A-Za-z0-9]{16,}/g) ?? []).some((run) => {
    const digits = run.replace(/\D/g, "").length;
    return digits >= 4 && run.length - digits >= 4;
  });
}
