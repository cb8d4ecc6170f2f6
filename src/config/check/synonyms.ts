// Words that people write for a field or value that has another name, or does not exist. All in lower case, without signs.
import type { WordAdvice } from "../../kinds/define.ts";
import {
  adviceByChoice,
  adviceFor,
  childKinds,
  compositionSynonyms,
  generalAdvice,
  kindOf,
  kinds,
} from "../../kinds/index.ts";
import type { Advice } from "../../model/diagnostic.ts";

/** By field of ticketing.yaml, the words that may mean it. */
const settingSynonyms: Readonly<Record<string, string>> = {
  baseUrl: "url",
  organization: "org organisation",
  apiKeyEnv: "apikey",
  environments: "envs env",
  defaultEnvironment: "defaultenv",
  vars: "variables",
};

const synonyms: readonly (readonly [field: string, words: string | undefined])[] = [
  ...kinds.flatMap(({ plural, synonyms: own }) => [...Object.entries(own?.fields ?? {}), [plural, own?.list] as const]),
  ...Object.entries(compositionSynonyms),
  ...Object.entries(settingSynonyms),
];

/** What entries of the lists of an event are called by. */
export const entryLabels = new Set(childKinds("event").map(({ identity }) => identity.label));

/** As it is written, without case and signs. */
export function bare(word: string): string {
  return word.toLowerCase().replace(/[\s_-]/g, "");
}

export function fieldsMeantBy(word: string): readonly string[] {
  return [...new Set(synonyms.flatMap(([field, words]) => (lists(words, word) ? field : [])))];
}

function lists(words: string | undefined, word: string): boolean {
  return words?.split(" ").includes(bare(word)) === true;
}

/** What to do instead of a field that does not exist in an event, or in an entry of one of its lists; null: no advice. */
export function adviceOn(word: string, list: string | null): Advice | null {
  const kind = list === null ? kindOf("event") : childKinds("event").find(({ plural }) => plural === list);
  return adviceAmong(kind?.notFields ?? [], word);
}

const templates = adviceFor(
  "extends extend inherits inherit basedon parent copyfrom include includes import imports uses",
  "Templates are separate files, which events name under `extends`.",
  "Put what all events share under `defaults`, and what some share in templates/NAME.yaml.",
);

/** The same for the project file. */
export function adviceOnSetting(word: string): Advice | null {
  return adviceAmong([templates], word);
}

function adviceAmong(rows: readonly WordAdvice[], word: string): Advice | null {
  return rows.find(({ words }) => lists(words, word))?.advice ?? null;
}

/** The allowed value that was most likely meant; null if none says it. */
export function valueMeantBy(written: string, field: string, choices: readonly string[]): string | null {
  const words = kinds.map(({ synonyms: own }) => own?.values?.[field] ?? {});
  return choices.find((choice) => words.some((values) => lists(values[choice], written))) ?? null;
}

/** By a choice of a field of ticketing.yaml, advice on words that mean none of the choices. */
const ofSettings: typeof adviceByChoice = {
  "delete-event": [
    adviceFor(
      "olderthanapplied divergedfromapplied unjudgeddeletions",
      "This risk can be accepted only for a single run; in a file, it would be accepted for every run.",
      "Pass it with --allow to that run.",
    ),
    adviceFor(
      "toomanydeletes",
      "`allow` cannot raise the limit on deletions.",
      "Write `maxDeletes` in ticketing.yaml, or pass --max-deletes to the run.",
    ),
    adviceFor(
      "protected",
      "`allow` does not lift the protection of an event.",
      "Write `protected: false` in the event.",
    ),
    adviceFor(
      "deleteaftersales nowithdrawal quantitybelowsold archivedisfinal salesunknown",
      "This is a rule, not a risk: it cannot be accepted.",
      "Remove it, and do what the fix below the blocked change says.",
    ),
  ],
};

/** The same on any other word. */
const generalOfSettings: typeof generalAdvice = {
  none: {
    message: "There is no such backend.",
    hint: "Use `backend: git` if files do not outlast a run, as in CI; `postgres`, `s3` or `http` (such as GitLab's) if your team has one of these; `file` on one machine; or `none`.",
  },
};

/** What to do instead of a value that the service does not know and that no other value means. */
export function adviceOnValue(written: string, choices: readonly string[]): Advice | null {
  for (const choice of choices) {
    const rows = adviceByChoice[choice] ?? ofSettings[choice] ?? [];
    const advice = adviceAmong(rows, written) ?? generalAdvice[choice] ?? generalOfSettings[choice];
    if (advice !== undefined) return advice;
  }
  return null;
}
