export { diskFiles, realPlaces } from "./files/disk-files.ts";
export { type GitFiles, gitFiles, mergedFiles } from "./files/git-files.ts";
export { baseOf, matcherOf } from "./files/globs.ts";
export { type FileSource, readText, withTexts } from "./files/read-text.ts";
