// A remark on the whole plan, which no object can silence.
import type { Diagnostic } from "../../model/diagnostic.ts";
import { formatCount } from "../../model/value.ts";
import type { Comparison } from "../compare/comparison.ts";

/** Fields that the service does not show and nothing remembers: said once per kind and field, not once per object. */
export function unreadableRemarks(cases: readonly Comparison[]): readonly Diagnostic[] {
  const counts = new Map<string, { plural: string; field: string; count: number }>();
  for (const { kind, unknown, change } of cases) {
    for (const field of unknown) {
      if (change?.edits.some((edit) => edit.path === `/${field}`)) continue;
      const key = `${kind.plural} ${field}`;
      const known = counts.get(key);
      counts.set(key, { plural: kind.plural, field, count: (known?.count ?? 0) + 1 });
    }
  }
  if (counts.size === 0) return [];
  const parts = [...counts.values()].map(
    ({ plural, field, count }) => `\`${field}\` of ${formatCount(count)} ${count === 1 ? plural.slice(0, -1) : plural}`,
  );
  return [
    {
      code: "unreadable-fields",
      severity: "info",
      message: `The service does not show ${parts.join(", ")}, and nothing remembers what was applied: whether they differ cannot be told.`,
      hint: "They are sent with the next change of the same object; --resend-unreadable sends them at once.",
    },
  ];
}
