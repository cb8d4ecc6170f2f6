// Remarks on the plan as a whole, and which remarks on the files it repeats.

import { kindOf } from "../../kinds/index.ts";
import { type Address, rootOf } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { noticeOf, warningOf } from "../../model/diagnostic.ts";
import { type Change, isDrift, recoveryDelete } from "../../model/plan.ts";
import { formatCount, pluralize } from "../../model/value.ts";
import type { Comparison } from "../compare/comparison.ts";

/**
 * Remarks on the files as far as this plan is about them: a pull request that edits one event does not hear about the
 * hundreds that it leaves alone. Remarks on no event stay, and so does what will be deleted.
 */
export function remarksOnPlanned(remarks: readonly Diagnostic[], planned: readonly Address[]): readonly Diagnostic[] {
  const events = new Set(planned);
  return remarks.filter(
    ({ code, address }) => code === recoveryDelete || !address?.startsWith("events/") || events.has(rootOf(address)),
  );
}

/** Fields that the service does not show and nothing remembers: reported once per kind and field, not once per object. */
export function unreadableRemarks(comparisons: readonly Comparison[]): readonly Diagnostic[] {
  const counts = new Map<string, number>();
  for (const { kind, unknown, change } of comparisons) {
    for (const field of unknown) {
      if (change?.edits.some((edit) => edit.path === `/${field}`)) continue;
      const key = `${kind.name}/${field}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  if (counts.size === 0) return [];
  const parts = Array.from(counts, ([key, count]) => {
    const [kind = "", field] = key.split("/");
    const { one, many } = kindOf(kind).words;
    return `\`${field}\` of ${pluralize(count, one, many)}`;
  });
  return [
    noticeOf(
      "unreadable-fields",
      `The service does not show ${parts.join(", ")}, and nothing remembers what was applied: it is not known whether they differ.`,
      "They are sent with the next change of the same object; --resend-unreadable sends them at once.",
    ),
  ];
}

/** What is left out because it was not reviewed. */
export function heldRemarks(held: readonly Change[]): readonly Diagnostic[] {
  if (held.length === 0) return [];
  const drifted = held.filter(isDrift).length;
  const was = (count: number) => (count === 1 ? "was" : "were");
  const them = held.length === 1 ? "it is" : "they are";
  const all = drifted === held.length ? (drifted === 1 ? "It" : "They") : `${formatCount(drifted)} of them`;
  const where = drifted === 0 ? "" : ` ${all} ${was(drifted)} made on the service.`;
  return [
    warningOf(
      "unreviewed",
      `${pluralize(held.length, "change")} ${was(held.length)} not reviewed, so ${them} held and not sent.${where}`,
      'Merge a pull request whose plan lists it under "Held and waiting", or take it into the files or back out of them. `ticketing ci apply --unreviewed apply` sends it at once.',
    ),
  ];
}
