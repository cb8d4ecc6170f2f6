// What the rules find wrong with live data is no mistake of the file: it is said to be live like this, and secrets are left out.
import type { Correction, Corrections } from "../../import/corrections.ts";
import { noCorrection } from "../../import/corrections.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Case } from "../../plan/case.ts";
import type { LookedAt } from "./look-at-text.ts";

/** The corrections that are known, and what these errors add; the same ones where nothing can be added. */
export function correct(known: Corrections, { cases, errors }: LookedAt): Corrections {
  const corrections = new Map(known);
  let learned = false;
  for (const error of errors) {
    const one = cases.find((candidate) => candidate.wish !== null && candidate.address === error.address);
    if (one?.live == null || one.wish === null) continue;
    const former = corrections.get(one.live.id) ?? noCorrection;
    const next = addTo(former, error, one);
    if (next === former) continue;
    corrections.set(one.live.id, next);
    learned = true;
  }
  return learned ? corrections : known;
}

function addTo(former: Correction, error: Diagnostic, one: Case): Correction {
  if (error.code === "secret-in-file") {
    const field = fieldAt(error, one);
    if (field === null || former.without.includes(field)) return former;
    return { ...former, without: [...former.without, field] };
  }
  const stated = one.wish?.own.ignore ?? [];
  if (former.ignore.includes(error.code) || stated.includes(error.code)) return former;
  return { ...former, ignore: [...new Set([...stated, ...former.ignore, error.code])] };
}

/** The field that a remark stands at; an entry of a list of texts counts as the list. */
function fieldAt({ source }: Diagnostic, { wish }: Case): string | null {
  const place = Object.entries(wish?.places ?? {}).find(
    ([, at]) => at.line === source?.line && at.column === source.column,
  );
  return place === undefined ? null : (place[0].split("/")[0] as string);
}
