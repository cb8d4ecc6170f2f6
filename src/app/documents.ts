// Documents of the project as they are, without the service.
export { renderOrigins } from "../import/text.ts";
export * from "./documents/copy-document.ts";
export { type Explained, explainWord } from "./documents/explain-word.ts";
export { type FormatRequest, formatFiles } from "./documents/format-files.ts";
export { listNames, type NameKind } from "./documents/list-names.ts";
export { listUpcoming, type UpcomingOptions } from "./documents/list-upcoming.ts";
export type { PreviewOptions, ProjectPreview } from "./documents/preview-project.ts";
export { servePreview } from "./documents/serve-preview.ts";
export { type ShowDocumentOptions, showDocument } from "./documents/show-document.ts";
