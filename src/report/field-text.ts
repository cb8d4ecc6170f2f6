// A field's value as people read it.
import type { FieldPolicy } from "../kinds/define.ts";
import { kindOf } from "../kinds/index.ts";
import type { Context } from "../model/change.ts";
import type { KindName } from "../model/kind-name.ts";
import { formatMoment } from "../model/moment.ts";
import { formatCount, formatMoney } from "../model/money.ts";
import type { Value } from "../model/value.ts";
import { safeText } from "./safe-text.ts";

/** The zone that the service takes for an event without one. */
const standardZone = "Asia/Manila";

/** What yes and no mean where the field's name does not say it. */
const flagWords: Readonly<Record<string, { readonly yes: string; readonly no: string }>> = {
  published: { yes: "yes (on sale)", no: "no (not on sale)" },
  soldOut: { yes: "yes (nobody can buy it any more)", no: "no" },
  absorbFees: { yes: "yes (fees come out of the price)", no: "no (buyers pay the fees on top)" },
  isActive: { yes: "yes (is notified)", no: "no (is told nothing)" },
};

const choiceWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  visibility: { PRIVATE: "PRIVATE (hidden from the public)", PUBLIC: "PUBLIC (everybody finds it)" },
};

/** The policy of a field by the name it has in files. */
export function policyOf(kind: KindName, field: string): FieldPolicy | undefined {
  const { fields } = kindOf(kind);
  return Object.hasOwn(fields, field) ? fields[field] : undefined;
}

/** One line for a value that is there. */
export function fieldText(kind: KindName, field: string, value: Exclude<Value, null>, context: Context = {}): string {
  if (typeof value === "boolean") return flagText(field, value);
  if (typeof value === "number") return field === "price" ? formatMoney(value) : formatCount(value);
  if (typeof value !== "string") return value.map(safeText).join(", ");
  const policy = policyOf(kind, field);
  if (policy?.role === "reference") return quoted(context.names?.[value] ?? value);
  if (policy?.role !== "value") return safeText(context.names?.[value] ?? value);
  switch (policy.form) {
    case "instant":
      return safeText(formatMoment(value, context.timezone ?? standardZone));
    case "choice":
      return choiceWords[field]?.[value] ?? safeText(value);
    case "id":
      return safeText(context.names?.[value] === undefined ? value : `${context.names[value]} (${value})`);
    case "text":
    case "markup":
      return quoted(value);
    case "whole":
    case "flag":
    case "colour":
    case "set":
    case "list":
    case "url":
      return safeText(value);
  }
}

function quoted(text: string): string {
  return `"${safeText(text)}"`;
}

function flagText(field: string, value: boolean): string {
  const words = flagWords[field] ?? { yes: "yes", no: "no" };
  return value ? words.yes : words.no;
}
