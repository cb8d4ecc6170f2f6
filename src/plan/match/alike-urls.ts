// URLs that a service shows in lower case or in part, and the wished ones that they can stand for.
import { hasGaps } from "../../model/address.ts";
import { compareText, countBefore, groupBy, parseUrl, type Value } from "../../model/value.ts";

/**
 * For each URL that the service shows, the wished URLs it can stand for: in lower case (only if it shows all of them so), or
 * with hidden parts. Sorting puts candidates for a hidden part next to each other.
 */
export function alikeUrls(
  shown: readonly (Value | undefined)[],
  wished: readonly (Value | undefined)[],
): readonly (readonly number[])[] {
  const isSmall = shown.every((url) => typeof url === "string" && url === url.toLowerCase());
  const forms = wished.flatMap((url, index) =>
    typeof url === "string" && url.length <= longest
      ? // The host of an address has no capitals, however it is written.
        [{ index, small: url.toLowerCase(), href: parseUrl(url)?.href ?? url }]
      : [],
  );
  const bySmall = groupBy(forms, ({ small }) => small);
  const byHref = [...forms].sort((one, other) => compareText(one.href, other.href));
  return shown.map((url) => {
    if (typeof url !== "string" || url.length > longest) return [];
    if (!hidden.test(url)) return isSmall ? (bySmall.get(url) ?? []).map(({ index }) => index) : [];
    const parts = url.split(hidden);
    const start = parts[0] ?? "";
    const alike: number[] = [];
    const first = countBefore(byHref.length, (index) => (byHref[index]?.href ?? "") < start);
    for (let at = first; byHref[at]?.href.startsWith(start); at += 1) {
      const form = byHref[at];
      if (form !== undefined && hasGaps(form.href, parts, 1)) alike.push(form.index);
    }
    return alike.sort((one, other) => one - other);
  });
}

/** No browser accepts a longer one. */
const longest = 8192;
const hidden = /\*{2,}|•{2,}|…/;
