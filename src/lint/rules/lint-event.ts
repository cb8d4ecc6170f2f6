import type { Address } from "../../model/address.ts";
import { type Diagnostic, silencingOf } from "../../model/diagnostic.ts";
import type { Wish } from "../../model/wish.ts";
import { append, instantOf, type LintContext, type Scene, textOf } from "./rule.ts";
import { rules } from "./rules.ts";

/** Without what the objects ignore and can be silenced. An event's `ignore` counts for everything below it as well. */
export function silence(found: readonly Diagnostic[], wishes: readonly Wish[]): readonly Diagnostic[] {
  if (found.length === 0) return found;
  const ignored = new Map<Address, readonly string[]>();
  for (const wish of wishes) collect(wish, [], ignored);
  if (ignored.size === 0) return found;
  return found.filter(
    ({ address, code }) =>
      address === undefined || !ignored.get(address)?.includes(code) || silencingOf(code) !== "silenced",
  );
}

function collect(wish: Wish, inherited: readonly string[], ignored: Map<Address, readonly string[]>): void {
  const own = wish.own.ignore ?? [];
  const codes = own.length === 0 ? inherited : [...inherited, ...own];
  if (codes.length > 0) ignored.set(wish.address, codes);
  for (const list of Object.values(wish.children)) {
    for (const child of list) collect(child, codes, ignored);
  }
}

/** What one event and everything below it bring up, unsorted. Other events are not looked at. */
export function lintEvent(event: Wish, context: LintContext): readonly Diagnostic[] {
  const scene: Scene = {
    now: context.now,
    environment: context.environment,
    event,
    zone: zoneOf(event),
    start: instantOf(event, "dateTime"),
    end: instantOf(event, "endDateTime"),
  };
  const found: Diagnostic[] = [];
  look(event, scene, found);
  for (const list of Object.values(event.children)) {
    for (const child of list) look(child, scene, found);
  }
  return silence(found, [event]);
}

/** What one webhook brings up, unsorted. */
export function lintWebhook(webhook: Wish, context: LintContext): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const nowhere = { event: null, zone: standardZone, start: undefined, end: undefined };
  look(webhook, { now: context.now, environment: context.environment, ...nowhere }, found);
  return silence(found, [webhook]);
}

function look(wish: Wish, scene: Scene, found: Diagnostic[]): void {
  for (const rule of rules[wish.kind]) {
    append(found, rule(wish, scene));
  }
}

const standardZone = "Asia/Manila";

function zoneOf(event: Wish): string {
  return event.own.timezone ?? textOf(event, "timezone") ?? standardZone;
}

/** By file, line, column and code; what says the same of the same place comes once. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics
    .filter((diagnostic) => {
      const { file, line, column } = diagnostic.source ?? nowhere;
      const identity = `${file}:${line}:${column}:${diagnostic.code}:${diagnostic.message}`;
      return !seen.has(identity) && seen.add(identity);
    })
    .sort(compare);
}

const nowhere = { file: "", line: 0, column: 0 };

function compare(one: Diagnostic, other: Diagnostic): number {
  const here = one.source ?? nowhere;
  const there = other.source ?? nowhere;
  return (
    compareText(here.file, there.file) ||
    here.line - there.line ||
    here.column - there.column ||
    compareText(one.code, other.code)
  );
}

// By code units, so that the order is the same on every computer.
function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
