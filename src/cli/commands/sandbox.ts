// ticketing sandbox: the embedded service for people and other programs, until it is stopped.
import { once } from "node:events";
import { relative } from "node:path";
import { eventOfKey, type SandboxPlace, sandboxDataFile, withSandboxHands } from "../../app/operate.ts";
import { localDataProblem, reportProblems, sandboxProblem, sandboxSettings, writeLines } from "../../app/session.ts";
import type { World } from "../../app/world.ts";
import { formatCount, formatMoney, shellWord } from "../../model/value.ts";
import { formatItems } from "../../report/lists.ts";
import { safeJsonLine } from "../../report/text.ts";
import { type Sandbox, startSandbox } from "../../sandbox/index.ts";

interface SandboxCommandOptions {
  readonly directory: string;
  /** 0: any free one. */
  readonly port: number;
  readonly data?: string | undefined;
  readonly profile?: string | undefined;
  readonly deliverOutside?: boolean | undefined;
  readonly format: "text" | "json";
  readonly verbose?: boolean | undefined;
}

/** With the organization of the project, and its venues. */
export async function runSandbox(world: World, options: SandboxCommandOptions): Promise<number> {
  const settings = await sandboxSettings(world, options.directory);
  const dataFile = sandboxDataFile(options.directory, options.data);
  const unsafe = await localDataProblem(options.directory);
  if (unsafe !== null) return reportProblems(world, options.format, [unsafe]);
  let sandbox: Sandbox;
  try {
    const { port, profile, deliverOutside, verbose } = options;
    const common = { ...settings, now: () => world.now(), standalone: true };
    const log = verbose === true ? (line: string) => world.stderr.write(`${line}\n`) : undefined;
    sandbox = await startSandbox({ ...common, port, dataFile, profile, deliverOutside, log });
  } catch (problem) {
    return reportProblems(world, options.format, [sandboxProblem(problem)]);
  }
  const { baseUrl, apiKey } = sandbox;
  if (options.format === "json") world.stdout.write(`${safeJsonLine({ baseUrl, apiKey, formatVersion: 1 })}\n`);
  else world.stdout.write(greeting(world, options, sandbox, dataFile));
  if (!world.interrupted.aborted) await once(world.interrupted, "abort");
  await sandbox.close();
  return 0;
}

/** The lines to paste work in any folder, whatever file holds the data. */
function greeting(world: World, options: SandboxCommandOptions, sandbox: Sandbox, dataFile: string): string {
  const { baseUrl, apiKey } = sandbox;
  const folder = relative(world.cwd, options.directory);
  const ticketing = folder === "" ? "ticketing" : `ticketing -C ${shellWord(options.directory)}`;
  return `The sandbox listens at ${baseUrl}
Key:     ${apiKey}
Data:    ${relative(world.cwd, dataFile) || dataFile}
Profile: ${options.profile ?? "likely"}
Webhooks are delivered to ${options.deliverOutside === true ? "any host" : "this machine only"}.

In another terminal:
  export TICKETING_BASE_URL=${baseUrl}
  export TICKETING_API_KEY=${apiKey}
  ${ticketing} plan
  ${ticketing} sandbox sell EVENT TICKET 2 --port ${new URL(baseUrl).port}

Stop it with Ctrl-C.
`;
}

// ticketing sandbox refund: a buyer of the sandbox gets the money back.

/** `order`: its number or id. */
export async function runSandboxRefund(world: World, options: SandboxPlace & { readonly order: string }) {
  return withSandboxHands(world, options, async (hands) => {
    const order = await hands.refund(options.order);
    const items = order.orderItems.map(({ id, quantity, price, eventTicket: { name, section } }) => {
      return { id, quantity, price, ticket: name, section };
    });
    const text = `Refunded ${order.orderNumber}: ${formatItems(items)}, ${formatMoney(order.totalAmount)}.`;
    world.stdout.write(options.format === "json" ? `${safeJsonLine({ formatVersion: 1, order })}\n` : `${text}\n`);
  });
}

// ticketing sandbox reset: an empty sandbox, to begin again.

export async function runSandboxReset(world: World, options: SandboxPlace): Promise<number> {
  return withSandboxHands(world, options, async (hands) => {
    const { events, orders, webhooks } = await hands.contents();
    await hands.reset();
    const removed = { events: events.length, orders: orders.length, webhooks: webhooks.length };
    const gone = Object.entries(removed).map(
      ([many, count]) => `${formatCount(count)} ${count === 1 ? many.slice(0, -1) : many}`,
    );
    const text = `The sandbox is empty (it held ${gone.join(", ")}). Fill it with: ticketing apply --env sandbox`;
    if (options.format === "json") world.stdout.write(`${safeJsonLine({ formatVersion: 1, removed })}\n`);
    else writeLines(world.stdout, [text]);
  });
}

// ticketing sandbox sell: buyers for the sandbox, running or at rest.

interface SandboxSellOptions extends SandboxPlace {
  /** Key in the project, id, slug or name. */
  readonly event: string;
  /** Id or name. */
  readonly ticket: string;
  readonly count: number;
}

export async function runSandboxSell(world: World, options: SandboxSellOptions): Promise<number> {
  const { directory, ticket, count, format } = options;
  return withSandboxHands(world, options, async (hands) => {
    const { events } = await hands.contents();
    const event = (await eventOfKey(world, directory, options.event, events)) ?? options.event;
    const orders = await hands.sell({ event, ticket, count });
    const numbers = orders.map(({ orderNumber }) => orderNumber).join(", ");
    const total = orders.reduce((sum, order) => sum + order.totalAmount, 0);
    const text = `Sold ${formatCount(count)} × ${ticket} for ${formatMoney(total)}: ${numbers}.`;
    if (format === "json") world.stdout.write(`${safeJsonLine({ formatVersion: 1, orders })}\n`);
    else writeLines(world.stdout, [text]);
  });
}
