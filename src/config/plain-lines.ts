// The lines of a plain file.

export interface Line {
  readonly text: string;
  readonly number: number;
  readonly indent: number;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const beyond = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufeff]/;

/** Every line; null where there is a character that has no place in a plain file, such as a tab. */
export function linesOf(text: string): readonly string[] | null {
  if (beyond.test(text)) return null;
  if (!text.includes("\r")) return text.split("\n");
  return /\r(?!\n)/.test(text) ? null : text.split("\r\n").flatMap((line) => line.split("\n"));
}

/** Lines that say something, by document; null where a line begins with a marker that is not a simple `---`. */
export function splitDocuments(all: readonly string[]): Line[][] | null {
  let lines: Line[] = [];
  const documents = [lines];
  let number = 0;
  for (const whole of all) {
    number += 1;
    const indent = indentOf(whole);
    if (indent === whole.length || whole.charAt(indent) === "#") continue;
    if (whole === "---") {
      lines = [];
      documents.push(lines);
      continue;
    }
    if (indent === 0 && /^(?:---|\.\.\.|%)/.test(whole)) return null;
    lines.push({ text: whole, number, indent });
  }
  return documents;
}

function indentOf(text: string): number {
  let indent = 0;
  while (text.charAt(indent) === " ") indent += 1;
  return indent;
}

export function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === " ") end -= 1;
  return text.slice(0, end);
}
