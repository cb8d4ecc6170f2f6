import type { SecretStore } from "../../apply/run.ts";
import { commandSink } from "../../apply/secrets.ts";
import type { SecretSink as SinkSettings } from "../../model/wish.ts";
import { secretFile } from "../../state/secret-file.ts";
import type { World } from "../world.ts";

/** The place for secrets that the project names; null where it names none. `keys`: the variables that a command must not see. */
export function openSink(
  world: World,
  directory: string,
  settings: SinkSettings | null,
  keys: readonly string[],
): SecretStore | null {
  if (settings === null) return null;
  const hidden = new Set(keys.map((name) => world.env[name]?.trim()));
  // Also where another variable holds the same: a runner may give a key two names.
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
      mask(world, secret.secret);
      return sink.put(secret);
    },
  };
}

/** On GitHub the runner is told first, so that no later line can show the secret. */
function mask(world: World, secret: string): void {
  if (world.env.GITHUB_ACTIONS !== "true") return;
  const data = secret.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  world.stderr.write(`::add-mask::${data}\n`);
}
