import type { Diagnostic } from "../model/diagnostic.ts";
import type { Project } from "../model/wish.ts";
import { lintEvent, lintWebhook, silence, sortDiagnostics } from "./rules/lint-event.ts";
import { duplicateName, pinnedTwice } from "./rules/names.ts";
import { append, type LintContext } from "./rules/rule.ts";
import { secretNameMissing } from "./rules/webhooks.ts";

export { lintEvent, lintWebhook, sortDiagnostics } from "./rules/lint-event.ts";
export type { LintContext } from "./rules/rule.ts";

/**
 * Every mistake that the files show by themselves, by file, line, column and code; beside those that came up while
 * reading them (`project.diagnostics`), which are not told again.
 */
export function lint(project: Project, context: LintContext): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const event of project.events) append(found, lintEvent(event, context));
  for (const webhook of project.webhooks) append(found, lintWebhook(webhook, context));
  append(found, lintAcross(project));
  append(found, silence(secretNameMissing(project), project.webhooks));
  return sortDiagnostics(withoutTold(found, project.diagnostics));
}

// Reading the project's defaults brings up some of the same, at the same place.
function withoutTold(found: readonly Diagnostic[], told: readonly Diagnostic[]): readonly Diagnostic[] {
  if (told.length === 0) return found;
  const known = new Set(told.map(codeAndPlace));
  return found.filter((diagnostic) => !known.has(codeAndPlace(diagnostic)));
}

function codeAndPlace({ code, source }: Diagnostic): string {
  return `${code} ${source?.file}:${source?.line}:${source?.column}`;
}

/** What no object shows alone: events and webhooks that are alike. */
export function lintAcross({ events, webhooks }: Pick<Project, "events" | "webhooks">): readonly Diagnostic[] {
  return silence(
    [...duplicateName(events), ...pinnedTwice(events), ...duplicateName(webhooks)],
    [...events, ...webhooks],
  );
}
