// Live events to files, and the first files of a project.
export { type ImportOptions, importProject } from "./importing/import-project.ts";
export { importJson, importText } from "./importing/imported.ts";
export type { InitOptions, Interviewer } from "./importing/init/answers.ts";
export { initProject, type MadeProject } from "./importing/init/init-project.ts";
export { firstEventFile } from "./importing/init/project-files.ts";
