import type { Address } from "../model/address.ts";
import type { Kind } from "./define.ts";
import { kinds } from "./index.ts";

const byPlural = new Map(kinds.map((kind) => [kind.plural as string, kind as unknown as Kind]));

/** The kind of the object that an address names. */
export function kindOfAddress(address: Address): Kind {
  const end = address.lastIndexOf("/");
  const found = byPlural.get(address.slice(address.lastIndexOf("/", end - 1) + 1, end));
  if (found === undefined) throw new Error(`'${address}' is the address of no kind of object`);
  return found;
}

/** The address of the object that this one belongs to; null at the top. */
export function parentAddress(address: Address): Address | null {
  const end = address.lastIndexOf("/", address.lastIndexOf("/") - 1);
  return end === -1 ? null : address.slice(0, end);
}
