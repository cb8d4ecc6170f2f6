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
