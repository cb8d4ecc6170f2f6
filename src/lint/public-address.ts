// Whether anybody on the internet can reach an address.
import { isLoopbackHost } from "../model/service-address.ts";

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
