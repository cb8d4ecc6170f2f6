// One place that takes secrets out of text on its way to people or files.

const mask = "***";
const url = /\b([a-z][a-z0-9+.-]*:\/\/)([^\s"'<>]+)/gi;

/** The text without the given secrets, and with the userinfo and the query of every URL in it masked. */
export function redact(text: string, secrets: readonly string[]): string {
  const result = maskSecrets(text, secrets);
  return result.includes("://")
    ? result.replace(url, (_match, scheme: string, rest: string) => scheme + maskUrl(rest))
    : result;
}

/** The text without the given secrets, also where they stand as URLs, JSON, HTML or CSV write them; URLs stay whole. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  let result = text;
  for (const secret of secrets) {
    // A word of three letters is no secret, and masking it would garble every sentence.
    if (secret.length < 4) continue;
    for (const form of formsOf(secret)) result = result.replaceAll(form, mask);
  }
  return result;
}

/** Made once per secret: every answer is looked through for the key. */
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
  const html = secret.replace(/[&<>"']/g, (character) => entities[character] ?? character);
  return new Set([
    JSON.stringify(secret).slice(1, -1),
    secret,
    encodeURIComponent(secret),
    html,
    secret.replaceAll('"', '""'),
  ]);
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function maskUrl(rest: string): string {
  const end = rest.search(/[/?#]/);
  const authority = end === -1 ? rest : rest.slice(0, end);
  const tail = end === -1 ? "" : rest.slice(end);
  const at = authority.lastIndexOf("@");
  const host = at === -1 ? authority : `${mask}${authority.slice(at)}`;
  const query = tail.indexOf("?");
  if (query === -1) return host + tail;
  const fragment = tail.indexOf("#", query);
  return `${host}${tail.slice(0, query)}?${mask}${fragment === -1 ? "" : tail.slice(fragment)}`;
}
