// Data in Markdown: only ever in code, where nothing of it is taken for markup, a mention or a link.

/** The text as code within a line, set off by more backticks than it holds in a row. */
export function codeSpan(text: string): string {
  const fence = "`".repeat(longestRun(text) + 1);
  // Code that begins or ends with a backtick needs a space, and so does code that is nothing but spaces.
  const space = /^`|`$/.test(text) || text.trim() === "" ? " " : "";
  return `${fence}${space}${text}${space}${fence}`;
}

/** Lines as a block of code. */
export function codeBlock(lines: readonly string[], language: string): readonly string[] {
  const fence = "`".repeat(Math.max(3, longestRun(lines.join("\n")) + 1));
  return [`${fence}${language}`, ...lines, fence];
}

/** A sentence with data within it: words stand as they are, everything that could be more than a word is code. */
export function escapeProse(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part, index) =>
      index % 2 === 1 ? codeSpan(part.slice(1, -1)) : part.split(/(\s+)/).map(escapeToken).join(""),
    )
    .join("");
}

const plainToken = /^[\p{L}\p{M}\p{N}₱%'"“”‘’(),.;:?!…·→–—+/-]*$/u;
// Emoji codes, bare hosts, issues, commits: words to a reader, links to the place where the comment stands.
const speakingToken = /:[\w+-]+:|:\/\/|www\.|gh-\d|[0-9a-f]{7,}/i;

function escapeToken(token: string): string {
  if (token.trim() === "") return token === "" ? "" : " ";
  return plainToken.test(token) && !speakingToken.test(token) ? token : codeSpan(token);
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}
