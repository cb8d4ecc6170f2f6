// Every file of a first project, and what becomes of the files that are there already.

import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { Document } from "yaml";
import { version } from "../../app/world.ts";
import { projectFile } from "../../config/project.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { formatLocalTime } from "../../model/time.ts";
import { shownAddress } from "../../model/wish.ts";
import { assertInside } from "../../system/inside-project.ts";
import { schemaText } from "../schema-text.ts";
import { schemaNames } from "../usage/files.ts";
import type { Answers } from "./answers.ts";
import { editorSettings, editorSettingsFile, editorSettingsLeft } from "./editor-settings.ts";
import { type Repository, workflowFile, workflowText } from "./workflow.ts";

export const firstEventFile = "events/open-mic.yaml";

const day = 86_400_000;
const hour = 3_600_000;

/** An event to start with: a draft that validates, two months ahead. */
export function firstEvent(now: number): string {
  const start = saturdayEvening(now + 56 * day);
  return `# yaml-language-server: $schema=../schemas/event.json
name: Open Mic by the Bay
dateTime: ${formatLocalTime(start, zone)} # local time in Manila; set \`timezone\` for other places
endDateTime: ${formatLocalTime(start + 3 * hour, zone)}
locationType: ONLINE # or at a venue: \`venue: NAME\` (\`ticketing venues search\` finds it)
# status: PUBLISHED # without this, the event stays a draft
tickets:
  - name: Stream
    price: 150 # whole pesos
    quantity: 100
    published: true
`;
}

const zone = "Asia/Manila";

/** 19:00 in Manila, which has been at +08:00 for decades. */
function saturdayEvening(instant: number): number {
  const midnight = Math.floor((instant + 8 * hour) / day) * day;
  const weekday = new Date(midnight).getUTCDay();
  return midnight + ((6 - weekday + 7) % 7) * day + 19 * hour - 8 * hour;
}

export const ignoreFile = ".gitignore";

const entry = ".ticketing/";

/** .gitignore with the folder of local data in it. */
export function ignoredFiles(before: string | null): string {
  if (before === null) return `${entry}\n`;
  const isThere = before.split(/\r?\n/).some((line) => /^\/?\.ticketing\/?$/.test(line.trim()));
  if (isThere) return before;
  const lineBreak = before.includes("\r\n") ? "\r\n" : "\n";
  return `${before}${before === "" || before.endsWith("\n") ? "" : lineBreak}${entry}${lineBreak}`;
}

/** ticketing.yaml, with the reasons beside the lines. */
export function projectText({ organization, environment }: Answers): string {
  const lines = ["# yaml-language-server: $schema=./schemas/project.json", "version: 1"];
  if (organization === null) {
    lines.push("# organization: acme-live # your slug: the key must belong to it, or nothing is read or written");
  } else lines.push(`organization: ${scalar(organization)} # the key must belong to it, or nothing is read or written`);
  const real = environment === null ? "" : `; the real one with --env ${scalar(environment.name)}`;
  lines.push(`defaultEnvironment: sandbox # the embedded service, to try things out${real}`);
  if (environment === null) {
    lines.push(
      "",
      "# Once you have a key, add your service here and select it with --env production:",
      "# environments:",
      "#   production:",
      "#     baseUrl: https://api.example.com/open-api/v1",
      "#     apiKeyEnv: TICKETING_API_KEY # the name of a variable; the key itself is never in a file",
    );
    return `${lines.join("\n")}\n`;
  }
  lines.push(
    "environments:",
    `  ${scalar(environment.name)}:`,
    `    baseUrl: ${scalar(shownAddress(environment.baseUrl))}`,
    "    apiKeyEnv: TICKETING_API_KEY # the name of a variable; the key itself is never in a file",
  );
  return `${lines.join("\n")}\n`;
}

/** A text as YAML writes it, in quotes where it must be. */
function scalar(text: string): string {
  return new Document(text, { compat: "yaml-1.1" }).toString({ lineWidth: 0 }).trimEnd();
}

/** A file to be written. `before` is its present content; null if the file does not exist. */
export interface PlannedFile {
  /** Relative to the project, with `/`. */
  readonly file: string;
  readonly before: string | null;
  readonly text: string;
  /** Whether something would be lost: what is only added to is not overwritten. */
  readonly overwrites: boolean;
  /** The message if the file stays as it is, because nothing can be added to it. */
  readonly remark?: Diagnostic;
}

export interface ProjectPlan {
  readonly directory: string;
  readonly answers: Answers;
  readonly repository: Repository | null;
  readonly now: number;
  /** Whether a first event is written: not if there are events already, live or in files. */
  readonly withFirstEvent: boolean;
}

export function planProject(plan: ProjectPlan): readonly PlannedFile[] {
  const { directory, answers, now } = plan;
  const files = [
    whole(directory, projectFile, projectText(answers)),
    ...schemaNames.map((name) => whole(directory, `schemas/${name}.json`, schemaText(name))),
    ...(plan.withFirstEvent ? [whole(directory, firstEventFile, firstEvent(now))] : []),
    whole(directory, workflowPath(plan), workflowOf(plan)),
  ];
  const ignored = readIfThere(directory, ignoreFile);
  files.push({ file: ignoreFile, before: ignored, text: ignoredFiles(ignored), overwrites: false });
  const settings = readIfThere(directory, editorSettingsFile);
  const merged = editorSettings(settings);
  files.push({
    file: editorSettingsFile,
    before: settings,
    text: merged ?? settings ?? "",
    overwrites: false,
    ...(merged === null ? { remark: editorSettingsLeft } : {}),
  });
  return files;
}

/** GitHub runs only the workflows at the root of a repository. */
export function workflowPath({ answers, repository }: Pick<ProjectPlan, "answers" | "repository">): string {
  if (!answers.workflowAtRoot || repository === null || repository.folder === "") return workflowFile;
  return posix.join(posix.relative(repository.folder, ""), workflowFile);
}

function workflowOf({ answers, repository }: ProjectPlan): string {
  return workflowText({
    environment: answers.environment?.name ?? null,
    folder: repository?.folder ?? "",
    branch: repository?.branch ?? "main",
    version,
  });
}

function whole(directory: string, file: string, text: string): PlannedFile {
  const before = readIfThere(directory, file);
  return { file, before, text, overwrites: before !== null && before !== text };
}

/** Throws if it leads out of the project: what is read here is written back. */
export function readIfThere(directory: string, file: string): string | null {
  assertInside(directory, file);
  try {
    return readFileSync(join(directory, file), "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
}
