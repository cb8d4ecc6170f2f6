// How long `validate` takes for many files, compared with what just the YAML parser needs to read the same bytes with positions.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Figure, median } from "./figure.ts";
import { bundle, run } from "./processes.ts";

const rounds = 5;
const program = resolve("bin", "ticketing.js");

export async function measure(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "ticketing-validate-"));
  try {
    const yamlAlone = await bundle("yaml-alone");
    const thousand = await compare(yamlAlone, writeProject(join(folder, "thousand"), 1_000));
    const large = await validate(writeProject(join(folder, "large"), 10_000));
    return [
      ratio("validate, 1,000 files of 10 objects", thousand, 2),
      {
        name: "validate, 10,000 files against 1,000",
        measured: large.ms / thousand.validate,
        goal: 11,
        bound: "at most",
        unit: "×",
        detail: `${large.ms.toFixed(0)} ms against ${thousand.validate.toFixed(0)} ms`,
      },
      { name: "validate, 10,000 files, memory", measured: large.peakMb, goal: 400, bound: "at most", unit: "MB" },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Compared {
  readonly yaml: number;
  readonly validate: number;
}

/** In turns, so that a busy moment of the machine falls on both alike. The parser's time is that of parsing; ours is all of it. */
async function compare(yamlAlone: string, project: string): Promise<Compared> {
  const yaml: number[] = [];
  const whole: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    yaml.push(Number((await run([yamlAlone, join(project, "events")])).stdout));
    whole.push((await validate(project)).ms);
  }
  return { yaml: median(yaml), validate: median(whole) };
}

async function validate(project: string) {
  const ran = await run([program, "validate", "--strict", "-C", project]);
  if (ran.status !== 0) throw new Error(`validate ended with ${ran.status}: ${ran.stdout.slice(0, 500)}`);
  return ran;
}

function ratio(name: string, { yaml, validate }: Compared, goal: number): Figure {
  return {
    name,
    measured: validate / yaml,
    goal,
    bound: "at most",
    unit: "×",
    detail: `${validate.toFixed(0)} ms against ${yaml.toFixed(0)} ms for the parser alone`,
  };
}

/** Each file: an event with 3 ticket types, 2 performers, 3 schedule entries and a brand. */
function writeProject(folder: string, files: number): string {
  mkdirSync(join(folder, "events"), { recursive: true });
  for (let number = 1; number <= files; number += 1) {
    writeFileSync(join(folder, "events", `event-${number}.yaml`), eventText(number));
  }
  return folder;
}

function eventText(number: number): string {
  const day = `2027-03-${String((number % 28) + 1).padStart(2, "0")}`;
  return `status: PUBLISHED
name: Bay Night ${number + 10_000}
dateTime: ${day}T19:00
endDateTime: ${day}T23:30
description: |
  The night number ${number} by the bay.
  Doors open at seven.
venue: { name: Palace, city: Baguio }
imageUrl: https://images.example.com/${number}.jpg
eventCapacity: 700
tickets:
  - { name: VIP, type: VIP, price: 4500, quantity: 200, published: true }
  - name: GA
    price: 1500
    quantity: 300
    published: true
  - { name: Balcony, price: 1200, quantity: 200, published: true }
performers:
  - { name: DJ Ana, type: DJ }
  - { name: DJ Ben, type: DJ }
schedules:
  - { title: Doors, startTime: ${day}T19:00, endTime: ${day}T20:00 }
  - { title: DJ Ana, startTime: ${day}T20:00, endTime: ${day}T22:00, performer: DJ Ana, color: "#FF8800" }
  - { title: DJ Ben, startTime: ${day}T22:00, endTime: ${day}T23:30, performer: DJ Ben }
brands:
  - { name: San Miguel, url: https://example.com }
`;
}
