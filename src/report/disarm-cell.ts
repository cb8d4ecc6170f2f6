/**
 * The log of a workflow takes a line that begins with two colons for a command, whatever spaces stand before it. A cell may
 * wrap anywhere, so no two colons stand together in it.
 */
export function disarmCell(text: string): string {
  return text.replaceAll("::", ":\\u{3a}");
}
