// The page of a plan of 200 changed events, no two alike: how large it is, and how long it takes compared with the same plan as JSON.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Figure, median } from "./figure.ts";
import { writeProject } from "./night-project.ts";
import { run } from "./processes.ts";

const rounds = 5;
const events = 200;
const program = resolve("bin", "ticketing.js");

export async function measure(): Promise<readonly Figure[]> {
  const project = writeProject(events);
  try {
    await ticketing(project, "apply", "--yes");
    editAll(join(project, "events"));
    const times: { readonly json: number[]; readonly html: number[] } = { json: [], html: [] };
    let page = "";
    // In turns, so that a busy moment of the machine falls on both alike.
    for (let round = 0; round < rounds; round += 1) {
      times.json.push((await ticketing(project, "plan", "--format", "json")).ms);
      const made = await ticketing(project, "plan", "--format", "html");
      times.html.push(made.ms);
      page = made.stdout;
    }
    const pairs = page.match(/<div class="pair">/g)?.length;
    if (pairs !== events) throw new Error(`the page has ${pairs} events before and after`);
    const [json, html] = [median(times.json), median(times.html)];
    return [
      {
        name: "page of a plan of 200 changed events, size",
        measured: Buffer.byteLength(page) / 1e6,
        goal: 2,
        bound: "at most",
        unit: "MB",
      },
      {
        name: "plan --format html against --format json, 200 changed events",
        measured: html / json,
        goal: 1.5,
        bound: "at most",
        unit: "×",
        detail: `${html.toFixed(0)} ms against ${json.toFixed(0)} ms`,
      },
    ];
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/** Another price, another description, and an entry more, each its own. */
function editAll(folder: string): void {
  for (const [index, file] of readdirSync(folder).entries()) {
    const text = readFileSync(join(folder, file), "utf8")
      .replace("price: 1500", `price: ${1600 + index}`)
      .replace("three rooms", `${4 + index} rooms`)
      .replace(
        "brands:",
        `  - { title: Encore ${index}, startTime: 2027-03-14T20:00, endTime: 2027-03-14T21:00 }\nbrands:`,
      );
    writeFileSync(join(folder, file), text);
  }
}

async function ticketing(project: string, ...words: readonly string[]) {
  const ran = await run([program, ...words, "-C", project, "--env", "sandbox"], {
    TICKETING_NOW: "2027-01-01T00:00:00Z",
  });
  if (ran.status !== 0) throw new Error(`${words.join(" ")} ended with ${ran.status}: ${ran.stdout.slice(-500)}`);
  return ran;
}
