// The one place that removes secrets from text on its way to people or files.
import { escapeHtml, maskUrls } from "../../model/value.ts";

const mask = "***";

/** The text without the given secrets, and with the userinfo and the query of every URL in it masked. */
export function redact(text: string, secrets: readonly string[]): string {
  return maskUrls(maskSecrets(text, secrets));
}

/** The text without the given secrets, also as URLs, JSON, HTML or CSV write them; URLs stay whole. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  let result = text;
  for (const secret of secrets) {
    // A word of three letters is not a secret, and masking it would garble every sentence.
    if (secret.length < 4) continue;
    for (const form of formsOf(secret)) result = result.replaceAll(form, mask);
  }
  return result;
}

/** Made once per secret: every response is searched for the key. */
const forms = new Map<string, ReadonlySet<string>>();

function formsOf(secret: string): ReadonlySet<string> {
  let made = forms.get(secret);
  if (made === undefined) {
    made = makeForms(secret);
    forms.set(secret, made);
  }
  return made;
}

/** JSON comes first: what is left of an escape whose half was masked would break it. */
function makeForms(secret: string): ReadonlySet<string> {
  return new Set([
    JSON.stringify(secret).slice(1, -1),
    secret,
    encodeURIComponent(secret),
    escapeHtml(secret),
    secret.replaceAll('"', '""'),
  ]);
}
