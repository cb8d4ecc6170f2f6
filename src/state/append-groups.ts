// Many callers, one disk: lines that are asked for while a write is under way go out together with the next one.

import { setTimeout as sleep } from "node:timers/promises";

/** How long lines that nobody waits for may wait for company. */
const patienceMs = 25;
/** How long lines that somebody waits for do: a write of many costs hardly more than a write of one. */
const gatherMs = 2;

export interface Groups {
  append(lines: string): Promise<void>;
  note(lines: string): void;
  /** Ends when everything asked for so far is written, or has failed. */
  settled(): Promise<void>;
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** `write` is never called twice at once. After its first failure nothing is written any more. */
export function appendGroups(write: (content: string, durable: boolean) => Promise<void>): Groups {
  let content = "";
  let waiting: Waiting[] = [];
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let broken: unknown = null;

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
      if (waiting.length > 0) await sleep(gatherMs);
    } while (waiting.length > 0);
    running = null;
    if (content !== "") waitForCompany();
  }

  function start(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    running ??= sleep(gatherMs).then(run);
  }

  function waitForCompany(): void {
    if (running === null) timer ??= setTimeout(start, patienceMs);
  }

  return {
    append(lines) {
      return new Promise((resolve, reject) => {
        content += lines;
        waiting.push({ resolve, reject });
        start();
      });
    },
    note(lines) {
      content += lines;
      waitForCompany();
    },
    async settled() {
      while (running !== null || content !== "") {
        start();
        await running;
      }
    },
  };
}
