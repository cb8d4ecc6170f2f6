// YAML text: new files, and edits in files that people wrote.
export { type CopiedField, copyEvent } from "./text/copy-event.ts";
export {
  changesNothing,
  type DocumentEdit,
  editEvent,
  editWebhooks,
  type ListEdit,
  leavesList,
} from "./text/edit-document.ts";
export type { ObjectEdit } from "./text/edit-map.ts";
export { type FileRole, formatText, laidOut } from "./text/format-text.ts";
export { renderEvent, renderWebhooks } from "./text/render.ts";
export { renderOrigins } from "./text/render-origins.ts";
