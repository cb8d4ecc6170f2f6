// ticketing state migrate: state and journal to another backend.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { migrateState } from "../../../app/operate.ts";
import { openEnvironmentStore } from "../../../app/session.ts";
import type { World } from "../../../app/world.ts";
import { errorOf, failed } from "../../../model/diagnostic.ts";
import { pluralize } from "../../../model/value.ts";
import type { Settings } from "../../../model/wish.ts";
import { type Answer, type StateOptions, withStore } from "./state.ts";

type Backend = Exclude<Settings["state"]["backend"], "none">;

interface StateMigrateOptions extends StateOptions {
  readonly to?: Backend;
  /** By default what ticketing.yaml says. */
  readonly from?: Backend;
}

export async function runStateMigrate(world: World, options: StateMigrateOptions): Promise<number> {
  const { to, directory } = options;
  return withStore(world, options, async (present, { settings, environment }) => {
    if (to === undefined) return failed(noBackend);
    if (environment.baseUrl === null) return failed(sandboxStays);
    const { backend } = settings.state;
    // Where the setting was changed first, what is in files is meant: there it was unless somebody moved it.
    const source = options.from ?? (backend === "none" || backend === to ? "file" : backend);
    if (source === to) return failed(sameBackend(to));
    const [from, into] = [source, to].map((each) => {
      const state = backends[each];
      if (each === backend) return present;
      return state === undefined ? null : openEnvironmentStore(world, directory, state, environment);
    });
    const isKept = source === backend && JSON.stringify(settings.state) !== JSON.stringify(backends[source]);
    if (from == null || into == null) return failed(unsaid(source, to, isKept, from == null));
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

/** Those that can be used without further settings. */
const backends: Readonly<Partial<Record<Backend, Settings["state"]>>> = {
  git: { backend: "git", remote: "origin" },
  file: { backend: "file" },
  postgres: { backend: "postgres", schema: "ticketing" },
};

function answer(
  directory: string,
  to: Backend,
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
    ...(unchanged ? [] : [`What is in ${from} was left as it is; with the new setting it is no longer used.`]),
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

const noBackend = errorOf(
  "no-backend",
  "`--to` is missing.",
  "Pass --to git, --to postgres, --to http, --to s3 or --to file.",
);

/** `isKept`: the file has settings of the source that nothing else would remember. */
function unsaid(source: Backend, to: Backend, isKept: boolean, isSource: boolean) {
  const backend = isSource ? source : to;
  const copy = (words: string) => `\`ticketing state migrate ${words}\``;
  const before = isSource ? `While \`state:\` has the settings of \`backend: ${source}\`, run` : "Run";
  const after = (from: Backend) =>
    `Write what \`backend: ${to}\` needs under \`state:\`, then run ${copy(`--from ${from} --to ${to}`)}.`;
  const isDirect = isSource ? backends[to] !== undefined : !isKept;
  const direct = isSource ? `${before} ${copy(`--to ${to}`)}.` : after(source);
  const byFile = `\`state:\` has the settings of one backend at a time, so go by way of a file. ${before} ${copy("--to file")}. ${after("file")}`;
  return errorOf(
    "no-backend",
    `ticketing.yaml does not say where \`backend: ${backend}\` is.`,
    isDirect ? direct : byFile,
  );
}

function sameBackend(to: Backend) {
  const other = to === "git" ? "file" : "git";
  return errorOf(
    "no-backend",
    `\`--to ${to}\` needs another backend to copy from.`,
    `Name it, such as --from ${other} --to ${to}.`,
  );
}

const sandboxStays = errorOf(
  "sandbox-stays",
  "The state of the embedded sandbox stays beside its data, in files.",
  "Name another environment with --env.",
);
