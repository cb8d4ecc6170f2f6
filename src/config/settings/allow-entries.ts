// Risks that files accept: a code, or a map that says for what and for how long.
import { isObject } from "../../model/value.ts";
import type { AllowEntry } from "../../model/wish.ts";
import { type Located, plain } from "../yaml/located.ts";

/** An entry with anything wrong in it accepts nothing. */
export function allowEntriesOf(node: Located | undefined, bad: ReadonlySet<Located>): readonly AllowEntry[] {
  if (node?.type !== "list") return [];
  return node.items.flatMap((item): readonly AllowEntry[] => {
    const parts = item.type === "map" ? [...item.entries.values()].map(({ value }) => value) : [];
    if ([item, ...parts].some((part) => bad.has(part))) return [];
    const written = plain(item);
    const { risk, event, until, why } = isObject(written) ? written : { risk: written };
    if (typeof risk !== "string") return [];
    return [{ risk, ...texts({ event, until, why }), source: item.source }];
  });
}

function texts(values: Readonly<Record<"event" | "until" | "why", unknown>>): Omit<AllowEntry, "risk" | "source"> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === "string"));
}
