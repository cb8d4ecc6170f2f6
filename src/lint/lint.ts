import type { LintFinding, LintScene } from "../kinds/define.ts";
import { kindOf } from "../kinds/index.ts";
import { instantOf, textField } from "../kinds/lint-rules.ts";
import type { Address } from "../model/address.ts";
import { type Diagnostic, placeKey, silencingOf, sortDiagnostics } from "../model/diagnostic.ts";
import { standardZone } from "../model/time.ts";
import type { Project, Wish } from "../model/wish.ts";
import { allowRemarks } from "./rules/allow-entries.ts";
import { placeholderText } from "./rules/field-texts.ts";
import { localTimeOdd } from "./rules/local-times.ts";
import { checkPinnedTwice, duplicateName, duplicateNameWithin, invisibleCharacters } from "./rules/names.ts";
import { addressesForBuyers, secretInFile, secretNames } from "./rules/secrets-and-urls.ts";

/** What rules know in addition to the files. */
export type LintContext = Pick<LintScene, "now" | "environment">;

/** Rules that apply to every kind; each kind adds its own. */
const rulesForAll = [
  invisibleCharacters,
  placeholderText,
  addressesForBuyers,
  secretInFile,
  localTimeOdd,
  duplicateNameWithin,
];

/** Every mistake that the files show, by file, line, column and code, except those already reported while reading them (`project.diagnostics`). */
export function lint(project: Project, context: LintContext): Diagnostic[] {
  const found = [
    ...project.events.flatMap((event) => lintEvent(event, context)),
    ...project.webhooks.flatMap((webhook) => lintWebhook(webhook, context)),
    ...lintAcross(project),
    ...silence(secretNames(project), project.webhooks),
    ...silence(allowRemarks(project, context.now), project.events),
    ...project.later,
  ];
  // Reading the project's defaults finds some of the same, at the same place.
  const known = new Set(project.diagnostics.map(codeAndPlace));
  return sortDiagnostics(found.filter((diagnostic) => !known.has(codeAndPlace(diagnostic))));
}

function codeAndPlace({ code, source }: Diagnostic): string {
  return `${code} ${placeKey(source)}`;
}

/** What no single object shows: events and webhooks that are alike. */
export function lintAcross({ events, webhooks }: Pick<Project, "events" | "webhooks">): readonly Diagnostic[] {
  return silence(
    [...duplicateName(events), ...checkPinnedTwice(events), ...duplicateName(webhooks)],
    [...events, ...webhooks],
  );
}

/** Findings about one event and everything below it, unsorted. Other events are not considered. */
export function lintEvent(event: Wish, context: LintContext): readonly Diagnostic[] {
  const scene: LintScene = {
    ...context,
    event,
    zone: event.own.timezone ?? textField(event, "timezone") ?? standardZone,
    start: instantOf(event, "dateTime"),
    end: instantOf(event, "endDateTime"),
  };
  const found: Diagnostic[] = [];
  checkWish(event, scene, found);
  for (const list of Object.values(event.children)) for (const child of list) checkWish(child, scene, found);
  return silence(found, [event]);
}

/** What one webhook brings up, unsorted. */
export function lintWebhook(webhook: Wish, context: LintContext): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  checkWish(webhook, { ...context, event: null, zone: standardZone, start: undefined, end: undefined }, found);
  return silence(found, [webhook]);
}

function checkWish(wish: Wish, scene: LintScene, found: Diagnostic[]): void {
  for (const rule of rulesForAll) add(rule(wish, scene), found);
  for (const rule of kindOf(wish.kind).lint) add(rule(wish, scene), found);
}

// One by one: spreading a list of any length into a call can exceed what a call accepts.
function add(finding: LintFinding, found: Diagnostic[]): void {
  if (finding === null) return;
  if ("code" in finding) found.push(finding);
  else for (const one of finding) found.push(one);
}

/** Without what the objects ignore and can be silenced. An event's `ignore` counts for everything below it as well. */
function silence(found: readonly Diagnostic[], wishes: readonly Wish[]): readonly Diagnostic[] {
  if (found.length === 0) return found;
  const ignored = new Map<Address, readonly string[]>();
  for (const wish of wishes) collectIgnored(wish, [], ignored);
  if (ignored.size === 0) return found;
  return found.filter(
    ({ address, code }) =>
      address === undefined || !ignored.get(address)?.includes(code) || silencingOf(code) !== "silenced",
  );
}

function collectIgnored(wish: Wish, inherited: readonly string[], ignored: Map<Address, readonly string[]>): void {
  const own = wish.own.ignore ?? [];
  const codes = own.length === 0 ? inherited : [...inherited, ...own];
  if (codes.length > 0) ignored.set(wish.address, codes);
  for (const list of Object.values(wish.children)) {
    for (const child of list) collectIgnored(child, codes, ignored);
  }
}
