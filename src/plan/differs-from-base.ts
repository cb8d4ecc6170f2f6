import type { Wish } from "../model/wish.ts";
import { canonicalJson } from "./fingerprint.ts";

/** Whether a document says anything else than it said at the base; where it stands in a file does not count. */
export function differsFromBase(wish: Wish, base: Wish | undefined): boolean {
  return base === undefined || canonicalJson(meaning(wish)) !== canonicalJson(meaning(base));
}

function meaning(wish: Wish): unknown {
  const children = Object.fromEntries(Object.entries(wish.children).map(([kind, list]) => [kind, list.map(meaning)]));
  // Silencing a remark changes nothing on the service.
  const { ignore: _, ...own } = wish.own;
  return { address: wish.address, fields: wish.fields, own, children };
}
