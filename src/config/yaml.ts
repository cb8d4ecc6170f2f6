// YAML as the project reads it: values with their places, and the parser's trees for code that writes them again.
export { findSecrets } from "./check/find-secrets.ts";
export { keysOf, type Schema, stepInto, typeOf } from "./check/schema-walk.ts";
export { explainUnknownKey } from "./check/unknown-key.ts";
export { type Located, makePlaces } from "./yaml/located.ts";
export { type ParsedDocument, parseYaml } from "./yaml/read-yaml.ts";
