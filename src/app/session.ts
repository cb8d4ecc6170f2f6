// The environment a command works on, and what goes wrong on the way there.
export { keyNames, readAgreement, sinkChanged, withoutBase } from "./session/guarded-settings.ts";
export { localDataProblem, openEnvironmentStore } from "./session/local-data.ts";
export { reportProblems, writeLines } from "./session/report-problems.ts";
export { loadSavedState, type SavedState, saveState } from "./session/saved-state.ts";
export { emptyPlanKey, exposedSink, lostSink, openSink, readSecretHolder, sinkSettings } from "./session/secrets.ts";
export { explainProblem, noSuchFolder, problemDiagnostic } from "./session/service-problem.ts";
export { takeLock } from "./session/take-lock.ts";
export {
  openTarget,
  sandboxMismatch,
  sandboxProblem,
  sandboxSettings,
  type TargetOptions,
  withTarget,
} from "./session/target.ts";
export { type ValidateRequest, validateProject } from "./session/validate-project.ts";
export { changedFiles, lookAtFiles, nextSighting } from "./session/watch-files.ts";
