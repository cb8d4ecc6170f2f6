const variable = /\$\{[^}]*\}?/g;

/** A text as a file must write it so that `${…}` in it is not taken for a variable. */
export function escapeVariables(text: string): string {
  return text.includes("${") ? text.replace(variable, (found) => `$${found}`) : text;
}
