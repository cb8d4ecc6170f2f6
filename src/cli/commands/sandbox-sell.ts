// ticketing sandbox sell: buyers for the sandbox, running or at rest.
import { existsSync } from "node:fs";
import {
  askControl,
  ControlError,
  type OrderRow,
  readHolder,
  type Sale,
  SandboxDataError,
  startSandbox,
} from "../../sandbox/index.ts";
import type { World } from "../world.ts";
import { sandboxDataFile } from "./sandbox.ts";

export interface SandboxSellOptions {
  readonly directory: string;
  /** Id, slug or name. */
  readonly event: string;
  /** Id or name. */
  readonly ticket: string;
  readonly count: number;
  /** A running sandbox; left out: the one that uses the data file, or the data file itself. */
  readonly url?: string | undefined;
  readonly port?: number | undefined;
  readonly data?: string | undefined;
  readonly format: "text" | "json";
}

export async function runSandboxSell(world: World, options: SandboxSellOptions): Promise<number> {
  const { event, ticket, count, format } = options;
  try {
    const orders = await sellSomewhere(world, options, { event, ticket, count });
    const numbers = orders.map(({ orderNumber }) => orderNumber).join(", ");
    const total = orders.reduce((sum, order) => sum + order.totalAmount, 0);
    const told = `Sold ${count} × ${ticket} for ₱${total.toLocaleString("en-PH", { minimumFractionDigits: 2 })}: ${numbers}.`;
    world.stdout.write(format === "json" ? `${JSON.stringify({ orders })}\n` : `${told}\n`);
    return 0;
  } catch (problem) {
    if (!(problem instanceof ControlError || problem instanceof SandboxDataError)) throw problem;
    world.stderr.write(`error: ${problem.message}\n`);
    return 1;
  }
}

async function sellSomewhere(world: World, options: SandboxSellOptions, sale: Sale): Promise<readonly OrderRow[]> {
  const dataFile = sandboxDataFile(options.directory, options.data);
  const asked = options.url ?? (options.port === undefined ? undefined : `http://127.0.0.1:${options.port}`);
  const address = asked ?? readHolder(dataFile)?.baseUrl;
  if (address != null) return (await askControl(address, "POST", "/sell", sale)) as readonly OrderRow[];
  if (!existsSync(dataFile)) {
    throw new ControlError(
      `There is no sandbox data at ${dataFile}.`,
      "Fill a sandbox first with: ticketing apply --env sandbox; or name a running one with --url.",
    );
  }
  const sandbox = await startSandbox({ dataFile, now: () => world.now() });
  try {
    return sandbox.control.sell(sale);
  } finally {
    await sandbox.control.settle();
    await sandbox.close();
  }
}
