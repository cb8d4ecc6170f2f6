import type { Diagnostic, Source } from "../../model/diagnostic.ts";
import { isLoopbackHost, type Wish } from "../../model/wish.ts";
import { none, placeOf, type Remark, urlFields } from "./rule.ts";

/** Why an image's address will not last, as the end of a sentence; null where nothing speaks against it. */
export function whyLinkExpires(address: URL): string | null {
  if (networks.test(address.hostname)) return "links of social networks and chats change and expire";
  return address.search !== "" && isSigned(address.searchParams) ? "its signature expires" : null;
}

const networks =
  /(^|\.)(facebook\.com|fb\.com|fb\.me|fbcdn\.net|fbsbx\.com|instagram\.com|cdninstagram\.com|threads\.net|twitter\.com|x\.com|t\.co|tiktok\.com|tiktokcdn(-us)?\.com|linkedin\.com|licdn\.com|discordapp\.(com|net)|discord\.com|viber\.com|whatsapp\.(com|net)|telegram\.org|t\.me)$/i;

/** Names that a signed address gives its signature, and those that it gives its end. */
const signature = /^(x-[a-z0-9]+-(signature|security-token)|signature|sig|hmac|policy|key-pair-id)$/i;
const end = /^(x-[a-z0-9]+-expires|expires?|expiry|expires_?at|exp|se|e)$/i;

function isSigned(query: URLSearchParams): boolean {
  let signed = false;
  let ends = false;
  for (const name of query.keys()) {
    if (/^x-[a-z0-9]+-(signature|expires)$/i.test(name)) return true;
    signed ||= signature.test(name) || /^(token|st|hash|oh|hm)$/i.test(name);
    ends ||= end.test(name) || /^(oe|ex)$/i.test(name);
  }
  return signed && ends;
}

// Whether anybody on the internet can reach an address.

/** The address that a text is; null where it is none, or only a part of one. */
export function readAddress(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

export function isLoopback(address: URL): boolean {
  return isLoopbackHost(hostOf(address));
}

/** Why buyers and the service cannot reach it, as the end of a sentence; null where they can. */
export function whyNotPublic(address: URL | null): string | null {
  if (address === null) return "it does not begin with https://";
  if (address.protocol !== "https:" && address.protocol !== "http:") {
    return `${address.protocol} addresses cannot be opened by others`;
  }
  if (isLoopback(address)) return "it leads to one's own computer";
  return isPrivate(hostOf(address)) ? "it leads into a private network" : null;
}

function hostOf(address: URL): string {
  return address.hostname.replace(/\.$/, "");
}

function isPrivate(host: string): boolean {
  if (host.startsWith("[")) return isPrivateIpv6(host);
  const ip = readIpv4(host);
  if (ip !== null) return isPrivateIpv4(ip);
  return !host.includes(".") || /\.(local|internal|intranet|lan|home\.arpa)$/.test(host);
}

function isPrivateIpv4([first, second]: Ipv4): boolean {
  if (first === 0 || first === 10 || first === 127 || first >= 224) return true;
  if (first === 172) return second >= 16 && second <= 31;
  if (first === 192) return second === 168;
  if (first === 169) return second === 254;
  return first === 100 && second >= 64 && second <= 127;
}

function isPrivateIpv6(host: string): boolean {
  const mapped = /^\[::ffff:([0-9a-f]+):[0-9a-f]+\]$/.exec(host)?.[1];
  if (mapped !== undefined) {
    const high = Number.parseInt(mapped, 16);
    return isPrivateIpv4([high >> 8, high & 255]);
  }
  return host === "[::]" || host === "[::1]" || /^\[f([cd]|e[89ab])/.test(host);
}

/** The first two numbers, which tell the network. */
type Ipv4 = readonly [number, number];

// The URL parser has brought every way of writing an IPv4 address into this one.
function readIpv4(host: string): Ipv4 | null {
  const match = /^(\d{1,3})\.(\d{1,3})\.\d{1,3}\.\d{1,3}$/.exec(host);
  return match === null ? null : [Number(match[1]), Number(match[2])];
}

/** Addresses that are shown to buyers. Those that are called by the service are the webhooks' matter. */
export function addressesForBuyers(wish: Wish): readonly Diagnostic[] {
  let found: Diagnostic[] | null = null;
  for (const field of urlFields[wish.kind]) {
    if (isCalled(wish, field)) continue;
    const value = wish.fields[field];
    if (typeof value === "string") {
      const remark = judge(value, field);
      if (remark === null) continue;
      found ??= [];
      found.push({ ...remark, address: wish.address, source: placeOf(wish, [field]) });
    } else if (Array.isArray(value)) {
      for (const [index, item] of (value as readonly string[]).entries()) {
        const remark = judge(item, field);
        if (remark === null) continue;
        found ??= [];
        found.push({ ...remark, address: wish.address, source: placeOfItem(wish, field, index) });
      }
    }
  }
  return found ?? none;
}

/** Whether the service calls this address, rather than showing it to buyers. */
export function isCalled(wish: Wish, field: string): boolean {
  return wish.kind === "webhook" || field === "callbackUrl";
}

export function isImage(field: string): boolean {
  return field === "imageUrl" || field === "galleryUrls";
}

/** Where an item of a list stands; the list's own place where that is not known. */
export function placeOfItem(wish: Wish, field: string, index: number): Source {
  return placeOf(wish, [`${field}/${index}`, field]);
}

function judge(text: string, field: string): Remark | null {
  const address = readAddress(text);
  const why = whyNotPublic(address);
  if (why !== null || address === null) return notAPublicUrl(text, field, why ?? "");
  if (!isImage(field)) return null;
  return address.protocol === "http:" ? httpImage(text) : expiringImageLink(text, address);
}

function notAPublicUrl(text: string, field: string, why: string): Remark {
  const bare = text.replace(/^\/\//, "");
  const onlyLacksScheme = /^[\w-]+(\.[\w-]+)*\.[a-z]{2,}\//i.test(bare) || /^www\.[\w-]+\./i.test(bare);
  return {
    code: "not-a-public-url",
    severity: "error",
    message: `Buyers cannot open ${shorten(text)}: ${why}.`,
    hint: onlyLacksScheme
      ? `Write https://${shorten(bare)} if that is meant.`
      : isImage(field)
        ? "Put the image on a public site and write its https address."
        : "Write a public https address.",
  };
}

function httpImage(text: string): Remark {
  return {
    code: "http-image",
    severity: "warning",
    message: `${shorten(text)} is not https, and many browsers and apps will not show it.`,
    hint: "Write https:// if the site offers it, or put the image elsewhere.",
  };
}

function expiringImageLink(text: string, address: URL): Remark | null {
  const why = whyLinkExpires(address);
  if (why === null) return null;
  return {
    code: "expiring-image-link",
    severity: "warning",
    message: `${shorten(text)} will stop working: ${why}.`,
    hint: "Put the image on a site of your own and write its lasting address.",
  };
}

// Long addresses would bury the sentence; queries and user names may hold what nobody should read in a log.
function shorten(text: string): string {
  const bare = text.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@\s]*@/i, "$1").replace(/[?#].*$/s, "");
  return bare.length > 80 ? `${bare.slice(0, 77)}...` : bare;
}
