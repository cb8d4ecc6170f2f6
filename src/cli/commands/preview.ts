// ticketing preview: the events as buyers will see them, in a browser, until it is stopped.
import { type PreviewOptions, type ProjectPreview, servePreview } from "../../app/documents.ts";
import { reportProblems, writeLines } from "../../app/session.ts";
import { type CommonOptions, interruptedCode, type World } from "../../app/world.ts";
import { listSome } from "../../model/value.ts";
import { safeJsonLine, safeLine, severityCounts } from "../../report/text.ts";
import { reportCrash } from "../report-crash.ts";
import { dateReached, timeOfDay, whatChanged } from "../terminal/watch-rounds.ts";

interface PreviewCommandOptions extends CommonOptions, PreviewOptions {
  readonly port?: number;
  readonly format: "text" | "json";
}

export async function runPreview(world: World, options: PreviewCommandOptions): Promise<number> {
  const problems = await servePreview(world, options, {
    started(url, preview, taken) {
      if (options.format === "json") world.stdout.write(`${safeJsonLine({ url, formatVersion: 1 })}\n`);
      else writeLines(world.stdout, previewGreeting(url, preview, taken));
    },
    changed(files, phases, preview) {
      const reached = phases.length === 0 ? dateReached : safeLine(`${dateReached} (${listSome(phases, 3)})`);
      const words = `${files.length === 0 ? reached : whatChanged(files)}: ${problemWords(preview)}`;
      writeLines(world.stderr, [`${timeOfDay(world.now())} ${words}`]);
      return words;
    },
    crashed: (problem) => reportCrash(world, problem),
  });
  return problems.length === 0 ? interruptedCode : reportProblems(world, options.format, problems);
}

function previewGreeting(url: string, preview: ProjectPreview, taken: number | null): readonly string[] {
  return [
    ...(taken === null ? [] : [`Port ${taken} is in use by another program, so a different one was chosen.`]),
    `The preview is at ${url}`,
    `It is redrawn as files change (${problemWords(preview)}). Stop it with Ctrl-C.`,
  ];
}

function problemWords(preview: ProjectPreview): string {
  return severityCounts(preview.problems()) || "no problems";
}
