import { closest } from "../model/suggest.ts";
import { weekdays } from "../model/weekday.ts";
import { type Complaint, fieldOf, shown, type Words } from "./complaint.ts";

export function explainText(complaint: Complaint): Words {
  const { node, mistake } = complaint;
  const field = fieldOf(complaint);
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
      message: `${field} is ${shown(node)} where a text is expected.`,
      hint: "Write one text.",
    };
  }
  if (node.value === null || node.value === "") {
    return {
      code: mistake ?? "empty-text",
      message: `${field} is empty.`,
      hint: "Give it a value, or leave the line out.",
    };
  }
  if (isId(complaint)) return notAnId(complaint, String(node.raw ?? node.value));
  if (typeof node.value !== "string") {
    const type = typeof node.value === "number" ? "a number" : "true or false";
    const raw = node.raw === undefined || node.raw === "" ? String(node.value) : node.raw;
    return {
      code: mistake ?? "yaml-trap",
      message: `${field} is a text, and YAML reads ${raw} without quotes as ${type}.`,
      hint: `Write "${raw}" in quotes.`,
    };
  }
  return explainPattern(complaint, node.value);
}

function notADay(complaint: Complaint): Words {
  const { node } = complaint;
  const near = node.type === "scalar" && typeof node.value === "string" ? closest(node.value, weekdays) : null;
  return {
    code: "unknown-value",
    message: `${fieldOf(complaint)} is ${shown(node)}, and must be a day of the week.`,
    hint: near === null ? "Write a day such as friday, or leave the line out." : `Did you mean ${near}?`,
  };
}

function isId({ path }: Complaint): boolean {
  return /^(?:id|venueId)$/.test(String(path.at(-1))) || path.at(-2) === "id";
}

function notAnId(complaint: Complaint, text: string): Words {
  return {
    code: complaint.mistake ?? "bad-id",
    message: `${fieldOf(complaint)} is "${text}", which is not an id.`,
    hint:
      complaint.path.at(-1) === "venueId" && /[a-z]{3}|\s/i.test(text)
        ? `Write \`venue: ${/^[\w .-]+$/.test(text) ? text : JSON.stringify(text)}\`, which is looked up by its name; or the id that \`ticketing venues search\` prints.`
        : "An id looks like 0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11; copy it whole.",
  };
}

function explainPattern({ mistake, ...complaint }: Complaint, text: string): Words {
  const field = fieldOf(complaint);
  if (mistake === "bad-color") {
    const [, red, green, blue] = /^#?([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text.trim()) ?? [];
    const six =
      /^#?([0-9a-f]{6})$/i.exec(text.trim())?.[1] ??
      (red && green && blue ? red + red + green + green + blue + blue : null);
    return {
      code: mistake,
      message: `${field} is "${text}", and must be a colour of the form #RRGGBB, with six digits.`,
      hint: six === null ? 'Write it like "#FF8800", in quotes.' : `Write "#${six.toUpperCase()}", in quotes.`,
    };
  }
  return {
    code: mistake ?? "wrong-value",
    message: `${field} cannot be "${text}".`,
    hint: "See `ticketing schema` for what is allowed.",
  };
}
