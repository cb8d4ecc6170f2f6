/** A text as a file must write it so that `${…}` in it is not taken for a variable: each `${` for itself. */
export function escapeVariables(text: string): string {
  return text.replaceAll("${", () => "$${");
}
