import type { KindName } from "../../model/kind-name.ts";
import type { Wish } from "../../model/wish.ts";

/** The kinds that must be read for these wishes. */
export function neededKinds(
  events: readonly Wish[],
  someAreRemoved: boolean,
  webhooks: boolean,
): ReadonlySet<KindName> {
  const kinds = new Set<KindName>();
  if (events.length > 0 || someAreRemoved) kinds.add("event");
  for (const wish of events) for (const kind of Object.keys(wish.children)) kinds.add(kind as KindName);
  if (webhooks) kinds.add("webhook");
  return kinds;
}
