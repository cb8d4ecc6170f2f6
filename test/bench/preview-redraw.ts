// How long after a file is saved the pages of a preview are asked to draw themselves again, and have the new text.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Figure, median } from "./figure.ts";

const events = 100;
const rounds = 15;
const program = resolve("bin", "ticketing.js");

export async function measure(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "ticketing-preview-"));
  mkdirSync(join(folder, "events"));
  for (let number = 1; number <= events; number += 1) save(folder, number, `Bay Night ${number}`);
  const child = spawn(process.execPath, [program, "preview", "--port", "0", "--format", "json", "-C", folder]);
  try {
    const url = await addressOf(child.stdout);
    const times: number[] = [];
    // The first rounds warm up the program.
    for (let round = -3; round < rounds; round += 1) {
      const took = await redraw(folder, url, (round + 5) * 5, `Edited ${round}`);
      if (round >= 0) times.push(took);
      // Saves fall at any moment between two looks at the files.
      await setTimeout(100 + (((round + 3) * 37) % 250));
    }
    return [
      {
        name: `preview, redraw after a save, ${events} events`,
        measured: median(times),
        goal: 300,
        bound: "at most",
        unit: "ms",
        detail: `of ${rounds} saves; the slowest ${Math.max(...times).toFixed(0)} ms`,
      },
    ];
  } finally {
    child.kill("SIGINT");
    rmSync(folder, { recursive: true, force: true });
  }
}

async function addressOf(stdout: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const part of stdout) {
    text += String(part);
    if (text.includes("\n")) return (JSON.parse(text) as { url: string }).url;
  }
  throw new Error("the preview has not started");
}

/** From the save to the page with the new text, as the script of a page asks for it. */
async function redraw(folder: string, url: string, number: number, name: string): Promise<number> {
  const changes = await fetch(`${url}changes`);
  const reader = changes.body?.pipeThrough(new TextDecoderStream()).getReader();
  await reader?.read();
  const started = performance.now();
  save(folder, number, name);
  await reader?.read();
  const page = await (await fetch(url)).text();
  const took = performance.now() - started;
  await reader?.cancel();
  if (!page.includes(name)) throw new Error(`the page does not show ${name}`);
  return took;
}

/** An event with 3 ticket types, 2 performers, 2 schedule entries, a brand and a phase. */
function save(folder: string, number: number, name: string): void {
  const day = `2027-03-${String((number % 28) + 1).padStart(2, "0")}`;
  const text = `status: DRAFT
name: ${name}
dateTime: ${day}T19:00
endDateTime: ${day}T23:30
venue: { name: Palace, city: Baguio }
imageUrl: https://images.example.com/${number}.jpg
eventCapacity: 700
tickets:
  - { name: VIP, type: VIP, price: 4500, quantity: 200, published: true }
  - { name: GA, price: 1500, quantity: 300, published: true }
  - { name: Balcony, price: 1200, quantity: 200, published: true }
performers:
  - { name: DJ Ana, type: DJ }
  - { name: DJ Ben, type: DJ }
schedules:
  - { title: Doors, startTime: 19:00, endTime: 20:00 }
  - { title: DJ Ana, startTime: 20:00, endTime: 22:00, performer: DJ Ana, color: "#FF8800" }
brands:
  - { name: San Miguel, url: https://example.com }
phases:
  - { name: Announce, from: -6w at 10:00, status: PUBLISHED }
`;
  writeFileSync(join(folder, "events", `event-${number}.yaml`), text);
}
