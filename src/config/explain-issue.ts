// A schema's complaint in the words of somebody who writes events.
import { type Complaint, fieldOf, shown, type Words } from "./complaint.ts";
import { explainChoice } from "./explain-choice.ts";
import { explainNumber } from "./explain-number.ts";
import { explainText } from "./explain-text.ts";
import { keysWithin, typeOf } from "./schema-walk.ts";

export function explainIssue(complaint: Complaint): Words {
  const { schema, mistake } = complaint;
  const type = typeOf(schema);
  switch (type) {
    case "number":
      return explainNumber(complaint);
    case "boolean":
      return {
        code: mistake ?? "wrong-type",
        message: `${fieldOf(complaint)} is ${shown(complaint.node)} where true or false is expected.`,
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
        message: `${fieldOf(complaint)} is ${shown(complaint.node)} where fields are expected.`,
        hint: asEntry(complaint) ?? "Write its fields below it, each on a line of its own: `name: value`.",
      };
    default:
      return explainText(complaint);
  }
}

// Not the field's own mistake: that is about what the list holds.
function explainList({ node, absent, ...complaint }: Complaint): Words {
  const code = "wrong-type";
  const field = fieldOf(complaint);
  if (node.type === "scalar" && node.value === null) {
    const hint = absent === undefined ? "Write [] for none, or leave the line out." : "List at least one.";
    return { code: absent ?? code, message: `${field} is empty.`, hint };
  }
  const hint =
    node.type === "map"
      ? "Begin each entry with a dash: `- name: …`."
      : node.type === "scalar" && typeof node.value === "string" && /^[\w.-]+$/.test(node.value)
        ? `Write it as a list: [${node.value}], or with a dash before each.`
        : "Write a list: [first, second], or a dash before each.";
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
  return `Write \`- { ${label}: ${written}, … }\`, on a line of its own for each.`;
}
