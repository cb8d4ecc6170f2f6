// A schema's complaint, rephrased for people who write events.
import type * as z from "zod";
import { childKinds, fieldEntries } from "../../kinds/index.ts";
import { closest, suggest } from "../../model/diagnostic.ts";
import { weekdayNames } from "../../model/time.ts";
import { either, formatMoney } from "../../model/value.ts";
import { clockMeantBy, howToWriteDay } from "../time/read-time.ts";
import type { Located, LocatedMap } from "../yaml/located.ts";
import {
  type Complaint,
  examplesOf,
  fieldName,
  type IssueMessage,
  isAllowed,
  keysOf,
  keysWithin,
  patternHint,
  type Schema,
  shown,
  stepInto,
  typeOf,
} from "./schema-walk.ts";
import { adviceOnValue, entryLabels, valueMeantBy } from "./synonyms.ts";
import { numbersIn } from "./value-slip.ts";

export function explainIssue(complaint: Complaint): IssueMessage {
  const { schema, node, mistake } = complaint;
  const found = `${fieldName(complaint)} is ${shown(node)}`;
  // One of several alternatives, or a choice itself.
  if (complaint.issue.code === "invalid_value") return explainChoice(complaint);
  if (complaint.issue.code === "invalid_format" && complaint.issue.format === "date") return notADate(complaint);
  switch (typeOf(schema)) {
    case "number":
      return explainNumber(complaint);
    case "boolean":
      return wrongType(`${found} where true or false is expected.`, "Write true or false, without quotes.", mistake);
    case "enum":
    case "literal":
      return explainChoice(complaint);
    case "array":
      return explainList(complaint);
    case "object":
    case "record":
      return wrongType(
        `${found} where fields are expected.`,
        asEntry(complaint) ?? asChoice(complaint) ?? asFields(schema),
      );
    default:
      return explainText(complaint);
  }
}

function wrongType(message: string, hint: string, code: IssueMessage["code"] = "wrong-type"): IssueMessage {
  return { code, message, hint };
}

function explainChoice(complaint: Complaint): IssueMessage {
  const { issue, node, mistake, path } = complaint;
  const allowed = issue.code === "invalid_value" ? issue.values : [];
  const values = allowed.map(String);
  const field = fieldName(complaint);
  if (node.type !== "scalar" || node.value === null) {
    const hint = `Write ${either(values)}, or remove the field.`;
    return wrongType(`${field} is ${shown(node)}, but must be ${either(values)}.`, hint, mistake);
  }
  const written = String(node.value);
  const said = typeof node.value === "string" ? `"${written}"` : written;
  const trimmed = written.trim();
  if (
    typeof node.value === "string" &&
    allowed.some((value) => typeof value === "number" && String(value) === trimmed)
  ) {
    const message = `${field} is ${shown(node)}, but must be a number.`;
    return { code: mistake ?? "wrong-type", message, hint: `Write ${trimmed}, without quotes.` };
  }
  const sameLetters = values.find((value) => value.toLowerCase() === trimmed.toLowerCase());
  if (sameLetters !== undefined && mistake === undefined) {
    const message = `${field} is written ${said}; it must be ${sameLetters}.`;
    return { code: "wrong-case", message, hint: `Write ${sameLetters}.` };
  }
  const near = sameLetters ?? valueMeantBy(written, String(path.at(-1)), values) ?? suggest(written, values);
  const advice = near === null ? adviceOnValue(written, values) : null;
  const code = mistake ?? "unknown-value";
  if (advice !== null) return { code, message: `${field} is ${said}. ${advice.message}`, hint: advice.hint };
  // A long list appears once, and only if nothing is near.
  const [wrong, all] =
    values.length > 5
      ? ["which is not a known value", `Use one of: ${values.join(", ")}.`]
      : [`but must be ${either(values)}`, `Write ${either(values)}.`];
  return { code, message: `${field} is ${said}, ${wrong}.`, hint: near === null ? all : `Did you mean ${near}?` };
}

function explainNumber(complaint: Complaint): IssueMessage {
  const { node, mistake, issue } = complaint;
  const field = fieldName(complaint);
  if (issue.code === "too_big") {
    const message = `${field} is ${shown(node)}, which is too large to store exactly.`;
    return { code: mistake ?? "wrong-value", message, hint: "Check the number of digits." };
  }
  if (mistake === "price-not-whole") return explainPrice(complaint);
  const value = node.type === "scalar" ? node.value : undefined;
  if (typeof value === "number") {
    const least = issue.code === "too_small" ? Number(issue.minimum) : 1;
    return {
      code: mistake ?? "wrong-value",
      message: `${field} is ${value}, but must be a whole number${issue.code === "too_small" ? ` of ${least} or more` : ""}.`,
      hint:
        Number.isInteger(value) || !Number.isFinite(value)
          ? `Write ${least} or more.`
          : `Write a whole number, such as ${either([Math.max(least, Math.round(value)), ...withThousands(node)])}.`,
    };
  }
  const meant = typeof value === "string" ? numbersIn(value) : [];
  return {
    code: mistake ?? "wrong-type",
    message: `${field} is ${shown(node)} where a whole number is expected.`,
    hint: /^(?:unlimited|infinite|∞|none|n\/a)$/i.test(String(value))
      ? "There is no such setting: write a whole number that is high enough."
      : meant.length === 0
        ? "Write a whole number, without quotes."
        : `Write ${either(meant)}, without quotes or commas.`,
  };
}

/** `1.500`, where the dot separates thousands. */
function withThousands(node: Located): readonly number[] {
  return node.type === "scalar" && /^\d{1,3}\.\d{3}$/.test(node.raw ?? "") ? numbersIn(node.raw ?? "") : [];
}

function explainPrice({ node, owner }: Complaint): IssueMessage {
  const code = "price-not-whole";
  const value = node.type === "scalar" ? node.value : undefined;
  if (typeof value === "number" && Number.isFinite(value)) {
    const costs = `${owner ?? "This ticket type"} costs ${formatMoney(value)}.`;
    if (value < 0) return { code, message: `${costs} A price cannot be negative.`, hint: "Write 0 for a free ticket." };
    const hint = `Write ${either([Math.floor(value), Math.ceil(value), ...withThousands(node)])}.`;
    return { code, message: `${costs} Prices are whole pesos.`, hint };
  }
  const isFree = typeof value === "string" && /^(?:free|libre|gratis|none|n\/a)$/i.test(value.trim());
  const [meant, other] = isFree ? [0] : typeof value === "string" ? numbersIn(value) : [];
  const whose = owner ?? "this ticket type";
  return {
    code,
    message: `The price of ${whose} is ${shown(node)}. Prices are whole pesos, written as a number.`,
    hint:
      meant === undefined
        ? "Write a number such as 1500, which means ₱1,500.00."
        : other === undefined
          ? `Write ${meant}, which means ${formatMoney(meant)}.`
          : `Write ${meant} or ${other}.`,
  };
}

function explainText(complaint: Complaint): IssueMessage {
  const { node, mistake, path } = complaint;
  const field = fieldName(complaint);
  if (mistake === "unreadable-time") return notADateTime(complaint);
  if (path.at(-1) === "weekday") return notADay(complaint);
  if (node.type === "map" && path.at(-2) === "vars") return notAVariable(field, String(path.at(-1)), node);
  if (node.type !== "scalar") {
    const forms = typeOf(complaint.schema) === "union" ? examplesOf(complaint.schema) : [];
    const written = forms.slice(0, 2).map((form) => `\`${String(path.at(-1))}: ${flowText(form)}\``);
    if (written.length > 0)
      return wrongType(`${field} cannot be ${shown(node)}.`, `Write ${either(written)}.`, mistake);
    const message = `${field} is ${shown(node)} where text is expected.`;
    return wrongType(message, asQuoted(node) ?? "Write text, not a list or a map.", mistake);
  }
  const { value } = node;
  if (value === null || (typeof value === "string" && value.trim() === "")) {
    const hint = path.at(-1) === "name" ? "Give it a value." : "Give it a value, or remove the field.";
    return { code: mistake ?? "empty-text", message: `${field} is empty.`, hint };
  }
  if (/^(?:id|venueId)$/.test(String(path.at(-1))) || path.at(-2) === "id")
    return notAnId(complaint, String(node.raw ?? value));
  if (typeof value !== "string") {
    const type = typeof value === "number" ? "a number" : "true or false";
    const raw = node.raw || String(value);
    const message = `${field} must be text, but YAML reads ${raw} without quotes as ${type}.`;
    return { code: mistake ?? "yaml-trap", message, hint: `Put it in quotes: "${raw}".` };
  }
  if (mistake === "bad-color") return notAColor(field, value);
  const hint =
    patternHint(complaint.schema) ??
    `Run \`ticketing explain ${path.findLast((step) => typeof step === "string")}\` to see what is allowed.`;
  return { code: mistake ?? "wrong-value", message: `${field} cannot be "${value}".`, hint };
}

function notADateTime(complaint: Complaint): IssueMessage {
  const { node, path, example } = complaint;
  const alone = node.type === "scalar" ? clockMeantBy(node.raw ?? "") : null;
  const offset = path.at(-1) !== "dateTime" && node.type === "scalar" && /^[+-]\d+$/.test(node.raw ?? "");
  const hint = offset
    ? `Add the unit: ${node.raw}h is in hours, ${node.raw}m in minutes.`
    : example !== undefined
      ? `Write ${alone ?? `a time of day, such as ${example}`}.`
      : alone === null
        ? "Write a date and a time, like 2027-03-14T19:00."
        : path.at(-1) === "dateTime"
          ? `Write a date and a time, like 2027-03-14T${alone}; in a series, only ${alone}.`
          : `Write ${alone}, or a date and a time, like 2027-03-14T${alone}.`;
  const message = `${fieldName(complaint)} is ${shown(node)} where a date and time is expected.`;
  return { code: "unreadable-time", message, hint };
}

/** `vars: { production: { host: … } }`, as if values were written by environment. */
function notAVariable(field: string, name: string, { entries }: LocatedMap): IssueMessage {
  const [inner = "NAME"] = entries.keys();
  const hint = `If ${name} is an environment, put its value in ticketing.yaml: environments: { ${name}: { vars: { ${inner}: … } } }.`;
  return wrongType(`${field} has fields, but a variable is a single value.`, hint);
}

function notADate(complaint: Complaint): IssueMessage {
  const { node } = complaint;
  const message = `${fieldName(complaint)} is ${shown(node)}, which is not a date.`;
  return { code: "wrong-value", message, hint: howToWriteDay(node.type === "scalar" ? String(node.value) : "") };
}

function notADay(complaint: Complaint): IssueMessage {
  const { node } = complaint;
  const near = node.type === "scalar" && typeof node.value === "string" ? closest(node.value, weekdayNames) : null;
  const hint = near === null ? "Use a day such as friday, or remove the field." : `Did you mean ${near}?`;
  const message = `${fieldName(complaint)} is ${shown(node)}, but must be a day of the week.`;
  return { code: "unknown-value", message, hint };
}

function notAnId(complaint: Complaint, text: string): IssueMessage {
  const isName = complaint.path.at(-1) === "venueId" && /[a-z]{3}|\s/i.test(text);
  const name = /^[\w .-]+$/.test(text) ? text : JSON.stringify(text);
  return {
    code: complaint.mistake ?? "bad-id",
    message: `${fieldName(complaint)} is "${text}", which is not an id.`,
    hint: isName
      ? `Write \`venue: ${name}\`, which is looked up by name, or use the id that \`ticketing venues search\` prints.`
      : "Copy the whole id; it looks like 0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11.",
  };
}

function notAColor(field: string, text: string): IssueMessage {
  const digits = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text.trim())?.[1]?.toUpperCase();
  const six = digits?.length === 3 ? digits.replace(/./g, "$&$&") : digits;
  const hint = six === undefined ? 'Use a color such as "#FF8800", in quotes.' : `Write "#${six}", in quotes.`;
  const message = `${field} is "${text}", but must be a color of the form #RRGGBB, with six hexadecimal digits.`;
  return { code: "bad-color", message, hint };
}

// Not the field's own code: that is about the items of the list.
function explainList(complaint: Complaint): IssueMessage {
  const { node, absent } = complaint;
  const field = fieldName(complaint);
  if (node.type === "scalar" && node.value === null) {
    const hint = absent === undefined ? "Write [] for none, or remove the field." : "List at least one.";
    return { code: absent ?? "wrong-type", message: `${field} is empty.`, hint };
  }
  const hint =
    node.type === "map"
      ? `Start each entry with a dash: \`- { ${namedByKey(complaint, node)}, … }\`.`
      : node.type === "scalar" && typeof node.value === "string" && /^[\w.-]+$/.test(node.value)
        ? `Write it as a list: [${node.value}], or with a dash before each entry.`
        : "Write a list: [first, second], or a dash before each entry.";
  const message = `${field} is ${shown(node)} where a list is expected.`;
  return { code: "wrong-type", message, hint: asEntry(complaint) ?? hint };
}

/** `tickets: { VIP: { price: 4500 } }`: the key is the entry's name. */
function namedByKey({ schema }: Complaint, { entries }: LocatedMap): string {
  const [first] = entries;
  const label = keysWithin(schema).find((key) => entryLabels.has(key)) ?? "name";
  return first?.[1].value.type === "map" ? `${label}: ${first[0]}` : `${label}: …`;
}

/** With what editors show as an example, where that has a single value. */
function asFields(schema: Schema): string {
  const [example] = ((schema as z.ZodType).meta()?.examples ?? []) as readonly object[];
  const one = Object.entries(example ?? {}).find(([, value]) => typeof value === "string");
  const [entry] = Object.entries(example ?? {}).filter(([, value]) => value !== null && typeof value === "object");
  if (one === undefined && entry !== undefined && typeOf(schema) === "record")
    return `Write one line below it for each entry, such as \`${entry[0]}: ${flowText(entry[1])}\`.`;
  const how = one === undefined ? ": `field: value`" : `, such as \`${one.join(": ")}\``;
  return `Write its fields below it, one per line${how}.`;
}

export function flowText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flowText).join(", ")}]`;
  if (value === null || typeof value !== "object") return String(value);
  const parts = Object.entries(value).map(([key, each]) => `${key}: ${flowText(each)}`);
  return `{ ${parts.join(", ")} }`;
}

/** A new line in the middle of `{ … }` is one that YAML refuses. */
export function howToAdd(example: string, holder: Located): string {
  return holder.type === "map" && holder.inBraces
    ? `Add a field such as \`${example}\` inside the braces.`
    : `Add a line such as \`${example}\`.`;
}

/** `{secretName}`, which YAML reads as a map unless it is in quotes. */
function asQuoted(node: Located): string | null {
  if (node.type !== "map" || !node.inBraces) return null;
  const [[word, { value }] = ["", { value: node }], ...others] = node.entries;
  const isWord = others.length === 0 && value.type === "scalar" && value.value === null;
  return isWord ? `Put it in quotes: "{${word}}".` : null;
}

/** `state: postgres`: the choice alone, where it is one of several fields. */
function asChoice({ node, schema, path }: Complaint): string | null {
  if (node.type !== "scalar" || typeof node.value !== "string") return null;
  const word = node.value;
  const field = keysOf(schema).find((key) =>
    stepInto(schema, key).some((below) => typeOf(below) === "enum" && isAllowed(below, word)),
  );
  return field === undefined ? null : `Write \`${String(path.at(-1))}: { ${field}: ${word} }\`.`;
}

/** `performers: [DJ Ana]`: the name alone, where an object has more than a name. */
function asEntry({ node, schema, path }: Complaint): string | null {
  if (node.type !== "scalar" || typeof node.value !== "string") return null;
  const isEntry = typeof path.at(-1) === "number";
  if (!isEntry && typeOf(schema) !== "array") return null;
  const label = keysWithin(schema).find((key) => entryLabels.has(key));
  if (label === undefined) return null;
  // `- name:VIP`: only a space is missing.
  const [, field, value] = /^([\w-]{1,40}):(\S.{0,200})$/.exec(node.value) ?? [];
  if (field !== undefined && keysWithin(schema).includes(field))
    return `Write \`- ${field}: ${value}\`: YAML needs a space after the colon.`;
  const written = /^[\p{L}\p{N}][\p{L}\p{N} .'-]*$/u.test(node.value) ? node.value : JSON.stringify(node.value);
  const kind = childKinds("event").find(({ plural }) => plural === path.at(isEntry ? -2 : -1));
  const required = (kind === undefined ? [] : fieldEntries(kind)).flatMap(([name, policy]) =>
    policy.role === "value" && policy.required === true && name !== label ? `, ${name}: …` : [],
  );
  return `Write each entry with its fields, on a separate line: \`- { ${label}: ${written}${required.join("")} }\`.`;
}
