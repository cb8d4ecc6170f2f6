// What webhooks are live, what the files name and whose secret is kept; a trial of one, and what was delivered.
import {
  findWebhooks,
  listWebhooks,
  loadProjectWishes,
  type ProjectWishes,
  urlOf,
  withService,
} from "../../../app/operate.ts";
import {
  explainProblem,
  readSecretHolder,
  reportProblems,
  sandboxMismatch,
  sinkSettings,
  type TargetOptions,
} from "../../../app/session.ts";
import type { World } from "../../../app/world.ts";
import { testWebhook } from "../../../apply/secrets.ts";
import { errorOf } from "../../../model/diagnostic.ts";
import type { Live } from "../../../model/live.ts";
import { standardZone } from "../../../model/time.ts";
import { renderDeliveriesText, renderWebhooksText, viewDelivery, type WebhookView } from "../../../report/lists.ts";
import { renderSentence, safeJson, withoutPeople, withoutSecrets } from "../../../report/text.ts";
import type { TicketingClient } from "../../../service/client.ts";
import { ReadFailure } from "../../../snapshot/reader.ts";

export async function runWebhooksList(world: World, options: TargetOptions): Promise<number> {
  return withService(world, options, { scope: "webhooks:manage" }, async ({ target, loaded }) => {
    const lives = await listWebhooks(target.client);
    const project = await loadProjectWishes(world, options.directory, target, loaded);
    const sink = sinkSettings(loaded.settings, target.environment);
    const holds = readSecretHolder(options.directory, sink, project.state);
    const views = lives.map((live) => viewWebhook(live, project, holds(live.id)));
    const webhooks = views.sort((one, other) => (`${one.url} ${one.id}` < `${other.url} ${other.id}` ? -1 : 1));
    const { columns } = world.stdout;
    world.stdout.write(
      options.format === "json"
        ? `${safeJson({ formatVersion: 1, webhooks })}\n`
        : renderWebhooksText(webhooks, { columns, color: options.color }),
    );
    return 0;
  });
}

function viewWebhook(live: Live, project: ProjectWishes, secretHeld: boolean | null): WebhookView {
  const { events, isActive } = live.fields;
  const url = urlOf(live);
  return {
    id: live.id,
    url,
    events: events === null ? [] : Array.isArray(events) ? events : null,
    isActive: typeof isActive === "boolean" ? isActive : null,
    managed: project.webhooksManaged ? project.webhooks.some((wish) => wish.fields.url === url) : null,
    secretHeld,
  };
}

// ticketing webhooks test: is the receiver up? The exit code says so.

export interface WebhookOptions extends TargetOptions {
  /** Address or id. */
  readonly webhook: string;
}

export async function runWebhooksTest(world: World, options: WebhookOptions): Promise<number> {
  const { format } = options;
  return withService(world, options, { scope: "webhooks:manage" }, async ({ target }) => {
    const doubt = sandboxMismatch(world, target.environment);
    if (doubt !== null) return reportProblems(world, format, [doubt]);
    const found = await findWebhooks(target.client, options.webhook);
    if (!found.ok) return reportProblems(world, format, found.diagnostics);
    const trials = [];
    for (const webhook of found.found) {
      trials.push({ id: webhook.id, url: urlOf(webhook), trial: await testWebhook(target.client, webhook.id) });
    }
    if (world.interrupted.aborted) return 1;
    const [problem] = trials.flatMap(({ trial }) => (trial.outcome === "unknown" ? [trial.problem] : []));
    if (problem !== undefined) return reportProblems(world, format, [explainProblem(problem, "webhooks:manage")]);
    const success = trials.every(({ trial }) => trial.outcome === "arrived");
    if (format === "json") {
      const tests = trials.map(({ id, url, trial }) => ({
        id,
        url,
        success: trial.outcome === "arrived",
        result: "result" in trial ? withoutPeople(withoutSecrets(trial.result)) : null,
      }));
      world.stdout.write(`${safeJson({ formatVersion: 1, success, tests })}\n`);
    }
    const out = format === "json" ? world.stderr : world.stdout;
    for (const { url, id, trial } of trials) {
      if (trial.outcome === "arrived") {
        const sentence = `The test event arrived at ${url} (${id}).`;
        out.write(renderSentence(sentence, { columns: out.columns, color: options.color }));
        continue;
      }
      const why = trial.outcome === "failed" ? trial.why : "the webhook is gone";
      // The sandbox keeps to this machine: nothing is wrong with the receiver.
      const isSent = trial.outcome !== "failed" || trial.result?.status !== "NOT_SENT";
      const hint = `Check that the receiver is up, reachable over https, and responds with 2xx. \`ticketing webhooks deliveries ${id}\` shows what was sent.`;
      reportProblems(world, "text", [
        isSent
          ? errorOf("test-failed", `The test event did not arrive at ${url} (${id}): ${why}.`, hint)
          : { code: "not-sent", severity: "error", message: `The test event for ${url} (${id}) was ${why}.` },
      ]);
    }
    return success ? 0 : 1;
  });
}

// ticketing webhooks deliveries: what was sent, and how receivers answered.

type Delivery = Readonly<Record<string, unknown>>;

/** Of all of them if none is named. */
export async function runWebhooksDeliveries(
  world: World,
  options: Partial<Pick<WebhookOptions, "webhook">> & TargetOptions & { readonly limit?: number },
): Promise<number> {
  const { format } = options;
  return withService(world, options, { scope: "webhooks:manage" }, async ({ target }) => {
    const found = options.webhook === undefined ? null : await findWebhooks(target.client, options.webhook);
    if (found?.ok === false) return reportProblems(world, format, found.diagnostics);
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
      world.stdout.write(renderDeliveriesText(view, { columns, url: urlOf(webhook), zone: standardZone }));
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
