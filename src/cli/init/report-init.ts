import { relative } from "node:path";
import type { Imported } from "../../app/import.ts";
import type { World } from "../../app/world.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { safeJson, safeText } from "../../report/text.ts";
import type { Answers } from "./answers.ts";
import type { Repository } from "./workflow.ts";
import { workflowFile } from "./workflow.ts";

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
export function nextSteps(
  world: World,
  directory: string,
  answers: Answers,
  repository: Repository | null,
): readonly string[] {
  const folder = relative(world.cwd, directory);
  const { environment, importLive, workflowAtRoot } = answers;
  const hasKey = (world.env.TICKETING_API_KEY ?? "") !== "";
  // With a key at hand, the sandbox is meant only if it is named.
  const sandbox = hasKey ? " --env sandbox" : "";
  const real = environment === null ? "" : ` --env ${environment.name}`;
  const rehearsal = [
    [`ticketing plan${sandbox}`, "preview the changes in the embedded sandbox"],
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
    ...(folder === "" ? [] : [`cd ${folder}`]),
    ...steps.map(([command = "", does = ""]) => `${command.padEnd(width)}  ${does}`),
    ...(repository !== null && repository.folder !== "" && !workflowAtRoot
      ? [`Move ${workflowFile} to the root of the repository: GitHub reads workflows only there.`]
      : []),
    `For CI: set the secrets named at the top of ${workflowFile}.`,
  ];
}
