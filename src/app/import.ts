// Live events to files.
export { type ImportOutcome, importLive } from "./importing/import-live.ts";
export { type ImportOptions, importProject } from "./importing/import-project.ts";
export { changedMeanwhile, gitHolds, type Imported, importJson, importText, writeFiles } from "./importing/imported.ts";
