// Where the secrets of webhooks are stored, whether they may be, and the key that plans are signed with.
import { join, posix, resolve } from "node:path";
import type { SecretStore } from "../../apply/run.ts";
import { commandSink } from "../../apply/secrets.ts";
import type { Environment } from "../../config/environment.ts";
import { kindOf } from "../../kinds/index.ts";
import { idKey } from "../../model/address.ts";
import { type Diagnostic, errorOf } from "../../model/diagnostic.ts";
import type { State } from "../../model/live.ts";
import { keepSecretsOn, type SecretPlace } from "../../model/value.ts";
import type { SecretSink, Settings } from "../../model/wish.ts";
import { fileProblem } from "../../state/folder.ts";
import { secretFile, storedSecrets } from "../../state/secret-file.ts";
import { runGit } from "../../system/git.ts";
import { assertInside } from "../../system/inside-project.ts";
import { readPrivate } from "../../system/private-files.ts";
import { checkEntry } from "../../system/private-folder.ts";
import { isOnRunner, type World } from "../world.ts";

/** Where the environment's secrets are stored; null: nowhere. A sandbox has a file: it must not replace the real ones. */
export function sinkSettings(settings: Settings, environment: Environment): SecretSink | null {
  const { secrets } = settings;
  if (environment.baseUrl === null && secrets?.sink !== "file") {
    return { sink: "file", path: join(".ticketing", "secrets.json") };
  }
  if (secrets?.sink !== "command") return secrets;
  return { ...secrets, command: secrets.command.map((part) => part.replaceAll("{environment}", environment.name)) };
}

/** What happens to a new secret. The embedded service's secrets are worth nothing. */
export function secretPlaceOf(
  { env }: Pick<World, "env">,
  { sink, environment }: { readonly sink: SecretSink | null; readonly environment: Environment },
): SecretPlace {
  const host = env.GITHUB_ACTIONS === "true" ? "github" : env.GITLAB_CI === "true" ? "gitlab" : null;
  if (sink === null) return { fate: "none", host: host ?? (isOnRunner({ env }) ? "other" : null) };
  return { fate: sink.sink === "command" || environment.baseUrl === null || host === null ? "kept" : "lost", host };
}

/** The same for a secret that replaces another: null if it stays, or is stored nowhere. */
export function lostSink(world: World, environment: Environment, sink: SecretSink | null): Diagnostic | null {
  const { fate, host } = secretPlaceOf(world, { sink, environment });
  if (fate !== "lost") return null;
  const message =
    "The new secret is shown only once. It would be written to a file on this runner and lost after the job.";
  return errorOf("secret-would-be-lost", message, keepSecretsOn(host));
}

/** A secret must not be in a file that git tracks, or would add with the next `git add`. */
export async function exposedSink(directory: string, sink: SecretSink | null): Promise<Diagnostic | null> {
  if (sink?.sink !== "file") return null;
  const unsafe = unsafeFile(directory, sink.path);
  if (unsafe !== null) return unsafe;
  const path = posix.normalize(sink.path.replaceAll("\\", "/"));
  const tracked = await runGit(directory, ["ls-files", "-z", "--", `:(literal)${path}`]);
  // Outside a repository it cannot be committed.
  if (!tracked.ok) return null;
  if (tracked.output.length > 0) {
    return exposed(
      `The file for webhook secrets, ${sink.path}, is tracked by git: secrets would be committed.`,
      `Remove it from git (\`git rm --cached ${sink.path}\`), rotate the secrets in it, and use .ticketing/secrets.json.`,
    );
  }
  // The folder of local data ignores itself as soon as it is created.
  if (path.startsWith(".ticketing/")) return null;
  const ignored = await runGit(directory, ["check-ignore", "-z", "--stdin"], `${path}\0`);
  if (ignored.ok) return null;
  return exposed(
    `The file for webhook secrets, ${sink.path}, is not ignored by git: secrets would be committed.`,
    `Add it to .gitignore, or use .ticketing/secrets.json, which git ignores already.`,
  );
}

/** Checked before a webhook is created: its secret is shown once, and could not be stored. */
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

/** The place for secrets that the project names; null if it names none. `keys`: the variables that a command must not see. */
export function openSink(
  world: World,
  directory: string,
  settings: SecretSink | null,
  keys: readonly string[],
): SecretStore | null {
  if (settings === null) return null;
  const hidden = new Set(keys.map((name) => world.env[name]?.trim()));
  // Also if another variable holds the same: a runner may give a key two names.
  const env = Object.fromEntries(
    Object.entries(world.env).filter(([name, value]) => !keys.includes(name) && !hidden.has(value?.trim())),
  );
  const sink =
    settings.sink === "file"
      ? secretFile(directory, settings.path, () => world.now())
      : commandSink({ command: settings.command, directory, env });
  return {
    holds: (id) => sink.holds(id),
    put(secret) {
      maskOnGithub(world, secret.secret);
      world.secrets?.keep(secret.secret);
      return sink.put(secret);
    },
  };
}

/** What the sink holds must not be shown either; a command cannot be asked. */
export async function keepStored(world: World, directory: string, sink: SecretSink | null): Promise<void> {
  if (sink?.sink !== "file") return;
  for (const secret of await storedSecrets(directory, sink.path)) world.secrets?.keep(secret);
}

/** On GitHub the runner masks it from now on, so that no later line can show the secret. */
function maskOnGithub(world: World, secret: string): void {
  if (world.env.GITHUB_ACTIONS !== "true") return;
  const data = secret.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  world.stderr.write(`::add-mask::${data}\n`);
}

/** Whether the sink holds a webhook's secret; null if that is unknown. Only the key of a secret is read, never the secret. */
export function readSecretHolder(
  directory: string,
  sink: SecretSink | null,
  state: State | null,
): (webhookId: string) => boolean | null {
  // A command sink cannot be asked; it has what state says we created. A webhook that was only found has no such time.
  if (sink === null || sink.sink === "command") {
    const ours = new Set(
      Object.values(state?.objects ?? {})
        .filter((entry) => kindOf(entry.kind).secret === true && entry.madeAt !== undefined)
        .map((entry) => idKey(entry.id)),
    );
    const unresolved = new Set(state?.unresolvedWebhooks?.map(idKey));
    return (id) => (sink === null || unresolved.has(idKey(id)) ? null : ours.has(idKey(id)));
  }
  const keys = idKey(privateText(resolve(directory, sink.path)));
  return (id) => keys.includes(idKey(id));
}

function privateText(path: string): string {
  try {
    return readPrivate(path) ?? "";
  } catch {
    return "";
  }
}

export function planKeyOf({ env }: Pick<World, "env">): string | null {
  return env.TICKETING_PLAN_KEY?.trim() ? env.TICKETING_PLAN_KEY : null;
}

/** A CI without the secret sets the variable to nothing, and its owner believes that plans are signed. */
export function emptyPlanKey({ env }: Pick<World, "env">): Diagnostic | null {
  if (env.TICKETING_PLAN_KEY === undefined || env.TICKETING_PLAN_KEY.trim() !== "") return null;
  const message = "TICKETING_PLAN_KEY is set and empty, so plans would not be signed.";
  const hint = "Check that the CI secret exists and that this job may read it, or unset the variable.";
  return errorOf("plan-key-empty", message, hint);
}
