import type { KindName } from "../model/kind-name.ts";
import { formatCount } from "../model/money.ts";

const words: Readonly<Record<KindName, { readonly one: string; readonly many: string }>> = {
  event: { one: "event", many: "events" },
  ticket: { one: "ticket type", many: "ticket types" },
  performer: { one: "performer", many: "performers" },
  schedule: { one: "schedule entry", many: "schedule entries" },
  brand: { one: "brand", many: "brands" },
  webhook: { one: "webhook", many: "webhooks" },
};

/** What people call an object of the kind. */
export function kindWord(kind: KindName): string {
  return words[kind].one;
}

/** "1 ticket type", "48 ticket types". */
export function countOf(kind: KindName, count: number): string {
  return `${formatCount(count)} ${count === 1 ? words[kind].one : words[kind].many}`;
}
