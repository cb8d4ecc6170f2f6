import { kindOf } from "../kinds/index.ts";
import { type Address, decodeSegment, encodeSegment } from "../model/address.ts";
import type { Change } from "../model/change.ts";
import { safeText } from "./safe-text.ts";

/** What a person calls the object of a change, with its number where another one has the same name. */
export function nameOfChange(change: Change): string {
  const segment = lastSegment(change.address);
  const label = change.edits.find((edit) => edit.path === `/${kindOf(change.kind).identity.label}`)?.after;
  const name = change.context?.name ?? (typeof label === "string" ? label : null);
  if (name === null) return nameInAddress(change.address);
  const number = segment.startsWith(`${encodeSegment(name)}#`) ? segment.slice(segment.lastIndexOf("#")) : "";
  return safeText(number === "" ? name : `${name} ${number}`);
}

/** The name that an address ends in. */
export function nameInAddress(address: Address): string {
  return safeText(decodeSegment(lastSegment(address)));
}

function lastSegment(address: Address): string {
  return address.slice(address.lastIndexOf("/") + 1);
}
