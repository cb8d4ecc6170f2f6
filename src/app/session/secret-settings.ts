// Where the secrets of webhooks go, and whether they may go there.
import { join, posix, resolve } from "node:path";
import type { Environment } from "../../config/environment.ts";
import { type Diagnostic, errorOf } from "../../model/diagnostic.ts";
import type { SecretSink, Settings } from "../../model/wish.ts";
import { fileProblem } from "../../state/folder.ts";
import { runGit } from "../../system/git.ts";
import { assertInside } from "../../system/inside-project.ts";
import { checkEntry } from "../../system/private-files.ts";
import type { World } from "../world.ts";

/** The sandbox has a file where the project names nothing; null elsewhere. */
export function sinkSettings(settings: Settings, environment: Environment): SecretSink | null {
  if (settings.secrets !== null) return settings.secrets;
  return environment.baseUrl === null ? { sink: "file", path: join(".ticketing", "secrets.json") } : null;
}

/** A file that git has, or would take with the next `git add`, is no place for a secret. */
export async function exposedSink(directory: string, sink: SecretSink | null): Promise<Diagnostic | null> {
  if (sink?.sink !== "file") return null;
  const unsafe = unsafeFile(directory, sink.path);
  if (unsafe !== null) return unsafe;
  const path = posix.normalize(sink.path.replaceAll("\\", "/"));
  const tracked = await runGit(directory, ["ls-files", "-z", "--", `:(literal)${path}`]);
  // Outside a repository there is nobody to give it to.
  if (!tracked.ok) return null;
  if (tracked.output.length > 0) {
    return exposed(
      `The file for webhook secrets, ${sink.path}, is tracked by git: secrets would be committed.`,
      `Take it out of git (\`git rm --cached ${sink.path}\`), rotate the secrets in it, and use .ticketing/secrets.json.`,
    );
  }
  // The folder of local data ignores itself as soon as it is made.
  if (path.startsWith(".ticketing/")) return null;
  const ignored = await runGit(directory, ["check-ignore", "-z", "--stdin"], `${path}\0`);
  if (ignored.ok) return null;
  return exposed(
    `The file for webhook secrets, ${sink.path}, is not ignored by git: secrets would be committed.`,
    `Add it to .gitignore, or use .ticketing/secrets.json, which is ignored by itself.`,
  );
}

/** Found out before a webhook is made: its secret is shown once, and could not be kept. */
function unsafeFile(directory: string, path: string): Diagnostic | null {
  try {
    assertInside(directory, path);
    checkEntry(resolve(directory, path));
    return null;
  } catch (error) {
    return fileProblem(error, "Reading", path);
  }
}

function exposed(message: string, hint: string): Diagnostic {
  return errorOf("secrets-exposed", message, hint);
}

// The key that plans are signed with.

/** null: plans are not signed. */
export function planKeyOf({ env }: Pick<World, "env">): string | null {
  return env.TICKETING_PLAN_KEY?.trim() ? env.TICKETING_PLAN_KEY : null;
}

/** A CI that has no such secret sets the variable to nothing: whoever set it believes that plans are signed. */
export function emptyPlanKey({ env }: Pick<World, "env">): Diagnostic | null {
  if (env.TICKETING_PLAN_KEY === undefined || env.TICKETING_PLAN_KEY.trim() !== "") return null;
  return errorOf(
    "plan-key-empty",
    "TICKETING_PLAN_KEY is set and empty, so plans would not be signed.",
    "Check that the CI secret exists and that this job may read it, or unset the variable.",
  );
}
