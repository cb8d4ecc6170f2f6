// `--target`: an address takes what is below it; `*` stands for any run of characters.
import type { Address } from "../model/address.ts";
import { hasGaps } from "../model/wildcard.ts";

export type IsTargeted = (address: Address) => boolean;

export function targetFilter(targets: readonly string[]): IsTargeted {
  if (targets.length === 0) return () => true;
  const patterns = targets.map(patternOf);
  return (address) => patterns.some((isMeant) => isMeant(address));
}

/** Accents as addresses have them: a terminal or a file system may put them together in another way. */
function patternOf(target: string): IsTargeted {
  const parts = target
    .normalize("NFC")
    .replace(/(?<!\/)\/+$/, "")
    .split("*");
  const below = [...parts.slice(0, -1), `${parts.at(-1)}/`, ""];
  return (address) => hasGaps(address, parts, 0) || hasGaps(address, below, 0);
}

/** Whether an event must be looked at: it or something below it is a target. */
export function eventFilter(targets: readonly string[]): IsTargeted {
  const whole = targetFilter(targets);
  const events = targets.flatMap((target) => {
    const [list, key] = target.split("/");
    return list === undefined || key === undefined ? [] : [patternOf(`${list}/${key}`)];
  });
  return (address) => whole(address) || events.some((isMeant) => isMeant(address));
}
