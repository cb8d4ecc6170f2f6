// What the files want now and did not want at an earlier revision.
import { hasErrors } from "../../model/diagnostic.ts";
import type { Project, Wish } from "../../model/wish.ts";
import { compareWithBase } from "../compare/compare-event.ts";
import { allComparisons } from "../compare/comparison.ts";
import { agreedDigests, allDigest, documentDigest, laterDigest, partDigests, wishDigest } from "../compare/digests.ts";
import { withChanges } from "./context.ts";

type Files = Pick<Project, "events" | "webhooks" | "upcoming" | "diagnostics">;

/** By the digests that a plan gives it. */
export function wantedSince(now: Files, then: Files): ReadonlySet<string> {
  const [wanted, before] = [documentsOf(now), documentsOf(then)];
  const isWhole = !hasErrors(then.diagnostics);
  const documents = [...new Set([...wanted.keys(), ...before.keys()])].flatMap((address) => {
    const [wish, base] = [wanted.get(address), before.get(address)];
    // With errors in its files, what it lacks may be what could not be read.
    return base === undefined && !isWhole ? [] : changedDigests(wish ?? null, base ?? null);
  });
  const later = laterDigests(then);
  return new Set([...documents, ...[...laterDigests(now)].filter((digest) => isWhole && !later.has(digest))]);
}

function documentsOf({ events, webhooks }: Files): ReadonlyMap<string, Wish> {
  return new Map([...events, ...webhooks].map((wish) => [wish.address, wish]));
}

/** What differs may be reviewed as an edit, as part of a new object, or with its whole event. */
function changedDigests(wish: Wish | null, base: Wish | null): readonly string[] {
  const compared = compareWithBase(wish, base);
  const all = compared === null ? [] : allComparisons(compared).filter(({ change }) => change !== null);
  const parts = all.flatMap(({ change }) => (change === null ? [] : agreedDigests(change)));
  const wholes = all.flatMap(({ wish: one }) =>
    one === null ? [] : [wishDigest("create", one), wishDigest("replace", one)],
  );
  const isOther = wish !== null && (base === null || documentDigest(wish) !== documentDigest(base));
  return [
    ...parts,
    ...wholes,
    ...(parts.length === 0 ? [] : [allDigest(parts)]),
    ...(isOther ? [documentDigest(wish)] : []),
  ];
}

/** What phases to come will do. */
function laterDigests({ upcoming }: Files): ReadonlySet<string> {
  const changes = upcoming.map((phase) => withChanges(phase));
  return new Set(
    changes.flatMap(({ at, changes = [] }) => changes.flatMap(partDigests).map((digest) => laterDigest(digest, at))),
  );
}
