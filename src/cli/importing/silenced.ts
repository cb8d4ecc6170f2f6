import type { Diagnostic } from "../../model/diagnostic.ts";
import { groupBy } from "../../model/group-by.ts";
import { formatCount } from "../../model/money.ts";
import type { Source } from "../../model/source.ts";

/** A rule that a file ignores from now on, because the service shows an object like this. */
export interface Silenced {
  readonly code: string;
  /** The object's name. */
  readonly name: string;
  readonly source: Source;
}

/** The same rule for many objects is one remark. */
export function silencedRemarks(silenced: readonly Silenced[]): readonly Diagnostic[] {
  return [...groupBy(silenced, ({ code }) => code)].map(([code, group]) => {
    const [first] = group;
    const words =
      group.length === 1
        ? `'${first?.name}' is, as the service shows it, not as the rule ${code} would have it; the file says`
        : `'${first?.name}' and ${formatCount(group.length - 1)} more are, as the service shows them, not as the rule ${code} would have them; the files say`;
    return {
      code: "live-like-this",
      severity: "warning",
      message: `${words} so with \`ignore\`.`,
      hint: "Correct it on the service or in the file, then take the `ignore` out.",
      ...(first === undefined ? {} : { source: first.source }),
    };
  });
}
