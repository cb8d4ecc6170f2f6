// Which proxy, if any, is used to reach an address, by the variables that CI runners set.
import { parseUrl } from "../../model/value.ts";

export type EnvVariables = Readonly<Record<string, string | undefined>>;

export interface Proxy {
  readonly url: string;
  readonly variable: string;
}

/** The proxy, or null for a direct call. This machine itself is never reached through a proxy. */
export function proxyFor(origin: string, env: EnvVariables): Proxy | null {
  const url = new URL(origin);
  const hostname = bareHost(url.hostname);
  if (hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "::1" || hostname.startsWith("127."))
    return null;
  const secure = url.protocol === "https:";
  const own = secure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy", "HTTP_PROXY"];
  const named = own.find((name) => env[name] !== undefined);
  const variable = [named ?? "", "all_proxy", "ALL_PROXY"].find((name) => (env[name] ?? "") !== "");
  const proxy = variable === undefined ? "" : (env[variable] ?? "");
  if (
    variable === undefined ||
    isExempt(hostname, url.port || (secure ? "443" : "80"), env.no_proxy ?? env.NO_PROXY ?? "")
  )
    return null;
  return { url: proxy.includes("://") ? proxy : `http://${proxy}`, variable };
}

/** Where a proxy is, for people: without its credentials. null if its URL is invalid. */
export function proxyPlace({ url }: Proxy): { readonly scheme: string; readonly host: string } | null {
  const { protocol, host } = parseUrl(url) ?? { protocol: "", host: "" };
  return host === "" ? null : { scheme: protocol.slice(0, -1), host };
}

function isExempt(hostname: string, port: string, list: string): boolean {
  return list.split(/[,\s]+/).some((entry) => {
    if (entry === "") return false;
    if (entry === "*") return true;
    const withPort = /^(.+):(\d+)$/.exec(entry);
    if (withPort !== null && !entry.includes("::") && withPort[2] !== port) return false;
    const name = bareHost(
      (withPort !== null && !entry.includes("::") ? (withPort[1] ?? "") : entry).replace(/^\*?\./, ""),
    );
    return hostname === name || hostname.endsWith(`.${name}`);
  });
}

function bareHost(hostname: string): string {
  return hostname.toLowerCase().replace(/^\[|\]$/g, "");
}
