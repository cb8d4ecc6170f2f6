// Changes of a text by place: everything else keeps its bytes.

export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** null where two of them want the same place. */
export function applySplices(text: string, splices: readonly Splice[]): string | null {
  // Sorting is stable: what is put at one place stays in the order it was asked for, and comes before what goes from there.
  const sorted = [...splices].sort((one, other) => one.start - other.start || Number(goes(one)) - Number(goes(other)));
  let result = "";
  let done = 0;
  for (const splice of sorted) {
    if (splice.start < done) return null;
    result += text.slice(done, splice.start) + splice.text;
    done = splice.end;
  }
  return result + text.slice(done);
}

function goes({ start, end }: Splice): boolean {
  return end > start;
}
