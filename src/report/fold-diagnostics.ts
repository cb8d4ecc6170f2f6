// The same mistake in many places is told a few times in full; of the others the place says enough.
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Source } from "../model/source.ts";

export interface FoldedDiagnostics {
  readonly told: readonly Diagnostic[];
  readonly folded: readonly Fold[];
}

export interface Fold {
  /** The first one, which is told in full. */
  readonly like: Diagnostic;
  readonly places: readonly Source[];
}

const few = 5;
const toldOfMany = 2;

export function foldDiagnostics(diagnostics: readonly Diagnostic[]): FoldedDiagnostics {
  const groups = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    if (diagnostic.source === undefined) continue;
    const key = likeness(diagnostic);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [diagnostic]);
    else group.push(diagnostic);
  }
  const hidden = new Set<Diagnostic>();
  const folded: Fold[] = [];
  for (const group of groups.values()) {
    const [like] = group;
    if (group.length <= few || like === undefined) continue;
    const others = group.slice(toldOfMany);
    for (const other of others) hidden.add(other);
    folded.push({ like, places: others.flatMap(({ source }) => source ?? []) });
  }
  return { told: diagnostics.filter((diagnostic) => !hidden.has(diagnostic)), folded };
}

/** Messages name the object; what is wrong and what to do about it is the same where the way out is. */
function likeness({ severity, code, hint, message }: Diagnostic): string {
  return JSON.stringify([severity, code, hint ?? message]);
}
