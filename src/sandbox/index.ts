// The embedded service: written from the API document alone, it shares no code with the client or the planner.

export { askControl } from "./ask-control.ts";
export type { LoggedCall } from "./call-log.ts";
export type { Control } from "./control.ts";
export { ControlError } from "./control-error.ts";
export { SandboxDataError } from "./data-error.ts";
export { sign } from "./deliver.ts";
export { type Fault, type FaultKind, faultKinds } from "./fault.ts";
export { findServing, type JoinedSandbox, joinSandbox } from "./join.ts";
export { type Knob, type KnobName, knobs, type Profile } from "./knobs.ts";
export { PortTakenError } from "./port-taken-error.ts";
export { ProfileError } from "./profile-error.ts";
export { type ProfileName, profiles, readProfile } from "./profiles.ts";
export type * from "./records.ts";
export type { Sale } from "./sales.ts";
export type { Seed, SeedEvent, Seeded, SeededEvent } from "./seed.ts";
export { createService, type Service, type ServiceOptions } from "./service.ts";
export { type Sandbox, type SandboxOptions, startSandbox } from "./start.ts";
export type { Dump } from "./store.ts";
export { venues } from "./venues.ts";
export type { SandboxAnswer, SandboxRequest } from "./wire.ts";
