import { relative } from "node:path";
import type { World } from "../world.ts";
import type { Answers } from "./answers.ts";
import type { Repository } from "./repository.ts";
import { workflowFile } from "./workflow.ts";

/** What somebody does with a new project. */
export function nextSteps(
  world: World,
  directory: string,
  answers: Answers,
  repository: Repository | null,
): readonly string[] {
  const folder = relative(world.cwd, directory);
  const { environment, importLive, workflowAtRoot } = answers;
  const hasKey = (world.env.TICKETING_API_KEY ?? "") !== "";
  const flag = environment === null || importLive ? "" : ` --env ${environment.name}`;
  return [
    ...(folder === "" ? [] : [`cd ${folder}`]),
    ...(environment === null || importLive
      ? ["ticketing plan                 shows what would change", "ticketing apply                does it"]
      : [
          "ticketing plan                 tries it in the embedded sandbox",
          "ticketing apply                does it there",
          ...(hasKey ? [] : ["export TICKETING_API_KEY=…     a key from your dashboard"]),
          `ticketing plan${flag}     the same for the real service`,
        ]),
    ...(repository !== null && repository.folder !== "" && !workflowAtRoot
      ? [`Move ${workflowFile} to the root of the repository: GitHub reads workflows only there.`]
      : []),
    `For CI: ${workflowFile} begins with the secrets to set.`,
  ];
}
