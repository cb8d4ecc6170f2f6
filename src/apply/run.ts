// What the steps of one apply share.

export type { Run, SecretStore } from "./run/run-context.ts";
export { type ApplyListener, describeAddress, makeRun, outliveCommand } from "./run/run-context.ts";
