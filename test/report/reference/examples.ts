// Projects made of the catalog's examples: lines laid over an event that is sound otherwise.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { validateProject } from "../../../src/app/session.ts";
import type { World } from "../../../src/app/world.ts";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { type CodeEntry, families } from "../../../src/report/reference/catalog.ts";
import { testWorld } from "../../stage/test-world.ts";

export type Files = Readonly<Record<string, string>>;

export const now = Date.parse("2026-11-15T00:00:00.000Z");
export const eventFile = "events/manila-nights.yaml";

export const entries: readonly (readonly [code: string, entry: CodeEntry])[] = families.flatMap((family) =>
  Object.entries(family.entries),
);

const sound = [
  "status: PUBLISHED",
  "name: Manila Nights",
  "dateTime: 2027-03-14T19:00",
  "endDateTime: 2027-03-15T02:00",
  "description: A night of live music by the bay.",
  "imageUrl: https://example.com/cover.jpg",
  "venue: { name: Palace, city: Baguio }",
  "tickets: [{ name: GA, price: 1500, quantity: 500, published: true }]",
];

/** The lines of an example above those of the sound event that they leave as they are, so that line numbers are the same. */
export function eventOf(lines: string): string {
  const keys = new Set(lines.split("\n").flatMap((line) => /^(\w+):/.exec(line)?.[1] ?? []));
  if (keys.has("venueId")) keys.add("venue");
  const rest = sound.filter((line) => !keys.has(line.split(":")[0] ?? ""));
  return `${lines}${lines === "" ? "" : "\n"}${rest.join("\n")}\n`;
}

/** Files that the lines name. */
const around: Readonly<Record<string, Files>> = {
  "bad-sheet": { "events/lineup.csv": "date\n2027-01-08\n" },
  "nothing-to-remove": { "templates/club-night.yaml": "brands: [{ name: San Miguel }, { name: Red Horse }]\n" },
  "unknown-template": { "templates/club-night.yaml": "timezone: Asia/Manila\n" },
};

/** The files of a project in which the lines are where the example says. */
export function projectOf(code: string, lines: string, file?: string): Files {
  const base = {
    "ticketing.yaml": "version: 1\n",
    ...around[code],
    [eventFile]: eventOf(file === undefined ? lines : ""),
  };
  return file === undefined || lines === "" ? base : { ...base, [file]: `${lines}\n` };
}

/** What `ticketing validate --verbose` finds in these files. */
export async function validate(files: Files): Promise<readonly Diagnostic[]> {
  const directory = mkdtempSync(join(tmpdir(), "ticketing-example-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  const { world } = testWorld(["validate"], { now: () => now });
  const report = await validateProject(world as World, { directory, paths: [], strict: false, verbose: true });
  rmSync(directory, { recursive: true });
  return report.diagnostics;
}
