// The control API: what a test or a person may do apart from the ticketing API, in process or over HTTP.
import { attempt } from "../../model/diagnostic.ts";
import { isUnsafeFile } from "../../system/private-folder.ts";
import type { Field, FieldTable } from "../data/field.ts";
import { type Dump, tableNames } from "../data/row-store.ts";
import { type KeyRow, type OrderRow, type OrganizationRow, orderStatuses } from "../data/rows.ts";
import type { NamedVenue } from "../data/venues.ts";
import type { SandboxContext } from "../endpoints/handler.ts";
import { isThisMachine, readBody } from "../endpoints/read-body.ts";
import { controlError, messageOf } from "../errors.ts";
import type { Profile } from "../profile/knobs.ts";
import { profiles, readProfile } from "../profile/profiles.ts";
import type { Rate } from "../wire/rate.ts";
import {
  type Fault,
  type Faults,
  faultKinds,
  jsonHeaders,
  type LoggedCall,
  requestHeader,
  type SandboxRequest,
  type SandboxResponse,
} from "../wire/wire.ts";
import { giveBack, type Sale, sell } from "./sales.ts";
import { plant, type Seed, type Seeded, seedFields } from "./seed.ts";

/** What the service holds in addition to the data. */
export interface ServiceContext extends SandboxContext {
  readonly rate: Rate;
  readonly faults: Faults;
  readonly calls: LoggedCall[];
  refusesWrites: boolean;
  /** Makes what changed durable. */
  commit(): void;
}

export type Control = ReturnType<typeof createControl>;

export function createControl(
  context: ServiceContext,
  organization: OrganizationRow,
  apiKey: KeyRow,
  { dump, settle }: { dump(): Dump; settle(): Promise<void> },
) {
  const { store, rate, faults, calls, commit } = context;

  function committed<T>(result: T): T {
    commit();
    return result;
  }

  return {
    /** Back to an empty organization with its one key; the profile stays. */
    reset(): void {
      for (const name of tableNames)
        for (const { id } of [...store[name].all()])
          if (id !== organization.id && id !== apiKey.id) store[name].remove(id);
      for (const part of [faults, rate, context.born]) part.clear();
      calls.length = 0;
      context.refusesWrites = false;
      context.replica = null;
      commit();
    },
    seed: (seed: Seed): Seeded =>
      committed(plant(context, store.organizations.get(organization.id) ?? organization, seed)),
    /** The venues that the project in use names, replacing those named before. */
    nameVenues(venues: readonly NamedVenue[]): void {
      context.namedVenues = venues;
    },
    sell: (sale: Sale): OrderRow[] => committed(sell(context, sale)),
    /** A completed order, by id or number. */
    refund: (order: string): OrderRow => committed(giveBack(context, order, "REFUNDED")),
    /** A pending order, by id or number. */
    cancel: (order: string): OrderRow => committed(giveBack(context, order, "CANCELLED")),
    profile: (): Profile => context.profile,
    setProfile(profile: string | Partial<Profile>): Profile {
      context.profile = typeof profile === "string" ? readProfile(profile) : { ...context.profile, ...profile };
      return context.profile;
    },
    addFault(fault: Fault): void {
      if (!faultKinds.includes(fault.kind))
        throw controlError(`There is no fault "${fault.kind}".`, `Faults: ${faultKinds.join(", ")}.`);
      faults.add(fault);
    },
    clearFaults: faults.clear,
    faults: faults.pending,
    refuseWrites(on: boolean): void {
      context.refusesWrites = on;
    },
    /** Spends calls of the rate limit of a key (the sandbox's own by default), as another client would. */
    spend(count: number, keyId = apiKey.id): void {
      rate.spend(keyId, context.profile, count, context.elapsed());
    },
    dump,
    calls: (): readonly LoggedCall[] => calls,
    clearCalls(): void {
      calls.length = 0;
    },
    /** Makes late effects happen now, shows everything, and waits for deliveries in flight. */
    settle,
  };
}

// The same over HTTP, under /_sandbox/, for loopback alone.

type Ask = Readonly<Record<string, unknown>>;

/** What the body must be, and what is done then. */
interface ControlAsk {
  readonly fields?: FieldTable;
  run(control: Control, ask: Ask): unknown;
}

const text: Field = { type: "text", role: "line" };
const word: Field = { ...text, required: true };
const flag: Field = { type: "flag" };
const whole: Field = { type: "whole", least: 0 };
const counted: Field = { type: "whole", least: 1 };

const saleFields: FieldTable = {
  event: word,
  ticket: word,
  count: { ...counted, required: true },
  status: { type: "choice", of: orderStatuses },
  buyerName: text,
  buyerEmail: text,
  force: flag,
};

const venueFields: FieldTable = { id: text, name: text, city: text, state: text, country: text };

const faultFields: FieldTable = {
  // The control itself knows the kinds.
  kind: word,
  at: counted,
  times: whole,
  writes: flag,
  method: { type: "choice", of: ["GET", "POST", "PATCH", "DELETE"] },
  path: text,
  moment: { type: "choice", of: ["before", "after"] },
  delayMs: whole,
  retryAfter: {
    type: "other",
    nullable: true,
    accepts: (value) => typeof value === "number" || typeof value === "string",
    expected: "a number of seconds, a string, or null",
  },
  status: {
    type: "other",
    accepts: (value) => value === "lost" || (Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 599),
    expected: 'an HTTP status from 100 to 599, or "lost"',
  },
  hang: flag,
  location: text,
};

const controlAsks: Readonly<Record<string, ControlAsk>> = {
  "POST /reset": { run: (control) => control.reset() },
  "POST /seed": { fields: seedFields, run: (control, ask) => control.seed(ask as Seed) },
  "POST /venues": {
    fields: { venues: { type: "objects", of: venueFields, required: true } },
    run: (control, ask) => control.nameVenues(ask.venues as readonly NamedVenue[]),
  },
  "POST /sell": { fields: saleFields, run: (control, ask) => control.sell(ask as unknown as Sale) },
  "POST /refund": { fields: { order: word }, run: (control, ask) => control.refund(String(ask.order)) },
  "POST /cancel": { fields: { order: word }, run: (control, ask) => control.cancel(String(ask.order)) },
  "GET /profile": { run: (control) => control.profile() },
  "POST /profile": { fields: { profile: word }, run: (control, ask) => control.setProfile(String(ask.profile)) },
  "GET /faults": { run: (control) => control.faults() },
  "POST /faults": { fields: faultFields, run: (control, ask) => control.addFault(ask as unknown as Fault) },
  "DELETE /faults": { run: (control) => control.clearFaults() },
  "POST /refuse-writes": { fields: { on: flag }, run: (control, ask) => control.refuseWrites(ask.on !== false) },
  "POST /spend": {
    fields: { calls: { type: "whole", least: 0, most: 1_000_000, required: true } },
    run: (control, ask) => control.spend(Number(ask.calls)),
  },
  "GET /dump": { run: (control) => control.dump() },
  "GET /calls": { run: (control) => control.calls() },
  "DELETE /calls": { run: (control) => control.clearCalls() },
  "POST /settle": { run: (control) => control.settle() },
};

export const controlPath = "/_sandbox";

export async function handleControl(control: Control, request: SandboxRequest): Promise<SandboxResponse> {
  if (!isFromHere(request)) return response(403, { error: "The control API responds on this machine only." });
  const [path = ""] = request.path.slice(controlPath.length).split("?");
  const call = `${request.method} ${path}`;
  const known = Object.hasOwn(controlAsks, call) ? controlAsks[call] : undefined;
  if (known === undefined) return response(404, { error: `There is no ${call}.`, known: Object.keys(controlAsks) });
  try {
    const done = await attempt(async () => known.run(control, readAsk(known, request.body)));
    if (done.ok) return response(200, { data: done.value ?? null });
    return response(400, { error: done.diagnostics[0]?.message, fix: done.diagnostics[0]?.hint });
  } catch (problem) {
    // Any error: the caller is on this machine and can read it.
    return response(400, { error: messageOf(problem), fix: isUnsafeFile(problem) ? problem.hint : undefined });
  }
}

function readAsk({ fields = {} }: ControlAsk, body: string | undefined): Ask {
  let ask: unknown = {};
  try {
    if (body) ask = JSON.parse(body);
  } catch {
    throw new Error("The body is not JSON.");
  }
  if (typeof ask !== "object" || ask === null || Array.isArray(ask)) throw new Error("The body must be an object.");
  const [problem] = readBody("check", fields, ask as Ask, profiles.likely).problems;
  if (problem !== undefined) throw new Error(`${problem.message}.`);
  return ask as Ask;
}

/** Neither another machine nor a web page in a browser on this one, whatever name it found for the address. */
function isFromHere(request: SandboxRequest): boolean {
  const host = requestHeader(request, "host");
  const isNamed = host === undefined || isThisMachine(host.replace(/:\d+$/, ""));
  return isNamed && isThisMachine(request.remoteAddress ?? "127.0.0.1") && request.headers.origin === undefined;
}

function response(status: number, value: unknown): SandboxResponse {
  return { status, headers: jsonHeaders, body: JSON.stringify(value) };
}
