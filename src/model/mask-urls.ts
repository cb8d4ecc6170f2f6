// The one place that takes tokens out of URLs: every report, message and log goes through it.

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
    return `${before}${host}${path}${query === "" ? "" : "?***"}${fragment}`;
  });
}
