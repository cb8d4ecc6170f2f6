// Live events to files.
export { type ImportOptions, importProject } from "./importing/import-project.ts";
export { changedMeanwhile, type Imported, importJson, importText, writeFiles } from "./importing/imported.ts";
export { askOwner, importAll, isRememberedHere, leaveNothing, readPresent } from "./importing/new-project.ts";
