// Scalars as plain files have them: one line, no escapes. undefined stands for "not sure: ask the full parser".
import type { Source } from "../../model/diagnostic.ts";
import type { LocatedScalar } from "./located.ts";
import { scalarTrap } from "./scalar-trap.ts";

const wholeNumber = /^-?[1-9]\d{0,14}$|^0$/;
/** Whatever YAML may take for a number. */
const numberLike = /^(?:0o[0-7]+|0x[\da-f]+|[-+]?\.inf|\.nan|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?)$/i;
const typedWord = /^(?:~|null|true|false)$/i;
/** A text that begins with one of these is more than a text, or less. */
const indicators = new Set("&*!|>%@`?:,[]{}#-\"'");

/** `text` has no spaces around it. */
export function plainScalar(text: string, source: Source): LocatedScalar | undefined {
  const first = text.charAt(0);
  if (first === "" || (indicators.has(first) && !(first === "-" && /^-[\w.]/.test(text)))) return undefined;
  if (wholeNumber.test(text)) return { type: "scalar", value: Number(text), source, plain: true, raw: text };
  if (text === "true" || text === "false") {
    return { type: "scalar", value: text === "true", source, plain: true, raw: text };
  }
  if (numberLike.test(text) || typedWord.test(text) || scalarTrap(text, text, nothing, source) !== null)
    return undefined;
  return textScalar(text, source, true, 0);
}

/** A text, and where the `${` in it stand; `inset` is how far the text begins behind the scalar's place. */
export function textScalar(text: string, source: Source, plain: boolean, inset: number): LocatedScalar {
  if (!text.includes("${")) return { type: "scalar", value: text, source, plain };
  const marks: Source[] = [];
  for (let at = text.indexOf("${"); at !== -1; at = text.indexOf("${", at + 2)) {
    marks.push({ file: source.file, line: source.line, column: source.column + inset + at });
  }
  return { type: "scalar", value: text, source, plain, marks };
}

/** The end of a text in quotes that begins at `start`; -1 where it is not closed in this line. */
export function endOfQuoted(line: string, start: number): number {
  const quote = line.charAt(start);
  for (let at = start + 1; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (character === "\\" && quote === '"') at += 1;
    else if (character === quote) {
      if (quote === '"' || line.charAt(at + 1) !== quote) return at;
      at += 1;
    }
  }
  return -1;
}

const simpleEscape = /\\(["\\/nt])/g;
const escaped: Readonly<Record<string, string>> = { n: "\n", t: "\t" };

/** What a text in quotes says; undefined where an escape is rare, or stands beside a `${` and would move it. */
export function unquote(written: string): string | undefined {
  const inner = written.slice(1, -1);
  const quote = written.charAt(0);
  if (!inner.includes(quote === "'" ? "''" : "\\")) return inner;
  if (inner.includes("${")) return undefined;
  if (quote === "'") return inner.replaceAll("''", "'");
  if (inner.replace(simpleEscape, "").includes("\\")) return undefined;
  return inner.replace(simpleEscape, (_, character: string) => escaped[character] ?? character);
}

function nothing(): string {
  return "";
}
