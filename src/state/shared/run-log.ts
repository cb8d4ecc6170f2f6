// The last runs, as a file beside the state: one line each.
import { compareText } from "../../model/value.ts";
import type { RunLog, RunRecord } from "../store.ts";
import type { HeldFiles } from "./held-files.ts";
import type { StoredFiles } from "./shared-files.ts";

const logFile = "log.jsonl";
const most = 200;

export function sharedRunLog(heldFiles: () => HeldFiles | null, read: () => Promise<StoredFiles>): RunLog {
  function change(edit: (records: readonly RunRecord[], run: string) => readonly RunRecord[]): void {
    const held = heldFiles();
    if (held === null) return;
    held.set(logFile, (text = "") => edit(parse(text), held.holder.token).slice(-most).map(lineOf).join(""));
  }

  return {
    read: async () => parse((await read()).get(logFile) ?? ""),
    begin(attempt) {
      const { command, user, host } = heldFiles()?.holder ?? noHolder;
      change((records, run) => [
        ...records.filter((each) => each.run !== run),
        { ...attempt, run, command, user, host, end: null },
      ]);
    },
    end(end) {
      change((records, run) => records.map((each) => (each.run === run ? { ...each, end } : each)));
    },
    add(others) {
      change((records) => {
        const all = new Map([...records, ...others].map((each) => [each.run, each]));
        return [...all.values()].sort((one, other) => compareText(one.at, other.at));
      });
    },
  };
}

const noHolder = { command: "", user: "", host: "" };

function lineOf(record: RunRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** It is for people: a line that cannot be read is left out. */
function parse(text: string): readonly RunRecord[] {
  return text.split("\n").flatMap((line) => {
    try {
      const record: RunRecord = JSON.parse(line);
      return typeof record?.run === "string" ? [record] : [];
    } catch {
      return [];
    }
  });
}
