// Shared files of which our lock is one, and edits that wait to be written to them: which version the next write replaces, and
// what it changes there.
import { setTimeout as sleep } from "node:timers/promises";
import { holdersIn, lockFileOf, parseHolder, type SharedHolder } from "./holder.ts";
import type { FilesVersion, SharedFiles, StoredFiles, StoreFailure } from "./shared-files.ts";

type FileChange = (text: string | undefined) => string | null | StoreFailure;

/**
 * What a file becomes. A change is applied to the current text when it is written, since other shards may have written; applying it twice
 * must change nothing more. A change that fails prevents the whole write.
 */
export type FileEdit = string | null | FileChange;

/** Shards that collided come back at random within the time that a write takes. */
const turnMs = 250;

export function editFiles(shared: SharedFiles, taken: FilesVersion, holder: SharedHolder) {
  let version = taken;
  const ownLock = lockFileOf(holder);
  const edits = new Map<string, FileEdit>();
  const idle = new Set<string>();
  /** All versions that we wrote or tried to: if one of them is current, no other run has written. */
  const ours = new Map<string, FilesVersion | null>([[taken.id, taken]]);

  function files(): StoredFiles {
    const whole = new Map(version.files);
    for (const [file, edit] of edits) {
      const content = editedContent(edit, version.files.get(file));
      if (content === null) whole.delete(file);
      else if (!isFailure(content)) whole.set(file, content);
    }
    return whole;
  }

  function set(file: string, content: FileEdit, isIdle = false): void {
    edits.set(file, typeof content === "function" ? changeOnce(content, edits.get(file)) : content);
    if (isIdle) idle.add(file);
    else idle.delete(file);
  }

  /** Null once everything that was set before is in the store. */
  async function write(): Promise<StoreFailure | null> {
    const sent = [...edits];
    const unmakeable = sent.map(([file, edit]) => editedContent(edit, version.files.get(file))).find(isFailure);
    if (unmakeable !== undefined) return unmakeable;
    const written = await shared.write(files(), version, commitSubject(holder, edits), (made) =>
      ours.set(made.id, made),
    );
    if (!written.ok) return written;
    version = written.value;
    for (const [file, content] of sent) if (edits.get(file) === content) edits.delete(file);
    for (const [id] of ours) ours.set(id, null);
    ours.set(version.id, version);
    return null;
  }

  /** Whose version the next write replaces, after one found that the files had moved: our own if nobody can say; null: somebody else has the lock. */
  async function catchUp(): Promise<"own" | "peers" | null> {
    const tip = await shared.tip();
    if (!tip.ok) return "own";
    const present = tip.value === null ? undefined : ours.get(tip.value);
    if (present != null) {
      // A write of ours got through although its response was lost.
      version = present;
      return "own";
    }
    // Wait before reading, not after: what was just read is most likely still current.
    if (holder.joint !== undefined) await sleep(turnMs * Math.random());
    const read = await readWithPeers();
    if (read === false) return null;
    version = read ?? version;
    return "peers";
  }

  /** What is there now, if our lock is still in it; null: that is unknown for now; false: somebody else has the lock. */
  async function readWithPeers(): Promise<FilesVersion | false | null> {
    if (holder.joint === undefined) return false;
    const read = await shared.read(true);
    if (!read.ok) return null;
    const text = read.value?.files.get(ownLock);
    if (read.value === null || text === undefined || parseHolder(text).token !== holder.token) return false;
    if (!ours.has(read.value.id)) ours.set(read.value.id, null);
    return read.value;
  }

  return {
    files,
    set,
    hasEdits: () => edits.size > 0,
    isWorthWriting: () => [...edits.keys()].some((file) => !idle.has(file)),
    holderCount: () => holdersIn(version.files).length,
    write,
    catchUp,
    /** Whether our lock is still in the store; null: that is unknown for now. */
    async isStillOurs(): Promise<boolean | StoreFailure | null> {
      const tip = await shared.tip();
      if (!tip.ok) return tip;
      if (tip.value !== null && ours.has(tip.value)) return true;
      const read = await readWithPeers();
      return read === null ? null : read !== false;
    },
    /** Whether everything but the lock is in the store, no matter which write put it there. */
    async isAllThere(): Promise<boolean> {
      const rest = [...edits].filter(([file]) => file !== ownLock);
      if (rest.length === 0) return true;
      const read = await shared.read(true);
      if (!read.ok) return false;
      const present = read.value?.files;
      return rest.every(([file, edit]) => editedContent(edit, present?.get(file)) === (present?.get(file) ?? null));
    },
  };
}

function editedContent(edit: FileEdit, present: string | undefined): string | null | StoreFailure {
  return typeof edit === "function" ? edit(present) : edit;
}

/** Applies the change after an earlier one. The result is cached, because merging a large state takes time. */
function changeOnce(change: FileChange, before: FileEdit | undefined): FileChange {
  let last: { readonly text: string | undefined; readonly result: ReturnType<FileChange> } | null = null;
  return (text) => {
    if (last !== null && last.text === text) return last.result;
    const now = before === undefined ? text : editedContent(before, text);
    last = { text, result: isFailure(now) ? now : change(now ?? undefined) };
    return last.result;
  };
}

function isFailure(value: string | null | undefined | StoreFailure): value is StoreFailure {
  return typeof value === "object" && value !== null;
}

function commitSubject(holder: SharedHolder, edits: ReadonlyMap<string, FileEdit>): string {
  const files = [...edits.keys()].map((file) => file.replace(/\.jsonl?$/, ""));
  return `${holder.command}: ${edits.get(lockFileOf(holder)) === null ? "done" : files.sort().join(", ")}`;
}
