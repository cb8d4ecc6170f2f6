import type { Diagnostic } from "../model/diagnostic.ts";
import type { Wish } from "../model/wish.ts";
import { append } from "./append.ts";
import { instantOf, textOf } from "./fields.ts";
import type { LintContext, Scene } from "./rule.ts";
import { rules } from "./rules.ts";
import { silence } from "./silence.ts";

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
