// An address that the service shows in its own way: in small letters throughout, or with a part that it hides.
import type { Value } from "../model/value.ts";
import { hasGaps } from "../model/wildcard.ts";

/** A wished address in the forms that one is compared in. */
export interface WishedUrl {
  readonly small: string;
  /** The host of an address has no capitals, however it is written. */
  readonly href: string;
}

export function wishedUrl(wish: Value | undefined): WishedUrl | null {
  if (typeof wish !== "string" || wish.length > longest) return null;
  return { small: wish.toLowerCase(), href: URL.canParse(wish) ? new URL(wish).href : wish };
}

/** `all`: every address that the service shows. Small letters are its way only where it shows no others. */
export function rewrittenUrls(all: readonly Value[]): (shown: Value | undefined) => (wish: WishedUrl) => boolean {
  const isSmall = all.every((url) => typeof url === "string" && url === url.toLowerCase());
  return (shown) => {
    if (typeof shown !== "string" || shown.length > longest) return () => false;
    if (!hidden.test(shown)) return ({ small }) => isSmall && shown === small;
    const parts = shown.split(hidden);
    return ({ href }) => hasGaps(href, parts, 1);
  };
}

/** No browser takes a longer one. */
const longest = 8192;
const hidden = /\*{2,}|•{2,}|…/;
