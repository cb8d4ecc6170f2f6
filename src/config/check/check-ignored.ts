import { riskCodes } from "../../kinds/index.ts";
import { type Diagnostic, rules, silencingOf, suggest } from "../../model/diagnostic.ts";
import type { Located } from "../yaml/located.ts";
import { secretAt } from "./find-secrets.ts";

/** Every code that `ignore` can name: those on the page of rules. */
export const ruleCodes: readonly string[] = Object.keys(rules);

/** Reports codes in `ignore` that silence nothing. */
export function checkIgnored(node: Located, problems: Diagnostic[]): void {
  if (node.type !== "list") return;
  for (const item of node.items) {
    if (item.type !== "scalar" || typeof item.value !== "string") continue;
    const text = explainCode(item.value);
    if (text === null) continue;
    const { source } = item;
    problems.push(secretAt("ignore", item) ?? { code: "unknown-code", severity: "warning", ...text, source });
  }
}

function explainCode(code: string): { readonly message: string; readonly hint: string } | null {
  switch (silencingOf(code)) {
    case "silenced":
      return null;
    case "unknown":
      return {
        message: `\`ignore\` names ${code}, but there is no such rule.`,
        hint: hintFor(code),
      };
    case "unreadable":
      return {
        message: `\`ignore\` names ${code}, which cannot be silenced: the value cannot be used as written.`,
        hint: "Correct the value, and remove the code.",
      };
    case "elsewhere":
      return {
        message: `\`ignore\` names ${code}, which cannot be silenced: it is not about an event, a list entry, or a webhook.`,
        hint: "Remove it.",
      };
  }
}

function hintFor(written: string): string {
  if ((riskCodes as readonly string[]).includes(written))
    return `It is a risk: accept it with \`allow: [${written}]\`.`;
  const near = suggest(written, ruleCodes);
  return near === null ? "Write the code shown with the warning, or remove it." : `Did you mean ${near}?`;
}
