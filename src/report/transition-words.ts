// What becomes of an event's status, in words for people who do not know the service's.
import type { Transition } from "../model/change.ts";

/** What is done: "publish", "unpublish, then delete"; empty where the status stays. */
export function transitionVerb(transition: Transition | null): string {
  if (transition === null) return "";
  switch (transition.to) {
    case "PUBLISHED":
      return "publish";
    case "DRAFT":
      return transition.from === null ? "" : "unpublish";
    case "ARCHIVED":
      return "archive";
    case "DELETED":
      return transition.from === "PUBLISHED" ? "unpublish, then delete" : "delete";
  }
}

/** What that means to buyers. */
export function transitionSentence(transition: Transition | null): string | null {
  if (transition === null) return null;
  switch (transition.to) {
    case "PUBLISHED":
      return "publish: becomes visible on the marketplace";
    case "DRAFT":
      return transition.from === null
        ? "stays a draft: not visible on the marketplace until it is published"
        : "unpublish: leaves the marketplace and becomes a draft";
    case "ARCHIVED":
      return "archive: hidden from the marketplace for good, its data is kept";
    case "DELETED":
      return transition.from === "PUBLISHED"
        ? "unpublish, then delete: leaves the marketplace and is removed for good"
        : "delete: removed for good";
  }
}
