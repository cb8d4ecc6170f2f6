// Live events to files.
export { type ImportOutcome, importLive } from "./importing/import-live.ts";
export { type ImportOptions, importProject } from "./importing/import-project.ts";
export type { Imported } from "./importing/imported.ts";

export { importJson, importText } from "./importing/report-import.ts";

export { gitHolds, writeFiles } from "./importing/write-files.ts";
