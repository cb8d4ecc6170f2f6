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
      because: `${text.charAt(0)} is a letter to YAML, not a quote`,
      hint: `Write ${inner} without quotes, or with straight ones: "${inner}".`,
    };
  }
  const space = text.search(hardSpace);
  if (space !== -1) {
    const name = text.charAt(space) === "\u00a0" ? "a no-break space" : "a space of another kind";
    return {
      at: space,
      because: `it holds ${name}, which cannot be told from a usual one by eye`,
      hint: "Delete it, or type it anew with the space bar.",
    };
  }
  if (bullet.test(text)) {
    return {
      at: 0,
      because: `an entry of a list begins with a hyphen, and ${text.charAt(0)} is another sign`,
      hint: "Write `- ` in its place before each entry.",
    };
  }
  const dash = text.search(longDash);
  if (dash === -1 || !/\d/.test(text)) return null;
  return {
    at: dash,
    because: `${text.charAt(dash)} is a longer sign than the hyphen`,
    hint: `Write ${text.replaceAll(/[‐‑‒–—−]/gu, "-")}, with the hyphen of the keyboard.`,
  };
}

/** What is said about a value, with the slip as its cause, its place and its fix. */
export function withSlip(said: Diagnostic, node: Located): Diagnostic {
  if (node.type !== "scalar" || typeof node.value !== "string") return said;
  const slip = findValueSlip(node.value);
  if (slip === null) return said;
  const { file, line, column } = node.source;
  return {
    ...said,
    message: `${said.message.replace(/\.$/, "")}: ${slip.because}.`,
    hint: slip.hint,
    source: { file, line, column: column + slip.at + (node.plain ? 0 : 1) },
  };
}
