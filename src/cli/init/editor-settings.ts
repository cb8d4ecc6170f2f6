// .vscode/settings.json: which schema belongs to which file.

export const editorSettingsFile = ".vscode/settings.json";

const schemas = {
  "./schemas/event.json": ["events/**/*.yaml", "events/**/*.yml"],
  "./schemas/webhooks.json": ["webhooks.yaml", "webhooks.yml"],
  "./schemas/project.json": ["ticketing.yaml"],
};

/** The settings with the schemas added; null where they are written in a way that cannot be added to. */
export function editorSettings(before: string | null): string | null {
  if (before === null) return `${JSON.stringify({ "yaml.schemas": schemas }, null, 2)}\n`;
  const settings = parse(before);
  if (settings === null) return null;
  const known = settings["yaml.schemas"];
  if (known !== undefined) return hasAll(known) ? before : null;
  // Everything else in the file keeps its bytes.
  const entry = JSON.stringify(schemas, null, 2).replaceAll("\n", "\n  ");
  const comma = Object.keys(settings).length === 0 ? "" : ",";
  const added = before.replace("{", `{\n  "yaml.schemas": ${entry}${comma}`);
  return parse(added) === null ? null : added;
}

function hasAll(known: unknown): boolean {
  return typeof known === "object" && known !== null && Object.keys(schemas).every((schema) => schema in known);
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
