import { sameValue } from "../kinds/canonical.ts";
import type { Address } from "../model/address.ts";
import type { Live } from "../model/live.ts";
import type { Fields } from "./journal-entry.ts";
import type { Run } from "./run.ts";

/** What need not be sent is as good as applied, unless the new object shows another value. */
export function takenUnsent(run: Run, address: Address, live: Live): Fields {
  return Object.fromEntries(
    Object.entries(run.unsentOf(address)).filter(([field, value]) => {
      const shown = live.fields[field];
      return shown === undefined || sameValue(shown, value);
    }),
  );
}
