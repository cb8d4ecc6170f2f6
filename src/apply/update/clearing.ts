// Emptying fields: null, or an empty text where the service takes no null.
import type { Form, Kind } from "../../kinds/define.ts";
import { type FieldValues, isEmpty } from "../journal/journal-entry.ts";
import { formOf } from "../run/compare-live.ts";
import { endedWith, type OperationResult } from "../run/run.ts";

const texts: ReadonlySet<Form> = new Set<Form>(["text", "markup", "url"]);

export function clearedFields(fields: FieldValues): readonly string[] {
  return Object.keys(fields).filter((field) => isEmpty(fields[field]));
}

/** The same with empty texts in place of null; null where there is no text among them. */
export function emptied(kind: Kind, fields: FieldValues): FieldValues | null {
  const cleared = new Set(clearedFields(fields).filter((field) => texts.has(formOf(kind, field))));
  if (cleared.size === 0) return null;
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, cleared.has(field) ? "" : value]));
}

export function pick(fields: FieldValues, names: readonly string[]): FieldValues {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => names.includes(field)));
}

export function cannotClear(fields: readonly string[]): OperationResult {
  const names = fields.map((field) => `\`${field}\``).join(", ");
  return endedWith(
    "failed",
    "cannot-clear",
    `The service does not let ${names} be emptied.`,
    `Give ${fields.length === 1 ? "it another value" : "them other values"}, leave ${fields.length === 1 ? "it" : "them"} out of the file, or empty ${fields.length === 1 ? "it" : "them"} in the dashboard.`,
  );
}
