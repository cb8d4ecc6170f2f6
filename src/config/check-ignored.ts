import { riskCodes } from "../kinds/risk-codes.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Source } from "../model/source.ts";
import { suggest } from "../model/suggest.ts";
import { secretAt } from "./find-secrets.ts";
import type { Located } from "./located.ts";
import { ruleCodes } from "./rule-codes.ts";

const known = new Set(ruleCodes);

/** Codes in `ignore` that are none: a typing mistake there silences nothing, without a word. */
export function checkIgnored(node: Located, problems: Diagnostic[]): void {
  if (node.type !== "list") return;
  for (const item of node.items) {
    if (item.type !== "scalar" || typeof item.value !== "string" || known.has(item.value)) continue;
    problems.push(secretAt("ignore", item) ?? unknownCode(item.value, item.source));
  }
}

function unknownCode(written: string, source: Source): Diagnostic {
  return {
    code: "unknown-code",
    severity: "warning",
    message: `\`ignore\` names ${written}, and there is no rule of that code. It silences nothing.`,
    hint: wayOut(written),
    source,
  };
}

function wayOut(written: string): string {
  if ((riskCodes as readonly string[]).includes(written))
    return `It is a risk: accept it with \`allow: [${written}]\`.`;
  const near = suggest(written, ruleCodes);
  return near === null ? "Write the code that stands beside the remark, or take it out." : `Did you mean ${near}?`;
}
