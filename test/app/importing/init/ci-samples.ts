import type { CiProject } from "../../../../src/app/importing/init/ci-project.ts";

const fromTarball = { from: "tarball", file: "vendor/ticketing-1.2.3.tgz" } as const;
const production = { name: "production", apiKeyEnv: "TICKETING_API_KEY" };

/** One environment, several in a folder, and none yet. */
export const ciSamples: readonly CiProject[] = [
  { environments: [production], folder: "", branch: "main", install: fromTarball, hasPhases: false },
  {
    environments: [{ name: "staging", apiKeyEnv: "TICKETING_STAGING_KEY" }, production],
    folder: "teams/live events",
    branch: "release/it's",
    install: { from: "registry", version: "1.2.3", digest: "ab".repeat(64) },
    hasPhases: true,
  },
  { environments: [], folder: "tickets", branch: "master", install: fromTarball, hasPhases: true },
];
