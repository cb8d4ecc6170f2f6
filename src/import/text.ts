// YAML text: written anew, or edited where people wrote it.

export { changesNothing, type DocumentEdit, type ListEdit, leavesList, type ObjectEdit } from "./text/edit.ts";
export { editEvent, editWebhooks } from "./text/edit-document.ts";
export { renderEvent, renderWebhooks } from "./text/render.ts";
