// The tables of docs/faults.md: made by the suite itself, never by hand.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Damage } from "./picture.ts";
import type { Verdict } from "./trial.ts";

interface Row {
  cases: number;
  duplicates: number;
  orphans: number;
  lostSecrets: number;
  early: number;
  person: number;
  extra: number;
}

/** What of a case is counted. */
export type Counted = Damage & Pick<Verdict, "runs" | "publicTooEarly" | "extraCalls">;

export interface Table {
  add(fault: string, verdict: Counted): void;
  /** Prints it, and puts it in its place in the documentation. */
  write(): void;
}

/** `place` is where it is: between the marks of that name. */
export function openTable(place: string): Table {
  const rows = new Map<string, Row>();
  return {
    add(fault, verdict) {
      const row = rows.get(fault) ?? {
        cases: 0,
        duplicates: 0,
        orphans: 0,
        lostSecrets: 0,
        early: 0,
        person: 0,
        extra: 0,
      };
      row.cases += 1;
      row.duplicates += verdict.duplicates;
      row.orphans += verdict.orphans + verdict.missing;
      row.lostSecrets += verdict.lostSecrets;
      row.early += verdict.publicTooEarly;
      row.person += verdict.runs > 2 ? 1 : 0;
      row.extra += verdict.extraCalls;
      rows.set(fault, row);
    },
    write() {
      // A run of some tests alone has nothing to say about this table.
      if (rows.size === 0) return;
      const text = tableText(rows);
      process.stdout.write(`\n${text}\n`);
      const page = readFileSync(path, "utf8");
      const [before, rest] = page.split(`<!-- ${place}: begin -->`);
      const after = rest?.split(`<!-- ${place}: end -->`)[1];
      if (after === undefined) throw new Error(`${path} has no place for the table "${place}"`);
      const written = `${before}<!-- ${place}: begin -->\n\n${text}\n\n<!-- ${place}: end -->${after}`;
      if (written !== page) writeFileSync(path, written);
    },
  };
}

const path = fileURLToPath(new URL("../../docs/faults.md", import.meta.url));

function tableText(rows: ReadonlyMap<string, Row>): string {
  const head = [
    "fault",
    "cases",
    "duplicates",
    "orphans",
    "lost secrets",
    "public too early",
    "runs needing a person",
    "extra calls per case",
  ];
  const lines = [...rows].map(([name, row]) =>
    [
      name,
      row.cases,
      row.duplicates,
      row.orphans,
      row.lostSecrets,
      row.early,
      row.person,
      Math.round(row.extra / row.cases),
    ].join(" | "),
  );
  return [
    `| ${head.join(" | ")} |`,
    `|${head.map((_, at) => (at === 0 ? "---" : "--:")).join("|")}|`,
    ...lines.map((line) => `| ${line} |`),
  ].join("\n");
}
