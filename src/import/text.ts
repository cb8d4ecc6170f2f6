// YAML text: new files, and edits in files that people wrote.

// Events that differ only in their dates, as a template and a series.
export { draftSeries, type RelativeEvent, relativeEvent, type SeriesDraft } from "./series/draft-series.ts";
export { type CopiedField, copyEvent } from "./text/copy-event.ts";
export {
  changesNothing,
  type DocumentEdit,
  editEvent,
  editWebhooks,
  type ListEdit,
  leavesList,
  overriding,
  renderOverride,
  withDateEntry,
} from "./text/edit-document.ts";
export type { ObjectEdit } from "./text/edit-map.ts";
export { type FileRole, formatText, laidOut } from "./text/format-text.ts";
export { renderEvent, renderOrigins, renderSeries, renderWebhooks } from "./text/render.ts";
