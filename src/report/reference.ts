// What every code and field means.
export { codeEntry, families } from "./reference/catalog.ts";
export * from "./reference/explain.ts";
export { fieldGroups } from "./reference/fields.ts";
