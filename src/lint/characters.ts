import type { Diagnostic } from "../model/diagnostic.ts";
import type { Wish } from "../model/wish.ts";
import { callOf, writtenText } from "./fields.ts";
import { remarkAt } from "./remark.ts";
import { none } from "./rule.ts";

/** Names that look alike to people and differ to computers: what cannot be seen in them is seldom meant. */
export function invisibleCharacters(wish: Wish): readonly Diagnostic[] {
  let found: Diagnostic[] | null = null;
  for (const field of nameFields) {
    const name = field === "venue" ? venueName(wish) : writtenText(wish, field);
    const what = name === undefined ? null : findInvisible(name);
    if (what === null) continue;
    found ??= [];
    found.push(
      remarkAt(wish, [`${field}/name`, field], {
        code: "invisible-characters",
        severity: "warning",
        message: `The \`${field}\` of '${callOf(wish)}' ${what}.`,
        hint: "Delete it and type the name anew, with single spaces between its words.",
      }),
    );
  }
  return found ?? none;
}

const nameFields = ["name", "title", "section", "row", "venue"];

function venueName(wish: Wish): string | undefined {
  const written = wish.written.venue;
  if (typeof written === "string") return written;
  const name = (written as { readonly name?: unknown } | undefined)?.name;
  return typeof name === "string" ? name : wish.own.venue?.name;
}

function findInvisible(name: string): string | null {
  if (plain.test(name)) return null;
  const first = hidden.exec(name) ?? joiner.exec(name);
  if (first !== null) return `holds ${sayCharacter(first[0])}${sayPlace(name, first.index)}`;
  if (/^\s/.test(name)) return "begins with a space";
  if (/\s$/.test(name)) return /\n$/.test(name) ? "ends with a line break" : "ends with a space";
  const double = /\s{2,}/.exec(name);
  if (double !== null) return `holds a double space${sayPlace(name, double.index)}`;
  return null;
}

// Most names are words of visible ASCII with single spaces; they need no further look.
const plain = /^[!-~]+(?: [!-~]+)*$/;

// Controls, soft hyphen, odd spaces, zero-width characters, marks and overrides of direction, fillers.
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /[\u0000-\u0009\u000b-\u001f\u007f-\u00a0\u00ad\u061c\u115f\u1160\u180e\u2000-\u200b\u200e\u200f\u2028-\u202f\u205f-\u206f\u3164\ufeff\uffa0]/;

// Emoji and several scripts are written with joiners; after Latin letters, digits, signs and spaces they do nothing.
const joiner = /(?<=^|[\p{Script=Latin}\p{N}\p{P}\p{Z}])[\u200c\u200d]|[\u200c\u200d]$/u;

const called: Readonly<Record<string, string>> = {
  "\t": "a tab",
  "\u00a0": "a no-break space",
  "\u00ad": "a soft hyphen",
  "\u200b": "a zero-width space",
  "\u200c": "a zero-width non-joiner",
  "\u200d": "a zero-width joiner",
  "\ufeff": "a zero-width no-break space",
};

function sayCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `${called[character] ?? "an invisible character"} (U+${code})`;
}

function sayPlace(name: string, index: number): string {
  const before = name.slice(0, index).match(/(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?=[^\p{L}\p{N}]*$)/u)?.[0];
  return before === undefined ? " at its beginning" : ` after '${before}'`;
}
