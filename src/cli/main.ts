import { resolve } from "node:path";
import { noSuchFolder, reportProblems } from "../app/session.ts";
import {
  type CommonOptions,
  interruptedCode,
  type Output,
  type Secrets,
  variantOf,
  type World,
  wantsColor,
} from "../app/world.ts";
import { errorOf } from "../model/diagnostic.ts";
import { maskSecrets } from "../service/calls.ts";
import { loaders, loadNames } from "./loaders.ts";
import { parseArguments, type Typed } from "./program.ts";
import { asksForJson, reportCrash } from "./report-crash.ts";
import { usages } from "./usages.ts";

export async function main(outside: World): Promise<number> {
  const world = redactingWorld(outside);
  try {
    if (world.argv[0] === "__complete") return await (await loadNames())(world, world.argv.slice(1));
    const parsed = await parseArguments(world, usages);
    if (parsed.kind === "ended") return parsed.exitCode;
    const exitCode = await runTyped(world, parsed.typed);
    // A command that was stopped failed for that reason only.
    return exitCode !== 0 && world.interrupted.aborted ? endStopped(world) : exitCode;
  } catch (error) {
    if (world.interrupted.aborted) return endStopped(world);
    reportCrash(world, error);
    return 1;
  }
}

/** A program that asked for JSON gets a whole value even after Ctrl-C. */
function endStopped(world: World): number {
  // The terminal shows ^C, and a prompt comes next.
  if (world.stderr.isTerminal) world.stderr.write("\n");
  const stopped = errorOf("interrupted", "Stopped before the command was done.", "Run the same command again.");
  if (asksForJson(world.argv) && world.stdout.isUsed !== true) reportProblems(world, "json", [stopped]);
  return interruptedCode;
}

async function runTyped(world: World, typed: Typed): Promise<number> {
  const options = completeOptions(world, typed.options);
  const missing = typed.usage.anyDirectory ? null : noSuchFolder(world, options.directory);
  if (missing !== null) return reportProblems(world, options.format, [missing]);
  const load = loaders[typed.path];
  if (load === undefined) throw new Error(`nothing is behind the command ${typed.path}`);
  const run = await load();
  const work = run(variantOf(world, { directory: options.directory, advice: { target: null } }), options as never);
  // Ctrl-C must not cut off JSON.
  return typed.usage.harmless && options.format !== "json" ? untilInterrupted(world, work) : work;
}

function completeOptions(world: World, typed: Readonly<Record<string, unknown>>): CommonOptions {
  const format = String(typed.format);
  return {
    ...typed,
    format,
    directory: resolve(world.cwd, typeof typed.directory === "string" ? typed.directory : "."),
    color: wantsColor(world, format, typed.color !== false),
    verbose: typed.verbose === true,
  };
}

/** The result of the work, or of an interruption if that comes first. */
async function untilInterrupted({ interrupted }: World, work: Promise<number>): Promise<number> {
  let stop: () => void = () => undefined;
  const stopped = new Promise<number>((resolve) => {
    stop = () => resolve(interruptedCode);
  });
  if (interrupted.aborted) stop();
  interrupted.addEventListener("abort", stop, { once: true });
  return Promise.race([stopped, work]).finally(() => interrupted.removeEventListener("abort", stop));
}

// The last gate before people and files: if a service echoes the key, it is masked here, wherever it appears.

/** The same world, where nothing that is written holds a secret that `secrets` knows. */
export function redactingWorld(world: World): World {
  if (world.secrets !== undefined) return world;
  const secrets = makeSecrets();
  return variantOf(world, {
    stdout: redactingOutput(world.stdout, secrets),
    stderr: redactingOutput(world.stderr, secrets),
    secrets,
  });
}

function makeSecrets(): Secrets {
  const kept = new Set<string>();
  return {
    kept,
    // A short one is a word, and masking a word would garble every text that contains it.
    keep(secret) {
      if (secret.length >= 8) kept.add(secret);
    },
    mask: (text) => (kept.size === 0 ? text : maskSecrets(text, [...kept])),
  };
}

function redactingOutput(output: Output, secrets: Secrets): Output {
  let isUsed = false;
  return variantOf(output, {
    write(text) {
      isUsed = true;
      output.write(secrets.mask(text));
    },
    get isUsed() {
      return isUsed;
    },
  });
}
