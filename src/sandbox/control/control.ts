// The control face, in process: what a test or a person may do behind the API's back.
import type { KeyRow, OrderRow, OrganizationRow } from "../data/records.ts";
import { type Dump, tableNames } from "../data/store.ts";
import type { SandboxContext } from "../endpoints/call.ts";
import { controlError } from "../errors.ts";
import type { Profile } from "../profile/knobs.ts";
import { readProfile } from "../profile/profiles.ts";
import { type Fault, type Faults, faultKinds } from "../wire/faults.ts";
import type { Rate } from "../wire/rate.ts";
import type { LoggedCall } from "../wire/wire.ts";
import { giveBack, type Sale, sell } from "./sales.ts";
import { plant, type Seed, type Seeded } from "./seed.ts";

/** What the service keeps besides the data. */
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
      commit();
    },
    seed: (seed: Seed): Seeded =>
      committed(plant(context, store.organizations.get(organization.id) ?? organization, seed)),
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
    /** While on, every write is refused. */
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
    /** Lets late effects happen now, and waits for deliveries under way. */
    settle,
  };
}
