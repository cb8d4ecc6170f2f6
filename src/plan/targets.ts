// `--target`: an address takes what is below it; `*` stands for any run of characters.
import type { Address } from "../model/address.ts";

export type IsTargeted = (address: Address) => boolean;

export function targetFilter(targets: readonly string[]): IsTargeted {
  if (targets.length === 0) return () => true;
  const patterns = targets.map(patternOf);
  return (address) => patterns.some((pattern) => pattern.test(address));
}

/** Accents as addresses have them: a terminal or a file system may put them together in another way. */
function patternOf(target: string): RegExp {
  const written = target.normalize("NFC").replace(/\/+$/, "");
  return new RegExp(`^${written.split("*").map(literal).join(".*")}(?:/.*)?$`, "su");
}

/** Whether an event must be looked at: it or something below it is a target. */
export function eventFilter(targets: readonly string[]): IsTargeted {
  const whole = targetFilter(targets);
  return (address) =>
    whole(address) ||
    targets.some((target) => {
      const [list, key] = target.split("/");
      return list !== undefined && key !== undefined && targetFilter([`${list}/${key}`])(address);
    });
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
