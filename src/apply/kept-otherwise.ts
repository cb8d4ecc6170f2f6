import type { Kind } from "../kinds/define.ts";
import type { Address } from "../model/address.ts";
import { maskUrls } from "../model/mask-urls.ts";
import type { Fields } from "./journal-entry.ts";
import { formOf, sameReading } from "./resemble.ts";
import type { Run } from "./run.ts";
import { capital, nameOf, tellNotice } from "./words.ts";

const remembered = "It is remembered, and not sent again.";
const forgotten =
  "Without state nothing remembers that, so the next run may send it again: write it as the service keeps it, or keep state.";

/** Said once: from then on the other shape counts as equal. */
export function tellKeptOtherwise(run: Run, kind: Kind, address: Address, sent: Fields, returned: Fields): void {
  for (const [field, shown] of Object.entries(returned)) {
    const wished = sent[field] ?? null;
    // Markup around the same words, or another place for the same picture, is the service's own business.
    if (sameReading(formOf(kind, field), wished, shown)) continue;
    // Where they differ in what nobody may see, there is nothing to tell.
    if (maskUrls(JSON.stringify(shown)) === maskUrls(JSON.stringify(wished))) continue;
    const message = `${capital(nameOf(address))}: the service keeps \`${field}\` as ${JSON.stringify(shown)} where ${JSON.stringify(wished)} was sent.`;
    tellNotice(run, "kept-otherwise", address, message, run.unremembered ? forgotten : remembered);
  }
}
