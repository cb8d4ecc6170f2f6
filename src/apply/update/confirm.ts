// What became of the fields that were sent: confirmed, kept in another shape, not shown, or not cleared.
import type { Kind } from "../../kinds/define.ts";
import { canonical, isRewritable, sameValue } from "../../kinds/index.ts";
import type { Address } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import { maskUrls } from "../../model/secrets.ts";
import { type FieldValues, isEmpty } from "../journal/journal-entry.ts";
import { formOf, sameReading } from "../run/compare-live.ts";
import { observe, waitUntilSettled } from "../run/observe.ts";
import { capital, nameOf, reportNotice } from "../run/outcomes.ts";
import { endedWith, type OperationResult, type Run } from "../run/run.ts";

export interface Confirmation {
  /** Shown in another shape than was sent, where the service may have its own. */
  readonly returned: FieldValues;
  /** Shown, and another value than was sent: a number, a time or a choice has no other shape. */
  readonly wrong: FieldValues;
  /** Sent as null and still there. */
  readonly uncleared: readonly string[];
  /** Not shown at all. */
  readonly unshown: readonly string[];
}

export function confirmFields(kind: Kind, sent: FieldValues, live: Live | null): Confirmation {
  const returned: Record<string, FieldValues[string]> = {};
  const wrong: Record<string, FieldValues[string]> = {};
  const uncleared: string[] = [];
  const unshown: string[] = [];
  for (const [field, value] of Object.entries(sent)) {
    const shown = live?.fields[field];
    if (shown === undefined) unshown.push(field);
    else if (!sameValue(canonical(formOf(kind, field), value), shown)) {
      if (isEmpty(value)) uncleared.push(field);
      else if (isRewritable(formOf(kind, field))) returned[field] = shown;
      else wrong[field] = shown;
    }
  }
  return { returned, wrong, uncleared, unshown };
}

export function isConfirmed({ returned, wrong, uncleared }: Confirmation): boolean {
  return uncleared.length === 0 && !hasAny(returned) && !hasAny(wrong);
}

export function hasAny(fields: FieldValues): boolean {
  return Object.keys(fields).length > 0;
}

/** The part of what was sent that the live object does not show as sent. */
export function missingOf(kind: Kind, sent: FieldValues, live: Live): FieldValues {
  const { returned, wrong, uncleared, unshown } = confirmFields(kind, sent, live);
  const names = new Set([...Object.keys(returned), ...Object.keys(wrong), ...uncleared, ...unshown]);
  return Object.fromEntries(Object.entries(sent).filter(([field]) => names.has(field)));
}

// The service accepted a number, a time, a flag or a choice and shows another one: that was not done, whoever is to blame.

interface Written {
  readonly address: Address;
  readonly kind: Kind;
  readonly fields: FieldValues;
}

/** Nothing is called wrong before it was read once more, when what was written must show. Gives what tells most. */
export async function rereadIfWrong(run: Run, { address, kind, fields }: Written, live: Live): Promise<Live> {
  if (!hasAny(confirmFields(kind, fields, live).wrong)) return live;
  await waitUntilSettled(run, run.clock.now(), address, "The service shows another value than was sent");
  const sight = await observe(run, kind, live.parentId, live.id);
  return sight.sight === "found" ? { ...sight.live, fields: { ...live.fields, ...sight.live.fields } } : live;
}

export function failWrongValue(address: Address, sent: FieldValues, wrong: FieldValues): OperationResult {
  return endedWith(
    "failed",
    "verify",
    `${capital(nameOf(address))} is not as it was sent: ${describeWrong(sent, wrong)}.`,
    "Somebody may have changed it meanwhile, or the service has its own rule for this value: look at it in the dashboard, then run `ticketing plan`.",
  );
}

export function describeWrong(sent: FieldValues, wrong: FieldValues): string {
  return Object.entries(wrong)
    .map(
      ([field, shown]) =>
        `\`${field}\` is ${JSON.stringify(shown)} where ${JSON.stringify(sent[field] ?? null)} was sent`,
    )
    .join(", ");
}

const remembered = "It is remembered, and not sent again.";
const forgotten =
  "Without state nothing remembers that, so the next run may send it again: write it as the service keeps it, or keep state.";

/** Said once: from then on the other shape counts as equal. */
export function reportNormalized(
  run: Run,
  kind: Kind,
  address: Address,
  sent: FieldValues,
  returned: FieldValues,
): void {
  for (const [field, shown] of Object.entries(returned)) {
    const wished = sent[field] ?? null;
    // Markup around the same words, or another place for the same picture, is the service's own business.
    if (sameReading(formOf(kind, field), wished, shown)) continue;
    // Where they differ in what nobody may see, there is nothing to tell.
    if (maskUrls(JSON.stringify(shown)) === maskUrls(JSON.stringify(wished))) continue;
    const message = `${capital(nameOf(address))}: the service keeps \`${field}\` as ${JSON.stringify(shown)} where ${JSON.stringify(wished)} was sent.`;
    reportNotice(run, "kept-otherwise", address, message, run.unremembered ? forgotten : remembered);
  }
}

/** What need not be sent is as good as applied, unless the new object shows another value. */
export function appliedDefaults(run: Run, address: Address, live: Live): FieldValues {
  return Object.fromEntries(
    Object.entries(run.unsentOf(address)).filter(([field, value]) => {
      const shown = live.fields[field];
      return shown === undefined || sameValue(shown, value);
    }),
  );
}
