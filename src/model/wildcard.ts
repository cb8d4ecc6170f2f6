// Texts with gaps, matched in one pass: a pattern of `.*` would try every way to divide the text between its gaps.

/** Whether a text is made of these parts in their order, with at least so many characters in each gap between two. */
export function hasGaps(text: string, parts: readonly string[], atLeast: number): boolean {
  const first = parts[0] ?? "";
  const last = parts.at(-1) ?? "";
  if (parts.length < 2) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  // Where a part is found first, most is left for those behind it.
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at + atLeast);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at + atLeast && text.endsWith(last);
}
