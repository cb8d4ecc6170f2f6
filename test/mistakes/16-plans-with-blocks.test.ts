// The headline of a plan says what apply would do now; and no number on a screen contradicts another one next to it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { liveScreen } from "../../src/cli/terminal/live-screen.ts";
import { applyProgress, readingProgress } from "../../src/cli/terminal/progress.ts";
import { renderPlanText } from "../../src/report/formats/plan-text.ts";
import { fakeTerminal } from "../stage/fake-terminal.ts";
import { newEvent, operation, waiting } from "../stage/plan-samples.ts";
import { testWorld, ticketing } from "../stage/test-world.ts";

const now = () => Date.parse("2026-11-15T00:00:00Z");
const [sold, other] = ["events/sold.yaml", "events/other.yaml"];
const head = "dateTime: 2027-03-01T20:00\nendDateTime: 2027-03-01T23:00\nlocationType: ONLINE\n";
const tickets = (quantity: number) =>
  `tickets:\n  - { name: GA, price: 100, quantity: ${quantity}, published: true, maximumPurchaseQuantity: 8 }\n`;

describe("a plan with blocks", () => {
  let directory: string;
  const write = (file: string, text: string) => writeFileSync(join(directory, file), text);
  async function run(line: string) {
    const { stdout, stderr, exitCode } = await ticketing(line.split(" "), { cwd: directory, now });
    return { exitCode, stdout, stderr, said: stdout.replace(/\s+/g, " ") };
  }
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "ticketing-blocks-"));
    mkdirSync(join(directory, "events"));
    write(sold, `status: PUBLISHED\nname: Sold\n${head}eventCapacity: 3000\n${tickets(2000)}`);
    const applied = await run("apply --env sandbox --yes --settle 0");
    expect(applied.exitCode, applied.stderr).toBe(0);
    await run("sandbox sell sold GA 1200");
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  test("counts what is blocked apart from what --skip-blocked would do, and apply says and does just that", async () => {
    write(sold, `status: PUBLISHED\nname: Sold\n${head}eventCapacity: 3000\n${tickets(1100)}`);
    write(other, `name: Other\n${head}${tickets(10)}`);
    const headline = "1 blocked: apply will refuse this plan. With --skip-blocked: 2 to create; 1 write.";
    const planned = await run("plan");
    expect(planned.exitCode).toBe(1);
    expect(planned.said.trimEnd()).toMatch(new RegExp(`${headline.replaceAll(".", "\\.")}$`));
    expect(planned.said).toContain("Steps, with --skip-blocked:");
    expect(planned.said).toContain("1 write with --skip-blocked");
    expect(planned.said).toContain("cannot have 1,100 tickets: 1,200 tickets have been sold.");
    for (const format of ["markdown", "html"]) expect((await run(`plan --format ${format}`)).said).toContain(headline);

    const refused = await run("apply --yes");
    expect(refused).toMatchObject({ exitCode: 1 });
    expect(refused.said).toContain(headline);

    const skipping = await run("apply --yes --skip-blocked --settle 0");
    expect(skipping.said).not.toContain("refuses");
    expect(skipping.said).toContain("2 to create; 1 write. Left out: 1 blocked.");
    expect(skipping.said).toContain("Applied: 1 of 1 done");
  });

  test("offers no risk to accept where nothing can change anymore", async () => {
    const archived = (price: number) =>
      `status: ARCHIVED\nname: Sold\n${head}eventCapacity: 3000\n${tickets(2000).replace("100", String(price))}`;
    write(sold, `${archived(100)}allow: [archive-with-sales]\n`);
    await run("apply --yes --settle 0");
    write(sold, archived(200));
    const { said } = await run("plan");
    expect(said.match(/blocked\[[a-z-]+\]/g)).toEqual(["blocked[archived-is-final]"]);
  });

  test("says where --skip-blocked would leave nothing", async () => {
    write(sold, `status: DELETED\nname: Sold\n${head}`);
    const { said } = await run("plan");
    expect(said).toContain(
      "1 blocked: apply will refuse this plan; with --skip-blocked there would be nothing left to apply.",
    );
  });

  test("does not count what only waits for what is blocked", () => {
    const said = renderPlanText(waiting, { columns: 200, color: false, verbose: false });
    expect(said).toContain(
      "2 blocked, 1 waiting for them: apply will refuse this plan. With --skip-blocked: 2 to change, 1 to mark as sold out; 3 writes",
    );
  });

  test("a capacity below what is sold is said in words, and no share of it is counted", async () => {
    write(
      sold,
      `status: PUBLISHED\nname: Sold\n${head}eventCapacity: 1\nignore: [tickets-exceed-capacity]\n${tickets(2000)}`,
    );
    const applied = await run("apply --yes --settle 0");
    expect(applied.exitCode, applied.stdout + applied.stderr).toBe(0);
    expect((await run("status")).said).toContain("over by 1,199");
    const { said } = await run("status sold");
    expect(said).toContain("capacity 1, exceeded by 1,199: 1,200 are sold");
    const markdown = (await run("status --format markdown")).stdout;
    expect(markdown).toContain("| over |");
    for (const text of [said, markdown]) expect(text).not.toMatch(/\d{4,} ?%/);
    const [event] = JSON.parse((await run("status --format json")).stdout).events;
    expect(event).toMatchObject({ sold: 1200, capacity: 1, capacityUsed: 1200 });
    expect((await run("status --format csv")).stdout).toContain(",1200,800,2000,1,");
  });
});

describe("on a terminal", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const wait = { reason: "minute", ms: 45_000, why: "the limit is used up", message: "Waiting 45 seconds." } as const;
  function screenOn(columns = 80) {
    const terminal = fakeTerminal(columns);
    const { world } = testWorld([], { stdout: terminal, stderr: terminal });
    return { terminal, world, screen: liveScreen(world) };
  }

  test("the time that is left is never shorter than a wait that is under way", () => {
    const { terminal, screen } = screenOn();
    const progress = readingProgress(screen);
    vi.advanceTimersByTime(10_000);
    progress.onProgress(90, 100);
    progress.listener.onWait?.(wait);
    vi.advanceTimersByTime(100);
    expect(terminal.lines()).toEqual(["reading 90 of 100 events, 45 s left", "  waiting 45 s: the limit is used up"]);
    vi.advanceTimersByTime(20_000);
    progress.onProgress(91, 100);
    vi.advanceTimersByTime(100);
    expect(terminal.lines()).toEqual(["reading 91 of 100 events, 25 s left", "  waiting 25 s: the limit is used up"]);
    progress.listener.onCall?.({ method: "GET", path: "/events", attempt: 1 });
    vi.advanceTimersByTime(100);
    expect(terminal.lines()).toEqual(["reading 91 of 100 events, 3 s left"]);
    progress.end();
  });

  test.each([
    [2, ['  … create event "0"', '  … create event "1"']],
    [12, [...Array.from({ length: 8 }, (_, index) => `  … create event "${index}"`), "  … and 4 more"]],
  ])("no more calls are under way than --parallelism %i allows", (parallelism, lines) => {
    const { terminal, screen } = screenOn();
    const operations = Array.from({ length: 2000 }, (_, index) => operation(index + 1, "create", `events/${index}`));
    const { listener, end } = applyProgress(screen, { operations, changes: [], observed: [] }, false, parallelism);
    // The run begins more than that, so that none waits for the disk.
    for (let index = 0; index < parallelism * 4; index++) {
      listener.onBegin?.(operation(index + 1, "create", `events/${index}`));
    }
    vi.advanceTimersByTime(200);
    expect(terminal.lines()).toEqual(lines);
    listener.onEnd?.(operation(1, "create", "events/0"), { result: "done" });
    vi.advanceTimersByTime(200);
    expect(terminal.lines()[0]).toBe('  [    1/2,000] done: create event "0"');
    end();
  });

  test("what was done is in lines that end between words", () => {
    const { terminal, screen } = screenOn();
    const name = "A name of very many words that no terminal has room for in one line beside the rest";
    const plan = { operations: [operation(1, "create", `events/${name}`)], changes: [], observed: [] };
    const { listener, end } = applyProgress(screen, plan, false, 8);
    listener.onEnd?.(operation(1, "create", `events/${name}`), { result: "done" });
    vi.advanceTimersByTime(200);
    const lines = terminal.lines();
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.map((line) => line.trim()).join(" ")).toContain(name);
    end();
  });

  test("progress names what it does as the plan did", () => {
    const { terminal, screen } = screenOn();
    const { listener, end } = applyProgress(screen, newEvent, false, 8);
    for (const each of newEvent.operations.slice(0, 2)) listener.onEnd?.(each, { result: "done" });
    vi.advanceTimersByTime(200);
    expect(terminal.lines().join(" ")).toContain('done: create event "Manila Nights"');
    expect(terminal.lines().join(" ")).not.toContain("manila-nights");
    end();
  });
});
