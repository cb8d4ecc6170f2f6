// An address that the service shows in its own way: in small letters throughout, or with a part that it hides.
import type { Value } from "../model/value.ts";

/** `all`: every address that the service shows. Small letters are its way only where it shows no others. */
export function rewrittenUrl(shown: Value | undefined, wish: Value | undefined, all: readonly Value[]): boolean {
  if (typeof shown !== "string" || typeof wish !== "string") return false;
  // The host of an address has no capitals, however it is written.
  if (hidden.test(shown)) return patternOf(shown).test(URL.canParse(wish) ? new URL(wish).href : wish);
  const isSmall = all.every((url) => typeof url === "string" && url === url.toLowerCase());
  return isSmall && shown === wish.toLowerCase();
}

const hidden = /\*{2,}|•{2,}|…/;

function patternOf(shown: string): RegExp {
  const parts = shown.split(new RegExp(hidden, "g")).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".+")}$`, "u");
}
