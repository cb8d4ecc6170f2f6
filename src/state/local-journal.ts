import { type FileHandle, open, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Diagnostic } from "../model/diagnostic.ts";
import { appendGroups, type Groups } from "./append-groups.ts";
import { fileTrouble, isMissing } from "./file-trouble.ts";
import { JournalError } from "./journal-error.ts";
import type { JournalFile } from "./journal-file.ts";
import { syncFolder, writeDurably } from "./write-durably.ts";

interface Opened {
  readonly handle: FileHandle;
  readonly groups: Groups;
}

/** `shown` is its path as people know it; `prepare` makes the folder. */
export function localJournal(path: string, shown: string, prepare: () => Promise<unknown>): JournalFile {
  let opened: Opened | null = null;

  async function read(): Promise<string> {
    try {
      return await readFile(path, "utf8");
    } catch (error) {
      if (isMissing(error)) return "";
      throw new JournalError(fileTrouble(error, "Reading", shown));
    }
  }

  async function begin(isHeld: () => boolean): Promise<void> {
    try {
      await prepare();
      const handle = await open(path, "a+", 0o600);
      let size = await cutTornLine(handle);
      await syncFolder(dirname(path));
      const groups = appendGroups(async (content, durable) => {
        if (!isHeld()) throw new JournalError(lockLost);
        const bytes = Buffer.from(content, "utf8");
        try {
          await writeAll(handle, bytes);
          if (durable) await handle.datasync();
        } catch (error) {
          // A part of a line must not stay before whole ones.
          await handle.truncate(size).catch(() => undefined);
          throw new JournalError(fileTrouble(error, "Writing", shown));
        }
        size += bytes.length;
      });
      opened = { handle, groups };
    } catch (error) {
      throw error instanceof JournalError ? error : new JournalError(fileTrouble(error, "Opening", shown));
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
    read,
    open: begin,
    append: (lines) => opened?.groups.append(lines) ?? Promise.reject(new Error("the journal is not open")),
    note: (lines) => opened?.groups.note(lines),
    async replace(content) {
      await close();
      try {
        await prepare();
        await writeDurably(path, content);
      } catch (error) {
        throw new JournalError(fileTrouble(error, "Writing", shown));
      }
    },
    close,
  };
}

async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done);
    done += bytesWritten;
  }
}

/** Gives the size. What follows the last line break was never durable, so nothing was sent on its account. */
async function cutTornLine(handle: FileHandle): Promise<number> {
  const bytes = await handle.readFile();
  const whole = bytes.lastIndexOf(0x0a) + 1;
  if (whole < bytes.length) {
    await handle.truncate(whole);
    await handle.sync();
  }
  return whole;
}

export const lockLost: Diagnostic = {
  code: "lock-lost",
  severity: "error",
  message: "Another run took the lock over while this one was at work, so this one sent nothing more.",
  hint: "See that only one run is at work, then run the command again: it looks first and does only what is still missing.",
};
