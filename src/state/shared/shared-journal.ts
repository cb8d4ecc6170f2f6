// What runs write next to the state in shared files: the journal, one per shard if several run together, and the log.

import { type Diagnostic, errorOf, type Fallible, failed, Halt } from "../../model/diagnostic.ts";
import { compareText, parseJson } from "../../model/value.ts";
import { type JournalStore, lockLost, type RunLog, type RunRecord } from "../store.ts";
import type { HeldFiles } from "./held-files.ts";
import { partName } from "./holder.ts";
import type { StoredFiles, StoreFailure } from "./shared-files.ts";

export type ReadFiles = () => Promise<Fallible<{ readonly files: StoredFiles }>>;

const journalFile = "journal.jsonl";

/** Each shard's lines go into its own file; a call waits until its intent is in the store. */
export function sharedJournal(heldFiles: () => HeldFiles | null, read: ReadFiles, peer: string): JournalStore {
  let text = "";

  function put(content: string): HeldFiles {
    const held = heldFiles();
    if (held === null) throw new Halt(failed(lockLost));
    text = content;
    held.set(journalOf(held), text === "" ? null : text);
    return held;
  }

  return {
    announces: true,
    async read() {
      const found = await read();
      return found.ok ? { ok: true, text: [...journalsIn(found.files).values()].join(""), unverified: null } : found;
    },
    async open(_isHeld, split = (lines) => ({ own: lines, rest: "" })) {
      const held = heldFiles();
      if (held === null) return lockLost;
      const journals = journalsIn(held.files());
      const own = journalOf(held);
      text = journals.get(own) ?? "";
      for (const [file, lines] of journals) {
        const received = file === own ? "" : split(lines).own;
        if (received === "") continue;
        // Out of one file and into the other with the same write.
        held.set(file, (now = "") => split(now).rest || null);
        put(text + received);
      }
      return null;
    },
    async append(lines, announced = false) {
      const held = put(text + lines);
      const failure = announced ? null : await held.flush();
      if (failure !== null)
        throw new Halt(failed(failure.reason === "moved" ? lockLost : journalNotWritten(failure, peer)));
    },
    note: (lines) => void put(text + lines),
    // Goes out with the state, when the lock is released.
    async replace(content) {
      if (heldFiles() === null) return lockLost;
      put(content);
      return null;
    },
    close: async () => undefined,
  };
}

function journalOf({ holder: { joint } }: HeldFiles): string {
  return joint === undefined ? journalFile : `journal.${partName(joint)}.jsonl`;
}

function journalsIn(files: StoredFiles): StoredFiles {
  return new Map([...files].filter(([file]) => /^journal(\.\d+-of-\d+)?\.jsonl$/.test(file)));
}

function journalNotWritten({ message, hint }: StoreFailure, peer: string): Diagnostic {
  return errorOf(
    "journal-unwritable",
    `The journal could not be written to ${peer}: ${message}`,
    `Nothing more was sent. ${hint ?? `Run the command again when ${peer} can be reached: it finishes what is left.`}`,
  );
}

// The last runs, as a file next to the state: one line each.

const logFile = "log.jsonl";
const most = 200;

export function sharedRunLog(heldFiles: () => HeldFiles | null, read: ReadFiles): RunLog {
  function change(edit: (records: readonly RunRecord[], run: string) => readonly RunRecord[]): void {
    const held = heldFiles();
    if (held === null) return;
    held.set(logFile, (text = "") =>
      edit(parseRecords(text), held.holder.token)
        .slice(-most)
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(""),
    );
  }

  return {
    async read() {
      const found = await read();
      return found.ok ? { ok: true, records: parseRecords(found.files.get(logFile) ?? "") } : found;
    },
    begin(attempt) {
      const { command, user, host } = heldFiles()?.holder ?? noHolder;
      change((records, run) => [
        ...records.filter((each) => each.run !== run),
        { ...attempt, run, command, user, host, end: null },
      ]);
    },
    end(end) {
      change((records, run) =>
        withoutRepeats(
          records.map((each) => (each.run === run ? { ...each, end } : each)),
          run,
        ),
      );
    },
    add(others) {
      change((records) => {
        const all = new Map([...records, ...others].map((each) => [each.run, each]));
        return [...all.values()].sort((one, other) => compareText(one.at, other.at));
      });
    },
  };
}

/** Scheduled runs with nothing to do must not push out, within days, the runs that did something: of those in a row, the newest is kept. */
function withoutRepeats(records: readonly RunRecord[], run: string): readonly RunRecord[] {
  const at = records.findIndex((each) => each.run === run);
  const [before, own] = [records[at - 1], records[at]];
  if (before === undefined || own === undefined || !isIdle(before) || !isIdle(own)) return records;
  const isSame =
    before.revision === own.revision &&
    before.dirty === own.dirty &&
    before.shard === own.shard &&
    before.end?.clean === own.end?.clean;
  return isSame ? records.filter((each) => each !== before) : records;
}

function isIdle({ end }: RunRecord): boolean {
  return end !== undefined && end !== null && Object.values(end.summary).every((count) => count === 0);
}

const noHolder = { command: "", user: "", host: "" };

/** It is for people: a line that cannot be read is left out. */
function parseRecords(text: string): readonly RunRecord[] {
  return text.split("\n").flatMap((line) => {
    const record = parseJson(line) as RunRecord | null | undefined;
    return typeof record?.run === "string" ? [record] : [];
  });
}
