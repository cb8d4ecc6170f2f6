// What an object shows of what was sent: confirmed, normalized by the service, wrong, or ignored.
import type { Kind } from "../../kinds/define.ts";
import { sameValue } from "../../kinds/index.ts";
import type { Address } from "../../model/address.ts";
import type { Live } from "../../model/live.ts";
import type { Value } from "../../model/value.ts";
import type { FieldValues } from "../journal/journal-entry.ts";
import {
  type Confirmation,
  confirmFields,
  formOf,
  hasAny,
  isFormerValue,
  pick,
  sameReading,
} from "../run/compare-live.ts";
import { observe } from "../run/observe.ts";
import { failWrongValue, reportNormalized } from "../run/outcomes.ts";
import { done, type OperationResult, type Run, waitUntilSettled } from "../run/run-context.ts";

interface WrittenFields {
  readonly address: Address;
  readonly kind: Kind;
  readonly fields: FieldValues;
}

/** Remembers what a new object shows of what was sent. `madeAt`: for one created with its parent, without its own call. */
export async function confirmCreated(
  run: Run,
  written: WrittenFields,
  live: Live,
  madeAt?: string,
): Promise<OperationResult> {
  const { address, kind, fields } = written;
  // Fields that need not be sent, because a new object has them by default, must still be there.
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
  return hasAny(wrong) ? failWrongValue(run, address, wished, wrong) : done;
}

/** A field that was left empty may get a value from the service. An update can clear it; a replacement would have it again. */
function confirmNew(kind: Kind, wished: FieldValues, live: Live): Pick<Confirmation, "returned" | "wrong"> {
  const { returned, wrong, uncleared } = confirmFields(kind, wished, live);
  const given = pick(live.fields, uncleared);
  return kind.endpoints.patch
    ? { returned, wrong: { ...wrong, ...given } }
    : { returned: { ...returned, ...given }, wrong };
}

/** No value is called wrong before it was read once more, after the settle time. */
async function observeSettled(run: Run, { address, kind }: WrittenFields, live: Live): Promise<Live> {
  await waitUntilSettled(run, run.clock.now(), address, "The service shows a different value than was sent");
  const observed = await observe(run, kind, live.parentId, live.id);
  if (observed.outcome !== "found") return live;
  return { ...observed.live, fields: { ...live.fields, ...observed.live.fields } };
}

/** A field that need not be sent counts as applied, unless the new object shows another value. */
function serviceDefaults(run: Run, address: Address, live: Live): FieldValues {
  return Object.fromEntries(
    Object.entries(run.unsentOf(address)).filter(([field, value]) => {
      const shown = live.fields[field];
      return shown === undefined || sameValue(shown, value);
    }),
  );
}

/**
 * Whether the service ignored the change of a text and shows what was applied before, as it was sent then: only state shows it. Any other
 * former value may be the service's own form, of both texts. So may any picture, because services copy pictures, also to one place.
 */
export function isIgnored(run: Run, { address, kind, fields }: WrittenFields, field: string, shown: Value): boolean {
  const [form, sent, applied] = [formOf(kind, field), fields[field] ?? null, run.appliedBefore(address)[field]];
  const policy = kind.fields[field];
  const isPicture = policy?.role === "value" && policy.leadsTo === "image";
  if (isPicture || applied === undefined || !sameReading(form, applied, shown)) return false;
  return run
    .editsOf(address)
    .some(({ path, before }) => path === `/${field}` && isFormerValue(form, sent, shown, before));
}

/** What was applied before of fields that the service shows unchanged: it stays applied, so that the next plan and run see the change again. */
export function stillApplied(run: Run, kind: Kind, address: Address, shown: FieldValues): FieldValues {
  const before = run.appliedBefore(address);
  const isSo = (field: string) => {
    const [one, other] = [before[field], shown[field]];
    return one !== undefined && other !== undefined && sameReading(formOf(kind, field), one, other);
  };
  return pick(before, Object.keys(shown).filter(isSo));
}
