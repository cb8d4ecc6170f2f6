import { riskCodes } from "../../kinds/index.ts";
import { type Diagnostic, rules, silencingOf, suggest } from "../../model/diagnostic.ts";
import type { Located } from "../yaml/located.ts";
import { secretAt } from "./find-secrets.ts";

/** Every code that `ignore` can name: those on the page of rules. */
export const ruleCodes: readonly string[] = Object.keys(rules);

/** Codes in `ignore` that silence nothing: told, because otherwise they would do so without a word. */
export function checkIgnored(node: Located, problems: Diagnostic[]): void {
  if (node.type !== "list") return;
  for (const item of node.items) {
    if (item.type !== "scalar" || typeof item.value !== "string") continue;
    const words = wordsOn(item.value);
    if (words === null) continue;
    const { source } = item;
    problems.push(secretAt("ignore", item) ?? { code: "unknown-code", severity: "warning", ...words, source });
  }
}

function wordsOn(code: string): { readonly message: string; readonly hint: string } | null {
  switch (silencingOf(code)) {
    case "silenced":
      return null;
    case "unknown":
      return {
        message: `\`ignore\` names ${code}, and there is no rule of that code. It silences nothing.`,
        hint: wayOut(code),
      };
    case "unreadable":
      return {
        message: `\`ignore\` names ${code}, which cannot be silenced: what it is about cannot be read or sent as it is written.`,
        hint: "Correct what it is about, and take the code out.",
      };
    case "elsewhere":
      return {
        message: `\`ignore\` names ${code}, which cannot be silenced: it is not about an event, an entry or a webhook.`,
        hint: "Take it out.",
      };
  }
}

function wayOut(written: string): string {
  if ((riskCodes as readonly string[]).includes(written))
    return `It is a risk: accept it with \`allow: [${written}]\`.`;
  const near = suggest(written, ruleCodes);
  return near === null ? "Write the code that stands beside the remark, or take it out." : `Did you mean ${near}?`;
}
