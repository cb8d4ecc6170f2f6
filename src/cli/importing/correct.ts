// What the rules find wrong with live data is no mistake of the file: it is said to be shown like this, and secrets are left out.
import type { Correction, Corrections } from "../../import/corrections.ts";
import { noCorrection } from "../../import/corrections.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { silencingOf } from "../../model/silencing.ts";
import type { Case } from "../../plan/case.ts";
import type { LookedAt } from "./look-at-text.ts";

/** The corrections that are known, and what these findings add; the same ones where nothing can be added. */
export function correct(known: Corrections, found: readonly Diagnostic[], { cases }: LookedAt): Corrections {
  const corrections = new Map(known);
  let learned = false;
  for (const finding of found) {
    const one = cases.find((candidate) => candidate.wish !== null && candidate.address === finding.address);
    if (one?.live == null || one.wish === null) continue;
    const former = corrections.get(one.live.id) ?? noCorrection;
    const next = addTo(former, finding, one);
    if (next === former) continue;
    corrections.set(one.live.id, next);
    learned = true;
  }
  return learned ? corrections : known;
}

function addTo(former: Correction, finding: Diagnostic, one: Case): Correction {
  const { code } = finding;
  if (code === "secret-in-file") {
    const field = fieldAt(finding, one);
    if (field === null || former.without.includes(field)) return former;
    return { ...former, without: [...former.without, field] };
  }
  const stated = one.wish?.own.ignore ?? [];
  if (former.ignore.includes(code) || stated.includes(code) || silencingOf(code) !== "silenced") return former;
  return {
    ...former,
    ignore: [...new Set([...stated, ...former.ignore, code])],
    learned: [...former.learned, code],
  };
}

/** The field that a remark stands at; an entry of a list of texts counts as the list. */
function fieldAt({ source }: Diagnostic, { wish }: Case): string | null {
  const place = Object.entries(wish?.places ?? {}).find(
    ([, at]) => at.line === source?.line && at.column === source.column,
  );
  return place === undefined ? null : (place[0].split("/")[0] as string);
}
