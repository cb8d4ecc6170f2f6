// State, journal, lock and pace ledger in a ref of the repository's own remote: for runners that forget everything. What is in
// it was written by somebody with the right to push; it carries no seal, since runners with different keys share it.
import { type Diagnostic, errorOf, failed } from "../../model/diagnostic.ts";
import type { State } from "../../model/live.ts";
import type { StoreSetup } from "../file/folder.ts";
import { localCaches } from "../file/local-caches.ts";
import { readState } from "../file/parse-state.ts";
import {
  describeHolder,
  JournalError,
  type JournalStore,
  type LoadResult,
  type LockOptions,
  type LockResult,
  lockLost,
  type StateStore,
} from "../store.ts";
import { type HeldRef, standardTimes, type Times } from "./held-ref.ts";
import { lockRef } from "./lock-ref.ts";
import { type RefFailure, type RefResult, refProblem } from "./ref-failure.ts";
import { holderIn, isHolderGone, type RefHolder, withoutLock } from "./ref-holder.ts";
import type { RemoteSetup } from "./remote-place.ts";
import { gitRunLog } from "./run-log.ts";
import { openStateRef, type RefFiles, type RefVersion } from "./state-ref.ts";

export interface GitStoreSetup extends StoreSetup, Pick<RemoteSetup, "remote" | "ref"> {
  readonly times?: Times;
}

const stateFile = "state.json";
const journalFile = "journal.jsonl";
const paceFile = "pace.json";

export function gitStore(setup: GitStoreSetup): StateStore {
  const times = setup.times ?? standardTimes;
  let opening: ReturnType<typeof openStateRef> | null = null;
  /** What is read without the lock is read once: a plan is made of one state. */
  let reading: Promise<RefResult<RefVersion | null>> | null = null;
  let held: HeldRef | null = null;
  const caches = localCaches(setup);

  function open(): ReturnType<typeof openStateRef> {
    opening ??= openStateRef(setup);
    return opening;
  }

  function readOnce(): Promise<RefResult<RefVersion | null>> {
    reading ??= open().then((ref) => (ref.ok ? ref.value.read() : ref));
    return reading;
  }

  async function files(): Promise<RefResult<RefFiles>> {
    if (held !== null) return { ok: true, value: held.files() };
    const version = await readOnce();
    return version.ok ? { ok: true, value: version.value?.files ?? new Map() } : version;
  }

  async function load(): Promise<LoadResult> {
    const found = await files();
    if (!found.ok) return failed(refProblem(found, "read", setup.remote));
    const text = found.value.get(stateFile);
    if (text === undefined) return { ok: true, state: null, unverified: null };
    const parsed = readState(text, `${setup.remote}:${stateFile}`);
    return parsed.ok ? { ok: true, state: parsed.state, unverified: null } : parsed;
  }

  async function save(state: State, before: State | null): Promise<Diagnostic | null> {
    const present = await load();
    if (!present.ok) return present.diagnostics[0] ?? changedMeanwhile;
    if (held === null) return lockLost;
    if (present.state?.serial !== before?.serial || present.state?.lineage !== before?.lineage) return changedMeanwhile;
    held.set(stateFile, `${JSON.stringify(state, null, 1)}\n`);
    return null;
  }

  async function lock(options: LockOptions): Promise<LockResult> {
    const ref = await open();
    if (!ref.ok) return failed(refProblem(ref, "read", setup.remote));
    const seen = (await reading) ?? undefined;
    const locked = await lockRef(ref.value, { ...options, run: setup.run ?? null, times }, seen);
    if (locked.ok) {
      held = locked.held;
      const { holder, isHeld } = held;
      return { ok: true, lock: { holder, isHeld, release } };
    }
    return failed(
      locked.why === "held" ? lockedBy(locked.holder) : refProblem(locked.failure, "written", setup.remote),
    );
  }

  async function release(): Promise<Diagnostic | null> {
    const mine = held;
    if (mine === null) return null;
    const failure = await mine.release();
    reading = null;
    held = null;
    return failure === null ? null : notSaved(failure);
  }

  async function unlock(): Promise<RefHolder | null> {
    const ref = await open();
    if (!ref.ok) throw new JournalError(refProblem(ref, "read", setup.remote));
    for (let again = 5; ; again -= 1) {
      const version = await ref.value.read(true);
      if (!version.ok) throw new JournalError(refProblem(version, "read", setup.remote));
      const holder = version.value === null ? null : holderIn(version.value.files);
      if (holder === null || version.value === null) return null;
      const written = await ref.value.write(withoutLock(version.value.files), version.value, "state unlock");
      if (written.ok) return holder;
      // Its holder is alive, and has just written something.
      if (written.reason !== "moved" || again === 0)
        throw new JournalError(refProblem(written, "written", setup.remote));
    }
  }

  async function read(file: string): Promise<string> {
    const found = await files();
    if (!found.ok) throw new JournalError(refProblem(found, "read", setup.remote));
    return found.value.get(file) ?? "";
  }

  return {
    place: `git, remote '${setup.remote}'`,
    prepare: () => void readOnce(),
    load,
    save,
    lock,
    unlock,
    async holder() {
      const found = await files();
      const holder = found.ok ? holderIn(found.value) : null;
      return holder === null || isHolderGone(holder) ? null : holder;
    },
    journal: gitJournal(
      () => held,
      () => read(journalFile),
    ),
    log: gitRunLog(() => held, read),
    snapshots: caches.snapshots,
    guard: {
      isOpen: () => held?.isFresh() ?? true,
      async wait() {
        const failure = await held?.confirm();
        return failure == null ? null : failure.reason === "moved" ? lockLost : unconfirmed(failure);
      },
    },
    // Whoever only reads writes to this machine's own ledger: the ref is not written without its lock.
    pace: {
      async load() {
        const read = held === null ? await reading : null;
        const found = held?.files() ?? (read?.ok === true ? read.value?.files : undefined);
        return found?.has(paceFile) === true ? JSON.parse(found.get(paceFile) ?? "null") : caches.pace.load();
      },
      async save(data) {
        if (held === null) await caches.pace.save(data);
        else held.set(paceFile, JSON.stringify(data), true);
      },
    },
    async close() {
      await release();
      const ref = await opening;
      if (ref?.ok === true) await ref.value.close();
    },
  };
}

/** Lines go into the ref; a call waits until its intent is on the remote. */
function gitJournal(heldRef: () => HeldRef | null, read: () => Promise<string>): JournalStore {
  let text = "";

  function holding(): HeldRef {
    const held = heldRef();
    if (held === null) throw new JournalError(lockLost);
    return held;
  }

  function put(content: string): HeldRef {
    const held = holding();
    text = content;
    held.set(journalFile, text === "" ? null : text);
    return held;
  }

  async function settle(failure: RefFailure | null): Promise<void> {
    if (failure !== null) throw new JournalError(failure.reason === "moved" ? lockLost : notWritten(failure));
  }

  return {
    announces: true,
    read: async () => ({ text: await read(), unverified: null }),
    async open() {
      text = await read();
    },
    async append(lines, announced = false) {
      const held = put(text + lines);
      if (!announced) await settle(await held.flush());
    },
    note: (lines) => {
      put(text + lines);
    },
    // Goes out with the state, when the lock is released.
    async replace(content) {
      put(content);
    },
    close: async () => undefined,
  };
}

const changedMeanwhile = errorOf(
  "state-changed-meanwhile",
  "The state was changed by another run, so it was left as it is.",
  "Run the command again: it reads what is live first.",
);

function notWritten({ message }: RefFailure): Diagnostic {
  return errorOf(
    "journal-unwritable",
    `The journal could not be pushed: ${message}`,
    "Nothing more was sent. Run the command again when the remote can be reached: it finishes what is left.",
  );
}

function notSaved({ reason, message }: RefFailure): Diagnostic {
  return reason === "moved"
    ? lockLost
    : errorOf(
        "state-unusable",
        `What was done could not be pushed to the state: ${message}`,
        "Run the command again when the remote can be reached: it looks for what was done and remembers it.",
      );
}

function unconfirmed({ message }: RefFailure): Diagnostic {
  return errorOf(
    "lock-unconfirmed",
    `Whether the lock is still held could not be found out, so nothing more was sent: ${message}`,
    "Run the command again when the remote can be reached: it checks first and does only what is still missing.",
  );
}

function lockedBy(holder: RefHolder): Diagnostic {
  const page = holder.run === null ? "" : ` (${holder.run})`;
  return errorOf(
    "state-locked",
    `Another run is active in this environment: ${describeHolder(holder)}${page}.`,
    "Wait for it to end, or let this one wait with --lock-timeout SECONDS. If it no longer runs: `ticketing state unlock`; after two minutes without a sign of life it is taken over anyway.",
  );
}
