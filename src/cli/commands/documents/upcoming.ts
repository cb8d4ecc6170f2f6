// ticketing upcoming: phases, starts and ends that are still to come.
import { type UpcomingOptions as ListOptions, listUpcoming } from "../../../app/documents.ts";
import { reportProblems } from "../../../app/session.ts";
import type { World } from "../../../app/world.ts";
import { renderUpcomingCalendar, renderUpcomingMarkdown, renderUpcomingText } from "../../../report/lists.ts";
import { safeJson } from "../../../report/text.ts";

export interface UpcomingCommandOptions extends ListOptions {
  readonly format: "text" | "json" | "markdown" | "ics";
}

export async function runUpcoming(world: World, options: UpcomingCommandOptions): Promise<number> {
  const { format } = options;
  const listed = await listUpcoming(world, options);
  if (!listed.ok) return reportProblems(world, format, listed.diagnostics);
  const { coming, problems } = listed;
  switch (format) {
    case "json": {
      const upcoming = coming.map(({ at, address, type, phase, fields, name }) => ({
        at,
        address,
        type,
        phase,
        fields,
        name,
      }));
      world.stdout.write(`${safeJson({ formatVersion: 1, ok: problems.length === 0, upcoming })}\n`);
      break;
    }
    case "markdown":
      world.stdout.write(renderUpcomingMarkdown(coming));
      break;
    case "ics":
      world.stdout.write(renderUpcomingCalendar(coming, world.now()));
      break;
    case "text":
      world.stdout.write(renderUpcomingText(coming, world.stdout.columns));
  }
  // What is listed may be incomplete: the exit code says so.
  return problems.length === 0 ? 0 : reportProblems(world, "text", problems);
}
