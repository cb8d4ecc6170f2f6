// Every file of a first project, and what becomes of the files that are there already.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Document, parseDocument } from "yaml";
import { schemaText } from "../../../config/document-schemas.ts";
import { sandboxName } from "../../../config/environment.ts";
import { projectFile } from "../../../config/project.ts";
import { documentNames } from "../../../kinds/json-schema.ts";
import { type Diagnostic, errorOf, noticeOf, warningOf } from "../../../model/diagnostic.ts";
import { shownAddress } from "../../../model/outside.ts";
import { dayMs, formatLocalTime, standardZone } from "../../../model/time.ts";
import { isObject, parseJson } from "../../../model/value.ts";
import type { Settings } from "../../../model/wish.ts";
import { type Answers, checkName } from "./answers.ts";
import { type CiProject, installSource, packSelf, upToRoot } from "./ci-project.ts";
import { githubFile, githubWorkflow } from "./github-workflow.ts";
import { gitlabIncluding, gitlabJobs, gitlabJobsFile, gitlabLeft } from "./gitlab-pipeline.ts";
import { addedFile, generatedFile, type PlannedFile, readIfThere, wholeFile } from "./planned-file.ts";
import { gitlabFile, type Repository } from "./repository.ts";

// .vscode/settings.json: which schema belongs to which file.

const editorSettingsFile = ".vscode/settings.json";

const schemas = {
  "./schemas/event.json": ["events/**/*.yaml", "events/**/*.yml"],
  "./schemas/template.json": ["templates/**/*.yaml", "templates/**/*.yml"],
  "./schemas/webhooks.json": ["webhooks.yaml", "webhooks.yml"],
  "./schemas/project.json": ["ticketing.yaml"],
};

/** The settings with the schemas added; null if they are written in a way that cannot be added to. */
function editorSettings(before: string | null): string | null {
  if (before === null || before.trim() === "") return `${JSON.stringify({ "yaml.schemas": schemas }, null, 2)}\n`;
  const settings = parseSettings(before);
  if (settings === null) return null;
  const known = settings["yaml.schemas"];
  if (known !== undefined) return hasAll(known) ? before : null;
  // Everything else in the file keeps its bytes.
  const inside = plainJson(before).indexOf("{") + 1;
  const entry = JSON.stringify(schemas, null, 2).replaceAll("\n", "\n  ");
  const comma = Object.keys(settings).length === 0 ? "" : ",";
  const added = `${before.slice(0, inside)}\n  "yaml.schemas": ${entry}${comma}${before.slice(inside)}`;
  return hasAll(parseSettings(added)?.["yaml.schemas"]) ? added : null;
}

/** Editors work without the schemas too, so a file that cannot be added to stops nothing. */
const editorSettingsLeft: Diagnostic = noticeOf(
  "editor-settings-left",
  `${editorSettingsFile} was not changed: it already has other \`yaml.schemas\`, or is not valid JSON.`,
  `For completion while typing, add to its \`yaml.schemas\`: ${JSON.stringify(schemas).slice(1, -1)}`,
);

function hasAll(known: unknown): boolean {
  return typeof known === "object" && known !== null && Object.keys(schemas).every((schema) => schema in known);
}

function parseSettings(text: string): Readonly<Record<string, unknown>> | null {
  const value = parseJson(plainJson(text));
  return isObject(value) ? value : null;
}

// A string or comment that is never closed lasts to the end of the file: JSON.parse refuses it.
const stringOrComment = /"(?:\\[\s\S]|[^"\\])*(?:"|$)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;
const stringOrLastComma = /"(?:\\[\s\S]|[^"\\])*(?:"|$)|,(?=\s*[}\]])/g;

/** The editor accepts comments and a trailing comma: they become spaces, so that everything else stays in its place. */
function plainJson(text: string): string {
  const blank = (found: string): string => (found.startsWith('"') ? found : found.replace(/\S/g, " "));
  return text.replace(stringOrComment, blank).replace(stringOrLastComma, blank);
}

export const firstEventFile = "events/open-mic.yaml";

const hour = 3_600_000;

/** An event to start with: a draft that validates, two months ahead. */
function firstEvent(now: number): string {
  const start = saturdayEvening(now + 56 * dayMs);
  return `# yaml-language-server: $schema=../schemas/event.json
# status: PUBLISHED # without this, the event stays a draft
name: Open Mic by the Bay
dateTime: ${formatLocalTime(start, standardZone)} # local time in Manila; set \`timezone\` for other places
endDateTime: ${formatLocalTime(start + 3 * hour, standardZone)}
locationType: ONLINE # or at a venue: \`venue: NAME\` (\`ticketing venues search\` finds it)
# imageUrl: https://example.com/open-mic.jpg # buyers see it once the event is published
description: Bring a song or a poem, or just listen.

tickets:
  - name: Stream
    price: 150 # whole pesos
    quantity: 100
    published: true
`;
}

/** 19:00 in Manila, which has been at +08:00 for decades. */
function saturdayEvening(instant: number): number {
  const midnight = Math.floor((instant + 8 * hour) / dayMs) * dayMs;
  const weekday = new Date(midnight).getUTCDay();
  return midnight + ((6 - weekday + 7) % 7) * dayMs + 19 * hour - 8 * hour;
}

const ignoreFile = ".gitignore";

const entry = ".ticketing/";

/** .gitignore with the folder of local data in it. */
function ignoredFiles(before: string | null): string {
  if (before === null) return `${entry}\n`;
  const isThere = before.split(/\r?\n/).some((line) => /^\/?\.ticketing\/?$/.test(line.trim()));
  if (isThere) return before;
  const lineBreak = before.includes("\r\n") ? "\r\n" : "\n";
  return `${before}${before === "" || before.endsWith("\n") ? "" : lineBreak}${entry}${lineBreak}`;
}

const gitState = "state: { backend: git } # kept in a ref of the remote: CI runners forget everything else";

/** As a comment, until there is a remote. */
const laterGitState = `# ${gitState}; needs a remote`;

/** ticketing.yaml, with the reasons next to the lines. */
function projectText({ organization, environment, ci, stateInGit }: Answers): string {
  const lines = ["# yaml-language-server: $schema=./schemas/project.json", "version: 1"];
  if (organization === null) {
    lines.push("# organization: acme-live # your slug: the API key must belong to it, or nothing is read or written");
  } else
    lines.push(`organization: ${scalar(organization)} # the API key must belong to it, or nothing is read or written`);
  const real = environment === null ? "" : `; the real one with --env ${scalar(environment.name)}`;
  lines.push(`defaultEnvironment: sandbox # the embedded service, to try things out${real}`);
  const state = ci === "none" ? [] : [stateInGit ? gitState : laterGitState];
  if (environment === null) {
    lines.push(
      ...state,
      "",
      "# Once you have an API key, add your service here and select it with --env production:",
      "# environments:",
      "#   production:",
      "#     baseUrl: https://api.example.com/open-api/v1",
      "#     apiKeyEnv: TICKETING_API_KEY # the name of a variable; the key itself is never in a file",
      ci === "none"
        ? "# Set TICKETING_ENV to production in CI as well: runs that do not name the environment keep a separate state and lock."
        : `# Then run \`ticketing init --ci ${ci}\` again, so that the CI jobs use this environment by name: runs that do not name it keep a separate state and lock.`,
    );
    return `${lines.join("\n")}\n`;
  }
  lines.push(
    "environments:",
    `  ${scalar(environment.name)}:`,
    `    baseUrl: ${scalar(shownAddress(environment.baseUrl))}`,
    "    apiKeyEnv: TICKETING_API_KEY # the name of a variable; the key itself is never in a file",
    ...state,
  );
  return `${lines.join("\n")}\n`;
}

/** A text as YAML writes it, in quotes where it must be. */
function scalar(text: string): string {
  return new Document(text, { compat: "yaml-1.1" }).toString({ lineWidth: 0 }).trimEnd();
}

/** The project file with state in git: a runner forgets every other place. */
function withGitState(before: string): string | null {
  const document = parseDocument(before);
  if (document.errors.length > 0) return null;
  if (document.get("state") !== undefined) return before;
  const added = before.includes(laterGitState)
    ? before.replace(laterGitState, gitState)
    : `${before}${before === "" || before.endsWith("\n") ? "" : "\n"}${gitState}\n`;
  const state = parseDocument(added);
  return state.errors.length === 0 && state.getIn(["state", "backend"]) === "git" ? added : null;
}

/** Whether state outlives the machine that applies. */
export function isKeptElsewhere({ state }: Settings): boolean {
  return state.backend !== "file" && state.backend !== "none";
}

export interface ProjectPlan {
  readonly directory: string;
  readonly answers: Answers;
  readonly repository: Repository;
  readonly now: number;
  /** Whether a first event is written: not if there are events already, live or in files. */
  readonly withFirstEvent: boolean;
  /** Whether something in the files changes at a time. */
  readonly hasPhases: boolean;
  /** What its series read. */
  readonly sheets?: readonly string[];
  /** About the existing project, which only gets CI files; null: a project is created. */
  readonly present: Settings | null;
}

export function planProject(plan: ProjectPlan): readonly PlannedFile[] {
  const { directory, answers, now, present } = plan;
  const ignored = readIfThere(directory, ignoreFile);
  const common = [
    ...(answers.ci === "none" ? [] : ciFiles(directory, answers.ci, ciProject(plan))),
    { file: ignoreFile, before: ignored, text: ignoredFiles(ignored), overwrites: false },
  ];
  if (present !== null) {
    const before = readIfThere(directory, projectFile);
    const merged = isKeptElsewhere(present) ? before : withGitState(before ?? "");
    const isLeft = merged === before && !isKeptElsewhere(present);
    const text = isLeft ? null : answers.stateInGit ? merged : before;
    return [addedFile(projectFile, before, text, stateLeft), ...common];
  }
  const settings = readIfThere(directory, editorSettingsFile);
  return [
    wholeFile(directory, projectFile, projectText(answers)),
    ...documentNames.map((name) => wholeFile(directory, `schemas/${name}.json`, schemaText(name))),
    ...(plan.withFirstEvent ? [wholeFile(directory, firstEventFile, firstEvent(now))] : []),
    ...common,
    addedFile(editorSettingsFile, settings, editorSettings(settings), editorSettingsLeft),
  ];
}

export function ciProject({
  answers,
  repository,
  present,
  hasPhases,
  sheets = [],
}: Omit<ProjectPlan, "withFirstEvent">): CiProject {
  const { environment } = answers;
  const known = Object.entries(present?.environments ?? {}).filter(
    ([name, { baseUrl }]) => name !== sandboxName && baseUrl !== null,
  );
  const asked = environment === null ? [] : [{ name: environment.name, apiKeyEnv: "TICKETING_API_KEY" }];
  return {
    folder: repository.folder,
    branch: repository.branch,
    environments: present === null ? asked : known.map(([name, { apiKeyEnv }]) => ({ name, apiKeyEnv })),
    install: installSource(),
    hasPhases,
    sheets,
    ...(present?.state.backend === "postgres" ? { stateSecrets: ["TICKETING_STATE_URL"] } : {}),
  };
}

const stateLeft: Diagnostic = warningOf(
  "state-left",
  `${projectFile} keeps state in files or not at all, and was not changed. A CI runner forgets its files after each job.`,
  "For each environment, run `ticketing state migrate --to git --env NAME`. Then set `state: { backend: git }` in the file, in place of any other `state`.",
);

// The files with which CI plans and applies the project, at the root of the repository: hosts read them only there.

function ciFiles(directory: string, host: "github" | "gitlab", project: CiProject): readonly PlannedFile[] {
  const tarball =
    project.install.from === "tarball" ? [tarballFile(directory, atRoot(project, project.install.file))] : [];
  const generated = (file: string, text: string) =>
    generatedFile(directory, atRoot(project, file), `ticketing init --ci ${host}`, text);
  if (host === "github") return [generated(githubFile(project), githubWorkflow(project)), ...tarball];
  const jobs = gitlabJobsFile(project);
  const entry = atRoot(project, gitlabFile);
  const before = readIfThere(directory, entry);
  return [
    generated(jobs, gitlabJobs(project)),
    addedFile(entry, before, gitlabIncluding(before, jobs), gitlabLeft(jobs)),
    ...tarball,
  ];
}

/** The file whose opening comment lists what to set up. */
export function ciHeadFile(host: "github" | "gitlab", project: Pick<CiProject, "folder">): string {
  return host === "github" ? githubFile(project) : gitlabJobsFile(project);
}

function atRoot(project: Pick<CiProject, "folder">, file: string): string {
  return `${upToRoot(project)}${file}`;
}

/** The running copy does not change, and files are planned more than once. */
let packed: Buffer | undefined;

/** Only its content counts: releases of Node compress differently. Replacing it loses nothing that a person wrote. */
function tarballFile(directory: string, file: string): PlannedFile {
  packed ??= packSelf();
  const before = readIfThere(directory, file);
  const text = before !== null && holdsSame(join(directory, file), packed) ? before : packed;
  return { file, before, text, overwrites: false };
}

function holdsSame(path: string, other: Buffer): boolean {
  try {
    return gunzipSync(readFileSync(path)).equals(gunzipSync(other));
  } catch {
    return false;
  }
}

/** What a shell or a host's rules for names would not accept. Only a file that a person wrote can contain it. */
export function unfitForCi({ environments }: Pick<Settings, "environments">): readonly Diagnostic[] {
  return Object.entries(environments).flatMap(([name, { apiKeyEnv }]) => [
    ...(name === "sandbox" || checkName(name) === undefined ? [] : [unfit(`environment ${JSON.stringify(name)}`)]),
    ...(/^[A-Za-z_]\w*$/.test(apiKeyEnv) ? [] : [unfit(`variable ${JSON.stringify(apiKeyEnv)} of ${name}`)]),
  ]);
}

function unfit(what: string): Diagnostic {
  const message = `The ${what} in ticketing.yaml cannot be used in CI jobs.`;
  const hint = "Use letters, digits, - and _ (for a variable: letters, digits and _).";
  return errorOf("wrong-flag", message, hint);
}
