// What people may do in a sandbox behind the API's back: in the one that serves the data, in one that is named, or in the data
// file itself.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  askControl,
  controlError,
  type EventRow,
  findServing,
  type OrderRow,
  type Sale,
  startSandbox,
} from "../../sandbox/index.ts";
import { localDataProblem } from "../session/environment-store.ts";
import { reportProblems } from "../session/report-problems.ts";
import { sandboxProblem } from "../session/target.ts";
import type { World } from "../world.ts";

export interface SandboxPlace {
  readonly directory: string;
  /** A running sandbox; left out: the one that uses the data file, or the data file itself. */
  readonly url?: string | undefined;
  readonly port?: number | undefined;
  readonly data?: string | undefined;
  readonly format: "text" | "json";
}

interface Contents {
  readonly events: readonly EventRow[];
  readonly orders: readonly OrderRow[];
  readonly webhooks: readonly unknown[];
}

export function sandboxDataFile(directory: string, data: string | undefined): string {
  return data === undefined ? join(directory, ".ticketing", "sandbox.json") : resolve(directory, data);
}

/** Reports what cannot be done; the exit code is then 1. */
export async function withSandboxHands(
  world: World,
  place: SandboxPlace,
  work: (hands: SandboxHands) => Promise<void>,
): Promise<number> {
  const unsafe = await localDataProblem(place.directory);
  if (unsafe !== null) return reportProblems(world, place.format, [unsafe]);
  try {
    await handsIn(world, place, work);
    return 0;
  } catch (problem) {
    return reportProblems(world, place.format, [sandboxProblem(problem)]);
  }
}

async function handsIn(world: World, place: SandboxPlace, work: (hands: SandboxHands) => Promise<void>): Promise<void> {
  const dataFile = sandboxDataFile(place.directory, place.data);
  const named = place.url ?? (place.port === undefined ? undefined : `http://127.0.0.1:${place.port}`);
  const address = named ?? (await findServing(dataFile))?.baseUrl;
  if (address !== undefined) return work(handsAt(address));
  if (!existsSync(dataFile)) {
    throw controlError(
      `There is no sandbox data at ${dataFile}.`,
      "Fill a sandbox first with: ticketing apply --env sandbox; or name a running one with --url.",
    );
  }
  const sandbox = await startSandbox({ dataFile, now: () => world.now() });
  try {
    await work(handsAt(sandbox.controlUrl));
  } finally {
    await sandbox.control.settle();
    await sandbox.close();
  }
}

type SandboxHands = ReturnType<typeof handsAt>;

function handsAt(address: string) {
  return {
    contents: async () => (await askControl(address, "GET", "/dump")) as Contents,
    sell: async (sale: Sale) => (await askControl(address, "POST", "/sell", sale)) as readonly OrderRow[],
    refund: async (order: string) => (await askControl(address, "POST", "/refund", { order })) as OrderRow,
    reset: () => askControl(address, "POST", "/reset"),
  };
}
