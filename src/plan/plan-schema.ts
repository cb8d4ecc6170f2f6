// The exact form of a saved plan, to the last member, because somebody else may have written the file.
import * as z from "zod";
import { isKindName } from "../kinds/index.ts";
import { uuidPattern } from "../model/address.ts";
import type { AnyCode, Diagnostic, Source } from "../model/diagnostic.ts";
import type { Mention, StateEntry } from "../model/live.ts";
import {
  type Block,
  type CallCost,
  type Change,
  type ClearingCall,
  type Compared,
  type Context,
  type Edit,
  type GuardChange,
  type Leftover,
  type Observed,
  type Operation,
  onceSoldCodes,
  type Plan,
  type PlannedPhase,
  planFormat,
  type Revision,
  type Summary,
  type Target,
  type Transition,
} from "../model/plan.ts";
import type { Fee } from "../model/value.ts";
import type { Upcoming } from "../model/wish.ts";

/** A member that the type or the schema lacks, or that differs in type, does not compile. */
type Members<Type> = { readonly [Member in keyof Required<Type>]: z.ZodType<Type[Member]> };

function strict<Type>(members: Members<Type>): z.ZodType<Type> {
  return z.strictObject(members) as unknown as z.ZodType<Type>;
}

const textSchema = z.string();
/** A plan of another version may hold codes that this one does not have. */
const codeSchema = z.custom<AnyCode>((code) => typeof code === "string");
const countSchema = z.int().nonnegative();
const idSchema = z.string().regex(uuidPattern, "is not an id");
const yesSchema = z.literal(true);
const valueSchema = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]);
const fieldsSchema = z.record(z.string(), valueSchema);
const referenceSchema = z.strictObject({ $id: textSchema });
const kindSchema = z.string().refine(isKindName, "is not a kind");
const eventStatusSchema = z.enum(["DRAFT", "PUBLISHED", "ARCHIVED"]);
const organizationSchema = z.strictObject({ id: textSchema, slug: textSchema });

const sourceSchema = strict<Source>({ file: textSchema, line: z.number(), column: z.number() });

const originSchema = z.enum(["edit", "unapplied", "phase", "drift"]);
const digestSchema = z.string().regex(/^[0-9a-f]{12}$/, "is not a digest");

const editSchema = strict<Edit>({
  path: z.string().regex(/^\/\w+$/, "is not the path of a field"),
  before: valueSchema,
  after: valueSchema,
  unreadable: yesSchema.optional(),
  sentAlong: yesSchema.optional(),
  origin: originSchema,
  digest: digestSchema,
  held: yesSchema.optional(),
});

const contextSchema = strict<Context>({
  name: textSchema.optional(),
  which: textSchema.optional(),
  eventName: textSchema.optional(),
  timezone: textSchema.optional(),
  status: eventStatusSchema.optional(),
  absorbFees: z.boolean().optional(),
  prices: z.array(z.strictObject({ name: textSchema, price: z.number() })).optional(),
  names: z.record(z.string(), textSchema).optional(),
  sold: z.union([z.number(), z.literal("some")]).optional(),
});

const changeSchema = strict<Change>({
  address: textSchema,
  kind: kindSchema,
  action: z.enum(["create", "update", "replace", "delete", "none"]),
  id: idSchema.nullable(),
  reason: textSchema,
  edits: z.array(editSchema),
  transition: strict<Transition>({
    from: eventStatusSchema.nullable(),
    to: z.enum(["DRAFT", "PUBLISHED", "ARCHIVED", "DELETED"]),
  }).nullable(),
  origin: originSchema.optional(),
  digest: digestSchema.optional(),
  held: yesSchema.optional(),
  blockedBy: z.array(
    strict<Block>({
      code: codeSchema,
      message: textSchema,
      hint: textSchema,
      plainHint: textSchema.optional(),
      yaml: textSchema.optional(),
    }),
  ),
  source: sourceSchema.nullable(),
  context: contextSchema.optional(),
  fees: z
    .array(
      strict<Fee>({
        ticket: textSchema.optional(),
        price: z.number(),
        commission: z.number(),
        absorbFees: z.boolean().nullable(),
      }),
    )
    .optional(),
  heldBack: z.enum(["change", "status"]).optional(),
});

const verbSchema = z.enum(["create", "update", "delete", "publish", "unpublish", "archive", "sold-out"]);
const methodSchema = z.enum(["POST", "PATCH", "DELETE"]);
const partBodySchema = z.record(z.string(), z.union([valueSchema, referenceSchema]));
const bodySchema = z.record(z.string(), z.union([valueSchema, referenceSchema, z.array(partBodySchema)]));

const operationSchema = strict<Operation>({
  id: textSchema,
  address: textSchema,
  verb: verbSchema,
  method: methodSchema,
  path: textSchema,
  body: bodySchema.optional(),
  needs: z.array(textSchema),
  because: textSchema,
  fallback: z.array(verbSchema).optional(),
  clearing: z
    .array(
      strict<ClearingCall>({
        address: textSchema,
        verb: verbSchema,
        method: methodSchema,
        path: textSchema,
        body: bodySchema.optional(),
      }),
    )
    .optional(),
});

const diagnosticSchema = strict<Diagnostic>({
  code: codeSchema,
  severity: z.enum(["error", "warning", "info"]),
  message: textSchema,
  hint: textSchema.optional(),
  plainHint: textSchema.optional(),
  address: textSchema.optional(),
  source: sourceSchema.optional(),
  related: z.array(z.strictObject({ message: textSchema, source: sourceSchema })).optional(),
});

const observedSchema = strict<Observed>({
  address: textSchema,
  kind: kindSchema,
  id: idSchema.nullable(),
  parentId: idSchema.nullable(),
  fields: fieldsSchema,
  status: eventStatusSchema.nullable(),
  lists: z.record(kindSchema, z.array(idSchema)).optional(),
  allow: z.array(textSchema),
  namesakes: z.array(idSchema).optional(),
  new: yesSchema.optional(),
  unsent: fieldsSchema.optional(),
  protected: yesSchema.optional(),
  former: idSchema.optional(),
  mentions: z
    .array(strict<Mention>({ id: idSchema, address: textSchema, target: textSchema.nullable().optional() }))
    .optional(),
});

const stateEntrySchema = strict<StateEntry>({
  kind: kindSchema,
  id: idSchema,
  applied: fieldsSchema,
  returned: fieldsSchema.optional(),
  unknown: fieldsSchema.optional(),
  uncleared: fieldsSchema.optional(),
  unconfirmed: z.array(fieldsSchema).optional(),
  carried: fieldsSchema.optional(),
  named: fieldsSchema.optional(),
  former: idSchema.optional(),
  partial: yesSchema.optional(),
  protected: yesSchema.optional(),
  madeAt: textSchema.optional(),
  secretName: textSchema.optional(),
});

const summarySchema = strict<Summary>({
  create: countSchema,
  update: countSchema,
  replace: countSchema,
  delete: countSchema,
  publish: countSchema,
  unpublish: countSchema,
  archive: countSchema,
  soldOut: countSchema,
  unchanged: countSchema,
  blocked: countSchema,
  unmanaged: countSchema.nullable(),
});

const commitSchema = z.string().regex(/^[0-9a-f]{40,64}$/, "is not a commit");

export const planSchema = strict<Plan>({
  formatVersion: z.literal(planFormat),
  tool: z.strictObject({ name: z.literal("ticketing"), version: textSchema }),
  createdAt: textSchema,
  target: strict<Target>({ environment: textSchema, baseUrl: textSchema, organization: organizationSchema.nullable() }),
  changes: z.array(changeSchema),
  operations: z.array(operationSchema),
  held: z.array(changeSchema).optional(),
  already: z.array(changeSchema).optional(),
  unseen: z.array(changeSchema).optional(),
  guards: z
    .array(
      strict<GuardChange>({
        setting: z.enum(["allow", "maxDeletes", "review.unreviewed", "state", "protected"]),
        event: textSchema.optional(),
        value: textSchema,
        digest: digestSchema,
        held: yesSchema.optional(),
      }),
    )
    .optional(),
  leftovers: z
    .array(strict<Leftover>({ address: textSchema, id: idSchema, why: textSchema, once: textSchema.optional() }))
    .optional(),
  diagnostics: z.array(diagnosticSchema),
  summary: summarySchema,
  compared: strict<Compared>({
    base: textSchema.nullable(),
    events: countSchema,
    ofEvents: countSchema,
    removed: countSchema,
    webhooks: z.boolean(),
    webhooksUnread: yesSchema.optional(),
  }).optional(),
  upcoming: z.array(
    strict<PlannedPhase>({
      at: textSchema,
      address: textSchema,
      type: z.enum(["phase", "phase-end"]),
      phase: textSchema.nullable(),
      fields: z.array(textSchema),
      changes: z.array(changeSchema).optional(),
      blockedOnceSold: z.array(z.enum(onceSoldCodes)).optional(),
      context: strict<NonNullable<Upcoming["context"]>>({
        name: textSchema.optional(),
        timezone: textSchema.optional(),
        status: textSchema.optional(),
      }).optional(),
    }),
  ),
  documents: z.record(textSchema, digestSchema).optional(),
  calls: strict<CallCost>({ reads: countSchema, writes: countSchema, estimateSeconds: z.number() }),
  observed: z.array(observedSchema),
  matched: z.record(z.string(), stateEntrySchema).optional(),
  forgotten: z.array(textSchema).optional(),
  revision: strict<Revision>({
    head: commitSchema.nullable(),
    dirty: z.boolean(),
    base: commitSchema.nullable(),
    applied: commitSchema.nullable(),
  })
    .nullable()
    .optional(),
  whole: yesSchema.optional(),
  shard: z.templateLiteral([z.number(), "/", z.number()]).optional(),
  fingerprint: textSchema,
  signature: textSchema.optional(),
});
