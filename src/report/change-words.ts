// A change in a word or two, and the symbol that stands for it.
import type { Action, Change } from "../model/change.ts";
import type { Mark } from "./plan-view.ts";
import { transitionVerb } from "./transition-words.ts";

const actionWords: Readonly<Record<Action, string>> = {
  create: "create",
  update: "change",
  replace: "replace",
  delete: "delete",
  none: "",
};

const symbols: Readonly<Record<Action, Mark>> = { create: "+", update: "~", replace: "±", delete: "-", none: "~" };

export function symbolOf(change: Change): Mark {
  if (change.blockedBy.length > 0) return "!";
  return change.transition?.to === "DELETED" ? "-" : symbols[change.action];
}

/** "create, then publish", "change, blocked". */
export function doesWords(change: Change, heldBack: "all" | "status" | null): string {
  const does = planned(change);
  if (change.blockedBy.length > 0) return does === "" ? "blocked" : `${does}, blocked`;
  if (heldBack === "all") return `${does}, waiting for what is blocked`;
  return does;
}

function planned(change: Change): string {
  // Nothing more is known of an object that could not be told from others.
  if (change.blockedBy.length > 0 && change.edits.length === 0 && change.action === "create") return "";
  const action = actionWords[change.action];
  const status = transitionVerb(change.transition);
  if (change.action === "delete") return status === "" ? action : status;
  if (action === "" || status === "") return action + status;
  // An event leaves the marketplace before it is changed, and enters it after.
  return status === "unpublish" ? `${status}, then ${action}` : `${action}, then ${status}`;
}
