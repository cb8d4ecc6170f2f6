// Live events to files.
export { type ImportOutcome, importLive } from "./importing/import-live.ts";
export { type ImportOptions, importProject } from "./importing/import-project.ts";
export { type Imported, importJson, importText } from "./importing/imported.ts";
export { gitHolds, writeFiles } from "./importing/write-files.ts";
