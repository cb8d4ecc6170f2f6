// What every code and field means.
export { entryOf, families } from "./reference/catalog.ts";
export {
  codeMarkdown,
  codeText,
  documentOf,
  documentText,
  fieldText,
  helpOf,
  listText,
  lookUp,
  nearWords,
} from "./reference/explain.ts";
export { fieldGroups } from "./reference/fields.ts";
export { codePage, fieldPage } from "./reference/pages.ts";
