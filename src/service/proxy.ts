// Which proxy, if any, stands between this machine and an address, by the variables that CI runners set.

export type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy's URL, or null where the call goes straight. This machine itself is never asked for through a proxy. */
export function proxyFor(origin: string, env: Environment): string | null {
  const url = new URL(origin);
  const hostname = bare(url.hostname);
  if (hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "::1" || hostname.startsWith("127."))
    return null;
  const secure = url.protocol === "https:";
  const own = secure ? (env.https_proxy ?? env.HTTPS_PROXY) : (env.http_proxy ?? env.HTTP_PROXY);
  const proxy = own || env.all_proxy || env.ALL_PROXY || "";
  if (proxy === "" || isExempt(hostname, url.port || (secure ? "443" : "80"), env.no_proxy ?? env.NO_PROXY ?? ""))
    return null;
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

function isExempt(hostname: string, port: string, list: string): boolean {
  return list.split(/[,\s]+/).some((entry) => {
    if (entry === "") return false;
    if (entry === "*") return true;
    const withPort = /^(.+):(\d+)$/.exec(entry);
    if (withPort !== null && !entry.includes("::") && withPort[2] !== port) return false;
    const name = bare((withPort !== null && !entry.includes("::") ? (withPort[1] ?? "") : entry).replace(/^\*?\./, ""));
    return hostname === name || hostname.endsWith(`.${name}`);
  });
}

function bare(hostname: string): string {
  return hostname.toLowerCase().replace(/^\[|\]$/g, "");
}
