// The environment a command works on, and what goes wrong on the way there.
export { localDataProblem, openEnvironmentStore, takeLock, withLock } from "./session/environment-store.ts";
export { keyNames, readAgreement, sinkChanged, withoutBase } from "./session/guarded-settings.ts";
export {
  explainProblem,
  noSuchFolder,
  problemDiagnostic,
  reportProblems,
  writeLines,
} from "./session/report-problems.ts";
export { loadSavedState, type SavedState, saveState } from "./session/saved-state.ts";
export { emptyPlanKey, exposedSink, lostSink, openSink, readSecretHolder, sinkSettings } from "./session/secrets.ts";
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
