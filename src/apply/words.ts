// Words about objects, for people.
import { kindOfAddress, parentAddress } from "../kinds/of-address.ts";
import { type Address, decodeSegment } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Run } from "./run.ts";

/** "the ticket type 'VIP' of 'manila-nights'" */
export function nameOf(address: Address): string {
  const own = decodeSegment(address.slice(address.lastIndexOf("/") + 1));
  const parent = parentAddress(address);
  const below = parent === null ? "" : ` of '${decodeSegment(parent.slice(parent.lastIndexOf("/") + 1))}'`;
  return `the ${kindWords[kindOfAddress(address).name]} '${own}'${below}`;
}

const kindWords = {
  event: "event",
  ticket: "ticket type",
  performer: "performer",
  schedule: "schedule entry",
  brand: "brand",
  webhook: "webhook",
} as const;

export function tellRecovery(run: Run, address: Address, what: string): void {
  run.note({ code: "recovered", severity: "info", message: `${capital(nameOf(address))} ${what}.`, address });
}

export function tellNotice(run: Run, code: string, address: Address, message: string, hint?: string): void {
  const note: Diagnostic = { code, severity: "info", message, address, ...(hint === undefined ? {} : { hint }) };
  run.note(note);
}

export function tellWarning(run: Run, code: string, address: Address, message: string, hint: string): void {
  run.note({ code, severity: "warning", message, hint, address });
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
