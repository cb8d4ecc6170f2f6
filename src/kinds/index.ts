import type { Address, KindName } from "../model/address.ts";
import { brand } from "./brand.ts";
import type { Kind } from "./define.ts";
import { event } from "./event.ts";
import { performer } from "./performer.ts";
import { schedule } from "./schedule.ts";
import { ticket } from "./ticket.ts";
import { webhook } from "./webhook.ts";

/** Every kind, parents before children, and what is referred to before what refers to it. */
export const kinds = [event, ticket, performer, schedule, brand, webhook] as const;

const byName = Object.fromEntries(kinds.map((kind) => [kind.name, kind])) as unknown as Readonly<
  Record<KindName, Kind>
>;

export function kindOf(name: KindName): Kind {
  return byName[name];
}

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

export { canonical, isRewritable, sameText, sameValue, showsWish, withoutMarkup } from "./fields/canonical.ts";

export { eventJsonSchema, type JsonSchema, projectJsonSchema, webhooksJsonSchema } from "./fields/json-schema.ts";

export { amountOf, fieldEntries, readRecord, sentName, ticketsInOrders, unnamedRecord } from "./fields/read-record.ts";

export { riskCodes } from "./fields/verdicts.ts";
