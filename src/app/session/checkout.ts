// Which commit is checked out, and whether the project's files are exactly that.
import { matcherOf } from "../../config/files.ts";
import { projectFile } from "../../config/project.ts";
import type { Settings } from "../../model/wish.ts";
import { currentRevision, runGit } from "../../system/git.ts";

export interface Checkout {
  readonly revision: string;
  /** Some of the files that the project reads were never committed like this. */
  readonly dirty: boolean;
}

/** null: outside git, or before the first commit. */
export async function readCheckout(
  directory: string,
  { events, templates, webhooks }: Pick<Settings, "events" | "templates" | "webhooks">,
): Promise<Checkout | null> {
  // A submodule has a configuration of its own, and git would run inside it.
  const status = ["status", "--porcelain", "--untracked-files=no", "--ignore-submodules=dirty", "--", "."];
  const [revision, edited, added] = await Promise.all([
    currentRevision(directory),
    runGit(directory, status),
    runGit(directory, ["ls-files", "-z", "--others", "--exclude-standard", "--", "."]),
  ]);
  if (revision === null) return null;
  // Saved plans and reports do not count: the project does not read them. A series may read any sheet.
  const isRead = matcherOf([projectFile, ...events, ...templates, ...webhooks, "**/*.csv"]);
  const isCommitted = edited.ok && edited.output.length === 0 && added.ok && !namesOf(added.output).some(isRead);
  return { revision, dirty: !isCommitted };
}

function namesOf(output: Buffer): readonly string[] {
  return output.toString("utf8").split("\0");
}
