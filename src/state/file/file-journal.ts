// The journal as a file. Many callers, one disk: lines that arrive during a write are written together by the next one.
import { writeSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { type Diagnostic, type Fallible, failed, Halt } from "../../model/diagnostic.ts";
import { openPrivateToAppend, readPrivate, syncFolder, writePrivate } from "../../system/private-files.ts";
import { isShowable, sealProblem } from "../seal.ts";
import { type JournalStore, lockLost } from "../store.ts";
import { fileProblem } from "./local-folder.ts";
import { beginChain, type Chain, type LineSeals, type UnsealedLines, unsealLines } from "./sealed-lines.ts";

/** How long a line that no caller waits for may be delayed, to be written with others. */
const patienceMs = 25;
/** The same for lines that somebody waits for: a write of many costs hardly more than a write of one. */
const gatherMs = 2;

export type Groups = ReturnType<typeof appendGroups>;

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Calls back after a time, unless the returned function is called before; a simulation passes its own. */
export type After = (ms: number, then: () => void) => () => void;

const inRealTime: After = (ms, then) => {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
};

/** `write` is never called twice at once. After its first failure nothing more is written. */
export function appendGroups(write: (content: string, durable: boolean) => Promise<void>, after: After = inRealTime) {
  let content = "";
  let waiting: Waiting[] = [];
  let running: Promise<void> | null = null;
  let cancel: (() => void) | null = null;
  let broken: unknown = null;

  function gather(): Promise<void> {
    return new Promise((resolve) => after(gatherMs, resolve));
  }

  async function run(): Promise<void> {
    do {
      const group = { content, waiting };
      content = "";
      waiting = [];
      try {
        if (broken !== null) throw broken;
        await write(group.content, group.waiting.length > 0);
        for (const each of group.waiting) each.resolve();
      } catch (error) {
        broken = error;
        for (const each of group.waiting) each.reject(error);
      }
      if (waiting.length > 0) await gather();
    } while (waiting.length > 0);
    running = null;
    if (content !== "") waitForCompany();
  }

  function start(): void {
    cancel?.();
    cancel = null;
    running ??= gather().then(run);
  }

  function waitForCompany(): void {
    if (running === null) cancel ??= after(patienceMs, start);
  }

  return {
    append(lines: string): Promise<void> {
      return new Promise((resolve, reject) => {
        content += lines;
        waiting.push({ resolve, reject });
        start();
      });
    },
    note(lines: string): void {
      content += lines;
      waitForCompany();
    },
    /** Resolves when everything requested so far is written, or has failed. */
    async settled(): Promise<void> {
      while (running !== null || content !== "") {
        start();
        await running;
      }
    },
  };
}

export interface FileJournalSetup {
  readonly path: string;
  /** Its path, for people. */
  readonly shown: string;
  /** Makes the folder. */
  readonly prepare: () => void;
  readonly seals: LineSeals;
}

export interface FileJournal extends JournalStore {
  /** What is in it, whatever its seals say. */
  inspect(): Fallible<UnsealedLines>;
}

interface Opened {
  readonly handle: FileHandle;
  readonly groups: Groups;
}

export function fileJournal({ path, shown, prepare, seals }: FileJournalSetup): FileJournal {
  let opened: Opened | null = null;

  function inspect(): Fallible<UnsealedLines> {
    try {
      return { ok: true, ...unsealLines(wholeLines(readPrivate(path) ?? ""), seals) };
    } catch (error) {
      return failed(fileProblem(error, "Reading", shown));
    }
  }

  /** The chain to continue. Lines that the previous key sealed are sealed again first. */
  async function prepareChain(): Promise<Fallible<{ readonly chain: Chain }>> {
    const lines = inspect();
    if (!lines.ok) return lines;
    const problem = sealProblem(lines.status, shown);
    if (problem !== null) return failed(problem);
    return lines.chain === null ? writeAnew(lines.text) : { ok: true, chain: lines.chain };
  }

  async function writeAnew(text: string): Promise<Fallible<{ readonly chain: Chain }>> {
    const chain = beginChain(seals);
    if (chain === null) return failed(sealProblem("no-key", shown) as Diagnostic);
    await writePrivate(path, chain.seal(text));
    return { ok: true, chain };
  }

  async function begin(isHeld: () => boolean): Promise<Diagnostic | null> {
    try {
      prepare();
      const prepared = await prepareChain();
      if (!prepared.ok) return prepared.diagnostics[0] as Diagnostic;
      const { chain } = prepared;
      const handle = await openPrivateToAppend(path);
      let size = await cutTornLine(handle);
      await syncFolder(dirname(path));
      const groups = appendGroups(async (content, durable) => {
        if (!isHeld()) throw new Halt(failed(lockLost));
        const bytes = Buffer.from(chain.seal(content), "utf8");
        try {
          // Handing bytes to the system takes less time than asking a thread to do it; waiting for the disk does not.
          writeAll(handle.fd, bytes);
          if (durable) await handle.datasync();
        } catch (error) {
          // Part of a line must not remain before whole ones.
          await handle.truncate(size).catch(() => undefined);
          throw new Halt(failed(fileProblem(error, "Writing", shown)));
        }
        size += bytes.length;
      });
      opened = { handle, groups };
      return null;
    } catch (error) {
      return fileProblem(error, "Opening", shown);
    }
  }

  async function close(): Promise<void> {
    const closing = opened;
    opened = null;
    if (closing === null) return;
    await closing.groups.settled();
    await closing.handle.close();
  }

  return {
    inspect,
    async read() {
      const lines = inspect();
      if (!lines.ok) return lines;
      const problem = sealProblem(lines.status, shown);
      if (problem !== null && !isShowable(lines.status)) return failed(problem);
      return { ok: true, text: lines.text, unverified: problem };
    },
    open: begin,
    append: (lines) => opened?.groups.append(lines) ?? Promise.reject(new Error("the journal is not open")),
    note: (lines) => opened?.groups.note(lines),
    async replace(content) {
      await close();
      try {
        prepare();
        const written = content === "" ? await writePrivate(path, "") : await writeAnew(content);
        return written?.ok === false ? (written.diagnostics[0] as Diagnostic) : null;
      } catch (error) {
        return fileProblem(error, "Writing", shown);
      }
    },
    close,
  };
}

/** Text after the last line break was never durable, so its call was never sent. */
function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf("\n") + 1);
}

function writeAll(file: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}

/** Returns the size of the whole lines. */
async function cutTornLine(handle: FileHandle): Promise<number> {
  const bytes = await handle.readFile();
  const whole = bytes.lastIndexOf(0x0a) + 1;
  if (whole < bytes.length) {
    await handle.truncate(whole);
    await handle.sync();
  }
  return whole;
}
