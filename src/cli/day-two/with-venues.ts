// Documents with the ids of the venues that they name, as plan has them, so that a venue can be compared.
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Wish } from "../../model/wish.ts";
import { resolveVenues } from "../../plan/resolve-venues.ts";
import { ReadFailure } from "../../snapshot/read-failure.ts";
import { findVenues } from "../../snapshot/read-venues.ts";
import type { Reader } from "../../snapshot/reader.ts";

export interface WithVenues {
  readonly wishes: readonly Wish[];
  /** Addresses of documents whose venue is none, or one of several: what plan would block. */
  readonly unclear: ReadonlySet<string>;
  readonly remarks: readonly Diagnostic[];
}

export async function withVenues(reader: Reader, wishes: readonly Wish[]): Promise<WithVenues> {
  const queries = wishes.flatMap(({ own }) => own.venue ?? []);
  if (queries.length === 0) return { wishes, unclear: new Set(), remarks: [] };
  try {
    const resolved = resolveVenues(wishes, await findVenues(reader, queries));
    return { wishes: resolved.wishes, unclear: new Set(resolved.blocks.keys()), remarks: [] };
  } catch (error) {
    if (!(error instanceof ReadFailure)) throw error;
    return { wishes, unclear: new Set(), remarks: [notCompared(error.problem.message)] };
  }
}

/** Sales can be told without venues. */
function notCompared(why: string): Diagnostic {
  return {
    code: "venues-not-compared",
    severity: "warning",
    message: `Venues could not be looked up, so they are not compared: ${why}`,
    hint: "`ticketing plan` compares them once the service answers.",
  };
}
