import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { Imported } from "../../app/import.ts";
import type { World } from "../../app/world.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { safeJson, safeText } from "../../report/text.ts";
import { folderOf } from "../../state/folder.ts";
import { ciHeadFile } from "./ci-files.ts";
import { isKeptElsewhere, type ProjectPlan } from "./project-files.ts";

export type InitAction = "created" | "updated" | "unchanged" | "kept";

export interface WrittenFile {
  readonly file: string;
  readonly action: InitAction;
}

const signs: Readonly<Record<InitAction, string>> = { created: "+", updated: "~", unchanged: "=", kept: "!" };

export function initText(files: readonly WrittenFile[], steps: readonly string[]): string {
  const lines = files.map(
    ({ file, action }) => `${signs[action]} ${safeText(file)}${action === "kept" ? " (not changed)" : ""}`,
  );
  return `${lines.join("\n")}\n\nNext:\n${steps.map((step) => `  ${step}`).join("\n")}\n`;
}

export function initJson(
  directory: string,
  files: readonly WrittenFile[],
  imported: Imported | null,
  diagnostics: readonly Diagnostic[],
): string {
  return `${safeJson({ formatVersion: 1, ok: true, directory, files, events: imported?.events ?? [], diagnostics })}\n`;
}

/** What to do with a new project. */
export function nextSteps(world: World, { directory, answers, repository, present }: ProjectPlan): readonly string[] {
  const folder = relative(world.cwd, directory);
  const { environment, importLive, ci, stateInGit } = answers;
  const hasKey = (world.env.TICKETING_API_KEY ?? "") !== "";
  // With a key at hand, the sandbox is meant only if it is named.
  const sandbox = hasKey ? " --env sandbox" : "";
  const real = environment === null ? "" : ` --env ${environment.name}`;
  const rehearsal = [
    [`ticketing plan${sandbox}`, "show what would change in the embedded sandbox"],
    [`ticketing apply${sandbox}`, "make them there"],
  ];
  const steps =
    environment === null
      ? rehearsal
      : importLive
        ? [
            [`ticketing plan${real}`, "shows no changes until you edit a file"],
            [`ticketing apply${real}`, "make the changes"],
          ]
        : [
            ...rehearsal,
            ...(hasKey ? [] : [["export TICKETING_API_KEY=…", "a key from your dashboard"]]),
            [`ticketing plan${real}`, "the same for your service"],
          ];
  const width = Math.max(...steps.map(([command = ""]) => command.length));
  return [
    ...(folder === "" || present !== null ? [] : [`cd ${folder}`]),
    ...(present === null ? steps.map(([command = "", does = ""]) => `${command.padEnd(width)}  ${does}`) : []),
    ...(present === null || isKeptElsewhere(present) ? [] : remembered(directory, Object.keys(present.environments))),
    ...(ci === "none" ? [] : [ciStep(ciHeadFile(ci, repository), stateInGit ? null : `ticketing init --ci ${ci}`)]),
  ];
}

/** What this machine has applied so far must not be forgotten. */
function remembered(directory: string, environments: readonly string[]): readonly string[] {
  return environments
    .filter((name) => existsSync(join(folderOf(directory), `state.${name}.json`)))
    .map((name) => `ticketing state migrate --to git --env ${name}  takes along what this machine remembers`);
}

/** `again`: what to run once there is a remote for state, and for the name of the branch; null: there is one. */
function ciStep(file: string, again: string | null): string {
  const set = `set up what the top of ${file} names.`;
  if (again === null) return `For CI: commit these files, and ${set}`;
  return `For CI: once the repository has its remote, run \`${again}\` here, and ${set}`;
}
