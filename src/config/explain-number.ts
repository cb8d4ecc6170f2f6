import { formatMoney } from "../model/money.ts";
import { type Complaint, fieldOf, shown, type Words } from "./complaint.ts";

export function explainNumber(complaint: Complaint): Words {
  if (complaint.issue.code === "too_big") return explainTooLarge(complaint);
  if (complaint.mistake === "price-not-whole") return explainPrice(complaint);
  const { node, mistake, issue } = complaint;
  const field = fieldOf(complaint);
  const value = node.type === "scalar" ? node.value : undefined;
  const code = mistake ?? (typeof value === "number" ? "wrong-value" : "wrong-type");
  const least = issue.code === "too_small" ? Number(issue.minimum) : 1;
  if (typeof value === "number") {
    return {
      code,
      message: `${field} is ${value}, and must be a whole number, ${least} or more.`,
      hint: Number.isInteger(value) ? `Write ${least} or more.` : `Write ${Math.max(least, Math.round(value))}.`,
    };
  }
  const meant = typeof value === "string" ? numberIn(value) : null;
  return {
    code,
    message: `${field} is ${shown(node)} where a whole number is expected.`,
    hint: /^(?:unlimited|infinite|∞|none|n\/a)$/i.test(String(value))
      ? "There is no word for it: write the most that you would sell."
      : meant === null
        ? "Write a whole number, without quotes."
        : `Write ${meant}, without quotes or commas.`,
  };
}

function explainTooLarge(complaint: Complaint): Words {
  return {
    code: complaint.mistake ?? "wrong-value",
    message: `${fieldOf(complaint)} is ${shown(complaint.node)}, which is too large to be kept exactly.`,
    hint: "Check the number of its digits.",
  };
}

function explainPrice({ node, owner, mistake = "price-not-whole" }: Complaint): Words {
  const value = node.type === "scalar" ? node.value : undefined;
  const name = owner ?? "This ticket type";
  if (typeof value === "number" && Number.isFinite(value)) {
    const costs = `${name} costs ${formatMoney(value)}.`;
    if (value < 0)
      return { code: mistake, message: `${costs} A price cannot be below zero.`, hint: "Write 0 for a free ticket." };
    const [below, above] = [Math.floor(value), Math.ceil(value)];
    return { code: mistake, message: `${costs} Prices are whole pesos.`, hint: `Write ${below} or ${above}.` };
  }
  const meant = typeof value === "string" ? (isFree(value) ? 0 : numberIn(value)) : null;
  return {
    code: mistake,
    message: `The price of ${owner ?? "this ticket type"} is ${shown(node)}. Prices are whole pesos, written as a plain number.`,
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
