// Signs of a word processor in a value that cannot be what it should be.
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Located } from "../yaml/located.ts";

interface ValueSlip {
  /** Where in the text it is. */
  readonly at: number;
  readonly because: string;
  readonly hint: string;
}

const curly = /^[“”„«‘’‚]/u;
const closingCurly = /[“”»‘’]$/u;
const hardSpace = /[\u00a0\u2007\u202f\u3000\u200b\ufeff]/u;
const longDash = /[‐‑‒–—−]/u;
const bullet = /^[–—−•·‣▪◦*](?=\s)/u;

/** null: nothing of the kind. */
function findValueSlip(text: string): ValueSlip | null {
  if (curly.test(text)) {
    const inner = text.slice(1).replace(closingCurly, "").trim();
    return {
      at: 0,
      because: `${text.charAt(0)} is a curly quote, which YAML reads as a letter`,
      hint: `Write ${inner} without quotes, or in straight quotes: "${inner}".`,
    };
  }
  const space = text.search(hardSpace);
  if (space !== -1) {
    const name = text.charAt(space) === "\u00a0" ? "a no-break space" : "an unusual space";
    return {
      at: space,
      because: `it contains ${name}, which looks like a regular space`,
      hint: "Delete it, or type a regular space.",
    };
  }
  if (bullet.test(text)) {
    return {
      at: 0,
      because: `a list entry starts with a hyphen, not with ${text.charAt(0)}`,
      hint: "Write `- ` before each entry instead.",
    };
  }
  const dash = text.search(longDash);
  if (dash === -1 || !/\d/.test(text)) return null;
  return {
    at: dash,
    because: `${text.charAt(dash)} is a dash, not a hyphen`,
    hint: `Write ${text.replaceAll(/[‐‑‒–—−]/gu, "-")}, with a hyphen.`,
  };
}

/** The diagnostic of a value, with the slip as its cause, its place and its fix. */
export function withSlip(problem: Diagnostic, node: Located): Diagnostic {
  if (node.type !== "scalar" || typeof node.value !== "string") return problem;
  const slip = findValueSlip(node.value);
  if (slip === null) return problem;
  const { file, line, column } = node.source;
  return {
    ...problem,
    message: `${problem.message.replace(/\.$/, "")}: ${slip.because}.`,
    hint: slip.hint,
    source: { file, line, column: column + slip.at + (node.plain ? 0 : 1) },
  };
}

// Numbers as people write them: "₱1,500.00", "1.500,00", "200,50".

/** The whole numbers that a text may mean, the likeliest first; none if it is no number. A separator of thousands has three digits after it. */
export function numbersIn(text: string): readonly number[] {
  const digits = text.replace(/^(?:₱|php|p)|(?:php|pesos?)$|[\s_]/gi, "");
  if (/^\d{1,15}$/.test(digits)) return [Number(digits)];
  const [, thousands, , decimals = ""] =
    /^(\d{1,3}(?:([,.])\d{3})(?:\2\d{3})*)(?:(?!\2)[,.](\d+))?$/.exec(digits) ?? [];
  if (thousands !== undefined) return around(thousands.replace(/[,.]/g, ""), decimals);
  const [, whole, part = ""] = /^(\d{1,15})[,.](\d+)$/.exec(digits) ?? [];
  return whole === undefined ? [] : around(whole, part);
}

/** The number itself, or those below and above it. */
function around(whole: string, decimals: string): readonly number[] {
  const below = Number(whole);
  if (!Number.isSafeInteger(below)) return [];
  return /^0*$/.test(decimals) ? [below] : [below, below + 1];
}
