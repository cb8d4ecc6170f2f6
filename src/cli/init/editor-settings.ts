// .vscode/settings.json: which schema belongs to which file.
import type { Diagnostic } from "../../model/diagnostic.ts";

export const editorSettingsFile = ".vscode/settings.json";

const schemas = {
  "./schemas/event.json": ["events/**/*.yaml", "events/**/*.yml"],
  "./schemas/template.json": ["templates/**/*.yaml", "templates/**/*.yml"],
  "./schemas/webhooks.json": ["webhooks.yaml", "webhooks.yml"],
  "./schemas/project.json": ["ticketing.yaml"],
};

/** The settings with the schemas added; null if they are written in a way that cannot be added to. */
export function editorSettings(before: string | null): string | null {
  if (before === null || before.trim() === "") return `${JSON.stringify({ "yaml.schemas": schemas }, null, 2)}\n`;
  const settings = parse(before);
  if (settings === null) return null;
  const known = settings["yaml.schemas"];
  if (known !== undefined) return hasAll(known) ? before : null;
  // Everything else in the file keeps its bytes.
  const inside = plainJson(before).indexOf("{") + 1;
  const entry = JSON.stringify(schemas, null, 2).replaceAll("\n", "\n  ");
  const comma = Object.keys(settings).length === 0 ? "" : ",";
  const added = `${before.slice(0, inside)}\n  "yaml.schemas": ${entry}${comma}${before.slice(inside)}`;
  return hasAll(parse(added)?.["yaml.schemas"]) ? added : null;
}

/** Editors work without the schemas too, so a file that cannot be added to stops nothing. */
export const editorSettingsLeft: Diagnostic = {
  code: "editor-settings-left",
  severity: "info",
  message: `${editorSettingsFile} was not changed: it already has other \`yaml.schemas\`, or is not valid JSON.`,
  hint: `For completion while typing, add to its \`yaml.schemas\`: ${JSON.stringify(schemas).slice(1, -1)}`,
};

function hasAll(known: unknown): boolean {
  return typeof known === "object" && known !== null && Object.keys(schemas).every((schema) => schema in known);
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(plainJson(text));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

// What is opened and not closed ends with the file: JSON.parse refuses it.
const stringOrComment = /"(?:\\[\s\S]|[^"\\])*(?:"|$)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;
const stringOrLastComma = /"(?:\\[\s\S]|[^"\\])*(?:"|$)|,(?=\s*[}\]])/g;

/** The editor takes comments and a comma behind the last entry: with spaces in their places, all else stays where it is. */
function plainJson(text: string): string {
  const blank = (found: string): string => (found.startsWith('"') ? found : found.replace(/\S/g, " "));
  return text.replace(stringOrComment, blank).replace(stringOrLastComma, blank);
}
