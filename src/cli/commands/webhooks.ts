// ticketing webhooks list: what is live, what the files name, and whose secret is kept.

import { saidNo } from "../../app/apply.ts";
import {
  findWebhooks,
  listWebhooks,
  loadProjectWishes,
  type OperateService,
  type ProjectWishes,
  planRotation,
  reportRotation,
  rotateSession,
  urlOf,
  withService,
} from "../../app/operate.ts";
import {
  explainProblem,
  exposedSink,
  keyNames,
  lostSink,
  openSink,
  readAgreement,
  readSecretHolder,
  reportProblems,
  sandboxMismatch,
  sinkChanged,
  sinkSettings,
  type TargetOptions,
  takeLock,
  withoutBase,
  writeLines,
} from "../../app/session.ts";
import type { World } from "../../app/world.ts";
import { testWebhook } from "../../apply/secrets.ts";
import { type AnyCode, type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import type { Account, Live } from "../../model/live.ts";
import { standardZone } from "../../model/time.ts";
import type { SecretSink } from "../../model/wish.ts";
import {
  renderDeliveriesText,
  renderWebhooksText,
  rotationSentences,
  viewDelivery,
  type WebhookView,
} from "../../report/lists.ts";
import { renderSentence, safeJson, safeText, withoutPeople, withoutSecrets } from "../../report/text.ts";
import type { TicketingClient } from "../../service/client.ts";
import { ReadFailure } from "../../snapshot/reader.ts";
import type { Lock } from "../../state/store.ts";
import { ask, canAsk } from "../terminal/watch-rounds.ts";

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

interface WebhookOptions extends TargetOptions {
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
    const broken = trials.flatMap(({ trial }) => (trial.outcome === "unknown" ? [trial.problem] : []));
    const [problem] = broken;
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
      reportProblems(world, "text", [
        {
          code: isSent ? "test-failed" : "not-sent",
          severity: "error",
          message: isSent
            ? `The test event did not arrive at ${url} (${id}): ${why}.`
            : `The test event for ${url} (${id}) was ${why}.`,
          ...(isSent
            ? {
                hint: `Check that the receiver is up, reachable over https, and responds with 2xx. \`ticketing webhooks deliveries ${id}\` shows what was sent.`,
              }
            : {}),
        },
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

// ticketing webhooks rotate: another secret, without a moment in which none works.

interface WebhooksRotateOptions extends WebhookOptions {
  readonly yes: boolean;
  readonly untested: boolean;
  /** In seconds. */
  readonly settle?: number;
  readonly lockTimeout?: number;
}

export async function runWebhooksRotate(world: World, options: WebhooksRotateOptions): Promise<number> {
  const { format, directory } = options;
  return withService(world, options, { scope: "webhooks:manage", account: true }, async (service) => {
    const { environment, store } = service.target;
    const doubt = sandboxMismatch(world, environment);
    if (doubt !== null) return reportProblems(world, format, [doubt]);
    const concerns = await sinkConcerns(world, directory, service);
    reportProblems(
      world,
      "text",
      concerns.filter(({ severity }) => severity === "warning"),
    );
    if (hasErrors(concerns))
      return reportProblems(
        world,
        format,
        concerns.filter(({ severity }) => severity === "error"),
      );
    if (!options.yes && canAsk(world)) {
      const sure = await ask(world, `Replace ${safeText(options.webhook)} with a webhook that has a new secret?`);
      if (!sure) return reportProblems(world, format, [saidNo]);
    }
    const { lockTimeout } = options;
    const locked = await takeLock(world, store, { command: "webhooks rotate", lockTimeout });
    if (!locked.ok) return reportProblems(world, format, locked.diagnostics);
    let exitCode = 1;
    try {
      exitCode = await rotateHeld(world, options, service, locked.lock);
    } finally {
      const left = await locked.lock.release();
      if (left !== null) exitCode = Math.max(exitCode, reportProblems(world, "text", [left]));
    }
    return exitCode;
  });
}

async function sinkConcerns(
  world: World,
  directory: string,
  { target: { environment }, loaded: { settings } }: OperateService,
): Promise<readonly Diagnostic[]> {
  const agreement = await readAgreement(world, settings, environment, withoutBase(directory));
  const sink = sinkSettings(settings, environment);
  return [
    sinkChanged(world, settings, environment, agreement),
    await exposedSink(directory, sink),
    lostSink(world, environment, sink),
  ].filter((concern) => concern !== null);
}

async function rotateHeld(
  world: World,
  options: WebhooksRotateOptions,
  { target, loaded, account }: OperateService,
  lock: Lock,
): Promise<number> {
  const { directory, format } = options;
  const { environment, client, store } = target;
  const settings = sinkSettings(loaded.settings, environment);
  const project = await loadProjectWishes(world, directory, target, loaded);
  const out = format === "json" ? world.stderr : world.stdout;
  const { outcome, notes } = await rotateSession({
    world,
    client,
    account: account as Account,
    pin: environment.organization,
    store,
    lock,
    sink: openSink(world, directory, settings, keyNames(world, loaded.settings, environment)),
    word: options.webhook,
    untested: options.untested,
    settleMs: (options.settle ?? 2) * 1000,
    plan: (former) => planRotation(former, project, settings),
    report: (line) => writeLines(out, [`  ${safeText(line)}`]),
  });
  // An earlier snapshot may show what is gone by now.
  await store.snapshots.clear();
  const errors = notes.filter(({ severity }) => severity === "error");
  if (outcome.kind === "refused") return reportProblems(world, format, [...outcome.diagnostics, ...errors]);
  const report = reportRotation(outcome, describeSink(settings), `ticketing webhooks rotate ${options.webhook}`);
  if (format === "json") world.stdout.write(`${safeJson({ ...report, notes })}\n`);
  for (const sentence of rotationSentences(report)) {
    out.write(renderSentence(sentence, { columns: out.columns, color: options.color }));
  }
  reportProblems(world, "text", report.error === null ? errors : [toDiagnostic(report.error), ...errors]);
  return report.result === "done" && errors.length === 0 ? 0 : 1;
}

function toDiagnostic(error: {
  readonly code: AnyCode;
  readonly message: string;
  readonly hint: string | null;
}): Diagnostic {
  const { code, message, hint } = error;
  return { code, severity: "error", message, ...(hint === null ? {} : { hint }) };
}

function describeSink(sink: SecretSink | null): string {
  if (sink === null) return "no place";
  return sink.sink === "file" ? sink.path : `the sink \`${sink.command[0] ?? ""}\``;
}
