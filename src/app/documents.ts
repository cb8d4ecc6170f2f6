// Documents of the project as they are, without the service.
export * from "./documents/copy-document.ts";
export { openPreview, type PreviewOptions, type ProjectPreview } from "./documents/preview-project.ts";
export {
  listNames,
  listUpcoming,
  type NameKind,
  nameKinds,
  type ShowDocumentOptions,
  showDocument,
  type UpcomingOptions,
} from "./documents/show-document.ts";
