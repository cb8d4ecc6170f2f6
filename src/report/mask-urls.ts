const url = /\b([a-z][a-z0-9+.-]*:\/\/)([^\s"'`<>]+)/gi;

/** The text with the userinfo and the query of every URL in it masked: a report is read by more people than may know a token. */
export function maskUrls(text: string): string {
  if (!text.includes("://")) return text;
  return text.replace(url, (_, scheme: string, rest: string) => {
    const [, authority = "", path = "", query = "", fragment = ""] =
      /^([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/.exec(rest) ?? [];
    const at = authority.lastIndexOf("@");
    const host = at === -1 ? authority : `***${authority.slice(at)}`;
    return `${scheme}${host}${path}${query === "" ? "" : "?***"}${fragment}`;
  });
}
