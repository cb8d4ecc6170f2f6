// Saves a plan: as a new file or over an earlier plan, never over anything else, and never through a link.

import { randomBytes } from "node:crypto";
import { lstat, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, parse, relative, resolve, sep } from "node:path";
import { diskFiles, matcherOf } from "../../config/files.ts";
import { loadSettings, projectFile } from "../../config/project.ts";
import { type Diagnostic, errorOf } from "../../model/diagnostic.ts";
import { isObject, parseJson } from "../../model/value.ts";
import { openLines, wayInside } from "../../system/inside-project.ts";
import { explainRefusal } from "../../system/refusal.ts";
import type { MadePlan } from "./make-plan.ts";

/** Why a plan cannot be saved there; null if it can. Asked before the service is read, and again at the end. */
export async function whyNotSaved(directory: string, out: string): Promise<Diagnostic | null> {
  const path = resolve(directory, out);
  const link = await linkOnTheWay(directory, path);
  if (link !== null) return notSaved(out, `${link} is a link`, "Choose a file that is not reached through a link.");
  const use = await useOf(directory, path);
  if (use !== null) return notSaved(out, use, "Choose a file that the project does not use, such as plan.json.");
  const found = await lstat(path).catch(() => null);
  if (found === null) return null;
  if (!found.isFile()) return notSaved(out, "it is not a file", "Choose a new file, or a plan that was saved before.");
  if (found.size === 0 || (await isSavedPlan(path))) return null;
  return notSaved(
    out,
    "a file of that name is there and is not a saved plan",
    "Choose another file, such as plan.json; or delete that one if it is not needed.",
  );
}

/** What the project uses such a name for, whether a file exists or not; null: nothing. Many disks ignore case. */
async function useOf(directory: string, path: string): Promise<string | null> {
  const name = wayInside(resolve(directory), path);
  if (name === null) return null;
  const plain = name.toLowerCase();
  if (plain === ".ticketing" || plain.startsWith(".ticketing/"))
    return ".ticketing/ contains the project's own local data";
  if (plain === projectFile) return "it is the project file";
  const { events, webhooks } = (await loadSettings(diskFiles(directory))).settings;
  if (matcherOf(events)(name)) return "a file of that name is read as an event";
  return matcherOf(webhooks)(name) ? "a file of that name is read as webhooks" : null;
}

/** The whole plan or none: it gets its name when it is complete. */
export async function savePlan(directory: string, out: string, text: string): Promise<Diagnostic | null> {
  const problem = await whyNotSaved(directory, out);
  if (problem !== null) return problem;
  const path = resolve(directory, out);
  const draft = join(dirname(path), `.${basename(path)}.${randomBytes(8).toString("hex")}.tmp`);
  try {
    await writeFile(draft, text, { flag: "wx", mode: 0o600 });
    await rename(draft, path);
    return null;
  } catch (error) {
    await rm(draft, { force: true });
    const { reason, fix } = explainRefusal(error);
    return notSaved(out, `the file cannot be written (${reason})`, fix ?? "Choose another file.");
  }
}

/** People may keep a project behind a link, but its own folders must not lead elsewhere. */
async function linkOnTheWay(directory: string, path: string): Promise<string | null> {
  const shared = sharedFolder(resolve(directory), path);
  const steps = shared === parse(path).root ? [basename(path)] : relative(shared, path).split(sep);
  let place = shared === parse(path).root ? dirname(path) : shared;
  for (const step of steps) {
    place = join(place, step);
    const found = await lstat(place).catch(() => null);
    if (found?.isSymbolicLink() === true) return relative(directory, place);
  }
  return null;
}

function sharedFolder(one: string, path: string): string {
  let folder = one;
  while (!path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)) folder = dirname(folder);
  return folder;
}

async function isSavedPlan(path: string): Promise<boolean> {
  const value = parseJson(await readFile(path, "utf8").catch(() => ""));
  if (!isObject(value) || !isObject(value.tool)) return false;
  return value.tool.name === "ticketing" && typeof value.fingerprint === "string" && Array.isArray(value.operations);
}

function notSaved(out: string, why: string, hint: string): Diagnostic {
  return errorOf("plan-not-saved", `The plan cannot be saved as ${out}: ${why}.`, hint);
}

export interface PlanToRender extends Pick<MadePlan, "plan"> {
  readonly cards?: MadePlan["cards"] | undefined;
}

export interface PlanRenderOptions {
  readonly format: string;
  readonly color: boolean;
  readonly verbose: boolean;
  readonly columns: number;
  /** An apply that leaves out what is blocked shows it. */
  readonly skipBlocked?: boolean;
  /** No changes, only how many there are. */
  readonly brief?: boolean;
  /** The project's folder: remarks about a line show that line. */
  readonly directory: string;
  /** What is merged is in git, and not in the folder; a saved plan is about the files as they were. */
  readonly mergeInto?: string;
  readonly planFile?: string;
  /** Made from a commit other than the one that is checked out. */
  readonly pinned?: boolean;
}

/** `inJob`: for readers of a pull request, whose merge leaves out what is blocked. */
export async function renderPlanPage({ plan, cards }: PlanToRender, inJob = false): Promise<string> {
  const [{ renderPlanHtml }, { codeEntry }] = await Promise.all([
    import("../../report/plan.ts"),
    import("../../report/reference.ts"),
  ]);
  return renderPlanHtml(plan, { cards: cards?.(), explain: codeEntry, inJob });
}

export async function renderPlan(made: PlanToRender, options: PlanRenderOptions): Promise<string> {
  const { plan } = made;
  switch (options.format) {
    case "json":
      return (await import("../../report/plan.ts")).renderPlanJson(plan);
    case "markdown":
      return (await import("../../report/plan.ts")).renderPlanMarkdown(plan);
    case "html":
      return renderPlanPage(made);
    default: {
      const { renderPlanText } = await import("../../report/plan.ts");
      const { directory, mergeInto, planFile, pinned = false } = options;
      const isOfFolder = mergeInto === undefined && planFile === undefined && !pinned;
      const lineAt = isOfFolder ? openLines(directory) : undefined;
      return renderPlanText(plan, { ...options, lineAt });
    }
  }
}
