// What every code and field means.
export { entryOf, families } from "./reference/catalog.ts";
export {
  codeMarkdown,
  codePage,
  codeText,
  documentOf,
  documentText,
  fieldPage,
  fieldText,
  helpOf,
  listText,
  lookUp,
  nearWords,
} from "./reference/explain.ts";
export { fieldGroups } from "./reference/fields.ts";
