import type { Kind } from "./define.ts";
import { isThere } from "./read-record.ts";

export interface Unnamed {
  readonly message: string;
  readonly hint: string;
}

/** Why a record that cannot be read cannot be spoken of in a call; null where it shows that there is nothing. What is there must not pass for missing. */
export function unnamedRecord(kind: Kind, record: unknown): Unnamed | null {
  if (!isThere(record)) return null;
  const name = record[kind.identity.label];
  const what = typeof name === "string" ? `the ${kind.name} '${name}'` : `a record among ${kind.plural}`;
  const id = record.id === undefined ? "without an id" : `with the id ${JSON.stringify(record.id)}, which is no UUID`;
  return {
    message: `The service shows ${what} ${id}, so nothing can be said about it in a call.`,
    hint: "The reading stopped here, so that nothing is taken for missing and made twice. Check that baseUrl names the ticketing service, version 1 (it ends in /open-api/v1).",
  };
}
