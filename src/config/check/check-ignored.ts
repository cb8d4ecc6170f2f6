import { codes, type Diagnostic, didYouMean, isRisk, silencingOf } from "../../model/diagnostic.ts";
import type { Located } from "../yaml/located.ts";
import { secretAt } from "./find-secrets.ts";

/** Reports codes in `ignore` that silence nothing. */
export function checkIgnored(node: Located, problems: Diagnostic[]): void {
  if (node.type !== "list") return;
  for (const item of node.items) {
    if (item.type !== "scalar" || typeof item.value !== "string") continue;
    const text = explainIgnored(item.value);
    if (text === null) continue;
    const { source } = item;
    problems.push(secretAt("ignore", item) ?? { code: "unknown-code", severity: "warning", ...text, source });
  }
}

function explainIgnored(code: string): { readonly message: string; readonly hint: string } | null {
  if (isRisk(code)) {
    return {
      message: `\`ignore\` names \`${code}\`, which is a risk, not a check.`,
      hint: `Accept it with \`allow: [${code}]\`, and remove it here.`,
    };
  }
  switch (silencingOf(code)) {
    case "silenced":
      return null;
    case "unknown": {
      const silenced = codes.filter((each) => silencingOf(each) === "silenced");
      const hint = didYouMean(
        code,
        silenced,
        "A warning shows its code in brackets: write that code here, or remove this one.",
      );
      return { message: `\`ignore\` names \`${code}\`, but there is no such check.`, hint };
    }
    case "unreadable":
      return {
        message: `\`ignore\` names \`${code}\`, which cannot be silenced: the value cannot be used as written.`,
        hint: "Correct the value, and remove the code.",
      };
    case "elsewhere":
      return {
        message: `\`ignore\` names \`${code}\`, which cannot be silenced: it is not about an event, a list entry, or a webhook.`,
        hint: "Remove it.",
      };
  }
}
