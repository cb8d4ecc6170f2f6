// The journal of a run: what is about to be sent, and how it ended. It never holds a secret.
import { parseShard, type Shard } from "../../model/live.ts";
import {
  type CloseEntry,
  type Ending,
  formatEntry,
  type HandEntry,
  type IntentEntry,
  type JournalEntry,
  type LearnEntry,
  type RunEntry,
} from "./journal-entry.ts";
import { findOpenWork } from "./open-work.ts";

/** Where the lines go. `append` resolves once they are durable, and rejects if they are not. */
export interface JournalWriter {
  /** Making a line durable takes long, so all operations are announced before the first call, and none waits for its own line. */
  readonly announces?: true;
  /** `announced`: the call was written down before, in short. */
  append(lines: string, announced?: boolean): Promise<void>;
  note(lines: string): void;
}

export type Intent = Omit<IntentEntry, "type" | "seq" | "run">;

export interface Journal {
  readonly run: string;
  /** Everything that this journal holds, earlier runs included. */
  readonly entries: readonly JournalEntry[];
  /** `planned`: every intent to come, called only if they are announced. */
  begin(header: Omit<RunEntry, "type" | "run">, planned?: () => readonly Intent[]): Promise<void>;
  /** Resolves when the intent is durable; only then may the call be sent. */
  intend(intent: Intent): Promise<IntentEntry>;
  close(seq: number, how: Ending, more?: Omit<CloseEntry, "type" | "seq" | "how">): void;
  learn(entry: Omit<LearnEntry, "type">): void;
  clear(seq: number): void;
  /** Resolves when it is durable; only then may the secret be handed over. */
  hand(entry: Omit<HandEntry, "type">): Promise<void>;
  /** Resolves when everything noted so far is durable. */
  flush(): Promise<void>;
  /** Nothing more is sent: what was announced and never begun was not sent. */
  end(): void;
}

/** With other shards running: numbers are interleaved so that shards never use the same one, even for lines they take over later. */
export interface JournalLane {
  readonly shard: Shard;
  readonly highestSeq: number;
}

export function openJournal(
  run: string,
  earlier: readonly JournalEntry[],
  sink: JournalWriter,
  lane?: JournalLane,
): Journal {
  const entries: JournalEntry[] = [...earlier];
  const { index, count } = parseShard(lane?.shard ?? "1/1");
  const highest = lane?.highestSeq ?? findOpenWork(earlier).highestSeq;
  let last = lane === undefined ? highest : highest - (highest % count) + index;
  /** Announced and not begun: the numbers of operations' intents. */
  const announced = new Map<string | null, number>();

  function nextSeq(): number {
    last += count;
    return last;
  }

  function note(entry: JournalEntry): void {
    entries.push(entry);
    sink.note(formatEntry(entry));
  }

  return {
    run,
    entries,
    async begin(header, planned = () => []) {
      const shard = lane === undefined ? {} : { shard: lane.shard };
      const begun: JournalEntry[] = [{ type: "run", run, ...header, ...shard }];
      for (const intent of sink.announces === true ? planned() : []) {
        const seq = nextSeq();
        announced.set(intent.operation, seq);
        begun.push({ type: "intent", seq, run, ...intent, announced: true });
      }
      entries.push(...begun);
      await sink.append(begun.map(formatEntry).join(""));
    },
    async intend(intent) {
      const reserved = announced.get(intent.operation);
      if (reserved !== undefined) announced.delete(intent.operation);
      const entry: IntentEntry = { type: "intent", seq: reserved ?? nextSeq(), run, ...intent };
      await sink.append(formatEntry(entry), reserved !== undefined);
      // A call that could not be written down was not started.
      entries.push(entry);
      return entry;
    },
    close: (closing, how, more = {}) => note({ type: "close", seq: closing, how, ...more }),
    learn: (entry) => note({ type: "learn", ...entry }),
    clear: (clearing) => note({ type: "clear", seq: clearing }),
    async hand(handed) {
      const entry: JournalEntry = { type: "hand", ...handed };
      await sink.append(formatEntry(entry));
      entries.push(entry);
    },
    flush: () => sink.append(""),
    end() {
      for (const unsent of announced.values()) note({ type: "close", seq: unsent, how: "unsent" });
      announced.clear();
    },
  };
}
