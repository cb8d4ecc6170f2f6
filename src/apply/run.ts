// What the steps of one apply share.
export { describeAddress } from "./run/outcomes.ts";
export { type ApplyListener, makeRun, outliveCommand, type Run, type SecretStore } from "./run/run-context.ts";
