import { type Address, rootOf } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { recoveryDelete } from "../model/plan.ts";

/**
 * Remarks on the files as far as this plan is about them: a pull request that edits one event is not told about the
 * hundreds that it leaves alone. What is said of no event stays, and so does what will be deleted.
 */
export function remarksOnPlanned(remarks: readonly Diagnostic[], planned: readonly Address[]): readonly Diagnostic[] {
  const events = new Set(planned);
  return remarks.filter(
    ({ code, address }) => code === recoveryDelete || !address?.startsWith("events/") || events.has(rootOf(address)),
  );
}
