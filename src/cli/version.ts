/** Kept equal to package.json by a test: reading that file at start would cost every command a few milliseconds. */
export const version = "0.1.0";
