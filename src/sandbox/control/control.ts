// The control face, in process: what a test or a person may do behind the API's back.
import type { ApiKey, OrderRow, Organization } from "../data/records.ts";
import { type Dump, tableNames } from "../data/store.ts";
import type { SandboxContext } from "../endpoints/call.ts";
import { ControlError } from "../errors.ts";
import type { Profile } from "../profile/knobs.ts";
import { readProfile } from "../profile/profiles.ts";
import type { CallLog, LoggedCall } from "../wire/call-log.ts";
import { type Fault, type Faults, faultKinds } from "../wire/fault.ts";
import type { Rate } from "../wire/rate.ts";
import { giveBack, type Sale, sell } from "./sales.ts";
import { plant, type Seed, type Seeded } from "./seed.ts";

export interface Control {
  /** Back to an empty organization with its one key; the profile stays. */
  reset(): void;
  seed(seed: Seed): Seeded;
  sell(sale: Sale): OrderRow[];
  /** A completed order, by id or number. */
  refund(order: string): OrderRow;
  /** A pending order, by id or number. */
  cancel(order: string): OrderRow;
  profile(): Profile;
  setProfile(profile: string | Partial<Profile>): Profile;
  addFault(fault: Fault): void;
  clearFaults(): void;
  faults(): Fault[];
  /** While on, every write is refused, whatever it is. */
  refuseWrites(on: boolean): void;
  /** Spends calls of the rate limit of a key (the sandbox's own unless named), as another client would. */
  spend(calls: number, keyId?: string): void;
  dump(): Dump;
  calls(): readonly LoggedCall[];
  clearCalls(): void;
  /** Lets effects that are late happen now, and waits for deliveries under way. */
  settle(): Promise<void>;
}

export interface ControlParts {
  readonly desk: SandboxContext;
  readonly home: () => Organization;
  readonly ownKey: () => ApiKey;
  readonly faults: Faults;
  readonly log: CallLog;
  readonly rate: Rate;
  readonly useProfile: (profile: Profile) => void;
  readonly refuseWrites: (on: boolean) => void;
  readonly commit: () => void;
  readonly settle: () => Promise<void>;
  readonly dump: () => Dump;
}

export function createControl(parts: ControlParts): Control {
  const { desk, faults, log, rate, commit } = parts;

  function committed<T>(result: T): T {
    commit();
    return result;
  }

  return {
    reset() {
      const kept = new Set([parts.home().id, parts.ownKey().id]);
      for (const name of tableNames) {
        const table = desk.store[name];
        for (const { id } of [...table.all()]) if (!kept.has(id)) table.remove(id);
      }
      faults.clear();
      log.clear();
      rate.clear();
      desk.born.clear();
      parts.refuseWrites(false);
      commit();
    },
    seed: (seed) => committed(plant(desk, parts.home(), seed)),
    sell: (sale) => committed(sell(desk, sale)),
    refund: (order) => committed(giveBack(desk, order, "REFUNDED")),
    cancel: (order) => committed(giveBack(desk, order, "CANCELLED")),
    profile: () => desk.profile(),
    setProfile(profile) {
      const next = typeof profile === "string" ? readProfile(profile) : { ...desk.profile(), ...profile };
      parts.useProfile(next);
      return next;
    },
    addFault(fault) {
      if (!faultKinds.includes(fault.kind)) {
        throw new ControlError(`There is no fault "${fault.kind}".`, `Faults: ${faultKinds.join(", ")}.`);
      }
      faults.add(fault);
    },
    clearFaults: () => faults.clear(),
    faults: () => faults.pending(),
    refuseWrites: parts.refuseWrites,
    spend: (calls, keyId = parts.ownKey().id) => rate.spend(keyId, calls, desk.elapsed()),
    dump: parts.dump,
    calls: () => log.calls(),
    clearCalls: () => log.clear(),
    settle: parts.settle,
  };
}
