import type { Diagnostic } from "../model/diagnostic.ts";

/** By file, line, column and code; what says the same of the same place comes once. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics
    .filter((diagnostic) => {
      const { file, line, column } = diagnostic.source ?? nowhere;
      const identity = `${file}:${line}:${column}:${diagnostic.code}:${diagnostic.message}`;
      return !seen.has(identity) && seen.add(identity);
    })
    .sort(compare);
}

const nowhere = { file: "", line: 0, column: 0 };

function compare(one: Diagnostic, other: Diagnostic): number {
  const here = one.source ?? nowhere;
  const there = other.source ?? nowhere;
  return (
    compareText(here.file, there.file) ||
    here.line - there.line ||
    here.column - there.column ||
    compareText(one.code, other.code)
  );
}

// By code units, so that the order is the same on every computer.
function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
