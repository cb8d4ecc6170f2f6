// The plan as its readers in CI know it: every key and every type, and what the parts say about each other.

import { expect } from "vitest";
import * as z from "zod";
import type { Plan as PlanValue } from "../../src/model/plan.ts";
import { alterationsOf } from "../../src/plan/alterations.ts";
import { planSchema } from "../../src/plan/plan-schema.ts";

const address = z.string().regex(/^(events|webhooks)\/.+/);
const value = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]);
const source = z.strictObject({ file: z.string().min(1), line: z.int().min(1), column: z.int().min(1) });
const status = z.enum(["DRAFT", "PUBLISHED", "ARCHIVED"]);
const kind = z.enum(["event", "ticket", "performer", "schedule", "brand", "webhook"]);
const words = z.string().min(1);
const code = z.string().regex(/^[a-z]+(-[a-z]+)*$|^[A-Z_]+$/);
const count = z.int().min(0);
const instant = z.iso.datetime({ precision: 3 });

const origin = z.enum(["edit", "unapplied", "phase", "drift"]);
const digest = z.string().regex(/^[0-9a-f]{12}$/);

const change = z.strictObject({
  address,
  kind,
  action: z.enum(["create", "update", "replace", "delete", "none"]),
  id: z.uuid().nullable(),
  reason: words,
  edits: z.array(
    z.strictObject({
      path: z.string().regex(/^\/\w+$/),
      before: value,
      after: value,
      unreadable: z.literal(true).optional(),
      sentAlong: z.literal(true).optional(),
      origin,
      digest,
    }),
  ),
  transition: z.strictObject({ from: status.nullable(), to: z.enum([...status.options, "DELETED"]) }).nullable(),
  origin: origin.optional(),
  digest: digest.optional(),
  blockedBy: z.array(
    z.strictObject({
      code,
      message: words,
      hint: words,
      plainHint: z.string().optional(),
      yaml: words.optional(),
    }),
  ),
  source: source.nullable(),
  context: z
    .strictObject({
      name: words,
      which: words,
      eventName: words,
      timezone: words,
      status,
      absorbFees: z.boolean(),
      prices: z.array(z.strictObject({ name: words, price: z.number() })),
      names: z.record(z.string(), words),
      sold: z.union([count, z.literal("some")]),
    })
    .partial()
    .optional(),
  fees: z
    .array(
      z.strictObject({
        ticket: words.optional(),
        price: z.number(),
        commission: z.number(),
        absorbFees: z.boolean().nullable(),
      }),
    )
    .optional(),
  heldBack: z.enum(["change", "status"]).optional(),
});

const verb = z.enum(["create", "update", "delete", "publish", "unpublish", "archive", "sold-out"]);
const bodyValue = z.union([value, z.strictObject({ $id: address })]);
const fields = z.record(z.string(), bodyValue);
const body = z.record(z.string(), z.union([bodyValue, z.array(fields)]));
const call = { address, verb, method: z.enum(["POST", "PATCH", "DELETE"]), path: z.string().regex(/^\/\w/) };

const operation = z.strictObject({
  id: z.string().regex(/^[1-9]\d*$/),
  ...call,
  body: body.optional(),
  needs: z.array(z.string()),
  because: address,
  fallback: z.array(verb).optional(),
  clearing: z.array(z.strictObject({ ...call, body: body.optional() })).optional(),
});

const diagnostic = z.strictObject({
  code,
  severity: z.enum(["error", "warning", "info"]),
  message: words,
  hint: words.optional(),
  plainHint: z.string().optional(),
  address: address.optional(),
  source: source.optional(),
  related: z.array(z.strictObject({ message: words, source })).optional(),
});

const plan = z.strictObject({
  formatVersion: z.literal(1),
  tool: z.strictObject({ name: z.literal("ticketing"), version: words }),
  createdAt: instant,
  target: z.strictObject({
    environment: words,
    baseUrl: z.string(),
    organization: z.strictObject({ id: z.uuid(), slug: words }).nullable(),
  }),
  changes: z.array(change),
  operations: z.array(operation),
  already: z.array(change).optional(),
  unseen: z.array(change).optional(),
  guards: z
    .array(
      z.strictObject({
        setting: z.enum(["allow", "maxDeletes", "review.unreviewed", "state", "protected"]),
        event: address.optional(),
        value: words,
        digest,
      }),
    )
    .optional(),
  leftovers: z.array(z.strictObject({ address, id: z.uuid(), why: words, once: words.optional() })).optional(),
  diagnostics: z.array(diagnostic),
  summary: z.strictObject({
    create: count,
    update: count,
    replace: count,
    delete: count,
    publish: count,
    unpublish: count,
    archive: count,
    soldOut: count,
    unchanged: count,
    blocked: count,
    unmanaged: count.nullable(),
  }),
  compared: z
    .strictObject({
      base: words.nullable(),
      events: count,
      ofEvents: count,
      removed: count,
      webhooks: z.boolean(),
      webhooksUnread: z.literal(true).optional(),
    })
    .optional(),
  documents: z.record(z.string(), z.string().regex(/^[0-9a-f]{12}$/)).optional(),
  upcoming: z.array(
    z.strictObject({
      at: instant,
      address,
      type: z.enum(["phase", "phase-end"]),
      phase: words.nullable(),
      fields: z.array(z.string().startsWith("/")),
      changes: z.array(change).optional(),
      context: z.record(z.string(), words).optional(),
    }),
  ),
  calls: z.strictObject({ reads: count, writes: count, estimateSeconds: z.number().min(0) }),
  observed: z.array(z.record(z.string(), z.unknown())),
  matched: z.record(address, z.record(z.string(), z.unknown())).optional(),
  forgotten: z.array(address).optional(),
  revision: z.record(z.string(), z.unknown()).nullable(),
  fingerprint: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  shard: z
    .string()
    .regex(/^[1-9]\d*\/[1-9]\d*$/)
    .optional(),
  signature: z.string().optional(),
});

/** Holds a plan, as `--format json` prints it, to what readers count on. */
export function expectPlanShape(json: string): void {
  expectUnaltered(json);
  const { changes, operations, summary, calls, ...rest } = plan.parse(JSON.parse(json));
  const blocked = changes.filter((one) => one.blockedBy.length > 0);
  const open = changes.filter((one) => one.blockedBy.length === 0);
  const verbs = (name: string) => operations.filter((one) => one.verb === name).length;

  expect(new Set(changes.map((one) => one.address)).size).toBe(changes.length);
  for (const one of changes) {
    expect(one.id === null, `${one.action} ${one.address}`).toBe(one.action === "create" || isUnknown(one));
    if (one.action === "none") expect(one.transition !== null || one.blockedBy.length > 0).toBe(true);
    if (one.kind !== "event") expect(one.transition).toBeNull();
  }

  // A pull request must not offer a way past a rule.
  for (const { hint = "", plainHint = hint } of [...changes.flatMap((one) => one.blockedBy), ...rest.diagnostics])
    expect(plainHint).not.toMatch(/--(?:allow|base|max-deletes|resend-unreadable)\b/);

  const numbers = operations.map((one) => one.id);
  expect(numbers).toEqual(operations.map((_, index) => String(index + 1)));
  for (const one of operations) {
    expect(open.map(({ address: each }) => each)).toContain(one.because);
    for (const need of one.needs) expect(Number(need)).toBeLessThan(Number(one.id));
    for (const toCome of idsToCome(one)) expect(isMadeBefore(toCome, one.id, operations)).toBe(true);
    expect(one.method).toBe(one.verb === "update" ? "PATCH" : one.verb === "delete" ? "DELETE" : "POST");
  }

  const actions = (name: string) => open.filter((one) => one.action === name).length;
  expect(summary).toMatchObject({
    create: actions("create"),
    update: actions("update"),
    replace: actions("replace"),
    delete: actions("delete"),
    publish: verbs("publish"),
    unpublish: verbs("unpublish"),
    archive: verbs("archive"),
    soldOut: verbs("sold-out"),
    blocked: blocked.length,
  });
  expect(calls.writes).toBe(operations.length);
  if (rest.target.organization === null) expect(operations).toEqual([]);
}

/** Whatever is planned can be saved and applied from the file. */
export function expectUnaltered(json: string): void {
  const value: unknown = JSON.parse(json);
  expect(planSchema.safeParse(value).error).toBeUndefined();
  expect(alterationsOf(value as PlanValue)).toEqual([]);
}

/** A pinned id that is not there is still what the document says. */
function isUnknown(one: z.infer<typeof change>): boolean {
  return one.id === null && one.blockedBy.length > 0;
}

function idsToCome({ path, body: sent }: z.infer<typeof operation>): readonly string[] {
  const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, each = ""]) => each);
  const inBody = Object.values(sent ?? {}).flatMap((each) =>
    typeof each === "object" && each !== null && "$id" in each ? [String(each.$id)] : [],
  );
  return [...inPath, ...inBody];
}

/** By its own create, or within that of its event. */
function isMadeBefore(made: string, before: string, operations: readonly z.infer<typeof operation>[]): boolean {
  return operations.some(
    (one) =>
      one.verb === "create" &&
      Number(one.id) < Number(before) &&
      (one.address === made || (one.body?.tickets !== undefined && made.startsWith(`${one.address}/tickets/`))),
  );
}
