// Comments hold what the service says, which is data: it must stay on its line and say nothing to editors.
const unseen = /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]+/gu;
const longest = 80;
const widest = 100;

/** Data of the service as a comment beside a value. */
export function commentText(text: string): string {
  const line = oneLine(text);
  return [...line].length > longest ? `${[...line].slice(0, longest - 1).join("")}…` : line;
}

/** A sentence as lines of comments above what it is about. */
export function commentLines(text: string): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of oneLine(text).split(" ")) {
    if (line !== "" && line.length + word.length + 3 > widest) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

function oneLine(text: string): string {
  return text
    .replace(unseen, " ")
    .replace(/yaml-language-server/gi, "…")
    .trim();
}

/** A text as a file must write it so that `${…}` in it is not taken for a variable: each `${` for itself. */
export function escapeVariables(text: string): string {
  return text.replaceAll("${", () => "$${");
}

// Characters that nobody sees and that change how a line is read: in a file they are written as escapes, so that a review shows them.
// Joiners (U+200C, U+200D) belong to words and emoji and stay as they are.

const unseenCharacters = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

export function hasInvisible(text: string): boolean {
  return text.search(unseenCharacters) !== -1;
}

/** For text in double quotes only: nowhere else does YAML know escapes. */
export function escapeInvisible(text: string): string {
  return text.replace(unseenCharacters, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
