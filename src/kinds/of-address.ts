import type { Address } from "../model/address.ts";
import type { Kind } from "./define.ts";
import { kinds } from "./index.ts";

/** The kind of the object that an address names. */
export function kindOfAddress(address: Address): Kind {
  const segments = address.split("/");
  const plural = segments[segments.length - 2];
  const found = kinds.find((kind) => kind.plural === plural);
  if (found === undefined) throw new Error(`'${address}' is the address of no kind of object`);
  return found as unknown as Kind;
}

/** The address of the object that this one belongs to; null at the top. */
export function parentAddress(address: Address): Address | null {
  const segments = address.split("/");
  return segments.length > 2 ? segments.slice(0, -2).join("/") : null;
}
