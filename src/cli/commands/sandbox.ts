// ticketing sandbox: the embedded service for people and other programs, until it is stopped.
import { relative } from "node:path";
import {
  type Sale,
  type Sandbox,
  type SandboxPlace,
  type SandboxServing,
  serveSandbox,
  withSandboxHands,
} from "../../app/operate.ts";
import { writeLines } from "../../app/session.ts";
import { sameTarget, type World } from "../../app/world.ts";
import { formatCount, formatMoney, pluralize, shellWord } from "../../model/value.ts";
import { formatItems } from "../../report/lists.ts";
import { safeJsonLine } from "../../report/text.ts";
import { ask, canAsk } from "../terminal/watch-rounds.ts";

export async function runSandbox(world: World, options: SandboxServing): Promise<number> {
  return serveSandbox(world, options, (sandbox, dataFile) => {
    const { baseUrl, apiKey } = sandbox;
    if (options.format === "json") world.stdout.write(`${safeJsonLine({ baseUrl, apiKey, formatVersion: 1 })}\n`);
    else world.stdout.write(greeting(world, options, sandbox, dataFile));
  });
}

/** The lines to paste work in any folder, whatever file holds the data. */
function greeting(world: World, options: SandboxServing, sandbox: Sandbox, dataFile: string): string {
  const { baseUrl, apiKey } = sandbox;
  const folder = relative(world.cwd, options.directory);
  const ticketing = folder === "" ? "ticketing" : `ticketing -C ${shellWord(options.directory)}`;
  const own =
    options.data === undefined ? "In this project, commands with --env sandbox use it without the lines below.\n" : "";
  return `The sandbox listens at ${baseUrl}
Key:     ${apiKey}
Data:    ${relative(world.cwd, dataFile) || dataFile}
Profile: ${options.profile ?? "likely"}
Webhooks are delivered to ${options.deliverOutside === true ? "any host" : "this machine only"}.

${own}To use it from other programs, or to plan against it from any folder, run in another terminal:
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

export async function runSandboxReset(world: World, options: SandboxPlace & { readonly yes?: boolean }) {
  const question = "Delete all events, orders and webhooks of the sandbox?";
  return withSandboxHands(world, options, async (hands) => {
    const removed = await hands.reset(async () => options.yes === true || !canAsk(world) || ask(world, question));
    const gone = Object.entries(removed).map(([many, count]) => pluralize(count, many.slice(0, -1)));
    const text = `The sandbox is empty (it held ${gone.join(", ")}). Fill it with: ${["ticketing apply", ...sameTarget(world)].join(" ")}`;
    if (options.format === "json") world.stdout.write(`${safeJsonLine({ formatVersion: 1, removed })}\n`);
    else writeLines(world.stdout, [text]);
  });
}

// ticketing sandbox sell: buyers for the sandbox, running or at rest.

export async function runSandboxSell(world: World, options: SandboxPlace & Sale): Promise<number> {
  const { event, ticket, count, format } = options;
  return withSandboxHands(world, options, async (hands) => {
    const orders = await hands.sell({ event, ticket, count });
    const numbers = orders.map(({ orderNumber }) => orderNumber).join(", ");
    const total = orders.reduce((sum, order) => sum + order.totalAmount, 0);
    const text = `Sold ${formatCount(count)} × ${ticket} for ${formatMoney(total)}: ${numbers}.`;
    if (format === "json") world.stdout.write(`${safeJsonLine({ formatVersion: 1, orders })}\n`);
    else writeLines(world.stdout, [text]);
  });
}
