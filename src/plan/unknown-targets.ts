import { type Address, decodeSegment } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { suggest } from "../model/suggest.ts";
import { targetFilter } from "./targets.ts";

/** Targets that name nothing: a slip of the pen must not look like "nothing to do". */
export function unknownTargets(targets: readonly string[], addresses: readonly Address[]): readonly Diagnostic[] {
  return targets.flatMap((target) => {
    const isTargeted = targetFilter([target]);
    if (addresses.some(isTargeted)) return [];
    const near = addresses.find((address) => isMeantBy(target, address)) ?? suggest(target, addresses) ?? undefined;
    return [
      {
        code: "unknown-target",
        severity: "error",
        message: `--target ${target} names nothing in the files or on the service.`,
        hint:
          near === undefined
            ? "An address looks like events/<key> or events/<key>/tickets/<name>; `ticketing state list` and every plan show them."
            : `Did you mean ${near}?`,
      },
    ];
  });
}

/** The last part of an address alone, or with other capitals. */
function isMeantBy(target: string, address: Address): boolean {
  const wanted = target.toLowerCase();
  const whole = address.toLowerCase();
  return whole === wanted || whole.endsWith(`/${wanted}`) || decodeSegment(whole).endsWith(`/${wanted}`);
}
