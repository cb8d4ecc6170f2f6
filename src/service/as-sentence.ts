/** Words of the service that others follow on the same line. */
export function asSentence(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed === "" || /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
