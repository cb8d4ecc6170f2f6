// npm run scale: measures the four commands at three sizes, and Terraform's own work for each resource, and writes the tables of
// docs/scale.md. `npm run scale -- 200` measures other sizes, and prints the tables instead.
import { rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { resolve } from "node:path";
import { planEverything } from "./full-plan.ts";
import { writeNights, writeProject } from "./night-project.ts";
import { type BenchService, bundle, type Ran, run, startService } from "./processes.ts";
import { commit, edit, planSinceBase, validated } from "./scale.ts";
import { measureTerraform, type TerraformRan, terraformVersion } from "./terraform.ts";

const standardSizes = [1000, 2000, 10_000];
const mostCreated = 1000;
/** Six resources each. Terraform's time grows faster than their number. */
const terraformSizes = [100, 200];
const page = resolve("docs", "scale.md");

interface Row extends Ran {
  readonly what: string;
  /** Its place in the table. */
  readonly order: number;
  readonly events: number;
  readonly calls: number;
}

/** `asked`: numbers of events; none: those of the page. */
export async function writeTables(asked: readonly string[]): Promise<void> {
  const sizes = asked.length === 0 ? standardSizes : asked.map(Number);
  if (!sizes.every((size) => Number.isInteger(size) && size > 0)) throw new Error("usage: npm run scale [-- EVENTS…]");
  const put = asked.length === 0 ? writeTable : printTable;
  const began = performance.now();
  const service = await bundle("full-plan-service");
  const rows: Row[] = [];
  for (const events of sizes) {
    console.error(`measuring ${count(events)} events …`);
    rows.push(...(await measureSize(service, events)));
  }
  // One table for each command, so that a row is next to the one it is compared with.
  rows.sort((one, other) => one.order - other.order || one.events - other.events);
  await put("ours", [machine(), "", ourTable(rows)]);
  const version = terraformVersion();
  if (version === null) console.error("terraform is not installed: its table stays as it is");
  const theirs: TerraformRan[] = [];
  const most = Math.max(...sizes);
  for (const events of version === null ? [] : terraformSizes.filter((size) => size <= most)) {
    console.error(`measuring terraform with ${events * 6} resources …`);
    theirs.push(await measureTerraform(events));
  }
  if (theirs.length > 0) await put("terraform", [`${version}, ${machine()}`, "", theirTable(theirs)]);
  console.error(`done after ${Math.round((performance.now() - began) / 1000)} s`);
}

async function measureSize(service: string, events: number): Promise<readonly Row[]> {
  const folder = writeProject(events);
  const live = await startService(service, [String(events)]);
  try {
    commit(folder);
    const rows: Row[] = [];
    const add = async (order: number, what: string, ran: Ran) =>
      void rows.push({ ...ran, order, what, events, calls: (await live.calls()).length });
    const edited = Math.floor(events / 2);
    await add(2, "full plan, nothing to do", await planEverything(folder, live));
    edit(folder, edited);
    await add(0, "`validate`", await validated(folder));
    await add(1, "`plan --base`, one edit", await planSinceBase(folder, live));
    edit(folder, edited, "undone");
    // The organization is adopted: from here on state holds everything.
    await applied(folder, live, []);
    await live.calls();
    const created = Math.min(events, mostCreated);
    writeNights(folder, events, created);
    commit(folder);
    await add(3, `\`apply\` of ${count(created)} new events`, await applied(folder, live, ["--base", "last"]));
    return rows;
  } finally {
    live.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function applied(folder: string, live: BenchService, flags: readonly string[]): Promise<Ran> {
  const env = {
    TICKETING_BASE_URL: live.baseUrl,
    TICKETING_API_KEY: live.apiKey,
    TICKETING_NOW: "2027-01-10T00:00:00Z",
  };
  const ran = await run([resolve("bin", "ticketing.js"), "apply", "--yes", ...flags, "-C", folder], env);
  if (ran.status !== 0) throw new Error(`the apply failed: ${ran.stdout.slice(-2000)}`);
  return ran;
}

function ourTable(rows: readonly Row[]): string {
  const head = ["", "Events", "Seconds", "Processor seconds", "Calls", "Peak memory"];
  return table(
    head,
    rows.map(({ what, events, ms, cpuMs, calls, peakMb }) => [
      what,
      count(events),
      seconds(ms),
      seconds(cpuMs),
      count(calls),
      `${Math.round(peakMb)} MB`,
    ]),
  );
}

function theirTable(rows: readonly TerraformRan[]): string {
  const head = ["Resources", "", "Seconds", "Processor seconds", "Peak memory", "State"];
  return table(
    head,
    rows.flatMap(({ resources, apply, plan, stateMb }) =>
      [
        { what: "`apply`, all new", ...apply },
        { what: "`plan`, nothing to do", ...plan },
      ].map(({ what, ms, cpuMs, peakMb }) => [
        count(resources),
        what,
        seconds(ms),
        seconds(cpuMs),
        `${Math.round(peakMb)} MB`,
        `${stateMb.toFixed(1)} MB`,
      ]),
    ),
  );
}

function printTable(_name: string, lines: readonly string[]): void {
  console.log(`${lines.join("\n")}\n`);
}

/** Replaces what is between the markers. */
async function writeTable(name: string, lines: readonly string[]): Promise<void> {
  const text = await readFile(page, "utf8");
  const [begin, end] = [`<!-- ${name}: written by npm run scale -->`, `<!-- /${name} -->`];
  const [before, after] = [text.indexOf(begin), text.indexOf(end)];
  if (before === -1 || after < before) throw new Error(`docs/scale.md has no place for ${name}`);
  await writeFile(page, `${text.slice(0, before + begin.length)}\n${lines.join("\n")}\n${text.slice(after)}`);
}

function machine(): string {
  // More than one for each processor: then others were at work, and seconds say little.
  return `${cpus().length} processors, load average ${Math.round(loadavg()[1] ?? 0)}, Node ${process.version}, ${process.platform}.`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}

function count(number: number): string {
  return number.toLocaleString("en");
}

function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...body.map(line)].join("\n");
}
