// The environment a command works on, and the problems of opening it.
export { openLines } from "../system/inside-project.ts";
export {
  noSuchFolder,
  problemDiagnostic,
  reportProblems,
  writeLines,
} from "./session/report-problems.ts";
export type { TargetOptions } from "./session/target.ts";
export { type ValidateRequest, validateProject } from "./session/validate-project.ts";
export { changedFiles, nextScan, scanFiles, signalAt } from "./session/watch-files.ts";
