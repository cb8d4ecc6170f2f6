// Whether the service shows what was sent, and what this run learned about how far its responses can be trusted, so that
// nothing is read twice in vain.
import type { Form, Kind } from "../../kinds/define.ts";
import { canonical, isRewritable, sameMeaning, sameValue } from "../../kinds/index.ts";
import type { Live } from "../../model/live.ts";
import { isCleared, type Value } from "../../model/value.ts";
import type { FieldValues } from "../journal/journal-entry.ts";

/** Equal, or the same in another shape. */
export function sameReading(form: Form, sent: Value, shown: Value): boolean {
  return alike(form, sent, shown, (one, other) => sameMeaning(form, other, one));
}

/** Equal in the shape in which values are compared, or by `isSame`. */
export function alike(form: Form, sent: Value, shown: Value, isSame: (sent: Value, shown: Value) => boolean): boolean {
  const [one, other] = [canonical(form, sent) ?? null, canonical(form, shown) ?? null];
  return sameValue(one, other) || (one !== null && other !== null && isSame(one, other));
}

export function formOf(kind: Kind, field: string): Form {
  const policy = kind.fields[field];
  return policy?.role === "value" ? policy.form : "id";
}

/** The service shows the former value, and not as another form of what was sent. */
export function isFormerValue(form: Form, sent: Value, shown: Value, before: Value): boolean {
  return sameValue(before, shown) && !sameReading(form, sent, shown) && lettersOf(sent) !== lettersOf(shown);
}

/** What remains of a text however a service rewrites it: letters and digits. */
function lettersOf(value: Value): string {
  return JSON.stringify(value)
    .normalize("NFKD")
    .toLowerCase()
    .replace(/<[^<>]*>|[^\p{L}\p{N}]/gu, "");
}

// The result for the fields that were sent: confirmed, normalized by the service, wrong, not cleared, or not shown.

export interface Confirmation {
  /** Shown in another form than was sent, where the service may have its own. */
  readonly returned: FieldValues;
  /** Shown with another value than was sent: a number, a time or a choice has no other form. */
  readonly wrong: FieldValues;
  /** Sent as null and still there. */
  readonly uncleared: readonly string[];
  /** Not shown at all. */
  readonly unshown: readonly string[];
}

export function confirmFields(kind: Kind, sent: FieldValues, live: Live | null): Confirmation {
  const returned: Record<string, FieldValues[string]> = {};
  const wrong: Record<string, FieldValues[string]> = {};
  const uncleared: string[] = [];
  const unshown: string[] = [];
  for (const [field, value] of Object.entries(sent)) {
    const shown = live?.fields[field];
    if (shown === undefined) unshown.push(field);
    else if (!sameValue(canonical(formOf(kind, field), value), shown)) {
      if (isCleared(value)) uncleared.push(field);
      // Each entry of a list may be written in another way, but their number is the same.
      else if (isRewritable(formOf(kind, field)) && [value].flat().length === [shown].flat().length)
        returned[field] = shown;
      else wrong[field] = shown;
    }
  }
  return { returned, wrong, uncleared, unshown };
}

export function isConfirmed({ returned, wrong, uncleared }: Confirmation): boolean {
  return uncleared.length === 0 && !hasAny(returned) && !hasAny(wrong);
}

export function missingOf(kind: Kind, sent: FieldValues, live: Live): FieldValues {
  const { returned, wrong, uncleared, unshown } = confirmFields(kind, sent, live);
  return pick(sent, [...Object.keys(returned), ...Object.keys(wrong), ...uncleared, ...unshown]);
}

export function hasAny(fields: FieldValues): boolean {
  return Object.keys(fields).length > 0;
}

export function pick(fields: FieldValues, names: readonly string[]): FieldValues {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => names.includes(field)));
}

// How far responses can be trusted.

export type ResponseTrust = ReturnType<typeof makeResponseTrust>;

const mostSamples = 40;

export function makeResponseTrust() {
  const neverShown = new Set<string>();
  const trusted = new Set<string>();
  const samples = new Map<string, number>();
  /** A few reads per kind are enough, and lists that lag may never show anything. */
  function isSampled(kind: Kind): boolean {
    const count = samples.get(kind.name) ?? 0;
    samples.set(kind.name, count + 1);
    return count < mostSamples;
  }

  return {
    /** Whether a read can show more of these fields than the response to the write did. */
    wantsRead(kind: Kind, sent: FieldValues, response: Live | null): boolean {
      return Object.entries(sent).some(([field, value]) => {
        if (neverShown.has(key(kind, field))) return false;
        const shown = response?.fields[field];
        // A response may be made before the object is whole.
        if (shown === undefined || (shown === null) !== (value === null)) return true;
        // Until proven otherwise, a response may echo what was sent while the service stores something else.
        return rewritableParts(kind, field, value).some((part) => !trusted.has(part)) && isSampled(kind);
      });
    },
    /** `read` was shown after a write with this response. */
    learn(kind: Kind, sent: FieldValues, response: Live | null, read: Live): void {
      for (const [field, value] of Object.entries(sent)) {
        const shown = read.fields[field];
        if (shown === undefined) neverShown.add(key(kind, field));
        else if (sameValue(response?.fields[field], shown)) {
          for (const part of rewritableParts(kind, field, value)) trusted.add(part);
        }
      }
    },
  };
}

function key(kind: Kind, field: string): string {
  return `${kind.name}.${field}`;
}

/** What services rewrite in texts; that one is left alone says nothing about the others. */
const rewritable: readonly (readonly [string, RegExp])[] = [
  ["markup", /[<>&]/],
  ["line breaks", /[\r\n\t]/],
  ["spaces", / {2}/],
  ["links", /:\/\//],
  ["letters", /[\u0080-\ud7ff\ue000-\uffff]/],
  ["emoji", /[\ud800-\udfff]/],
];

/** By field, what a service might keep in another form, or keep although it was cleared; a list, and a URL, as a whole. */
function rewritableParts(kind: Kind, field: string, value: FieldValues[string]): readonly string[] {
  if (isCleared(value)) return [`${key(kind, field)} cleared`];
  const form = formOf(kind, field);
  if (!isRewritable(form)) return [];
  if (typeof value !== "string") return Array.isArray(value) ? [key(kind, field)] : [];
  // A webhook is known by its URL: one that comes back as another would not be found again anyway.
  if (form === "url") return kind.identity.keys[0]?.includes(field) === true ? [] : [key(kind, field)];
  return rewritable.flatMap(([part, pattern]) => (pattern.test(value) ? [`${key(kind, field)} ${part}`] : []));
}
