import { brand } from "./objects/brand.ts";
import { event } from "./objects/event.ts";
import { performer } from "./objects/performer.ts";
import { schedule } from "./objects/schedule.ts";
import { ticket } from "./objects/ticket.ts";
import { webhook } from "./objects/webhook.ts";
import { makeRegistry } from "./registry.ts";

/** Every kind, parents before children, and kinds before those that refer to them. */
export const { kinds, kindOf, isKindName, soldKind, childKinds, isFamilyHead, isInFamily, listPath, kindOfAddress } =
  makeRegistry([event, ticket, performer, schedule, brand, webhook]);

export { adviceByChoice, adviceFor, generalAdvice } from "./fields/advice.ts";
export {
  canonical,
  hasAppliedStatus,
  isRewritable,
  linesWithoutMarkup,
  normalUrl,
  sameMeaning,
  sameValue,
  showsApplied,
  showsSame,
  showsWish,
  withoutMarkup,
} from "./fields/canonical.ts";
export {
  compositionSchema,
  compositionSynonyms,
  fieldOrder,
  schemaWithout,
  templateSchema,
} from "./fields/composition.ts";

export { choice, described, projectAllowField, titleOf } from "./fields/field-schemas.ts";

export {
  amountOf,
  areOfTypes,
  fieldEntries,
  orderStatus,
  perKind,
  readRecord,
  sentName,
  serviceDefaultOf,
  soldByInventory,
  ticketsInOrders,
  unnamedRecord,
} from "./fields/read-record.ts";

export { parentAddress } from "./registry.ts";
export { howToAcceptRemoval } from "./rules/event-rules.ts";
