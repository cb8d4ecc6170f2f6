import type { KindName } from "../model/kind-name.ts";
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
