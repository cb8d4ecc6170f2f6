export const ignoreFile = ".gitignore";

const entry = ".ticketing/";

/** .gitignore with the folder of local data in it. */
export function ignoredFiles(before: string | null): string {
  if (before === null) return `${entry}\n`;
  const isThere = before.split(/\r?\n/).some((line) => /^\/?\.ticketing\/?$/.test(line.trim()));
  if (isThere) return before;
  const lineBreak = before.includes("\r\n") ? "\r\n" : "\n";
  return `${before}${before === "" || before.endsWith("\n") ? "" : lineBreak}${entry}${lineBreak}`;
}
