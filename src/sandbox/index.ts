// The embedded service: written from the API document alone, it shares no code with the client or the planner.

export { askControl } from "./control/ask-control.ts";
export type { Control } from "./control/control.ts";
export type { Sale } from "./control/sales.ts";
export type { Seed, SeedEvent, Seeded, SeededEvent } from "./control/seed.ts";
export type { Dump } from "./data/row-store.ts";
export type * from "./data/rows.ts";
export type { NamedVenue } from "./data/venues.ts";
export { builtInVenues } from "./data/venues.ts";
export { controlError } from "./errors.ts";
export { type Knob, type KnobName, knobs, type Profile } from "./profile/knobs.ts";
export { type ProfileName, profiles, readProfile } from "./profile/profiles.ts";
export { createService, type SandboxService, type ServiceOptions } from "./server/service.ts";
export {
  findServing,
  type JoinedSandbox,
  joinSandbox,
  type Sandbox,
  type SandboxOptions,
  startSandbox,
} from "./server/start-sandbox.ts";
export { sign } from "./wire/deliveries.ts";
export type { LoggedCall, SandboxRequest, SandboxResponse } from "./wire/wire.ts";
export { type Fault, type FaultKind, faultKinds } from "./wire/wire.ts";
