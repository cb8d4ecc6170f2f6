// What a saved plan looks like, to the last member: a file that somebody else may have written is read under it.
import * as z from "zod";
import { kinds } from "../kinds/index.ts";
import { uuidPattern } from "../model/address.ts";
import type * as diagnostic from "../model/diagnostic.ts";
import type * as source from "../model/diagnostic.ts";
import type * as state from "../model/live.ts";
import type * as change from "../model/plan.ts";
import type * as operation from "../model/plan.ts";
import type * as plan from "../model/plan.ts";

/** A member of the type without one in the schema, or the other way round, does not compile. */
type Members<Type> = { readonly [Member in keyof Required<Type>]: z.ZodType };

function strict<Type>(members: Members<Type>) {
  return z.strictObject(members);
}

const Text = z.string();
const Count = z.int().nonnegative();
const Id = z.string().regex(uuidPattern, "is not an id");
const Yes = z.literal(true);
const Value = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]);
const Fields = z.record(z.string(), Value);
const Reference = z.strictObject({ $id: Text });
const Kind = z.enum(kinds.map(({ name }) => name));
const EventStatus = z.enum(["DRAFT", "PUBLISHED", "ARCHIVED"]);
const Organization = z.strictObject({ id: Text, slug: Text });

const Source = strict<source.Source>({ file: Text, line: z.number(), column: z.number() });

const Edit = strict<change.Edit>({
  path: z.string().regex(/^\/\w+$/, "is not the path of a field"),
  before: Value,
  after: Value,
  unreadable: Yes.optional(),
  label: z.enum(["edit", "drift"]).optional(),
});

const Context = strict<change.Context>({
  name: Text.optional(),
  eventName: Text.optional(),
  timezone: Text.optional(),
  status: EventStatus.optional(),
  absorbFees: z.boolean().optional(),
  prices: z.array(z.strictObject({ name: Text, price: z.number() })).optional(),
  names: z.record(z.string(), Text).optional(),
  sold: z.union([z.number(), z.literal("some")]).optional(),
});

const Change = strict<change.Change>({
  address: Text,
  kind: Kind,
  action: z.enum(["create", "update", "replace", "delete", "none"]),
  id: Id.nullable(),
  reason: Text,
  edits: z.array(Edit),
  transition: strict<change.Transition>({
    from: EventStatus.nullable(),
    to: z.enum(["DRAFT", "PUBLISHED", "ARCHIVED", "DELETED"]),
  }).nullable(),
  blockedBy: z.array(strict<change.Block>({ code: Text, message: Text, hint: Text })),
  source: Source.nullable(),
  context: Context.optional(),
  fees: z
    .array(
      strict<change.Fee>({
        ticket: Text.optional(),
        price: z.number(),
        commission: z.number(),
        absorbFees: z.boolean().nullable(),
      }),
    )
    .optional(),
  heldBack: z.enum(["change", "status"]).optional(),
});

const Verb = z.enum(["create", "update", "delete", "publish", "unpublish", "archive", "sold-out"]);
const Method = z.enum(["POST", "PATCH", "DELETE"]);
const PartBody = z.record(z.string(), z.union([Value, Reference]));
const Body = z.record(z.string(), z.union([Value, Reference, z.array(PartBody)]));

const Operation = strict<operation.Operation>({
  id: Text,
  address: Text,
  verb: Verb,
  method: Method,
  path: Text,
  body: Body.optional(),
  needs: z.array(Text),
  because: Text,
  fallback: z.array(Verb).optional(),
  clearing: z
    .array(
      strict<operation.ClearingCall>({
        address: Text,
        verb: Verb,
        method: Method,
        path: Text,
        body: Body.optional(),
      }),
    )
    .optional(),
});

const Diagnostic = strict<diagnostic.Diagnostic>({
  code: Text,
  severity: z.enum(["error", "warning", "info"]),
  message: Text,
  hint: Text.optional(),
  address: Text.optional(),
  source: Source.optional(),
  related: z.array(z.strictObject({ message: Text, source: Source })).optional(),
});

const Seen = strict<plan.Observed>({
  address: Text,
  kind: Kind,
  id: Id.nullable(),
  parentId: Id.nullable(),
  fields: Fields,
  status: EventStatus.nullable(),
  lists: z.partialRecord(Kind, z.array(Id)).optional(),
  allow: z.array(Text),
  namesakes: z.array(Id).optional(),
  new: Yes.optional(),
  unsent: Fields.optional(),
  protected: Yes.optional(),
  former: Id.optional(),
  mentions: z.array(strict<plan.Mention>({ id: Id, address: Text, target: Text.nullable().optional() })).optional(),
});

const StateEntry = strict<state.StateEntry>({
  kind: Kind,
  id: Id,
  applied: Fields,
  returned: Fields.optional(),
  unknown: Fields.optional(),
  uncleared: Fields.optional(),
  partial: Yes.optional(),
  protected: Yes.optional(),
  madeAt: Text.optional(),
});

const Summary = strict<plan.Summary>({
  create: Count,
  update: Count,
  replace: Count,
  delete: Count,
  publish: Count,
  unpublish: Count,
  archive: Count,
  soldOut: Count,
  unchanged: Count,
  blocked: Count,
  unmanaged: Count.nullable(),
});

export const Plan = strict<plan.Plan>({
  formatVersion: z.literal(1),
  tool: z.strictObject({ name: z.literal("ticketing"), version: Text }),
  createdAt: Text,
  target: strict<plan.Target>({ environment: Text, baseUrl: Text, organization: Organization.nullable() }),
  changes: z.array(Change),
  operations: z.array(Operation),
  diagnostics: z.array(Diagnostic),
  summary: Summary,
  compared: strict<plan.Compared>({
    base: Text.nullable(),
    events: Count,
    ofEvents: Count,
    removed: Count,
    webhooks: z.boolean(),
    webhooksUnseen: Yes.optional(),
  }).optional(),
  calls: strict<plan.CallCost>({ reads: Count, writes: Count, estimateSeconds: z.number() }),
  seen: z.array(Seen),
  matched: z.record(z.string(), StateEntry).optional(),
  forgotten: z.array(Text).optional(),
  revision: strict<plan.Revision>({ base: z.string().regex(/^[0-9a-f]{40,64}$/, "is not a commit") }).optional(),
  fingerprint: Text,
  signature: Text.optional(),
});
