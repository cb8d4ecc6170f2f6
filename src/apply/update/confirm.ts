// What became of the fields that were sent: confirmed, normalized by the service, wrong, not cleared, or not shown.
import type { Kind } from "../../kinds/define.ts";
import { canonical, isRewritable, sameValue } from "../../kinds/index.ts";
import type { Address } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import { isCleared, maskUrls, sentenceCase } from "../../model/value.ts";
import type { FieldValues } from "../journal/journal-entry.ts";
import { formOf, sameReading } from "../run/compare-live.ts";
import { observe } from "../run/observe.ts";
import { describeAddress, reportNotice } from "../run/outcomes.ts";
import { done, endedWith, type OperationResult, type Run, waitUntilSettled } from "../run/run-context.ts";

export interface Confirmation {
  /** Shown in another form than was sent, where the service may have its own. */
  readonly returned: FieldValues;
  /** Shown with another value than was sent: a number, a time or a choice has no other form. */
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
      if (isCleared(value)) uncleared.push(field);
      // Each entry of a list may be written in another way, but their number is the same.
      else if (isRewritable(formOf(kind, field)) && [value].flat().length === [shown].flat().length)
        returned[field] = shown;
      else wrong[field] = shown;
    }
  }
  return { returned, wrong, uncleared, unshown };
}

export function isConfirmed({ returned, wrong, uncleared }: Confirmation): boolean {
  return uncleared.length === 0 && !hasAny(returned) && !hasAny(wrong);
}

export function missingOf(kind: Kind, sent: FieldValues, live: Live): FieldValues {
  const { returned, wrong, uncleared, unshown } = confirmFields(kind, sent, live);
  return pick(sent, [...Object.keys(returned), ...Object.keys(wrong), ...uncleared, ...unshown]);
}

export function hasAny(fields: FieldValues): boolean {
  return Object.keys(fields).length > 0;
}

export function pick(fields: FieldValues, names: readonly string[]): FieldValues {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => names.includes(field)));
}

interface WrittenFields {
  readonly address: Address;
  readonly kind: Kind;
  readonly fields: FieldValues;
}

/** Remembers what a new object shows of what was sent. `madeAt`: of one created with its parent, by no call of its own. */
export async function confirmCreated(
  run: Run,
  written: WrittenFields,
  live: Live,
  madeAt?: string,
): Promise<OperationResult> {
  const { address, kind, fields } = written;
  // What need not be sent, because a new object has it by default, must be there all the same.
  const wished = { ...run.unsentOf(address), ...fields };
  const first = confirmNew(kind, wished, live);
  const shown = hasAny(first.wrong) ? await observeSettled(run, written, live) : live;
  const { returned, wrong } = shown === live ? first : confirmNew(kind, wished, shown);
  const defaults = serviceDefaults(run, address, shown);
  if (madeAt === undefined && ![returned, wrong, defaults].some(hasAny)) return done;
  run.journal.learn({
    address,
    kind: kind.name,
    id: live.id,
    fields: { ...defaults, ...pick(wished, Object.keys(returned)), ...fields },
    ...(hasAny(returned) ? { returned } : {}),
    ...(hasAny(wrong) ? { wrong: Object.keys(wrong) } : {}),
    ...(madeAt === undefined ? {} : { madeAt }),
  });
  reportNormalized(run, kind, address, fields, returned);
  return hasAny(wrong) ? failWrongValue(address, wished, wrong) : done;
}

/** A field that was left empty may come with a value of the service's own. An update can clear it; a replacement would have it again. */
function confirmNew(kind: Kind, wished: FieldValues, live: Live): Pick<Confirmation, "returned" | "wrong"> {
  const { returned, wrong, uncleared } = confirmFields(kind, wished, live);
  const given = pick(live.fields, uncleared);
  return kind.endpoints.patch
    ? { returned, wrong: { ...wrong, ...given } }
    : { returned: { ...returned, ...given }, wrong };
}

/** No value is called wrong before it was read once more, after the settle time. */
async function observeSettled(run: Run, { address, kind }: WrittenFields, live: Live): Promise<Live> {
  await waitUntilSettled(run, run.clock.now(), address, "The service shows another value than was sent");
  const observed = await observe(run, kind, live.parentId, live.id);
  if (observed.outcome !== "found") return live;
  return { ...observed.live, fields: { ...live.fields, ...observed.live.fields } };
}

/** What need not be sent counts as applied, unless the new object shows another value. */
function serviceDefaults(run: Run, address: Address, live: Live): FieldValues {
  return Object.fromEntries(
    Object.entries(run.unsentOf(address)).filter(([field, value]) => {
      const shown = live.fields[field];
      return shown === undefined || sameValue(shown, value);
    }),
  );
}

/** The service accepted a number, a time, a flag or a choice and shows another one. */
export function failWrongValue(address: Address, sent: FieldValues, wrong: FieldValues): OperationResult {
  return endedWith(
    "failed",
    "verify",
    `${sentenceCase(describeAddress(address))} is not as it should be: ${describeWrong(sent, wrong)}.`,
    "Somebody else may have changed it, or the service has its own rule for this value: check it in the dashboard, then run `ticketing plan`.",
  );
}

export function describeWrong(sent: FieldValues, wrong: FieldValues): string {
  const quote = (value: FieldValues[string] | undefined) => JSON.stringify(value ?? null);
  return Object.entries(wrong)
    .map(([field, shown]) => `\`${field}\` is ${quote(shown)}, but should be ${quote(sent[field])}`)
    .join(", ");
}

const remembered = "It is remembered, and not sent again.";
const forgotten =
  "Without state this is not remembered, so the next run may send it again: write it as the service keeps it, or keep state.";

/** Reported once: from then on the service's form counts as equal. */
export function reportNormalized(
  run: Run,
  kind: Kind,
  address: Address,
  sent: FieldValues,
  returned: FieldValues,
): void {
  for (const [field, shown] of Object.entries(returned)) {
    const wished = sent[field] ?? null;
    // Markup around the same words, or another host for the same picture, is the service's own business.
    if (sameReading(formOf(kind, field), wished, shown)) continue;
    // A difference only in what is masked cannot be shown.
    if (maskUrls(JSON.stringify(shown)) === maskUrls(JSON.stringify(wished))) continue;
    const message = `${sentenceCase(describeAddress(address))}: the service keeps \`${field}\` as ${JSON.stringify(shown)}; ${wished === null ? "it was left empty" : `${JSON.stringify(wished)} was sent`}.`;
    reportNotice(run, "normalized", address, message, run.unremembered ? forgotten : remembered);
  }
}
