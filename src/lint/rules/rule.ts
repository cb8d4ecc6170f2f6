import { kinds } from "../../kinds/index.ts";
import type { KindName } from "../../model/address.ts";
import type { Diagnostic, Severity, Source } from "../../model/diagnostic.ts";
import { isPinned, type Wish } from "../../model/wish.ts";

/** What rules know beside the files. */
export interface LintContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The environment's name; `sandbox` is the embedded service. */
  readonly environment: string;
}

/** Where a wish stands. */
export interface Scene extends LintContext {
  /** The event that the wish belongs to, or is; null for a webhook. */
  readonly event: Wish | null;
  /** The zone of the event's clocks. */
  readonly zone: string;
  /** The event's start and end in milliseconds since the epoch, where they are written. */
  readonly start: number | undefined;
  readonly end: number | undefined;
}

/** Looks at one wish and tells every mistake of one sort that it finds. */
export type Rule = (wish: Wish, scene: Scene) => readonly Diagnostic[];

/** No mistake: one empty list for all, because nearly every rule returns it nearly every time. */
export const none: readonly Diagnostic[] = [];

export interface Remark {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string;
  readonly related?: NonNullable<Diagnostic["related"]>;
}

/** A diagnostic about a wish, placed at the first of these fields that its own file states. */
export function remarkAt(wish: Wish, fields: readonly string[], remark: Remark): Diagnostic {
  return { ...remark, address: wish.address, source: placeOf(wish, fields) };
}

/**
 * Where the first of these fields stands; where the wish itself begins when none does. A field that comes from the
 * project's defaults yields to one of the object's own file: there the two do not fit, and there it can be mended.
 */
export function placeOf(wish: Wish, fields: readonly string[]): Source {
  let elsewhere: Source | undefined;
  for (const field of fields) {
    const place = wish.places[field];
    if (place === undefined) continue;
    if (place.file === wish.source.file) return place;
    elsewhere ??= place;
  }
  return elsewhere ?? wish.source;
}

/** Milliseconds since the epoch of an instant in canonical form, `2027-03-14T11:00:00.000Z`; NaN where it is none. */
export function readInstant(text: string): number {
  // Rules read the same few times over and over, and the runtime's parser, which takes many forms, is slow at it.
  if (text.length !== 24 || text.charCodeAt(23) !== letterZ || text.charCodeAt(10) !== letterT) return Date.parse(text);
  const year = number(text, 0, 4);
  const month = number(text, 5, 7);
  const day = number(text, 8, 10);
  const hour = number(text, 11, 13);
  const minute = number(text, 14, 16);
  const second = number(text, 17, 19);
  const millisecond = number(text, 20, 23);
  // Years below 100 mean another century to Date.UTC; what is out of range, it would carry over.
  const usual = year >= 100 && month >= 1 && month <= 12 && day >= 1 && day <= 28;
  return usual && hour < 24 && minute < 60 && second < 60
    ? Date.UTC(year, month - 1, day, hour, minute, second, millisecond)
    : Date.parse(text);
}

const letterT = 84;
const letterZ = 90;
const digitZero = 48;

// NaN, which no comparison takes, where anything but a digit stands there.
function number(text: string, start: number, end: number): number {
  let result = 0;
  for (let index = start; index < end; index++) {
    const digit = text.charCodeAt(index) - digitZero;
    if (digit < 0 || digit > 9) return Number.NaN;
    result = result * 10 + digit;
  }
  return result;
}

// Reading a wish's fields: by type, and whether the file says anything of them at all.

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

/** Adds at the end, one by one: spreading a list of any length into a call can exceed what a call takes. */
export function append<Item>(list: Item[], more: readonly Item[]): void {
  for (const item of more) list.push(item);
}
