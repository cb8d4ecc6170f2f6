// The files that make a CI plan and apply the project. They go to the root of the repository: hosts read them only there.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type Diagnostic, errorOf } from "../../model/diagnostic.ts";
import type { Settings } from "../../model/wish.ts";
import { checkName } from "./answers.ts";
import { type CiProject, upToRoot } from "./ci-project.ts";
import { githubFile, githubWorkflow } from "./github-workflow.ts";
import { gitlabIncluding, gitlabJobs, gitlabJobsFile, gitlabLeft } from "./gitlab-pipeline.ts";
import { addedFile, generatedFile, type PlannedFile, readIfThere } from "./planned-file.ts";
import { gitlabFile } from "./repository.ts";
import { packSelf } from "./running-copy.ts";

export function ciFiles(directory: string, host: "github" | "gitlab", project: CiProject): readonly PlannedFile[] {
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

/** The file whose head says what to set up. */
export function ciHeadFile(host: "github" | "gitlab", project: Pick<CiProject, "folder">): string {
  return host === "github" ? githubFile(project) : gitlabJobsFile(project);
}

function atRoot(project: Pick<CiProject, "folder">, file: string): string {
  return `${upToRoot(project)}${file}`;
}

/** The running copy does not change, and files are planned more than once. */
let packed: Buffer | undefined;

/** What is in it counts: releases of Node compress differently. Nothing that a person wrote is lost by replacing it. */
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

/** What would not survive a shell or a host's rules for names. Only a file that a person wrote can hold it. */
export function unfitForCi({ environments }: Pick<Settings, "environments">): readonly Diagnostic[] {
  return Object.entries(environments).flatMap(([name, { apiKeyEnv }]) => [
    ...(name === "sandbox" || checkName(name) === undefined ? [] : [unfit(`environment ${JSON.stringify(name)}`)]),
    ...(/^[A-Za-z_]\w*$/.test(apiKeyEnv) ? [] : [unfit(`variable ${JSON.stringify(apiKeyEnv)} of ${name}`)]),
  ]);
}

function unfit(what: string): Diagnostic {
  return errorOf(
    "wrong-flag",
    `The ${what} in ticketing.yaml cannot be named in a CI's jobs.`,
    "Use letters, digits, - and _ (for a variable: letters, digits and _).",
  );
}
