// The two walks of CONTRIBUTING.md: whatever ran only because a response was lost, or because a price changed, is in a file that
// the page names. What ran is counted by V8, in the real program, over a socket.
import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Fault } from "../../src/sandbox/index.ts";
import { openPlace } from "../faults/run-program.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");

function filesIn(text: string): readonly string[] {
  return [...text.matchAll(/`(src\/[\w/-]+\.ts)`/g)].map(([, file = ""]) => file);
}

/** The files in each column of the table below a heading, and all that are named there. */
function walkOf(heading: string) {
  const [, text = ""] = new RegExp(`\n## ${heading}\n([\\s\\S]*?)\n## `).exec(page) ?? [];
  const rows = text.split("\n").filter((line) => line.startsWith("| "));
  return { column: (nth: number) => rows.flatMap((row) => filesIn(row.split("|")[nth] ?? "")), all: filesIn(text) };
}

const lostCreate = walkOf("A lost create");
const price = walkOf("Follow a price");
/** They show, store or count what happens in any run. */
const everyRun = /^src\/(model|report|cli|state|system|service\/pace)\//;

test.each([
  ["A lost create", lostCreate.column(1), 10],
  ["Follow a price", price.column(2), 25],
] as const)("%s: the table has no more files than a reader opens", (_, files, most) => {
  expect(files.length).toBeGreaterThan(most / 2);
  expect(files.length).toBeLessThanOrEqual(most);
  expect(new Set(files).size).toBe(files.length);
  for (const file of files) expect(readFileSync(join(root, file), "utf8").split("\n").length, file).toBeLessThan(302);
});

test("the page counts the files of its table as they are", () => {
  expect(page).toContain(`In ${price.column(2).length} of them something is done`);
  expect(page).toContain(`${price.column(3).length} only pass it along`);
});

type Ran = ReadonlySet<string>;

/** The functions of src that ran meanwhile, with their files. */
async function ranIn(work: () => Promise<void>): Promise<Ran> {
  const coverage = new Session();
  coverage.connect();
  await coverage.post("Profiler.enable");
  await coverage.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await work();
  const { result } = await coverage.post("Profiler.takePreciseCoverage");
  await coverage.post("Profiler.stopPreciseCoverage");
  coverage.disconnect();
  const ran = result.flatMap(({ url, functions }) => {
    const [, file] = /\/(?:\.native-\w+|src)\/(.*)\.[jt]s$/.exec(url) ?? [];
    const own = file === undefined || file.startsWith("sandbox/") ? [] : functions;
    return own.flatMap(({ functionName, ranges: [whole] }) =>
      whole !== undefined && whole.count > 0 ? [`src/${file}.ts ${functionName} ${whole.startOffset}`] : [],
    );
  });
  return new Set(ran);
}

/** What ran in one and not in the others, and is in none of these files. */
function unnamed(one: Ran, others: readonly Ran[], named: readonly string[]): readonly string[] {
  return [...one].filter((each) => {
    const [file = ""] = each.split(" ");
    return !others.some((other) => other.has(each)) && !everyRun.test(file) && !named.includes(file);
  });
}

function project({ status = "PUBLISHED", price = 1500, quantity = 100 } = {}) {
  return {
    "ticketing.yaml": "version: 1\n",
    "events/nights.yaml": `
status: ${status}
name: Manila Nights
dateTime: 2027-03-14T19:00+08:00
tickets: [{ name: GA, price: ${price}, quantity: ${quantity}, published: true }]
`,
  };
}

/** Applies the files of each step; `faults` meet the first of them, which may then fail. Gives the output of all. */
async function play(steps: readonly ReturnType<typeof project>[], faults: readonly Fault[] = []): Promise<string> {
  const place = await openPlace({});
  for (const fault of faults) place.sandbox.control.addFault(fault);
  let all = "";
  for (const [index, files] of steps.entries()) {
    place.replace(files);
    const { code, output } = await place.applyHere();
    if (index > 0 || faults.length === 0) expect(code, output).toBe(0);
    // What takes effect late has done so by the time that somebody runs it again.
    await place.sandbox.control.settle();
    place.sandbox.control.clearFaults();
    all += output.replaceAll(/\n */g, " ");
  }
  await place.close();
  return all;
}

test("whatever runs only for a lost create is in a file that the page names", async () => {
  const post = { method: "POST", path: "/events" };
  const unread: Fault = { kind: "redirect", method: "GET", path: "status=DRAFT", times: 0 };
  const usual = await ranIn(async () => {
    await play([project({ status: "DRAFT" }), project(), project()]);
    // A clear refusal, and a list that cannot be read, are nothing special.
    await play([project(), project()], [{ kind: "error-before", status: 422, ...post }]);
    await play([project(), project()], [unread]);
  });
  const lost = await ranIn(async () => {
    const twice = [project(), project()];
    expect(await play(twice, [{ kind: "response-lost", ...post }])).toContain("it was found and adopted");
    const unsure = await play(twice, [
      { kind: "response-lost", ...post },
      { ...unread, at: 2 },
    ]);
    expect(unsure).toContain("An earlier run was cut off while creating");
    const late = await play(twice, [{ kind: "late", status: "lost", delayMs: 1000, ...post }]);
    expect(late).toContain("the duplicate was deleted");
  });
  expect(unnamed(lost, [usual], [])).toContainEqual(expect.stringContaining("resolveLost"));
  expect(unnamed(lost, [usual], lostCreate.all)).toEqual([]);
});

test("whatever runs only for a new price is in a file that the page names", async () => {
  const run = (change: Parameters<typeof project>[0]) =>
    ranIn(async () => void (await play([project(), project(change)])));
  const none = await run({});
  const other = await run({ quantity: 200 });
  const changed = await run({ price: 1800 });
  expect(unnamed(changed, [none], [])).toContainEqual(expect.stringContaining("compare-object.ts"));
  expect(unnamed(changed, [none], price.all)).toEqual([]);
  // What another field does not need is no passing along.
  expect(unnamed(changed, [none, other], price.column(2))).toEqual([]);
});
