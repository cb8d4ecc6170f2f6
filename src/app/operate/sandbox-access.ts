// The sandbox that people start, and what they may do in one apart from the API: in the one that serves the data, in one that is
// named, or in the data file itself.
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { soldKind } from "../../kinds/index.ts";
import { attempt, Halt } from "../../model/diagnostic.ts";
import { sameInAnyCase } from "../../model/live.ts";
import { formatMoment, standardZone } from "../../model/time.ts";
import { shellWord } from "../../model/value.ts";
import type { ComingPhase, Wish } from "../../model/wish.ts";
import {
  askControl,
  controlError,
  type EventRow,
  findServing,
  type OrderRow,
  type Sale,
  type Sandbox,
  startSandbox,
} from "../../sandbox/index.ts";
import { localDataProblem } from "../session/environment-store.ts";
import { reportProblems } from "../session/report-problems.ts";
import { sandboxSettings } from "../session/target.ts";
import { interruptedCode, type World } from "../world.ts";
import { eventOfKey } from "./find-event.ts";
import { notConfirmed } from "./inspect-state.ts";

export interface SandboxPlace {
  readonly directory: string;
  /** A running sandbox; left out: the one that uses the data file, or the data file itself. */
  readonly url?: string | undefined;
  readonly port?: number | undefined;
  readonly data?: string | undefined;
  readonly format: "text" | "json";
}

export interface SandboxServing extends Pick<SandboxPlace, "directory" | "data" | "format"> {
  /** 0: any free one. */
  readonly port: number;
  readonly profile?: string | undefined;
  readonly deliverOutside?: boolean | undefined;
  readonly verbose?: boolean | undefined;
}

/** With the organization of the project, and its venues, until it is stopped; `show` is called once it listens. */
export async function serveSandbox(
  world: World,
  request: SandboxServing,
  show: (sandbox: Sandbox, dataFile: string) => void,
): Promise<number> {
  const { directory, data, port, profile, deliverOutside, verbose } = request;
  const exitCode = await reportingProblems(world, request, async () => {
    const settings = await sandboxSettings(world, directory);
    const dataFile = sandboxDataFile(directory, data);
    const common = { ...settings, now: () => world.now(), standalone: true };
    const log = verbose === true ? (line: string) => world.stderr.write(`${line}\n`) : undefined;
    const sandbox = await startSandbox({ ...common, port, dataFile, profile, deliverOutside, log });
    show(sandbox, dataFile);
    if (!world.interrupted.aborted) await once(world.interrupted, "abort");
    await sandbox.close();
  });
  return exitCode === 0 ? interruptedCode : exitCode;
}

interface Contents {
  readonly events: readonly EventRow[];
  readonly orders: readonly OrderRow[];
  readonly webhooks: readonly unknown[];
}

function sandboxDataFile(directory: string, data: string | undefined): string {
  return data === undefined ? join(directory, ".ticketing", "sandbox.json") : resolve(directory, data);
}

/** Reports what cannot be done; the exit code is then 1. */
export async function withSandboxHands(
  world: World,
  place: SandboxPlace,
  work: (hands: SandboxHands) => Promise<void>,
): Promise<number> {
  return reportingProblems(world, place, () => handsIn(world, place, work));
}

async function reportingProblems(world: World, place: SandboxPlace | SandboxServing, work: () => Promise<void>) {
  const { directory, format } = place;
  const unsafe = await localDataProblem(directory);
  if (unsafe !== null) return reportProblems(world, format, [unsafe]);
  const done = await attempt(work);
  return done.ok ? 0 : reportProblems(world, format, done.diagnostics);
}

async function handsIn(world: World, place: SandboxPlace, work: (hands: SandboxHands) => Promise<void>): Promise<void> {
  const dataFile = sandboxDataFile(place.directory, place.data);
  const named = place.url ?? (place.port === undefined ? undefined : `http://127.0.0.1:${place.port}`);
  const address = named ?? (await findServing(dataFile))?.baseUrl;
  if (world.advice !== undefined) {
    const isOwn = named === undefined && place.data === undefined;
    const other = isOwn || !URL.canParse(address ?? "") ? null : new URL("/open-api/v1", address);
    const flags = other === null ? ["--env", "sandbox"] : ["--base-url", other.href];
    world.advice.target = { flags, inJob: flags, pin: null };
  }
  if (address !== undefined) return work(handsAt(world, place, address));
  if (!existsSync(dataFile)) {
    throw controlError(
      `There is no sandbox data at ${dataFile}.`,
      place.data === undefined
        ? "Fill a sandbox first with: ticketing apply --env sandbox; or name a running one with --url."
        : `Correct --data, or start a sandbox with this file in another terminal: ticketing sandbox --data ${shellWord(place.data)}`,
    );
  }
  const sandbox = await startSandbox({ dataFile, now: () => world.now() });
  try {
    await work(handsAt(world, place, sandbox.controlUrl));
  } finally {
    await sandbox.control.settle();
    await sandbox.close();
  }
}

function opensSale({ around: [before, then] }: ComingPhase, ticket: string): boolean {
  const isOn = ({ name, fields }: Wish) => fields.published === true && sameInAnyCase(name, ticket);
  const met = ({ own, children }: Wish) => [own.status === "PUBLISHED", children[soldKind.name]?.some(isOn) === true];
  return met(then).some((isMet, at) => isMet && !met(before)[at]);
}

function whenOpen({ phase, at, around: [, { own }] }: ComingPhase): string {
  const moment = formatMoment(at, own.timezone ?? standardZone);
  return `${phase === null ? "A phase" : `The phase "${phase}"`} publishes it on ${moment}. To rehearse that, run \`ticketing apply\` with the variable TICKETING_NOW set to ${at}.`;
}

type SandboxHands = ReturnType<typeof handsAt>;

function handsAt(world: World, { directory }: SandboxPlace, address: string) {
  const contents = async () => (await askControl(address, "GET", "/dump")) as Contents;
  return {
    /** The event by its key in the project, id, slug or name. */
    async sell(sale: Sale): Promise<readonly OrderRow[]> {
      const { events } = await contents();
      const meant = await eventOfKey(world, directory, sale.event, events);
      const sold = await attempt(() =>
        askControl(address, "POST", "/sell", { ...sale, event: meant?.id ?? sale.event }),
      );
      if (sold.ok) return sold.value as readonly OrderRow[];
      const phase = meant?.coming.find((one) => opensSale(one, sale.ticket));
      const isClosed = phase !== undefined && sold.diagnostics.some(({ message }) => message.includes("not on sale"));
      throw isClosed ? controlError(sold.diagnostics[0]?.message ?? "", whenOpen(phase)) : new Halt(sold);
    },
    refund: async (order: string) => (await askControl(address, "POST", "/refund", { order })) as OrderRow,
    /** Returns how many of each there were. */
    async reset(confirm: () => Promise<boolean>) {
      const { events, orders, webhooks } = await contents();
      if (!(await confirm())) throw new Halt(notConfirmed(false));
      await askControl(address, "POST", "/reset");
      return { events: events.length, orders: orders.length, webhooks: webhooks.length };
    },
  };
}
