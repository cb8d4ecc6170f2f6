// Which webhooks are live, which of them the files name and whose secret is stored; a test event, deliveries, and a new secret.
import { unresolvedRotation } from "../../apply/recover.ts";
import { testWebhook } from "../../apply/secrets.ts";
import { namedTwice } from "../../config/environment.ts";
import { sameId } from "../../model/address.ts";
import { type Diagnostic, errorOf, hasErrors, orHalt, type Severity } from "../../model/diagnostic.ts";
import type { Account, Live } from "../../model/live.ts";
import { asSentence, compareText } from "../../model/value.ts";
import type { SecretSink } from "../../model/wish.ts";
import type { RotationReport, WebhookView } from "../../report/lists.ts";
import type { TicketingClient } from "../../service/client.ts";
import type { Lock } from "../../state/store.ts";
import { settleMsOf } from "../planning/plan-inputs.ts";
import { takeLock } from "../session/environment-store.ts";
import { keyNames, readAgreement, sinkChanged, withoutBase } from "../session/guarded-settings.ts";
import { explainProblem, reportProblems } from "../session/report-problems.ts";
import {
  exposedSink,
  lostSink,
  openSink,
  readSecretHolder,
  secretPlaceOf,
  sinkSettings,
} from "../session/secret-sink.ts";
import { sandboxMismatch, type TargetOptions } from "../session/target.ts";
import { advise, adviser, type World } from "../world.ts";
import { notConfirmed } from "./inspect-state.ts";
import { loadProjectWishes, type OperateService, type ProjectWishes, withService } from "./project-wishes.ts";
import { reportRotation, rotateSession } from "./rotate-session.ts";
import { findWebhooks, listWebhooks, planRotation, webhookUrl } from "./rotation-plan.ts";

/** Shows it; the exit code. */
type Show<Value> = (value: Value) => number;

const scope = "webhooks:manage";

export async function viewWebhooks(world: World, options: TargetOptions, show: Show<readonly WebhookView[]>) {
  return withService(world, options, { scope }, async ({ target, loaded }) => {
    const lives = await listWebhooks(target.client);
    const project = await loadProjectWishes(world, options.directory, target, loaded);
    const sink = sinkSettings(loaded.settings, target.environment);
    const holds = readSecretHolder(options.directory, sink, project.state);
    const unresolved = lives.filter(
      ({ id }) => project.state?.unresolvedWebhooks?.some((each) => sameId(each, id)) === true,
    );
    for (const url of new Set(unresolved.map(webhookUrl))) {
      const ids = unresolved.filter((live) => webhookUrl(live) === url).map(({ id }) => id);
      reportProblems(world, "text", [unresolvedRotation(url, ids)]);
    }
    const views = lives.map((live) => viewWebhook(live, project, holds(live.id)));
    return show(views.sort((one, other) => compareText(`${one.url} ${one.id}`, `${other.url} ${other.id}`)));
  });
}

function viewWebhook(live: Live, project: ProjectWishes, secretHeld: boolean | null): WebhookView {
  const { events, isActive } = live.fields;
  const url = webhookUrl(live);
  const wish = project.webhooks.find(({ fields }) => fields.url === url);
  // A secret stored under a former name is of no use: receivers look it up under the one in the file.
  const stored = project.state?.objects[wish?.address ?? ""]?.secretName;
  const named = wish?.own.secretName;
  const isRenamed = stored !== undefined && named !== undefined && stored !== named;
  return {
    id: live.id,
    url,
    events: events === null ? [] : Array.isArray(events) ? events : null,
    isActive: typeof isActive === "boolean" ? isActive : null,
    managed: project.webhooksManaged ? wish !== undefined : null,
    secretHeld: secretHeld === true && isRenamed ? false : secretHeld,
    replaced: project.state?.replacedWebhooks?.some((id) => sameId(id, live.id)) === true,
  };
}

export interface WebhookRequest extends TargetOptions {
  readonly webhook: string;
}

interface WebhookTrial {
  readonly id: string;
  readonly url: string;
  /** What the service says about it; null: nothing. */
  readonly result: unknown;
  /** Why the test event did not arrive; null: it did. */
  readonly problem: Diagnostic | null;
}

export async function tryWebhooks(world: World, request: WebhookRequest, show: Show<readonly WebhookTrial[]>) {
  const { format } = request;
  return withService(world, request, { scope }, async ({ target }) => {
    const mismatch = sandboxMismatch(world, target.environment);
    if (mismatch !== null) return reportProblems(world, format, [mismatch]);
    const found = await findWebhooks(target.client, request.webhook);
    if (!found.ok) return reportProblems(world, format, found.diagnostics);
    const trials: WebhookTrial[] = [];
    const unknown: Diagnostic[] = [];
    for (const webhook of found.found) {
      const trial = await testWebhook(target.client, webhook.id);
      if (trial.outcome === "unknown") unknown.push(explainProblem(trial.problem, scope));
      else trials.push(viewTrial(webhook, trial));
    }
    if (world.interrupted.aborted) return 1;
    return unknown.length > 0 ? reportProblems(world, format, unknown.slice(0, 1)) : show(trials);
  });
}

type Trial = Exclude<Awaited<ReturnType<typeof testWebhook>>, { outcome: "unknown" }>;

function viewTrial(webhook: Live, trial: Trial): WebhookTrial {
  const result = "result" in trial ? trial.result : null;
  return { id: webhook.id, url: webhookUrl(webhook), result, problem: whyNotArrived(webhook, trial) };
}

function whyNotArrived(webhook: Live, trial: Trial): Diagnostic | null {
  if (trial.outcome === "arrived") return null;
  const { id, fields } = webhook;
  const url = webhookUrl(webhook);
  const said = trial.outcome === "failed" ? trial.why : null;
  const request = said?.requestId == null ? "" : ` (request ${said.requestId})`;
  const why = `${asSentence(said?.message ?? "the webhook is gone")}${request}`;
  // The sandbox keeps to this machine: nothing is wrong with the receiver.
  if (trial.outcome === "failed" && trial.result?.status === "NOT_SENT")
    return { code: "not-sent", severity: "error", message: `The test event for ${url} (${id}) was not sent: ${why}` };
  const off = "The webhook is not active, which may be why: `isActive: true` in webhooks.yaml turns it on. ";
  const check = `${fields.isActive === false ? off : ""}Check that the receiver is up, that the service can reach it, and that it responds with 2xx. \`ticketing webhooks deliveries ${id}\` shows what was sent.`;
  const hint = said?.hint == null ? check : `${asSentence(said.hint)} ${check}`;
  return errorOf("test-failed", `The test event did not arrive at ${url} (${id}): ${why}`, hint);
}

export interface DeliveriesRequest extends TargetOptions {
  /** Left out: all of them. */
  readonly webhook?: string;
  readonly limit?: number;
}

type Delivery = Readonly<Record<string, unknown>>;
type History = { readonly id: string; readonly url: string; readonly deliveries: readonly Delivery[] };

/** What was sent, and how receivers responded. */
export async function readHistories(world: World, request: DeliveriesRequest, show: Show<readonly History[]>) {
  const { webhook: word, limit = Number.POSITIVE_INFINITY } = request;
  return withService(world, request, { scope }, async ({ target: { client } }) => {
    const found = word === undefined ? null : await findWebhooks(client, word);
    if (found?.ok === false) return reportProblems(world, request.format, found.diagnostics);
    const webhooks = found === null ? await listWebhooks(client) : found.found;
    const histories = webhooks.map(async (webhook) => {
      return { id: webhook.id, url: webhookUrl(webhook), deliveries: await readDeliveries(client, webhook, limit) };
    });
    return show(await Promise.all(histories));
  });
}

async function readDeliveries(client: TicketingClient, webhook: Live, limit: number): Promise<readonly Delivery[]> {
  const deliveries: Delivery[] = [];
  for await (const page of client.pages(`/webhooks/${webhook.id}/deliveries`, {}, { sized: true })) {
    for (const record of orHalt(page).data) {
      if (typeof record === "object" && record !== null) deliveries.push(record as Delivery);
    }
    if (deliveries.length >= limit) break;
  }
  return deliveries.slice(0, limit);
}

// Another secret, without a moment in which none works.

export interface RotateRequest extends WebhookRequest {
  readonly untested: boolean;
  /** In seconds. */
  readonly settle?: number;
  readonly lockTimeout?: number;
}

export interface RotationWatcher {
  /** Asked before anything is sent. */
  confirm(): Promise<boolean>;
  /** A line for people, as things happen. */
  onLine(line: string): void;
  /** How it ended; the exit code. */
  show(report: RotationReport, notes: readonly Diagnostic[]): number;
}

export async function rotateSecret(world: World, request: RotateRequest, watcher: RotationWatcher): Promise<number> {
  const { format, directory, lockTimeout } = request;
  return withService(world, request, { scope, account: true }, async (service) => {
    const { environment, store } = service.target;
    const mismatch = sandboxMismatch(world, environment);
    if (mismatch !== null) return reportProblems(world, format, [mismatch]);
    const { settings } = service.loaded;
    const concerns = [...namedTwice(settings, environment), ...(await sinkConcerns(world, directory, service))];
    reportProblems(world, "text", ofSeverity("warning", concerns));
    if (hasErrors(concerns)) return reportProblems(world, format, ofSeverity("error", concerns));
    if (!(await watcher.confirm())) return reportProblems(world, format, notConfirmed(false).diagnostics);
    const locked = await takeLock(world, store, { command: "webhooks rotate", lockTimeout });
    if (!locked.ok) return reportProblems(world, format, locked.diagnostics);
    let exitCode = 1;
    try {
      exitCode = await rotateHeld(world, request, service, locked.lock, watcher);
    } finally {
      const left = await locked.lock.release();
      if (left !== null) exitCode = Math.max(exitCode, reportProblems(world, "text", [left]));
    }
    return exitCode;
  });
}

function ofSeverity(severity: Severity, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter((each) => each.severity === severity);
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
  request: RotateRequest,
  { target, loaded, account }: OperateService,
  lock: Lock,
  watcher: RotationWatcher,
): Promise<number> {
  const { directory } = request;
  const { environment, client, store } = target;
  const settings = sinkSettings(loaded.settings, environment);
  const { host } = secretPlaceOf(world, { sink: settings, environment });
  const project = await loadProjectWishes(world, directory, target, loaded);
  const { outcome, notes } = await rotateSession({
    world,
    client,
    account: account as Account,
    pin: environment.organization,
    store,
    lock,
    sink: openSink(world, directory, settings, keyNames(world, loaded.settings, environment)),
    word: request.webhook,
    untested: request.untested,
    settleMs: settleMsOf(request),
    plan: (former) => planRotation(former, project, settings, host),
    report: (line) => watcher.onLine(adviser(world)(line)),
  });
  // An earlier snapshot may show what is gone by now.
  await store.snapshots.clear();
  if (outcome.kind === "refused")
    return reportProblems(world, request.format, [...outcome.diagnostics, ...ofSeverity("error", notes)]);
  const again = `ticketing webhooks rotate ${request.webhook}`;
  const report = reportRotation(outcome, placeOfSecrets(settings), again);
  const [error = null] = report.error === null ? [] : advise(world, [report.error]);
  return watcher.show({ ...report, error }, advise(world, notes));
}

function placeOfSecrets(sink: SecretSink | null): string {
  if (sink === null) return "no place";
  return sink.sink === "file" ? sink.path : `the sink \`${sink.command[0] ?? ""}\``;
}
