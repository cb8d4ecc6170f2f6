// Reading a wish's fields: by type, and whether the file says anything of them at all.
import { kinds } from "../kinds/index.ts";
import type { KindName } from "../model/kind-name.ts";
import { isPinned, type Wish } from "../model/wish.ts";
import { readInstant } from "./instant.ts";

export function textOf(wish: Wish, field: string): string | undefined {
  const value = wish.fields[field];
  return typeof value === "string" ? value : undefined;
}

export function numberOf(wish: Wish, field: string): number | undefined {
  const value = wish.fields[field];
  return typeof value === "number" ? value : undefined;
}

/** Milliseconds since the epoch. */
export function instantOf(wish: Wish, field: string): number | undefined {
  const text = wish.fields[field];
  if (typeof text !== "string") return undefined;
  const instant = readInstant(text);
  return Number.isNaN(instant) ? undefined : instant;
}

/** The scalar as the file writes it, before outer spaces were taken away; its canonical form where that is not known. */
export function writtenText(wish: Wish, field: string): string | undefined {
  const written = wish.written[field];
  return typeof written === "string" ? written : textOf(wish, field);
}

/** What a message calls the object: one that was given no name is told of elsewhere, and may have other mistakes too. */
export function callOf(wish: Wish): string {
  return wish.name === "" ? "(no name)" : wish.name;
}

/** Whether the file says anything of the field, be it readable or not. */
export function isStated(wish: Wish, field: string): boolean {
  return wish.fields[field] !== undefined || wish.places[field] !== undefined;
}

/**
 * Whether the object will be without the field: cleared, or never given. What a pinned object leaves out is not
 * managed and may well be there on the service.
 */
export function lacks(wish: Wish, field: string): boolean {
  if (wish.fields[field] === null || wish.written[field] === null) return true;
  return !isStated(wish, field) && !isPinned(wish);
}

/** Archived and deleted events are done with: advice on how to sell them would be noise. */
export function isRetired(event: Wish | null): boolean {
  return event?.own.status === "ARCHIVED" || event?.own.status === "DELETED";
}

const noWishes: readonly Wish[] = [];

export function childrenOf(event: Wish, kind: KindName): readonly Wish[] {
  return event.children[kind] ?? noWishes;
}

/** The fields of each kind that hold text for people to read. */
export const textFields = fieldsOfForms(["text", "markup"]);

/** The fields of each kind that hold addresses, alone or in a list. */
export const urlFields = fieldsOfForms(["url", "list"]);

function fieldsOfForms(forms: readonly string[]): Readonly<Record<KindName, readonly string[]>> {
  const fields: Partial<Record<KindName, readonly string[]>> = {};
  for (const kind of kinds) {
    const ofKind: string[] = [];
    for (const [name, policy] of Object.entries(kind.fields)) {
      if (policy.role === "value" && forms.includes(policy.form)) ofKind.push(name);
    }
    fields[kind.name] = ofKind;
  }
  return fields as Record<KindName, readonly string[]>;
}
