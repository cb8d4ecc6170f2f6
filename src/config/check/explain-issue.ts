// A schema's complaint, rephrased for people who write events.
import { closest, suggest } from "../../model/diagnostic.ts";
import { weekdayNames } from "../../model/time.ts";
import { formatMoney } from "../../model/value.ts";
import { type Complaint, fieldName, type IssueText, keysWithin, shown, typeOf } from "./schema-walk.ts";
import { adviceOnValue, valueMeantBy } from "./synonyms.ts";

export function explainChoice(complaint: Complaint): IssueText {
  const { issue, node, mistake } = complaint;
  const values = issue.code === "invalid_value" ? issue.values.map(String) : [];
  const written = node.type === "scalar" && node.value !== null ? String(node.value) : null;
  const field = fieldName(complaint);
  if (written !== null) {
    if (isNumberInQuotes(complaint)) {
      return {
        code: mistake ?? "wrong-type",
        message: `${field} is ${shown(node)}, but must be a number.`,
        hint: `Write ${written.trim()}, without quotes.`,
      };
    }
    const sameLetters = values.find((value) => value.toLowerCase() === written.trim().toLowerCase());
    if (sameLetters !== undefined && mistake === undefined) {
      return {
        code: "wrong-case",
        message: `${field} is ${written}, but must be written ${sameLetters}.`,
        hint: `Write ${sameLetters}.`,
      };
    }
    const name = String(complaint.path.at(-1));
    const near = sameLetters ?? valueMeantBy(written, name, values) ?? suggest(written, values);
    const advice = near === null ? adviceOnValue(written, values) : null;
    if (advice !== null) {
      const code = mistake ?? "unknown-value";
      return { code, message: `${field} is ${written}. ${advice.message}`, hint: advice.hint };
    }
    return {
      code: mistake ?? "unknown-value",
      // A long list appears once, and only where nothing is near.
      message:
        values.length > 5
          ? `${field} is ${written}, which is unknown.`
          : `${field} is ${written}, but must be ${either(values)}.`,
      hint: near === null ? `Write ${either(values)}.` : `Did you mean ${near}?`,
    };
  }
  return {
    code: mistake ?? "wrong-type",
    message: `${field} is ${shown(node)}, but must be ${either(values)}.`,
    hint: `Write ${either(values)}, or remove the line.`,
  };
}

function isNumberInQuotes({ issue, node }: Complaint): boolean {
  if (issue.code !== "invalid_value" || node.type !== "scalar" || typeof node.value !== "string") return false;
  const { value } = node;
  return issue.values.some((allowed) => typeof allowed === "number" && String(allowed) === value.trim());
}

/** `A, B or C` */
function either(choices: readonly string[]): string {
  return choices.length < 2 ? choices.join("") : `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
}

export function explainNumber(complaint: Complaint): IssueText {
  if (complaint.issue.code === "too_big") return explainTooLarge(complaint);
  if (complaint.mistake === "price-not-whole") return explainPrice(complaint);
  const { node, mistake, issue } = complaint;
  const field = fieldName(complaint);
  const value = node.type === "scalar" ? node.value : undefined;
  const code = mistake ?? (typeof value === "number" ? "wrong-value" : "wrong-type");
  const least = issue.code === "too_small" ? Number(issue.minimum) : 1;
  if (typeof value === "number") {
    return {
      code,
      message: `${field} is ${value}, but must be a whole number of ${least} or more.`,
      hint: Number.isInteger(value) ? `Write ${least} or more.` : `Write ${Math.max(least, Math.round(value))}.`,
    };
  }
  const meant = typeof value === "string" ? numberIn(value) : null;
  return {
    code,
    message: `${field} is ${shown(node)} where a whole number is expected.`,
    hint: /^(?:unlimited|infinite|∞|none|n\/a)$/i.test(String(value))
      ? "There is no word for that: write the most you would sell."
      : meant === null
        ? "Write a whole number, without quotes."
        : `Write ${meant}, without quotes or commas.`,
  };
}

function explainTooLarge(complaint: Complaint): IssueText {
  return {
    code: complaint.mistake ?? "wrong-value",
    message: `${fieldName(complaint)} is ${shown(complaint.node)}, which is too large to store exactly.`,
    hint: "Check the number of digits.",
  };
}

function explainPrice({ node, owner, mistake = "price-not-whole" }: Complaint): IssueText {
  const value = node.type === "scalar" ? node.value : undefined;
  const name = owner ?? "This ticket type";
  if (typeof value === "number" && Number.isFinite(value)) {
    const costs = `${name} costs ${formatMoney(value)}.`;
    if (value < 0)
      return { code: mistake, message: `${costs} A price cannot be negative.`, hint: "Write 0 for a free ticket." };
    const [below, above] = [Math.floor(value), Math.ceil(value)];
    return { code: mistake, message: `${costs} Prices are whole pesos.`, hint: `Write ${below} or ${above}.` };
  }
  const meant = typeof value === "string" ? (isFree(value) ? 0 : numberIn(value)) : null;
  return {
    code: mistake,
    message: `The price of ${owner ?? "this ticket type"} is ${shown(node)}. Prices are whole pesos, written as a number.`,
    hint:
      meant === null
        ? "Write it like 1500, which means ₱1,500.00."
        : `Write ${meant}, which means ${formatMoney(meant)}.`,
  };
}

function isFree(text: string): boolean {
  return /^(?:free|libre|gratis|none|n\/a)$/i.test(text.trim());
}

/** The whole number that a text like "₱1,500.00" means; null where it means none. */
function numberIn(text: string): number | null {
  const digits = text.replace(/^(?:₱|php|p)|(?:php|pesos?)$|[\s,_]/gi, "");
  const [, whole] = /^(\d{1,15})(?:\.0+)?$/.exec(digits) ?? [];
  return whole === undefined ? null : Number(whole);
}

export function explainText(complaint: Complaint): IssueText {
  const { node, mistake } = complaint;
  const field = fieldName(complaint);
  if (mistake === "unreadable-time") {
    return {
      code: mistake,
      message: `${field} is ${shown(node)} where a date-time is expected.`,
      hint: "Write a date and a time, like 2027-03-14T19:00.",
    };
  }
  if (complaint.path.at(-1) === "weekday") return notADay(complaint);
  if (node.type !== "scalar") {
    return {
      code: mistake ?? "wrong-type",
      message: `${field} is ${shown(node)} where text is expected.`,
      hint: "Write a single text.",
    };
  }
  if (node.value === null || node.value === "") {
    return {
      code: mistake ?? "empty-text",
      message: `${field} is empty.`,
      hint: "Give it a value, or remove the line.",
    };
  }
  if (isId(complaint)) return notAnId(complaint, String(node.raw ?? node.value));
  if (typeof node.value !== "string") {
    const type = typeof node.value === "number" ? "a number" : "true or false";
    const raw = node.raw === undefined || node.raw === "" ? String(node.value) : node.raw;
    return {
      code: mistake ?? "yaml-trap",
      message: `${field} must be text, but YAML reads ${raw} without quotes as ${type}.`,
      hint: `Put it in quotes: "${raw}".`,
    };
  }
  return explainPattern(complaint, node.value);
}

function notADay(complaint: Complaint): IssueText {
  const { node } = complaint;
  const near = node.type === "scalar" && typeof node.value === "string" ? closest(node.value, weekdayNames) : null;
  return {
    code: "unknown-value",
    message: `${fieldName(complaint)} is ${shown(node)}, but must be a day of the week.`,
    hint: near === null ? "Write a day such as friday, or remove the line." : `Did you mean ${near}?`,
  };
}

function isId({ path }: Complaint): boolean {
  return /^(?:id|venueId)$/.test(String(path.at(-1))) || path.at(-2) === "id";
}

function notAnId(complaint: Complaint, text: string): IssueText {
  return {
    code: complaint.mistake ?? "bad-id",
    message: `${fieldName(complaint)} is "${text}", which is not an id.`,
    hint:
      complaint.path.at(-1) === "venueId" && /[a-z]{3}|\s/i.test(text)
        ? `Write \`venue: ${/^[\w .-]+$/.test(text) ? text : JSON.stringify(text)}\`, which is looked up by name; or the id that \`ticketing venues search\` prints.`
        : "An id looks like 0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11; copy all of it.",
  };
}

function explainPattern({ mistake, ...complaint }: Complaint, text: string): IssueText {
  const field = fieldName(complaint);
  if (mistake === "bad-color") {
    const [, red, green, blue] = /^#?([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text.trim()) ?? [];
    const six =
      /^#?([0-9a-f]{6})$/i.exec(text.trim())?.[1] ??
      (red && green && blue ? red + red + green + green + blue + blue : null);
    return {
      code: mistake,
      message: `${field} is "${text}", but must be a color of the form #RRGGBB, with six digits.`,
      hint: six === null ? 'Write it like "#FF8800", in quotes.' : `Write "#${six.toUpperCase()}", in quotes.`,
    };
  }
  return {
    code: mistake ?? "wrong-value",
    message: `${field} cannot be "${text}".`,
    hint: "Run `ticketing schema` to see what is allowed.",
  };
}

export function explainIssue(complaint: Complaint): IssueText {
  const { schema, mistake } = complaint;
  const type = typeOf(schema);
  switch (type) {
    case "number":
      return explainNumber(complaint);
    case "boolean":
      return {
        code: mistake ?? "wrong-type",
        message: `${fieldName(complaint)} is ${shown(complaint.node)} where true or false is expected.`,
        hint: "Write true or false, without quotes.",
      };
    case "enum":
    case "literal":
      return explainChoice(complaint);
    case "array":
      return explainList(complaint);
    case "object":
    case "record":
      return {
        code: "wrong-type",
        message: `${fieldName(complaint)} is ${shown(complaint.node)} where fields are expected.`,
        hint: asEntry(complaint) ?? "Write its fields below it, one per line: `name: value`.",
      };
    default:
      return explainText(complaint);
  }
}

// Not the field's own mistake: that is about what the list holds.
function explainList({ node, absent, ...complaint }: Complaint): IssueText {
  const code = "wrong-type";
  const field = fieldName(complaint);
  if (node.type === "scalar" && node.value === null) {
    const hint = absent === undefined ? "Write [] for none, or remove the line." : "List at least one.";
    return { code: absent ?? code, message: `${field} is empty.`, hint };
  }
  const hint =
    node.type === "map"
      ? "Start each entry with a dash: `- name: …`."
      : node.type === "scalar" && typeof node.value === "string" && /^[\w.-]+$/.test(node.value)
        ? `Write it as a list: [${node.value}], or with a dash before each entry.`
        : "Write a list: [first, second], or a dash before each entry.";
  const entry = asEntry({ node, ...complaint });
  return { code, message: `${field} is ${shown(node)} where a list is expected.`, hint: entry ?? hint };
}

/** `performers: [DJ Ana]`: the name alone, where an object has more than a name. */
function asEntry({ node, schema, path }: Complaint): string | null {
  if (node.type !== "scalar" || typeof node.value !== "string") return null;
  const isEntry = typeof path.at(-1) === "number";
  if (!isEntry && typeOf(schema) !== "array") return null;
  const label = ["name", "title"].find((name) => keysWithin(schema).includes(name));
  if (label === undefined) return null;
  const written = /^[\p{L}\p{N}][\p{L}\p{N} .'-]*$/u.test(node.value) ? node.value : JSON.stringify(node.value);
  return `Write \`- { ${label}: ${written}, … }\`, one line per entry.`;
}
