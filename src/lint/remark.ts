import type { Diagnostic, Severity } from "../model/diagnostic.ts";
import type { Source } from "../model/source.ts";
import type { Wish } from "../model/wish.ts";

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
