// The local folder and how files in it are written.
export { fileProblem, folderName, folderOf, ownSecret, type StoreSetup } from "./file/folder.ts";
