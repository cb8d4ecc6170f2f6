// ticketing webhooks test: is the receiver up? The exit code says so.
import { tryWebhook } from "../../apply/try-webhook.ts";
import { safeJson } from "../../report/safe-json.ts";
import { safeText } from "../../report/safe-text.ts";
import { renderSentence } from "../../report/sentence.ts";
import { withoutPeople, withoutSecrets } from "../../report/without-people.ts";
import { findWebhooks, urlOf } from "../day-two/find-webhooks.ts";
import { withService } from "../day-two/with-service.ts";
import { explainProblem } from "../service-problem.ts";
import { doubtSandbox, type TargetOptions } from "../target.ts";
import { tellProblems } from "../tell-problems.ts";
import type { World } from "../world.ts";

export interface WebhooksTestOptions extends TargetOptions {
  readonly format: "text" | "json";
  /** Address or id. */
  readonly webhook: string;
}

export async function runWebhooksTest(world: World, options: WebhooksTestOptions): Promise<number> {
  const { format } = options;
  return withService(world, options, { scope: "webhooks:manage" }, async ({ target }) => {
    const doubt = doubtSandbox(world, target.environment);
    if (doubt !== null) return tellProblems(world, format, [doubt]);
    const found = await findWebhooks(target.client, options.webhook);
    if (!found.ok) return tellProblems(world, format, [found.diagnostic]);
    const trials = [];
    for (const webhook of found.found) {
      trials.push({ id: webhook.id, url: urlOf(webhook), trial: await tryWebhook(target.client, webhook.id) });
    }
    if (world.interrupted.aborted) return 1;
    const broken = trials.flatMap(({ trial }) => (trial.outcome === "unknown" ? [trial.problem] : []));
    const [problem] = broken;
    if (problem !== undefined) return tellProblems(world, format, [explainProblem(problem, "webhooks:manage")]);
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
      } else {
        const why = trial.outcome === "failed" ? trial.why : "the webhook is gone";
        // The sandbox keeps to this machine: nothing is wrong with the receiver.
        if (trial.outcome === "failed" && trial.result?.status === "NOT_SENT") {
          world.stderr.write(`error: the test event for ${safeText(url)} (${id}) was ${safeText(why)}\n`);
          continue;
        }
        world.stderr.write(`error: the test event did not arrive at ${safeText(url)} (${id}): ${safeText(why)}\n`);
        world.stderr.write(
          `  See that the receiver is up, reachable over https and answers 2xx; what was sent: ticketing webhooks deliveries ${id}\n`,
        );
      }
    }
    return success ? 0 : 1;
  });
}
