// What `validate` and `plan` would say of a document if this were the file's text.
import type { EventSight } from "../../import/describe-event.ts";
import { lintEvent } from "../../lint/index.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Wish } from "../../model/wish.ts";
import { allCases, type Case } from "../../plan/case.ts";
import { compareEvent } from "../../plan/compare-event.ts";
import { resolveVenues } from "../../plan/resolve-venues.ts";
import { findVenues } from "../../snapshot/read-venues.ts";
import type { Desk } from "./desk.ts";
import { loadText } from "./load-text.ts";

export interface LookedAt {
  readonly wish: Wish;
  /** The event itself first, then everything below it, on either side. */
  readonly cases: readonly Case[];
  /** Errors only: what would keep a plan from being made. */
  readonly errors: readonly Diagnostic[];
  /** What `validate --strict` would not let pass either. */
  readonly warnings: readonly Diagnostic[];
}

/** null where the text does not hold the document. */
export async function lookAtText(
  desk: Desk,
  file: string,
  text: string,
  address: string,
  { live, lists }: EventSight,
): Promise<LookedAt | null> {
  const project = await loadText(file, text, "events", desk);
  const written = project.events.find((wish) => wish.address === address);
  if (written === undefined) return null;
  const { venue } = written.own;
  const venues = venue === undefined ? new Map() : await findVenues(desk.reader, [venue]);
  const [wish = written] = resolveVenues([written], venues).wishes;
  const { event } = compareEvent({
    wish: withoutDeletion(wish),
    match: { live, block: null },
    lists,
    remember: desk.remember,
    resendUnreadable: false,
  });
  const found = [...project.diagnostics, ...lintEvent(written, { now: desk.now, environment: desk.environment })];
  return {
    wish: written,
    cases: event === null ? [] : allCases(event),
    errors: found.filter(({ severity }) => severity === "error"),
    warnings: found.filter(({ severity }) => severity === "warning"),
  };
}

/** A document that is to be deleted is compared like any other: the file is to say what is live. */
function withoutDeletion(wish: Wish): Wish {
  const { status, ...own } = wish.own;
  return status === "DELETED" ? { ...wish, own } : wish;
}
