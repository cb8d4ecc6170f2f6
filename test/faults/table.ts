// The table of docs/faults.md: made by the suite itself, never by hand.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
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

const rows = new Map<string, Row>();

export function addToTable(name: string, verdict: Verdict): void {
  const row = rows.get(name) ?? { cases: 0, duplicates: 0, orphans: 0, lostSecrets: 0, early: 0, person: 0, extra: 0 };
  row.cases += 1;
  row.duplicates += verdict.duplicates;
  row.orphans += verdict.orphans + verdict.missing;
  row.lostSecrets += verdict.lostSecrets;
  row.early += verdict.publicTooEarly;
  row.person += verdict.runs > 2 ? 1 : 0;
  row.extra += verdict.extraCalls;
  rows.set(name, row);
}

const begin = "<!-- table: begin -->";
const end = "<!-- table: end -->";

export function tableText(): string {
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

export function writeTable(): void {
  const path = fileURLToPath(new URL("../../docs/faults.md", import.meta.url));
  const text = readFileSync(path, "utf8");
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1] ?? "\n";
  process.stdout.write(`\n${tableText()}\n`);
  writeFileSync(path, `${before}${begin}\n\n${tableText()}\n\n${end}${after}`);
}
