// ticketing webhooks: which are live, whether a receiver is up, what was delivered, and another secret.
import {
  type DeliveriesRequest,
  type RotateRequest,
  readHistories,
  rotateSecret,
  tryWebhooks,
  viewWebhooks,
  type WebhookRequest,
} from "../../app/operate.ts";
import { reportProblems, type TargetOptions, writeLines } from "../../app/session.ts";
import { adviser, type World } from "../../app/world.ts";
import { standardZone } from "../../model/time.ts";
import { renderDeliveriesText, renderWebhooksText, rotationProblems, rotationSentences } from "../../report/lists.ts";
import { renderSentence, safeJson, safeText, withoutPeople, withoutSecrets } from "../../report/text.ts";
import { ask, canAsk } from "../terminal/watch-rounds.ts";

export async function runWebhooksList(world: World, options: TargetOptions): Promise<number> {
  const { color, format } = options;
  return viewWebhooks(world, options, (webhooks) => {
    const { columns } = world.stdout;
    if (format === "json") world.stdout.write(`${safeJson({ formatVersion: 1, webhooks })}\n`);
    else world.stdout.write(renderWebhooksText(webhooks, { columns, color, advise: adviser(world) }));
    return 0;
  });
}

/** The exit code says whether the receiver is up. */
export async function runWebhooksTest(world: World, options: WebhookRequest): Promise<number> {
  const { color, format } = options;
  return tryWebhooks(world, options, (trials) => {
    const success = trials.every(({ problem }) => problem === null);
    if (format === "json") {
      const tests = trials.map(({ id, url, result, problem }) => ({
        id,
        url,
        success: problem === null,
        result: withoutPeople(withoutSecrets(result)),
        error: problem,
      }));
      world.stdout.write(`${safeJson({ formatVersion: 1, success, tests })}\n`);
    }
    const out = format === "json" ? world.stderr : world.stdout;
    for (const { url, id, problem } of trials) {
      const arrived = `The test event arrived at ${url} (${id}).`;
      if (problem === null) out.write(renderSentence(arrived, { columns: out.columns, color }));
      else reportProblems(world, "text", [problem]);
    }
    return success ? 0 : 1;
  });
}

export async function runWebhooksDeliveries(world: World, options: DeliveriesRequest): Promise<number> {
  const { stdout } = world;
  return readHistories(world, options, (histories) => {
    if (options.format === "json") {
      const webhooks = histories.map(({ deliveries, ...webhook }) => ({
        ...webhook,
        deliveries: deliveries.map((delivery) => withoutPeople(withoutSecrets(delivery))),
      }));
      stdout.write(`${safeJson({ formatVersion: 1, webhooks })}\n`);
      return 0;
    }
    if (histories.length === 0) stdout.write("\nThe organization has no webhooks yet.\n");
    for (const { id, url, deliveries } of histories)
      stdout.write(renderDeliveriesText(deliveries, { columns: stdout.columns, id, url, zone: standardZone }));
    return 0;
  });
}

export async function runWebhooksRotate(world: World, options: RotateRequest & { readonly yes: boolean }) {
  const { color, format, webhook, yes } = options;
  const out = format === "json" ? world.stderr : world.stdout;
  const question = `Replace ${safeText(webhook)} with a webhook that has a new secret?`;
  return rotateSecret(world, options, {
    confirm: async () => yes || !canAsk(world) || (await ask(world, question)),
    onLine: (line) => writeLines(out, [`  ${safeText(line)}`]),
    show(report, notes) {
      if (format === "json") world.stdout.write(`${safeJson({ ...report, notes })}\n`);
      for (const sentence of rotationSentences(report)) {
        out.write(renderSentence(sentence, { columns: out.columns, color }));
      }
      const problems = rotationProblems(report, notes);
      reportProblems(world, "text", problems);
      return report.result === "done" && problems.length === 0 ? 0 : 1;
    },
  });
}
