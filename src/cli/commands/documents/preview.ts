// ticketing preview: the events as buyers will see them, in a browser, until it is stopped.
import { openPreview, type PreviewOptions, type ProjectPreview } from "../../../app/documents.ts";
import { changedFiles, lookAtFiles, nextSighting, reportProblems, writeLines } from "../../../app/session.ts";
import type { CommonOptions, World } from "../../../app/world.ts";
import { countProblems } from "../../../report/plan.ts";
import { safeJsonLine } from "../../../report/text.ts";
import { type PreviewServer, servePreview } from "../../preview/preview-server.ts";
import { reportCrash } from "../../report-crash.ts";
import { dateReached, signalAt, timeOfDay, whatChanged } from "../../terminal/watch-rounds.ts";

export interface PreviewCommandOptions extends CommonOptions, PreviewOptions {
  /** 0: any free one; left out: the usual one, or any if that is taken. */
  readonly port?: number;
  readonly format: "text" | "json";
}

const usualPort = 4020;
/** One person's editor saves one file: it need not be quiet for as long as after `git switch`. */
const quietMs = 30;

export async function runPreview(world: World, options: PreviewCommandOptions): Promise<number> {
  // Before the files are read: what changes while they are is seen afterwards.
  let seen = await lookAtFiles(options.directory);
  const opened = await openPreview(world, options);
  if (!opened.ok) return reportProblems(world, options.format, opened.diagnostics);
  const { preview } = opened;
  const serve = (port: number) => servePreview(preview, port, (problem) => reportCrash(world, problem));
  const usual = options.port === undefined ? await serve(usualPort) : null;
  const served = usual?.ok === true ? usual : await serve(options.port ?? 0);
  if (!served.ok) return reportProblems(world, options.format, served.diagnostics);
  const { server } = served;
  if (options.format === "json") world.stdout.write(`${safeJsonLine({ url: server.url, formatVersion: 1 })}\n`);
  else writeLines(world.stdout, greeting(server, preview, usual?.ok === false));
  while (!world.interrupted.aborted) {
    const due = signalAt(world, preview.nextChange());
    const now = await nextSighting(options.directory, seen, AbortSignal.any([world.interrupted, due]), quietMs);
    const changed = changedFiles(seen, now);
    seen = now;
    if (world.interrupted.aborted || (changed.length === 0 && !due.aborted)) continue;
    // As time passes, most often nothing else changes.
    const before = changed.length === 0 ? await shownNow(preview) : null;
    await preview.reload(changed);
    if (before !== null && before === (await shownNow(preview))) continue;
    const words = `${changed.length === 0 ? dateReached : whatChanged(changed)}: ${problemWords(preview)}`;
    server.announce(words);
    writeLines(world.stderr, [`${timeOfDay(world.now())} ${words}`]);
  }
  await server.close();
  return 0;
}

function greeting({ url }: PreviewServer, preview: ProjectPreview, isElsewhere: boolean): readonly string[] {
  return [
    ...(isElsewhere ? [`Port ${usualPort} is in use by another program, so another was chosen.`] : []),
    `The preview is at ${url}`,
    `It is redrawn as files change (${problemWords(preview)}). Stop it with Ctrl-C.`,
  ];
}

function problemWords(preview: ProjectPreview): string {
  return countProblems(preview.problems()) || "no problems";
}

/** All that a page shows of the present but the time itself. */
async function shownNow(preview: ProjectPreview): Promise<string> {
  const read = await preview.viewAt("now");
  return JSON.stringify(read.ok ? { ...read.view, asOf: null, instant: null } : read.diagnostics);
}
