// The local folder and how files in it are written.
export type { FileStoreSetup } from "./file/file-store.ts";

export { ensureFolder, fileProblem, fileWord, folderName, folderOf, ownSecret } from "./file/folder.ts";
