// ticketing webhooks rotate: another secret, without a moment in which none works.
import { saidNo } from "../../../app/apply.ts";
import {
  loadProjectWishes,
  type OperateService,
  planRotation,
  reportRotation,
  rotateSession,
  withService,
} from "../../../app/operate.ts";
import { settleMsOf } from "../../../app/plan.ts";
import {
  exposedSink,
  keyNames,
  lostSink,
  openSink,
  readAgreement,
  reportProblems,
  sandboxMismatch,
  sinkChanged,
  sinkSettings,
  takeLock,
  withoutBase,
  writeLines,
} from "../../../app/session.ts";
import type { World } from "../../../app/world.ts";
import { type Diagnostic, hasErrors, type Severity } from "../../../model/diagnostic.ts";
import type { Account } from "../../../model/live.ts";
import type { SecretSink } from "../../../model/wish.ts";
import { type RotationReport, rotationSentences } from "../../../report/lists.ts";
import { renderSentence, safeJson, safeText } from "../../../report/text.ts";
import type { Lock } from "../../../state/store.ts";
import { ask, canAsk } from "../../terminal/watch-rounds.ts";
import type { WebhookOptions } from "./webhooks.ts";

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
    reportProblems(world, "text", ofSeverity("warning", concerns));
    if (hasErrors(concerns)) return reportProblems(world, format, ofSeverity("error", concerns));
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
    settleMs: settleMsOf(options),
    plan: (former) => planRotation(former, project, settings),
    report: (line) => writeLines(out, [`  ${safeText(line)}`]),
  });
  // An earlier snapshot may show what is gone by now.
  await store.snapshots.clear();
  const errors = ofSeverity("error", notes);
  if (outcome.kind === "refused") return reportProblems(world, format, [...outcome.diagnostics, ...errors]);
  const report = reportRotation(outcome, placeOfSecrets(settings), `ticketing webhooks rotate ${options.webhook}`);
  if (format === "json") world.stdout.write(`${safeJson({ ...report, notes })}\n`);
  for (const sentence of rotationSentences(report)) {
    out.write(renderSentence(sentence, { columns: out.columns, color: options.color }));
  }
  reportProblems(world, "text", report.error === null ? errors : [toDiagnostic(report.error), ...errors]);
  return report.result === "done" && errors.length === 0 ? 0 : 1;
}

function toDiagnostic({ code, message, hint }: NonNullable<RotationReport["error"]>): Diagnostic {
  return { code, severity: "error", message, ...(hint === null ? {} : { hint }) };
}

function placeOfSecrets(sink: SecretSink | null): string {
  if (sink === null) return "no place";
  return sink.sink === "file" ? sink.path : `the sink \`${sink.command[0] ?? ""}\``;
}
