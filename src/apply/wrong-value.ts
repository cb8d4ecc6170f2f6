// The service accepted a number, a time, a flag or a choice and shows another one: that was not done, whoever is to blame.
import type { Kind } from "../kinds/define.ts";
import type { Address } from "../model/address.ts";
import type { Live } from "../model/live.ts";
import { confirmFields, hasAny } from "./confirm.ts";
import type { Fields } from "./journal-entry.ts";
import { lookAt } from "./look.ts";
import { ended, type Performed, type Run } from "./run.ts";
import { waitUntilSettled } from "./wait.ts";
import { capital, nameOf } from "./words.ts";

interface Written {
  readonly address: Address;
  readonly kind: Kind;
  readonly fields: Fields;
}

/** Nothing is called wrong before it was read once more, when what was written must show. Gives what tells most. */
export async function lookOnceMore(run: Run, { address, kind, fields }: Written, live: Live): Promise<Live> {
  if (!hasAny(confirmFields(kind, fields, live).wrong)) return live;
  await waitUntilSettled(run, run.clock.now(), address, "The service shows another value than was sent");
  const sight = await lookAt(run, kind, live.parentId, live.id);
  return sight.sight === "found" ? { ...sight.live, fields: { ...live.fields, ...sight.live.fields } } : live;
}

export function endWrong(address: Address, sent: Fields, wrong: Fields): Performed {
  return ended(
    "failed",
    "verify",
    `${capital(nameOf(address))} is not as it was sent: ${wrongWords(sent, wrong)}.`,
    "Somebody may have changed it meanwhile, or the service has its own rule for this value: look at it in the dashboard, then run `ticketing plan`.",
  );
}

export function wrongWords(sent: Fields, wrong: Fields): string {
  return Object.entries(wrong)
    .map(
      ([field, shown]) =>
        `\`${field}\` is ${JSON.stringify(shown)} where ${JSON.stringify(sent[field] ?? null)} was sent`,
    )
    .join(", ");
}
