import type { Diagnostic } from "../model/diagnostic.ts";
import type { Source } from "../model/source.ts";
import type { Wish } from "../model/wish.ts";
import { whyLinkExpires } from "./expiring-link.ts";
import { urlFields } from "./fields.ts";
import { readAddress, whyNotPublic } from "./public-address.ts";
import { placeOf, type Remark } from "./remark.ts";
import { none } from "./rule.ts";

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
