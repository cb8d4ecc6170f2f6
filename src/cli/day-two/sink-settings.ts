import { join } from "node:path";
import type { Environment } from "../../config/choose-environment.ts";
import type { SecretSink, Settings } from "../../model/settings.ts";

/** Where secrets go. The sandbox has a file where the project names nothing; null elsewhere. */
export function sinkSettings(settings: Settings, environment: Environment): SecretSink | null {
  if (settings.secrets !== null) return settings.secrets;
  return environment.baseUrl === null ? { sink: "file", path: join(".ticketing", "secrets.json") } : null;
}
