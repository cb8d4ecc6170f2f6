// What was learned in this run about what the service shows, so that nothing is asked for twice in vain.
import type { Form, Kind } from "../../kinds/define.ts";
import { canonical, isRewritable, sameText, sameValue, withoutMarkup } from "../../kinds/index.ts";
import type { Live } from "../../model/live.ts";
import type { Value } from "../../model/value.ts";
import type { FieldValues } from "../journal/journal-entry.ts";

// Whether a live object can be the one that we tried to make, by everything that is shown of it.

/** In these another value means another object; the rest a service may wrap, clean, re-host or choose for itself. */
const telling: ReadonlySet<Form> = new Set<Form>(["instant", "whole", "id", "set"]);

export function resembles(kind: Kind, sent: FieldValues, live: Live): boolean {
  if (!sharesIdentity(kind, sent, live)) return false;
  return Object.entries(sent).every(([field, value]) => {
    const shown = live.fields[field];
    // Where we left a field empty the service may show its own default.
    if (shown === undefined || value === null || !telling.has(formOf(kind, field))) return true;
    return looksAlike(formOf(kind, field), value, shown);
  });
}

/** Equal in the fields that tell objects of this kind apart, as far as they are shown. */
export function sharesIdentity(kind: Kind, sent: FieldValues, live: Live): boolean {
  return (kind.identity.keys[0] ?? []).every((field) => {
    const shown = live.fields[field];
    const wished = sent[field];
    if (wished === undefined || wished === null) return isStandard(kind, field, live);
    return shown === undefined || (shown !== null && looksAlike(formOf(kind, field), wished, shown));
  });
}

/** What we left out of an identity must be what the service takes in its place, where it shows it. */
function isStandard(kind: Kind, field: string, live: Live): boolean {
  const standard = kind.identity.standards?.[field];
  const shown = live.fields[field];
  return standard === undefined || shown === undefined || shown === null || sameValue(shown, standard);
}

/** Equal, or the same words in other markup. */
export function sameReading(form: Form, sent: Value, shown: Value): boolean {
  return alike(form, sent, shown, (one, other) => sameText(other, one));
}

/** Equal as far as anybody would take one for the other: in doubt whether it is ours, it rather is than that there are two. */
function looksAlike(form: Form, sent: Value, shown: Value): boolean {
  return alike(form, sent, shown, (one, other) => withoutMarkup(one) === withoutMarkup(other));
}

function alike(form: Form, sent: Value, shown: Value, isSame: (sent: string, shown: string) => boolean): boolean {
  const [one, other] = [canonical(form, sent) ?? null, canonical(form, shown) ?? null];
  if (sameValue(one, other)) return true;
  if (form !== "text" && form !== "markup") return false;
  return typeof one === "string" && typeof other === "string" && isSame(one, other);
}

export function formOf(kind: Kind, field: string): Form {
  const policy = kind.fields[field];
  return policy?.role === "value" ? policy.form : "id";
}

export interface ResponseTrust {
  /** Whether a read can tell more about these fields than the answer to the write did. */
  wantsRead(kind: Kind, sent: FieldValues, answer: Live | null): boolean;
  /** A read showed this after a write whose answer showed that. */
  learn(kind: Kind, sent: FieldValues, answer: Live | null, read: Live): void;
}

const mostSamples = 40;

export function makeResponseTrust(): ResponseTrust {
  const neverShown = new Set<string>();
  const trusted = new Set<string>();
  const samples = new Map<string, number>();
  /** A few looks per kind tell; where lists are slow to show new objects they may tell nothing. */
  function isSampled(kind: Kind): boolean {
    const count = samples.get(kind.name) ?? 0;
    samples.set(kind.name, count + 1);
    return count < mostSamples;
  }

  return {
    wantsRead(kind, sent, answer) {
      return Object.entries(sent).some(([field, value]) => {
        if (neverShown.has(key(kind, field))) return false;
        const shown = answer?.fields[field];
        if (shown === undefined) return true;
        if (value === null) return shown !== null;
        // An answer may echo what was sent while the service keeps something else; once seen not to, it is believed.
        return mayBeRewritten(kind, field, value) && !trusted.has(key(kind, field)) && isSampled(kind);
      });
    },
    learn(kind, sent, answer, read) {
      for (const [field, value] of Object.entries(sent)) {
        const shown = read.fields[field];
        if (shown === undefined) neverShown.add(key(kind, field));
        else if (mayBeRewritten(kind, field, value) && sameValue(answer?.fields[field], shown)) {
          trusted.add(key(kind, field));
        }
      }
    },
  };
}

function key(kind: Kind, field: string): string {
  return `${kind.name}.${field}`;
}

/** Addresses may be re-hosted; text is touched only where there is something to touch. */
function mayBeRewritten(kind: Kind, field: string, value: FieldValues[string]): boolean {
  if (kind.identity.keys[0]?.includes(field) === true || !isRewritable(formOf(kind, field))) return false;
  if (typeof value !== "string") return Array.isArray(value);
  return formOf(kind, field) === "url" || /[<>&\r\n]/.test(value);
}
