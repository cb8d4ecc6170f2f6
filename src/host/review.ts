// What a comment lists as reviewed: digests in a marker that people do not see. Anyone who can write a comment could write one, so
// it counts only in a comment of the workflow's own identity, and with the key's signature if there is a key.
import { createHmac, timingSafeEqual } from "node:crypto";
import { type Diagnostic, type ResultOr, warningOf } from "../model/diagnostic.ts";
import { formatCount, pluralize } from "../model/value.ts";

/** Which comment it belongs to: a marker copied from another pull request, project or environment does not count. */
export interface ReviewScope {
  /** The project's folder below the repository's root; empty at the root itself. */
  readonly project: string;
  readonly environment: string;
  readonly repository: string;
  readonly pullRequest: number | null;
}

/** Digests of edits, creates, deletes, transitions and documents with phases; and of whole events if those were too many. */
export interface Review {
  readonly digests: ReadonlySet<string>;
  readonly events: ReadonlySet<string>;
  /** The commit of the branch that the plan was merged into; null: none is named. */
  readonly into: string | null;
}

/** `unsigned` and `forged` only where there is a key. */
export type ReadReview = ResultOr<
  { readonly review: Review },
  { readonly ok: false; readonly reason: "none" | "unsigned" | "forged" }
>;

/** How the marker begins, and with it the comment: it is found by this. Further down, anything may be a text of the files. */
export function markerStart(
  what: "plan" | "drift",
  { project, environment }: Pick<ReviewScope, "project" | "environment">,
): string {
  return `<!-- ticketing ${what} project=${segment(project === "" ? "." : project)} environment=${segment(environment)} `;
}

/** A marker longer than this leaves too little of the comment for people. */
const mostDigests = 2_300;

/** `also`: what is listed if there is room for it. */
export interface ListedReview {
  readonly digests: readonly string[];
  readonly also?: readonly string[];
  /** One digest for each event, if there is no room for each edit. */
  readonly events: readonly string[];
  /** Digests of documents with phases, listed if the events leave room. */
  readonly documents?: readonly string[];
  readonly into?: string | null;
}

export function reviewMarker(scope: ReviewScope, given: ListedReview, key: string | null): string {
  const digests = [...new Set(given.digests)].sort();
  const fits = digests.length <= mostDigests;
  const also = (given.also ?? []).slice(0, mostDigests - digests.length);
  const edits = fits ? [...digests, ...also].sort().join(",") : "";
  const wholes = [...new Set([...given.events, ...(given.documents ?? [])])];
  const events = fits ? "" : wholes.slice(0, mostDigests).sort().join(",");
  const into = given.into ?? null;
  const signature = key === null ? "" : ` signature=${signReview(scope, [edits, events, into], key)}`;
  const base = into === null ? "" : ` into=${into}`;
  return `${markerStart("plan", scope)}digests=${edits} events=${events}${base}${signature} -->`;
}

/** What a marker has no room for counts as not reviewed: whoever merges must know that before. */
export function unlistedWarning({ digests, events }: ListedReview): Diagnostic | null {
  const unlisted = new Set(digests).size <= mostDigests ? 0 : new Set(events).size - mostDigests;
  if (unlisted <= 0) return null;
  return warningOf(
    "unreviewed",
    `The comment can list ${formatCount(mostDigests)} events as reviewed, and the plan has ${formatCount(unlisted)} more. When this branch is merged, the changes of ${pluralize(unlisted, "event")} will be held.`,
    "Split the branch into smaller ones. Or read the whole plan, merge, and then run `ticketing ci apply --unreviewed apply`.",
  );
}

export function readReview(body: string, scope: ReviewScope, key: string | null): ReadReview {
  const start = markerStart("plan", scope);
  const text = body.trimStart();
  const rest = text.startsWith(start) ? text.slice(start.length) : "";
  const found = /^digests=([0-9a-f,]*) events=([0-9a-f,]*)(?: into=([0-9a-f]+))?(?: signature=([0-9a-f]*))? -->/.exec(
    rest,
  );
  if (found === null) return { ok: false, reason: "none" };
  const [, edits = "", events = "", into = null, signature] = found;
  if (key !== null) {
    if (signature === undefined) return { ok: false, reason: "unsigned" };
    const expected = Buffer.from(signReview(scope, [edits, events, into], key));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return { ok: false, reason: "forged" };
  }
  return { ok: true, review: { digests: digestsIn(edits), events: digestsIn(events), into } };
}

function signReview(
  { project, environment, repository, pullRequest }: ReviewScope,
  listed: readonly (string | null)[],
  key: string,
): string {
  const named = listed.filter((each) => each !== null);
  const text = JSON.stringify(["ticketing review 1", repository, project, environment, pullRequest, ...named]);
  return createHmac("sha256", key).update(text).digest("hex").slice(0, 32);
}

function digestsIn(text: string): ReadonlySet<string> {
  return new Set(text.split(",").filter((each) => each !== ""));
}

/** Without what would end the marker, or the word. */
function segment(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*~]|--/g, (signs) =>
    [...signs].map((sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`).join(""),
  );
}
