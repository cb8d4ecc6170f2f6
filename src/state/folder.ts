// The local folder and how files in it are written.
export { fileProblem, folderName, folderOf, ownSecret } from "./file/local-folder.ts";
