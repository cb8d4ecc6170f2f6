// ticketing state migrate: state and journal to another backend.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { migrateState } from "../../../app/operate.ts";
import { openEnvironmentStore } from "../../../app/session.ts";
import type { World } from "../../../app/world.ts";
import { errorOf, failed } from "../../../model/diagnostic.ts";
import { pluralize } from "../../../model/value.ts";
import type { Settings } from "../../../model/wish.ts";
import { type Answer, type StateOptions, withStore } from "./with-store.ts";

export interface StateMigrateOptions extends StateOptions {
  readonly to?: "git" | "file";
}

export async function runStateMigrate(world: World, options: StateMigrateOptions): Promise<number> {
  const { to, directory } = options;
  return withStore(world, options, async (present, { settings, environment }) => {
    if (to === undefined) return failed(noBackend);
    if (environment.baseUrl === null) return failed(sandboxStays);
    const { backend } = settings.state;
    const [from, into] = [backends[to === "git" ? "file" : "git"], backends[to]].map((state) => {
      const isPresent = state.backend === backend;
      return isPresent ? present : openEnvironmentStore(world, directory, state, environment);
    });
    if (from === undefined || into === undefined) return failed(noBackend);
    try {
      const migrated = await migrateState(world, from, into);
      if (!migrated.ok) return migrated;
      return answer(directory, to, backend === to, from.place, into.place, migrated);
    } finally {
      await from.close?.();
      await into.close?.();
    }
  });
}

const backends: Readonly<Record<"git" | "file", Settings["state"]>> = {
  git: { backend: "git", remote: "origin" },
  file: { backend: "file" },
};

function answer(
  directory: string,
  to: "git" | "file",
  isSet: boolean,
  from: string,
  into: string,
  migrated: Extract<Awaited<ReturnType<typeof migrateState>>, { ok: true }>,
): Answer {
  const { objects, serial, journal, unchanged } = migrated;
  const setting = `state: { backend: ${to} }`;
  const line = lineOfState(directory);
  const next =
    line === null ? `Add \`${setting}\` to ticketing.yaml.` : `Write \`${setting}\` in line ${line} of ticketing.yaml.`;
  const what = `${pluralize(objects, "object", "objects")}${journal ? " and the journal of an interrupted run" : ""}`;
  const lines = [
    unchanged ? `${into} holds the same already.` : `Copied ${what} from ${from} to ${into}.`,
    ...(isSet ? [] : [next]),
    ...(unchanged ? [] : [`What is in ${from} was left as it is, and is not used after that.`]),
  ];
  const json = { formatVersion: 1, to, objects, serial, journal, unchanged, setting: isSet ? null : { setting, line } };
  return { ok: true, json, lines };
}

/** The line of `state` in the project file, from 1; null if the file does not set it. */
function lineOfState(directory: string): number | null {
  try {
    const lines = readFileSync(join(directory, "ticketing.yaml"), "utf8").split("\n");
    const at = lines.findIndex((line) => /^state\s*:/.test(line));
    return at === -1 ? null : at + 1;
  } catch {
    return null;
  }
}

const noBackend = errorOf("no-backend", "It was not said where the state is to go.", "Pass --to git or --to file.");

const sandboxStays = errorOf(
  "sandbox-stays",
  "The state of the embedded sandbox stays beside its data, in files.",
  "Name another environment with --env.",
);
