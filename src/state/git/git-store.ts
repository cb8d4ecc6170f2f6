// State, journal, lock and pace ledger in a ref of the repository's own remote: for runners that forget everything. What is in
// it was written by somebody with the right to push; it carries no seal, since runners with different keys share it.
import { type Diagnostic, failed } from "../../model/diagnostic.ts";
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
import { type HeldRef, holderIn, lockRef, standardTimes, type Times, withoutLock } from "./held-ref.ts";
import { openStateRef, type RefFailure, type RefFiles, type StateRef, type StateRefSetup } from "./state-ref.ts";

export interface GitStoreSetup extends StoreSetup, Pick<StateRefSetup, "remote" | "ref"> {
  readonly times?: Times;
}

const stateFile = "state.json";
const journalFile = "journal.jsonl";
const paceFile = "pace.json";

export function gitStore(setup: GitStoreSetup): StateStore {
  const times = setup.times ?? standardTimes;
  const place = `a ref of the remote '${setup.remote}'`;
  let opening: ReturnType<typeof openStateRef> | null = null;
  let held: HeldRef | null = null;
  const caches = localCaches(setup);

  function open(): ReturnType<typeof openStateRef> {
    opening ??= openStateRef(setup);
    return opening;
  }

  async function files(): Promise<RefFiles | RefFailure> {
    if (held !== null) return held.files();
    const ref = await open();
    if (!ref.ok) return ref;
    const version = await ref.value.read();
    if (!version.ok) return version;
    return version.value?.files ?? new Map();
  }

  async function load(): Promise<LoadResult> {
    const found = await files();
    if ("reason" in found) return failed(problemOf(found, "read", setup));
    const text = found.get(stateFile);
    if (text === undefined) return { ok: true, state: null, unverified: null };
    const parsed = readState(text, `${setup.remote}:${stateFile}`);
    return parsed.ok ? { ok: true, state: parsed.state, unverified: null } : parsed;
  }

  async function save(state: State, before: State | null): Promise<Diagnostic | null> {
    const present = await load();
    if (!present.ok) return present.diagnostics[0] ?? changedMeanwhile;
    if (held === null) throw new Error("State is saved by the holder of its lock alone.");
    if (present.state?.serial !== before?.serial || present.state?.lineage !== before?.lineage) return changedMeanwhile;
    held.set(stateFile, `${JSON.stringify(state, null, 1)}\n`);
    const failure = await held.flush();
    return failure === null ? null : problemOf(failure, "written", setup);
  }

  async function lock(options: LockOptions): Promise<LockResult> {
    const ref = await open();
    if (!ref.ok) return failed(problemOf(ref, "read", setup));
    const locked = await lockRef(ref.value, { ...options, run: setup.run ?? null, times });
    if (locked.ok) {
      held = locked.held;
      return { ok: true, lock: lockOf(locked.held) };
    }
    const diagnostic =
      locked.why === "held" ? lockedBy(describeHolder(locked.holder)) : problemOf(locked.failure, "written", setup);
    return failed(diagnostic);
  }

  function lockOf(mine: HeldRef): Extract<LockResult, { ok: true }>["lock"] {
    return {
      holder: mine.holder,
      isHeld: mine.isHeld,
      async release() {
        await mine.release();
        held = null;
      },
    };
  }

  const journal = gitJournal(
    () => held,
    async () => {
      const found = await files();
      if ("reason" in found) throw new JournalError(problemOf(found, "read", setup));
      return found.get(journalFile) ?? "";
    },
  );

  return {
    place,
    load,
    save,
    lock,
    async unlock() {
      const ref = await open();
      const version = ref.ok ? await ref.value.read() : ref;
      if (!version.ok) throw new JournalError(problemOf(version, "read", setup));
      const holder = version.value === null ? null : holderIn(version.value.files);
      if (holder === null || version.value === null || !ref.ok) return null;
      const written = await (ref.value as StateRef).write(withoutLock(version.value.files), version.value, "unlock");
      if (!written.ok) throw new JournalError(problemOf(written, "written", setup));
      return holder;
    },
    async holder() {
      const found = await files();
      return "reason" in found ? null : holderIn(found);
    },
    journal,
    snapshots: caches.snapshots,
    // Whoever only reads keeps to this machine's own ledger: a ref is not fetched for that, and not written without its lock.
    pace: {
      load: async () => (held === null ? caches.pace.load() : JSON.parse(held.files().get(paceFile) ?? "null")),
      async save(data) {
        if (held === null) await caches.pace.save(data);
        else held.set(paceFile, JSON.stringify(data));
      },
    },
    close: async () => {
      const ref = await opening;
      if (ref?.ok === true) await ref.value.close();
    },
  };
}

/** Lines go into the ref; a call waits until its intent is on the remote and the lock was ours a moment ago. */
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
      await settle(await held.confirm());
    },
    note: (lines) => {
      put(text + lines);
    },
    async replace(content) {
      await settle(await put(content).flush());
    },
    close: async () => undefined,
  };
}

function problemOf(failure: RefFailure, what: "read" | "written", setup: GitStoreSetup): Diagnostic {
  const [said = ""] = failure.message.split("\n").filter((line) => line.trim() !== "");
  return {
    code: "state-unusable",
    severity: "error",
    message: `The state on the remote '${setup.remote}' could not be ${what}: ${said}`,
    hint: hints[failure.reason],
  };
}

const hints: Readonly<Record<RefFailure["reason"], string>> = {
  refused:
    "The job needs the right to push to refs/ticketing/*: on GitHub add `permissions: { contents: write }` to the job, on GitLab a token with `write_repository`.",
  unreachable: "Check the connection to the remote and run the command again. Nothing was written to the service.",
  moved: "Another run writes the state at the same time. Run the command again.",
  foreign:
    "Choose another ref with `state: { backend: git, ref: … }`, or delete that ref on the remote if nothing needs it.",
};

const changedMeanwhile: Diagnostic = {
  code: "state-changed-meanwhile",
  severity: "error",
  message: "The state was changed by another run, so it was left as it is.",
  hint: "Run the command again: it reads what is live first.",
};

function notWritten(failure: RefFailure): Diagnostic {
  return {
    code: "journal-unwritable",
    severity: "error",
    message: `The journal could not be pushed: ${failure.message.split("\n")[0] ?? ""}`,
    hint: "Nothing more was sent. Run the command again when the remote can be reached: it finishes what is left.",
  };
}

function lockedBy(holder: string): Diagnostic {
  return {
    code: "state-locked",
    severity: "error",
    message: `Another run is applying to this environment: ${holder}.`,
    hint: "Wait for it to end, or let this one wait with --lock-timeout SECONDS. If it is not running any more: `ticketing state unlock`.",
  };
}
