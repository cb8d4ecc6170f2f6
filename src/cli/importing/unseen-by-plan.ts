import { matcherOf } from "../../config/globs.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { formatCount } from "../../model/money.ts";
import type { Desk } from "./desk.ts";
import type { ImportedEvent } from "./imported.ts";

/** Files that the globs of the project do not reach. */
export function unseenByPlan(desk: Desk, events: readonly ImportedEvent[]): readonly Diagnostic[] {
  const { settings } = desk.loaded;
  const reaches = matcherOf(settings.events);
  const unseen = events.filter(({ file }) => !reaches(file));
  const [first] = unseen;
  if (first === undefined) return [];
  return [
    {
      code: "outside-globs",
      severity: "warning",
      message: `${first.file}${unseen.length === 1 ? " is" : ` and ${formatCount(unseen.length - 1)} more are`} not among the project's files: \`plan\` does not read them.`,
      hint: `Add the folder to \`events\` in ticketing.yaml (now ${settings.events.join(", ")}), or import without --out.`,
    },
  ];
}
