// ticketing import: live events as YAML that a person would have written.
import { type ImportOptions, importJson, importProject, importText } from "../../app/import.ts";
import { reportProblems } from "../../app/session.ts";
import { interruptedCode, sameTarget, type World } from "../../app/world.ts";
import { hasErrors } from "../../model/diagnostic.ts";
import { liveScreen } from "../terminal/live-screen.ts";
import { readingProgress } from "../terminal/progress.ts";

export async function runImport(outside: World, options: ImportOptions): Promise<number> {
  const { format } = options;
  const screen = liveScreen(outside);
  const { world } = screen;
  const { listener, onProgress, end } = readingProgress(screen);
  const onTarget = (line: string) => (format === "text" ? world.stdout : world.stderr).write(`${line}\n`);
  const result = await importProject(world, options, { listener, onTarget, onProgress }).finally(end);
  if (!result.ok) {
    const exitCode = reportProblems(world, result.interrupted ? "text" : format, result.diagnostics);
    if (!result.interrupted) return exitCode;
    world.stderr.write("Stopped: no file was written.\n");
    return interruptedCode;
  }
  const { imported, diagnostics } = result;
  if (format === "json") world.stdout.write(importJson(imported, diagnostics));
  else {
    const next = ["ticketing plan", ...sameTarget(options)].join(" ");
    world.stdout.write(importText(imported, next, world.stdout.columns));
    reportProblems(world, format, diagnostics);
  }
  return hasErrors(diagnostics) ? 1 : 0;
}
