// The safeguards of later runs: what a merge changes about them, and which of them are in force.
import { gitFiles } from "../../config/files.ts";
import { loadSettings } from "../../config/project.ts";
import { type Address, dateOf, idKey } from "../../model/address.ts";
import { hasErrors, noticeOf } from "../../model/diagnostic.ts";
import type { State } from "../../model/live.ts";
import type { GuardChange } from "../../model/plan.ts";
import { formatCount, groupBy } from "../../model/value.ts";
import { type AllowEntry, type Project, projectFile, type Wish } from "../../model/wish.ts";
import { guardDigest } from "../../plan/judge.ts";
import { gitText } from "../../system/git.ts";

/** A setting that guards later runs; `event`: whose it is, null for the project's own. */
interface Guard {
  readonly setting: GuardChange["setting"];
  readonly event: Address | null;
  readonly values: readonly string[];
  /** Of `allow`: what the values stand for. */
  readonly risks?: readonly AllowEntry[];
}

interface ChangedGuard extends Guard {
  readonly was: readonly string[];
  readonly added: readonly string[];
  readonly gone: readonly string[];
  /** What it permits that was not permitted before. */
  readonly looser: readonly GuardChange[];
}

/** What the safeguards permit now and did not permit at the base. A new event had none there. */
export function loosenedGuards(project: Project, base: Project | null): readonly GuardChange[] {
  return changedGuards(project, base).flatMap(({ looser }) => looser);
}

/**
 * A changed safeguard changes nothing on the service, so no change in the plan would show it. `applied`: the project as it was applied
 * last; what was merged since is not reviewed until a plan shows it.
 */
export function guardsChanged(project: Project, base: Project | null, applied: Project | null = null) {
  // Where there was no project yet, nothing was guarded.
  const isNew = base?.files === 0;
  // What was guarded may be in what cannot be read.
  const isUnclear = hasErrors(base?.diagnostics ?? []);
  const known = new Set(base?.events.map(({ address }) => address));
  const all = changedGuards(project, base);
  const changes = all.filter(({ event }) => event === null || isUnclear || known.has(event));
  const own = new Set(all.flatMap(({ looser }) => looser.map(({ digest }) => digest)));
  const waiting = guardTexts(project, applied, ({ digest }) => !own.has(digest));
  const isStricter = !isUnclear && changes.every(({ looser }) => looser.length === 0);
  const hint = isStricter
    ? "Nothing to do: this only forbids more."
    : "Check this: later runs may do what these settings allow.";
  const said = isUnclear
    ? "The files at the base revision have errors, so it is not certain which safeguards of this environment change. These may be changes"
    : `This ${isNew ? "sets" : "changes"} the safeguards of this environment`;
  const text = textOf(changes, isNew || isUnclear);
  return [
    ...(changes.length === 0 ? [] : [noticeOf("guards-changed", `${said}: ${text}.`, hint)]),
    ...(waiting === null ? [] : [noticeOf("guards-changed", `${mergedBefore}: ${waiting}.`, countsAsReview)]),
  ];
}

const mergedBefore = "An earlier merge changed safeguards, and there has been no complete apply since";
const countsAsReview = "Check this, too: merging this branch counts as the review.";

/** In words, the loosened safeguards for which `isSo` holds; null if there are none. */
export function guardTexts(project: Project, base: Project | null, isSo: (one: GuardChange) => boolean): string | null {
  const some = changedGuards(project, base).flatMap((change) => {
    const looser = change.looser.filter(isSo);
    return looser.length === 0 ? [] : [{ ...change, looser, added: looser.map(({ value }) => value), gone: [] }];
  });
  return some.length === 0 ? null : textOf(some, false);
}

/**
 * The base, with every event at its present address, even if its file was renamed since. Such an event is recognized by its id, by its name
 * and start, or by a name that only one document lost and only one gained.
 */
export function atAddressesOfNow(base: Project, project: Project, state: State | null): Project {
  const without = ({ events }: Project, others: Project) => {
    const known = new Set(others.events.map(({ address }) => address));
    return events.filter(({ address }) => !known.has(address));
  };
  const [gone, added] = [without(base, project), without(project, base)];
  const idOf = ({ address, own }: Wish) => own.id ?? state?.objects[address]?.id;
  const now = new Map<Address, Address>();
  for (const signOf of [
    (wish: Wish) => idKey(idOf(wish) ?? ""),
    ({ fields }: Wish) => JSON.stringify([fields.name, fields.dateTime]),
    // Dates of a series share its name.
    ({ address, fields }: Wish) => (dateOf(address) === null ? String(fields.name) : ""),
  ]) {
    const taken = new Set(now.values());
    const gained = groupBy(added, (wish) => (taken.has(wish.address) ? "" : signOf(wish)));
    for (const [sign, lost] of groupBy(gone, (wish) => (now.has(wish.address) ? "" : signOf(wish)))) {
      const [one, ...others] = gained.get(sign) ?? [];
      if (sign !== "" && one !== undefined && others.length === 0 && lost.length === 1)
        now.set(lost[0].address, one.address);
    }
  }
  if (now.size === 0) return base;
  const moved = (wish: Wish) => ({ ...wish, address: now.get(wish.address) ?? wish.address });
  const upcoming = base.upcoming.map(({ around: [from, to], ...phase }) => {
    return { ...phase, around: [moved(from), moved(to)] as const };
  });
  return { ...base, events: base.events.map(moved), upcoming };
}

/** Not those of a document that is gone: its event keeps its protection. */
function changedGuards(project: Project, base: Project | null): readonly ChangedGuard[] {
  if (base === null) return [];
  const [now, before] = [guardsOf(project), guardsOf(base)];
  const present = new Set(project.events.map(({ address }) => address));
  return [...new Map([...before, ...now])].flatMap(([key, guard]): readonly ChangedGuard[] => {
    if (guard.event !== null && !present.has(guard.event)) return [];
    const [values, was] = [now.get(key)?.values ?? [], before.get(key)?.values ?? []];
    const [added, gone] = [values.filter((one) => !was.includes(one)), was.filter((one) => !values.includes(one))];
    if (added.length + gone.length === 0) return [];
    // The state that names the base was found here. A project that was not in this folder then kept it here as well, under its former name.
    if (guard.setting === "state" && base.files === 0) return [];
    const change = { ...guard, values, was, added, gone };
    return [{ ...change, looser: looserIn(change, before.get(key)?.risks ?? []).map(named) }];
    function named(value: string): GuardChange {
      const of = { setting: guard.setting, ...(guard.event === null ? {} : { event: guard.event }), value };
      return { ...of, digest: guardDigest(of) };
    }
  });
}

const unset = "not set";
/** The strictest first. */
const reviewing: readonly string[] = ["stop", "hold", "apply"];

function looserIn(
  { setting, values, was, added, gone, risks = [] }: Omit<ChangedGuard, "looser">,
  accepted: readonly AllowEntry[],
): readonly string[] {
  if (setting === "state") return added;
  if (setting === "protected") return gone.length > 0 ? [unset] : [];
  if (setting === "maxDeletes") return Number(values[0]) > Number(was[0]) ? added : [];
  if (setting === "review.unreviewed")
    return reviewing.indexOf(values[0] ?? "") > reviewing.indexOf(was[0] ?? "") ? added : [];
  const isNarrower = ({ risk, event, until = "" }: AllowEntry, than: AllowEntry) =>
    than.risk === risk &&
    (than.event === undefined || than.event === event) &&
    (than.until === undefined || (until !== "" && until <= than.until));
  return added.filter(
    (one) => !risks.some((risk) => riskWords(risk) === one && accepted.some((than) => isNarrower(risk, than))),
  );
}

const mostGuards = 10;

/** `isNew`: there is nothing to compare with. */
function textOf(changes: readonly ChangedGuard[], isNew: boolean): string {
  const alike = groupBy(changes, (change) => guardWords(change, isNew, true));
  const texts = Array.from(alike, ([text, [first, ...others]]) =>
    first === undefined || others.length > 0 ? text : guardWords(first, isNew, false),
  );
  const more = texts.length > mostGuards ? `; and ${formatCount(texts.length - mostGuards)} more` : "";
  return `${texts.slice(0, mostGuards).join("; ")}${more}`;
}

/** `ofSeries`: in words that all dates of a series share. */
function guardWords({ setting, event, values, was, added, gone }: ChangedGuard, isNew: boolean, ofSeries: boolean) {
  const date = ofSeries && event !== null ? dateOf(event) : null;
  const place = date === null ? event : `${date.series} (several dates)`;
  const name = `\`${setting}\`${place === null ? "" : ` of ${place}`}`;
  const said = (all: readonly string[]) => all[0] ?? unset;
  if (setting !== "allow") return `${name} is ${said(values)}${isNew ? "" : `, was ${said(was)}`}`;
  const whose = place === null ? `${name} in ticketing.yaml` : name;
  return [
    ...(added.length === 0 ? [] : [`${whose} now accepts ${added.join(", ")}`]),
    ...(gone.length === 0 ? [] : [`${whose} no longer accepts ${gone.join(", ")}`]),
  ].join("; ");
}

/** With the risks that phases to come accept: they are reviewed with the file. */
function guardsOf({ settings, events, upcoming }: Project): ReadonlyMap<string, Guard> {
  const { allow, maxDeletes, unreviewed, state } = settings;
  const stateWords = Object.entries(state).map(([field, value]) => `${field}: ${value}`);
  const later = groupBy(
    upcoming.flatMap(({ around }) => around),
    ({ address }) => address,
  );
  const risksIn = (event: Address | null, risks: readonly AllowEntry[]): Guard => {
    return { setting: "allow", event, values: [...new Set(risks.map(riskWords))], risks };
  };
  const guards: readonly Guard[] = [
    risksIn(null, allow),
    { setting: "maxDeletes", event: null, values: [String(maxDeletes)] },
    { setting: "review.unreviewed", event: null, values: [unreviewed] },
    { setting: "state", event: null, values: [`\`{ ${stateWords.join(", ")} }\``] },
    ...events.flatMap((wish): readonly Guard[] => {
      const { address: event, own } = wish;
      const risks = [wish, ...(later.get(event) ?? [])].flatMap((one) => one.own.allow ?? []);
      return [
        ...(own.protected === true ? [{ setting: "protected" as const, event, values: ["true"] }] : []),
        ...(risks.length === 0 ? [] : [risksIn(event, risks)]),
      ];
    }),
  ];
  return new Map(guards.map((guard) => [`${guard.setting} ${guard.event ?? ""}`, guard]));
}

/** The project with what it has at the base in place of these loosened safeguards. */
export function withoutLoosened(project: Project, base: Project, held: readonly GuardChange[]): Project {
  const digests = new Set(held.map(({ digest }) => digest));
  const events = new Set(held.map(({ event }) => event));
  const isHeld = (setting: GuardChange["setting"]) => held.some((one) => one.setting === setting && !one.event);
  const rest = (allow: readonly AllowEntry[], of: Pick<GuardChange, "event">) =>
    allow.filter((risk) => !digests.has(guardDigest({ setting: "allow", ...of, value: riskWords(risk) })));
  const { settings } = project;
  const from = (setting: GuardChange["setting"]) => (isHeld(setting) ? base.settings : settings);
  return {
    ...project,
    settings: {
      ...settings,
      allow: rest(settings.allow, {}),
      maxDeletes: from("maxDeletes").maxDeletes,
      unreviewed: from("review.unreviewed").unreviewed,
    },
    events: project.events.map((wish) => {
      const { address: event, own } = wish;
      if (!events.has(event)) return wish;
      const isProtected = digests.has(guardDigest({ setting: "protected", event, value: unset }));
      const allow = own.allow && { allow: rest(own.allow, { event }) };
      return { ...wish, own: { ...own, ...allow, ...(isProtected ? { protected: true } : {}) } };
    }),
  };
}

function riskWords({ risk, event, until }: AllowEntry): string {
  return `\`${risk}\`${event === undefined ? "" : ` for ${event}`}${until === undefined ? "" : ` until ${until}`}`;
}

/** The newest merge that changed where state is kept, with what was guarded before it. Where no run keeps anything, nothing was left behind. */
export async function stateMove(directory: string, project: Project) {
  const { state } = project.settings;
  const log = ["log", "--no-show-signature", "--first-parent", "--format=%H", "--max-count=50"];
  const commits = (await gitText(directory, [...log, "HEAD", "--", projectFile]))?.split("\n").filter(Boolean);
  for (const commit of commits ?? []) {
    const found = await gitFiles(directory, `${commit}^`);
    const before = found.ok ? await loadSettings(found.files) : null;
    if (before?.found !== true) return null;
    const { settings } = before;
    if (JSON.stringify(settings.state) === JSON.stringify(state)) continue;
    return settings.state.backend === "file" || settings.state.backend === "none"
      ? null
      : { commit, guarded: { ...project, settings } };
  }
  return null;
}
