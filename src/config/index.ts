// The face of this room: from files to a project.
export { chooseEnvironment, type Environment, sandboxName } from "./choose-environment.ts";
export { diskFiles } from "./disk-files.ts";
export type { FileSource, FileTrouble, Listing } from "./file-source.ts";
export { type LoadOptions, loadProject } from "./load-project.ts";
export { type LoadedSettings, loadSettings, projectFile } from "./load-settings.ts";
export { projectSchema } from "./project-schema.ts";
