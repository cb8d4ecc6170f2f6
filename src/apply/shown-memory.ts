// What was learned in this run about what the service shows, so that nothing is asked for twice in vain.
import { sameValue } from "../kinds/canonical.ts";
import type { Kind } from "../kinds/define.ts";
import { isRewritable } from "../kinds/rewritable.ts";
import type { Live } from "../model/live.ts";
import type { Fields } from "./journal-entry.ts";
import { formOf } from "./resemble.ts";

export interface ShownMemory {
  /** Whether a read can tell more about these fields than the answer to the write did. */
  wantsRead(kind: Kind, sent: Fields, answer: Live | null): boolean;
  /** A read showed this after a write whose answer showed that. */
  learn(kind: Kind, sent: Fields, answer: Live | null, read: Live): void;
}

const mostSamples = 40;

export function makeShownMemory(): ShownMemory {
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
function mayBeRewritten(kind: Kind, field: string, value: Fields[string]): boolean {
  if (kind.identity.keys[0]?.includes(field) === true || !isRewritable(formOf(kind, field))) return false;
  if (typeof value !== "string") return Array.isArray(value);
  return formOf(kind, field) === "url" || /[<>&\r\n]/.test(value);
}
