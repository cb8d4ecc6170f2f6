// What the steps of one apply share.

export { makeRun } from "./run/make-run.ts";
export { nameOf } from "./run/outcomes.ts";
export type { ApplyListener, Run, SecretStore } from "./run/run.ts";
