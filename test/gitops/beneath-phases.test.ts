// What phases will bring later is reviewed like what is sent now, and what is reviewed comes in its time, whatever else waits.
import { afterEach, expect, test } from "vitest";
import { draft, type FileEdits, type JobRan, type Loop, manilaNights, openLoop } from "./hosted-loop.ts";

let loop: Loop;
afterEach(async () => loop.close());

type Row = Readonly<Record<string, unknown>>;
const rows = (list: string): readonly Row[] =>
  (loop.sandbox.service.dump() as unknown as Readonly<Record<string, readonly Row[]>>)[list] ?? [];

const apply = () => loop.ci(["ci", "apply"]);

async function applied(): Promise<void> {
  loop = await openLoop();
  expect((await apply()).exitCode).toBe(0);
}

async function planned(files: FileEdits): Promise<number> {
  const pullRequest = loop.openPullRequest(files);
  await loop.ci(["ci", "plan"], { pullRequest });
  return pullRequest;
}

const later = (ms: number) => new Date(loop.clock.now + ms).toISOString();

/** Applies the event, then blocks another one for good. */
async function blockedBeside(gala: () => string): Promise<void> {
  await applied();
  loop.merge(await planned({ "events/gala.yaml": gala() }));
  const first = await apply();
  expect(first.exitCode, first.stdout + first.stderr).toBe(0);
  loop.sandbox.control.sell({ event: "Manila Nights", ticket: "GA", count: 37 });
  loop.merge(await planned({ "events/manila-nights.yaml": manilaNights(1800) }));
}

const named = (list: string) => rows(list).map(({ name }) => name);

test.each([
  [
    "an entry that a phase removes returns when the phase ends",
    (begins: string, ends: string) =>
      `performers: [{ name: Ana, type: ARTIST }, { name: Ben, type: ARTIST }]\nphases:\n  - { from: ${begins}, until: ${ends}, performers: [{ name: Ben, remove: true }] }\n`,
    [["Ana", "Ben"], ["Ana"], ["Ana", "Ben"]],
  ],
  [
    "an entry that one phase adds goes when another one removes it",
    (begins: string, ends: string) =>
      `performers: [{ name: Ana, type: ARTIST }]\nphases:\n  - { from: ${begins}, performers: [{ name: Ben, type: ARTIST }] }\n  - { from: ${ends}, performers: [{ name: Ben, remove: true }] }\n`,
    [["Ana"], ["Ana", "Ben"], ["Ana"]],
  ],
])("%s, although a different merge stays blocked", async (_, performers, expected) => {
  await blockedBeside(() => draft("Gala", 100) + performers(later(600_000), later(1_200_000)));
  const found: unknown[] = [];
  const said: JobRan[] = [];
  for (let run = 0; run < 3; run++) {
    said.push(await apply());
    found.push(named("performers"));
    loop.clock.now += 700_000;
  }
  expect(found, said.at(-1)?.stdout).toEqual(expected);
});
