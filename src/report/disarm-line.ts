/** The log of a workflow takes a line that begins with two colons for a command, whatever spaces stand before it. */
export function disarmLine(line: string): string {
  return line.replace(/^(\s*):(?=:)/, "$1\\u{3a}");
}
