import { suggest } from "../model/suggest.ts";
import { type Complaint, fieldOf, shown, type Words } from "./complaint.ts";
import { adviceOnValue, valueMeantBy } from "./other-names.ts";

export function explainChoice(complaint: Complaint): Words {
  const { issue, node, mistake } = complaint;
  const values = issue.code === "invalid_value" ? issue.values.map(String) : [];
  const written = node.type === "scalar" && node.value !== null ? String(node.value) : null;
  const field = fieldOf(complaint);
  if (written !== null) {
    if (isNumberInQuotes(complaint)) {
      return {
        code: mistake ?? "wrong-type",
        message: `${field} is ${shown(node)}, and is a number.`,
        hint: `Write ${written.trim()}, without quotes.`,
      };
    }
    const sameLetters = values.find((value) => value.toLowerCase() === written.trim().toLowerCase());
    if (sameLetters !== undefined && mistake === undefined) {
      return {
        code: "wrong-case",
        message: `${field} is ${written}, and is written ${sameLetters}.`,
        hint: `Write ${sameLetters}.`,
      };
    }
    const name = String(complaint.path.at(-1));
    const near = sameLetters ?? valueMeantBy(written, name, values) ?? suggest(written, values);
    const advice = near === null ? adviceOnValue(written, name, values) : null;
    if (advice !== null) {
      const code = mistake ?? "unknown-value";
      return { code, message: `${field} is ${written}. ${advice.message}`, hint: advice.hint };
    }
    return {
      code: mistake ?? "unknown-value",
      // A long list is said once, and only where nothing is near.
      message:
        values.length > 5
          ? `${field} is ${written}, which is not known.`
          : `${field} is ${written}, and can only be ${either(values)}.`,
      hint: near === null ? `Write ${either(values)}.` : `Did you mean ${near}?`,
    };
  }
  return {
    code: mistake ?? "wrong-type",
    message: `${field} is ${shown(node)}, and can only be ${either(values)}.`,
    hint: `Write ${either(values)}, or leave the line out.`,
  };
}

function isNumberInQuotes({ issue, node }: Complaint): boolean {
  if (issue.code !== "invalid_value" || node.type !== "scalar" || typeof node.value !== "string") return false;
  const { value } = node;
  return issue.values.some((allowed) => typeof allowed === "number" && String(allowed) === value.trim());
}

/** `A, B or C` */
function either(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
