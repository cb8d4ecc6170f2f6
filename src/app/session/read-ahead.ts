// Reading the service while many files are loaded.
import type { Environment } from "../../config/environment.ts";
import type { Reader } from "../../snapshot/reader.ts";
import type { World } from "../world.ts";
import type { Ground, SessionOptions } from "./prepare-session.ts";
import { loadSavedState, type SavedState } from "./saved-state.ts";
import { type OpenTarget, type ReachContext, reachTarget } from "./target.ts";

/** What is known before the files are loaded. */
export interface ReadAheadInput {
  readonly target: OpenTarget;
  readonly memory: SavedState;
  readonly environment: Environment;
  readonly now: number;
  /** How many files there are to load. */
  readonly files: number;
}

/** Starts reading without waiting for it; null: not worth it. */
export type ReadAhead = (input: ReadAheadInput) => Promise<Reader | null>;

/** With this many files, loading takes longer than the service's first responses. With fewer, a typo should not cost a call. */
const manyForReadAhead = 500;

/** Does early what normally follows loading, once `start` says that there are many files to load. */
export function prepareReadAhead(
  world: World,
  options: SessionOptions,
  { environment, loaded, now, store, isBroken, unsafe }: Ground,
  reach: Omit<ReachContext, "memory" | "base">,
  read: ReadAhead | null,
) {
  const isMeant = options.base === undefined && environment.baseUrl !== null && unsafe === null && !isBroken;
  let result: ReturnType<typeof readEarly> = Promise.resolve(null);

  async function readEarly(files: number, read: ReadAhead) {
    const memory = await loadSavedState(store);
    if (!memory.ok) return null;
    const context = { ...reach, memory, base: null };
    const reached = await reachTarget(world, options, loaded.settings, environment, context);
    if (!reached.ok) return null;
    const { target } = reached;
    return { memory, reached, reader: await read({ target, memory, environment, now, files }) };
  }

  return {
    start(files: number): void {
      if (read !== null && isMeant && files >= manyForReadAhead) result = readEarly(files, read).catch(() => null);
    },
    /** null: nothing was done, or some of it failed; then all of it is done again in the normal order. */
    result: () => result,
  };
}
