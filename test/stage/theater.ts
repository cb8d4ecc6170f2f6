// A whole apply, from files to live service, in this process: it can be killed at any call and at any write to the disk,
// and another one can begin with what the dead one left.
import { type Applied, applySession } from "../../src/app/applying/apply-session.ts";
import type { ApplyFlags } from "../../src/app/applying/attempt.ts";
import { planSession } from "../../src/app/planning/plan-session.ts";
import type { Session } from "../../src/app/session/open-session.ts";
import type { World } from "../../src/app/world.ts";
import type { SecretStore } from "../../src/apply/run/run-context.ts";
import { diskFiles } from "../../src/config/files.ts";
import { loadProject, startReading } from "../../src/config/project.ts";
import { lint } from "../../src/lint/lint.ts";
import { type Diagnostic, failed, Halt, riskCodes } from "../../src/model/diagnostic.ts";
import type { State } from "../../src/model/live.ts";
import type { Project } from "../../src/model/wish.ts";
import { createStore } from "../../src/sandbox/data/row-store.ts";
import { createService, type Dump, type SandboxService } from "../../src/sandbox/index.ts";
import type { TicketingClient } from "../../src/service/client.ts";
import { appendGroups } from "../../src/state/file/file-journal.ts";
import type { StateStore } from "../../src/state/store.ts";
import { memoryFiles } from "./memory-files.ts";
import { pushedStore } from "./pushed-store.ts";
import { sandboxClient, sandboxTransport } from "./sandbox-transport.ts";
import { type SimulatedTime, simulatedTime } from "./simulated-time.ts";
import { testWorld } from "./test-world.ts";

export type Files = Readonly<Record<string, string>>;

/** What outlives a process. */
export interface Disk {
  state: string;
  journal: string;
  readonly secrets: Map<string, string>;
}

/** Where a run dies: at the n-th call, before or after its effect, or at the n-th durable write of the journal. */
export type Death =
  | { readonly at: number; readonly of: "call"; readonly moment: "before" | "after" }
  | { readonly at: number; readonly of: "journal"; readonly moment: "before" | "torn" | "after" };

export interface RunOptions {
  readonly death?: Death;
  /** The n-th durable write of the journal finds the disk full, and so do all after it. */
  readonly fullDiskAt?: number;
  readonly parallelism?: number;
  /** What the files were before. */
  readonly base?: Files;
  readonly checkout?: Session["checkout"];
  /** All risks are accepted where nothing is said. */
  readonly flags?: Partial<ApplyFlags>;
  /** There is no place for secrets. */
  readonly withoutSink?: boolean;
  /** A place for secrets that cannot be asked, with what it was given last. */
  readonly blind?: { secret: string | null };
  readonly apiKey?: string;
  /** State and journal are written as they are in git. */
  readonly pushes?: boolean;
  /** Called after each call that the service answered. */
  readonly watch?: (method: string, path: string) => void;
}

export interface Ran {
  /** null: it was killed. */
  readonly applied: Applied | null;
  readonly journalWrites: number;
  readonly calls: number;
}

/** A theater between two runs: others can begin with it, as often as they like. */
export interface Scenery {
  readonly live: Dump;
  readonly disk: Disk;
  readonly now: number;
}

export interface Theater {
  readonly service: SandboxService;
  readonly disk: Disk;
  /** The clock of the service and of every run. */
  readonly time: SimulatedTime;
  readonly settleMs: number;
  run(files: Files, options?: RunOptions): Promise<Ran>;
  scenery(): Scenery;
}

const never = new Promise<never>(() => undefined);

const usualSettleMs = 400;
/** A run begins no sooner after another. */
export const betweenRunsMs = 500;
const now = Date.parse("2027-01-10T00:00:00.000Z");

interface Loaded {
  readonly project: Project;
  readonly remarks: readonly Diagnostic[];
}

const projects = new WeakMap<Files, Promise<Loaded>>();

function load(files: Files): Promise<Loaded> {
  const known = projects.get(files) ?? loadOnce(files);
  projects.set(files, known);
  return known;
}

async function loadOnce(files: Files): Promise<Loaded> {
  const project = await loadProject(memoryFiles(files), { environment: { name: "sandbox" }, env: {}, now });
  const found = [...project.diagnostics, ...lint(project, { now, environment: "sandbox" })];
  return { project, remarks: found.filter(({ severity }) => severity === "error") };
}

export function openTheater(profile = "likely", settleMs = usualSettleMs, from?: Scenery): Theater {
  const time = simulatedTime(from?.now ?? now);
  const service = createService({
    profile,
    store: createStore(from?.live),
    now: () => Math.round(time.now()),
    elapsed: time.now,
    after: time.after,
    apiKey: "key-for-tests",
  });
  const { state = "", journal = "", secrets = [] } = from?.disk ?? {};
  const disk: Disk = { state, journal, secrets: new Map(secrets) };
  const theater: Theater = {
    service,
    disk,
    time,
    settleMs,
    run: (files, options = {}) => time.run(runOnce(theater, files, options)),
    scenery: () => ({
      live: service.dump(),
      disk: { ...disk, secrets: new Map(disk.secrets) },
      now: time.now(),
    }),
  };
  return theater;
}

async function runOnce({ service, disk, time, settleMs }: Theater, files: Files, options: RunOptions): Promise<Ran> {
  await time.sleep(betweenRunsMs);
  const life = makeLife(options, time);
  const { world } = testWorld(["apply", "--yes"], { now: time.now });
  const client = life.client(service);
  const store = life.store(disk);
  const base = options.base === undefined ? null : (await load(options.base)).project;
  const sink = options.withoutSink === true ? null : ({ sink: "file", path: "secrets.json" } as const);
  const read = { ...(await load(files)), base, sink, checkout: options.checkout ?? null, now: time.now() };
  const session = sessionOf(read, client, store);
  const flags: ApplyFlags = {
    directory: session.directory,
    format: "text",
    color: false,
    verbose: false,
    yes: true,
    settle: settleMs / 1000,
    parallelism: options.parallelism ?? 4,
    ...(options.flags ?? { allow: riskCodes, maxDeletes: 99 }),
  };
  const locked = await store.lock({ command: "apply", timeoutMs: 0 });
  if (!locked.ok) throw new Error("locked");
  const work = applySession({
    world: world as World,
    session,
    flags,
    review: {},
    lock: locked.lock,
    sink: options.withoutSink === true ? null : options.blind ? blindSink(options.blind) : life.sink(disk),
    plan: (current) => planSession(world as World, current, flags, { purpose: "show", sealed: true }, () => undefined),
    approve: async () => null,
    approvable: true,
    progress: () => ({ listener: {}, end: () => undefined }),
    clock: time,
  });
  const applied = await Promise.race([work, life.death]);
  return { applied, journalWrites: life.journalWrites(), calls: life.calls() };
}

function sessionOf(
  read: Loaded & Pick<Session, "base" | "sink" | "checkout" | "now">,
  client: TicketingClient,
  store: StateStore,
): Session {
  return {
    ...read,
    reading: startReading(diskFiles("/nowhere"), read.now),
    comparedWith: read.base,
    guarded: null,
    guards: [],
    sinceLast: false,
    ok: true,
    directory: "/nowhere",
    environment: {
      name: "test",
      baseUrl: "http://127.0.0.1/open-api/v1",
      apiKeyEnv: "",
      organization: null,
      chosenBy: "flag",
    },
    target: { client, line: "", baseUrl: "", close: async () => undefined } as unknown as Session["target"],
    baseUrl: "http://127.0.0.1/open-api/v1",
    store,
    state: null,
    recorded: true,
    close: async () => null,
  };
}

/** Everything that a process does to the world goes through here; once it is dead, nothing does. */
export function makeLife(options: RunOptions, time: SimulatedTime) {
  let dead = false;
  let calls = 0;
  let writes = 0;
  let die: () => void = () => undefined;
  const death = new Promise<null>((resolve) => {
    die = () => {
      dead = true;
      resolve(null);
    };
  });
  const { death: plan } = options;

  function alive<T>(value: T): T | Promise<never> {
    return dead ? never : value;
  }

  return {
    death,
    calls: () => calls,
    journalWrites: () => writes,
    client(service: SandboxService): TicketingClient {
      const inner = sandboxTransport(service, {
        now: time.now,
        after: (call) => options.watch?.(call.method, call.path),
      });
      const transport: typeof inner = {
        async send(call) {
          if (dead) return never;
          calls += 1;
          const mine = plan?.of === "call" && plan.at === calls;
          if (mine && plan.moment === "before") {
            die();
            return never;
          }
          const outcome = await inner.send(call);
          if (mine) die();
          return alive(outcome);
        },
        close: async () => undefined,
      };
      const { apiKey = service.apiKey, parallelism: concurrency = 4 } = options;
      return sandboxClient(service, { apiKey, clock: time, concurrency, transport });
    },
    sink(disk: Disk) {
      return {
        holds: async (id: string) => alive(disk.secrets.has(id)),
        async put({ id, secret }: { readonly id: string; readonly secret: string }) {
          if (dead) return never;
          disk.secrets.set(id, secret);
          return null;
        },
      };
    },
    store(disk: Disk): StateStore {
      async function write(content: string, durable: boolean): Promise<void> {
        if (dead) return never;
        if (durable) writes += 1;
        if (options.fullDiskAt !== undefined && writes >= options.fullDiskAt) throw new Halt(failed(diskFull));
        const mine = durable && plan?.of === "journal" && plan.at === writes;
        const kept =
          mine && plan.moment === "before" ? 0 : mine && plan.moment === "torn" ? content.length >> 1 : content.length;
        disk.journal += content.slice(0, kept);
        if (!mine) return;
        die();
        return never;
      }
      const groups = appendGroups(write, time.after);
      const store: StateStore = {
        place: "memory",
        load: async () => ({
          ok: true,
          state: disk.state === "" ? null : (JSON.parse(disk.state) as State),
          unverified: null,
        }),
        async save(state) {
          if (dead) return never;
          disk.state = JSON.stringify(state);
          return null;
        },
        lock: async ({ command }) => ({
          ok: true,
          lock: {
            holder: { token: crypto.randomUUID(), pid: 0, host: "", began: null, since: "", command, user: "" },
            isHeld: () => true,
            release: async () => null,
          },
        }),
        unlock: async () => ({ ok: true, holders: [] }),
        holders: async () => [],
        guard: { isOpen: () => true, wait: async () => null },
        pace: { load: async () => null, update: async () => undefined, note: async () => undefined },
        snapshots: {
          isThere: async () => false,
          load: async () => [],
          save: async () => undefined,
          clear: async () => undefined,
        },
        journal: {
          read: async () => ({ ok: true, text: disk.journal, unverified: null }),
          async open() {
            disk.journal = disk.journal.slice(0, disk.journal.lastIndexOf("\n") + 1);
            return null;
          },
          append: (lines) => groups.append(lines),
          note: (lines) => groups.note(lines),
          async replace(content) {
            await groups.settled();
            if (dead) return never;
            disk.journal = content;
            return null;
          },
          close: () => groups.settled(),
        },
      };
      return options.pushes === true ? pushedStore(store, disk, write, time.after) : store;
    },
  };
}

const diskFull = {
  code: "state-unusable",
  severity: "error",
  message: "Writing the journal did not work: the disk is full.",
} as const;

export function blindSink(kept: { secret: string | null }): SecretStore {
  return {
    holds: async () => null,
    async put({ secret }) {
      kept.secret = secret;
      return null;
    },
  };
}
