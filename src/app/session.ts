// The environment a command works on, and what goes wrong on the way there.

export { keyNames, readAgreement, sinkChanged, withoutBase } from "./session/guarded-settings.ts";
export { keepMemory, loadMemory, type Memory } from "./session/kept-state.ts";
export { type LiveScreen, liveScreen } from "./session/live-screen.ts";
export { localDataProblem, openSnapshot, storeSetup } from "./session/local-data.ts";
export { say, tellProblems } from "./session/report-problems.ts";
export { emptyPlanKey, exposedSink, sinkSettings } from "./session/secret-settings.ts";
export { explainProblem, noSuchFolder, problemDiagnostic } from "./session/service-problem.ts";
export { doubtSandbox, type OpenTarget, openTarget, sandboxProblem, type TargetOptions } from "./session/target.ts";
export { projectOrganization, withTarget } from "./session/with-target.ts";
