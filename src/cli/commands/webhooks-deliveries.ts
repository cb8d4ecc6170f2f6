// ticketing webhooks deliveries: what was sent, and how receivers answered.
import type { Live } from "../../model/live.ts";
import { renderDeliveriesText } from "../../report/deliveries-text.ts";
import { viewDelivery } from "../../report/delivery-view.ts";
import { safeJson } from "../../report/safe-json.ts";
import { withoutPeople, withoutSecrets } from "../../report/without-people.ts";
import type { TicketingClient } from "../../service/client.ts";
import { ReadFailure } from "../../snapshot/read-failure.ts";
import { findWebhooks, listWebhooks, urlOf } from "../day-two/find-webhooks.ts";
import { withService } from "../day-two/with-service.ts";
import type { TargetOptions } from "../target.ts";
import { tellProblems } from "../tell-problems.ts";
import type { World } from "../world.ts";

export interface WebhooksDeliveriesOptions extends TargetOptions {
  readonly format: "text" | "json";
  /** Address or id; left out: all of them. */
  readonly webhook?: string;
  readonly limit?: number;
}

type Delivery = Readonly<Record<string, unknown>>;

export async function runWebhooksDeliveries(world: World, options: WebhooksDeliveriesOptions): Promise<number> {
  const { format } = options;
  return withService(world, options, { scope: "webhooks:manage" }, async ({ target }) => {
    const found = options.webhook === undefined ? null : await findWebhooks(target.client, options.webhook);
    if (found?.ok === false) return tellProblems(world, format, [found.diagnostic]);
    const webhooks = found === null ? await listWebhooks(target.client) : found.found;
    const histories = await Promise.all(
      webhooks.map(async (webhook) => ({
        webhook,
        deliveries: await readDeliveries(target.client, webhook, options.limit ?? Number.POSITIVE_INFINITY),
      })),
    );
    if (format === "json") {
      const shown = histories.map(({ webhook, deliveries }) => ({
        id: webhook.id,
        url: urlOf(webhook),
        deliveries: deliveries.map((delivery) => withoutPeople(withoutSecrets(delivery))),
      }));
      world.stdout.write(`${safeJson({ formatVersion: 1, webhooks: shown })}\n`);
      return 0;
    }
    if (histories.length === 0) world.stdout.write("\nThe organization has no webhooks yet.\n");
    for (const { webhook, deliveries } of histories) {
      const { columns } = world.stdout;
      const view = deliveries.map(viewDelivery);
      world.stdout.write(renderDeliveriesText(view, { columns, url: urlOf(webhook), zone: "Asia/Manila" }));
    }
    return 0;
  });
}

async function readDeliveries(client: TicketingClient, webhook: Live, limit: number): Promise<readonly Delivery[]> {
  const deliveries: Delivery[] = [];
  for await (const page of client.pages(`/webhooks/${webhook.id}/deliveries`)) {
    if (!page.ok) throw new ReadFailure(page.problem);
    for (const record of page.data) {
      if (typeof record === "object" && record !== null) deliveries.push(record as Delivery);
    }
    if (deliveries.length >= limit) break;
  }
  return deliveries.slice(0, limit);
}
