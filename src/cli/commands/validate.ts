import { relative, sep } from "node:path";
import { openLines, reportProblems, type ValidateRequest, validateProject } from "../../app/session.ts";
import { version, type World } from "../../app/world.ts";
import {
  type DiagnosticsReport,
  renderDiagnosticsGithub,
  renderDiagnosticsJson,
  renderDiagnosticsSarif,
  renderDiagnosticsText,
} from "../../report/diagnostics.ts";
import { watchRounds, whyNotWatched } from "../terminal/watch-rounds.ts";

export interface ValidateOptions extends ValidateRequest {
  readonly format: "text" | "json" | "github" | "sarif";
  readonly color: boolean;
  readonly watch?: boolean;
}

/** Checks the files offline, and reports all problems at once. */
export async function runValidate(world: World, options: ValidateOptions): Promise<number> {
  if (options.watch === true) {
    const problem = whyNotWatched(world, options);
    if (problem !== null) return reportProblems(world, options.format, [problem]);
    return watchRounds(world, options, (round) => runValidate(round, { ...options, watch: false }));
  }
  const report = await validateProject(world, options);
  world.stdout.write(await diagnosticsOutput(report, world, options));
  return report.ok ? 0 : 1;
}

async function diagnosticsOutput(report: DiagnosticsReport, world: World, options: ValidateOptions): Promise<string> {
  switch (options.format) {
    case "json":
      return renderDiagnosticsJson(report);
    case "github":
      return renderDiagnosticsGithub(report, prefixOf(world, options));
    case "sarif":
      return renderDiagnosticsSarif(report, { prefix: prefixOf(world, options), version, helpOf: await loadHelp() });
    case "text": {
      const lineAt = openLines(options.directory);
      const { color, verbose } = options;
      return renderDiagnosticsText(report, { columns: world.stdout.columns, color, lineAt, full: verbose });
    }
  }
}

/** Loaded only when asked for: it is large. */
async function loadHelp() {
  return (await import("../../report/reference.ts")).helpOf;
}

/** The project's folder as the repository sees it: annotations name files from there. */
function prefixOf(world: World, options: ValidateOptions): string {
  const path = relative(world.env.GITHUB_WORKSPACE || world.cwd, options.directory)
    .split(sep)
    .join("/");
  return path === "" || path.startsWith("../") || path.includes(":") ? "" : `${path}/`;
}
