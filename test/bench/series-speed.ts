// How long `validate` takes for a series of 1,000 dates, compared with the same dates written out as 1,000 documents of one file.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Figure, median } from "./figure.ts";
import { run } from "./processes.ts";

const rounds = 5;
const dates = 1_000;
const program = resolve("bin", "ticketing.js");

export async function measure(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "ticketing-series-"));
  try {
    const plain = writeProject(folder, "plain", { "club.yaml": days().map(documentOn).join("---\n") });
    const series = writeProject(folder, "series", { "club.yaml": seriesText, "line-up.csv": sheet() });
    const times: { readonly plain: number[]; readonly series: number[] } = { plain: [], series: [] };
    // In turns, so that a busy moment of the machine falls on both alike.
    for (let round = 0; round < rounds; round += 1) {
      times.plain.push(await validate(plain));
      times.series.push(await validate(series));
    }
    const [written, made] = [median(times.plain), median(times.series)];
    return [
      {
        name: "validate, 1,000 dates of a series against 1,000 documents in a file",
        measured: made / written,
        goal: 1.5,
        bound: "at most",
        unit: "×",
        detail: `${made.toFixed(0)} ms against ${written.toFixed(0)} ms`,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function validate(project: string): Promise<number> {
  const ran = await run([program, "validate", "-C", project], { TICKETING_NOW: "2027-01-01T00:00:00Z" });
  if (ran.status !== 0 || !ran.stdout.includes("1,000 events"))
    throw new Error(`validate ended with ${ran.status}: ${ran.stdout.slice(0, 500)}`);
  return ran.ms;
}

function writeProject(folder: string, name: string, files: Readonly<Record<string, string>>): string {
  const project = join(folder, name);
  mkdirSync(join(project, "events"), { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(project, "events", file), text);
  return project;
}

function days(): readonly string[] {
  return Array.from({ length: dates }, (_, index) =>
    new Date(Date.UTC(2027, 0, 8) + index * 86_400_000).toISOString().slice(0, 10),
  );
}

const common = `status: PUBLISHED
endDateTime: +5h
venue: { name: Palace, city: Baguio }
imageUrl: https://images.example.com/club.jpg
eventCapacity: 700
tickets:
  - { name: VIP, type: VIP, price: 4500, quantity: 200, published: true }
  - { name: GA, price: 1500, quantity: 500, published: true }
schedules:
  - { title: Doors, startTime: +0m, endTime: +1h }
brands:
  - { name: San Miguel, url: https://example.com }
`;

function documentOn(day: string, index: number): string {
  return `key: club@${day}\nname: "Club: DJ ${index}"\ndescription: "DJ ${index} by the bay."\ndateTime: ${day}T22:00\n${common}`;
}

const seriesText = `name: "Club: \${var.headliner}"
description: "\${var.headliner} by the bay."
dateTime: 22:00
${common}series: { every: day, from: 2027-01-08, count: ${dates}, table: line-up.csv }
`;

function sheet(): string {
  return ["date,headliner", ...days().map((day, index) => `${day},DJ ${index}`), ""].join("\n");
}
