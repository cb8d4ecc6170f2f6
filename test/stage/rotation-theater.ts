// A rotation in this process that can be killed at any call and at any write to the disk, between applies of the same project.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type RotateResult, rotateSession } from "../../src/app/operate/rotate-session.ts";
import { planRotation } from "../../src/app/operate/rotation-plan.ts";
import { explainProblem } from "../../src/app/session/report-problems.ts";
import { loadSavedState } from "../../src/app/session/saved-state.ts";
import { loadProject } from "../../src/config/project.ts";
import { recallFrom } from "../../src/plan/match/recall.ts";
import type { WebhookRow } from "../../src/sandbox/index.ts";
import { readAccount } from "../../src/snapshot/read-organization.ts";
import { attemptRead, makeReader } from "../../src/snapshot/reader.ts";
import { memoryFiles } from "./memory-files.ts";
import { testWorld } from "./test-world.ts";
import {
  betweenRunsMs,
  blindSink,
  type Files,
  makeLife,
  openTheater,
  type RunOptions,
  type Theater,
} from "./theater.ts";

export interface RotateOptions extends RunOptions {
  readonly word?: string;
  readonly untested?: boolean;
}

export interface RotateRun {
  /** null: it was killed. */
  readonly result: RotateResult | null;
  readonly calls: number;
  readonly journalWrites: number;
}

export interface RotationTheater extends Theater {
  readonly url: string;
  readonly files: Files;
  rotate(options?: RotateOptions): Promise<RotateRun>;
  webhooks(): readonly WebhookRow[];
  /** Webhooks of the address whose secret is kept: there must always be one. */
  working(): readonly WebhookRow[];
}

export interface Receiver {
  readonly url: string;
  /** What it answers to. */
  status: number;
  close(): Promise<void>;
}

/** A receiver to notify, on this machine. */
export async function openReceiver(): Promise<Receiver> {
  const receiver = { status: 200 };
  const server: Server = createServer((request, response) => {
    request.resume();
    response.writeHead(receiver.status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${port}/orders`,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  });
}

export function openRotation(url: string, profile = "httpLoopback=accepted", managed = true): RotationTheater {
  const theater = openTheater(profile);
  const events = "[order.completed, order.refunded]";
  const files: Files = managed ? { "webhooks.yaml": `- { url: "${url}", events: ${events} }\n` } : {};
  const webhooks = () => (theater.service.dump().webhooks as readonly WebhookRow[]).filter((row) => row.url === url);
  return {
    ...theater,
    url,
    files,
    webhooks,
    working: () => webhooks().filter((row) => theater.disk.secrets.get(row.id) === row.secret),
    rotate: (options = {}) => theater.time.run(rotateOnce(theater, files, url, options)),
  };
}

async function rotateOnce(theater: Theater, files: Files, url: string, options: RotateOptions): Promise<RotateRun> {
  const { service, disk, time, settleMs } = theater;
  await time.sleep(betweenRunsMs);
  const life = makeLife(options, time);
  const { world } = testWorld(["webhooks", "rotate", url], { now: time.now });
  const client = life.client(service);
  const project = await loadProject(memoryFiles(files), { environment: { name: "sandbox" }, env: {}, now: 0 });
  const store = life.store(disk);
  const memory = await loadSavedState(store);
  const state = memory.ok ? memory.state : null;
  const locked = await store.lock({ command: "webhooks rotate", timeoutMs: 0 });
  if (!locked.ok) throw new Error("locked");
  const { blind } = options;
  const work = readAccount(makeReader(client)).then((account) =>
    rotateSession({
      world,
      client,
      account,
      pin: null,
      store,
      lock: locked.lock,
      sink: blind === undefined ? life.sink(disk) : blindSink(blind),
      word: options.word ?? url,
      untested: options.untested ?? false,
      settleMs,
      clock: time,
      plan: (former) =>
        planRotation(
          former,
          { ...project, state, former: [], remember: recallFrom(state, null), remarks: [] },
          blind === undefined ? { sink: "file", path: "secrets.json" } : { sink: "command", command: ["keep"] },
          null,
        ),
      report: () => undefined,
    }),
  );
  const result = await Promise.race([reported(work), life.death]);
  return { result, calls: life.calls(), journalWrites: life.journalWrites() };
}

/** As the command reports it. */
async function reported(work: Promise<RotateResult>): Promise<RotateResult> {
  const done = await attemptRead(() => work);
  if (done.ok) return done.value;
  return { outcome: { kind: "refused", diagnostics: [explainProblem(done.problem, "webhooks:manage")] }, notes: [] };
}
