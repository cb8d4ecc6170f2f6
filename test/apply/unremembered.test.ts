// Without state nothing says to the next run what this one wrote: so a run does not end before lists must show it.
import { afterEach, describe, expect, test } from "vitest";
import { openProject, type Project } from "../stage/open-project.ts";

const forgetful = `version: 1
secrets: { sink: file, path: .ticketing/secrets.json }
state: { backend: none }
`;
const nights = "name: Nights\ndateTime: 2027-03-14T19:00+08:00\n";
const day = "startTime: 2027-03-14T19:00+08:00, endTime: 2027-03-14T20:00+08:00";
const hook = '- { url: "https://hooks.example.com/orders", events: [order.completed] }\n';
const lagMs = 350;
const patient = ["--settle", "0.5"];

let project: Project;
/** The service's clock, in milliseconds: it advances a little with each call, and otherwise only when a test says so. */
let elapsed = 0;
afterEach(() => project.close());

async function open(settings: string, profile = `likely,listLag=${lagMs}`, tick = 20): Promise<void> {
  const files = { "ticketing.yaml": settings, "events/nights.yaml": nights };
  project = await openProject(files, { profile, elapsed: () => (elapsed += tick) });
  project.sandbox.control.seed({ events: [{ name: "Nights", dateTime: "2027-03-14T11:00:00Z" }] });
}

async function timed<T>(work: Promise<T>): Promise<readonly [T, number]> {
  const since = performance.now();
  const result = await work;
  return [result, performance.now() - since];
}

/** An apply whose lists show what it made as soon as it says that it waits for them. */
async function applyWaiting(
  ...flags: readonly string[]
): Promise<{ readonly exitCode: number; readonly output: string }> {
  let output = "";
  function write(text: string): void {
    output += text;
    if (text.includes("until lists show")) elapsed += lagMs;
  }
  const stream = { write, isTerminal: false, columns: 80 };
  const { exitCode } = await project.run(["apply", "--yes", ...patient, ...flags], { stdout: stream, stderr: stream });
  return { exitCode, output };
}

describe("with lists that lag, a second apply at once makes nothing again", () => {
  const added: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    "a performer": { "events/nights.yaml": `${nights}performers: [{ name: Ana }]\n` },
    "two performers": { "events/nights.yaml": `${nights}performers: [{ name: Ana }, { name: Ben }]\n` },
    "a schedule entry": { "events/nights.yaml": `${nights}schedules: [{ title: Doors, ${day} }]\n` },
    "a brand": { "events/nights.yaml": `${nights}brands: [{ name: Brew }]\n` },
    "a ticket type": { "events/nights.yaml": `${nights}tickets: [{ name: GA, price: 100, quantity: 10 }]\n` },
    "a webhook": { "webhooks.yaml": hook },
    "an event": { "events/days.yaml": nights.replace("Nights", "Days") },
    "a published event with ticket types": {
      "events/days.yaml": `status: PUBLISHED
name: Days
dateTime: 2027-03-15T19:00+08:00
endDateTime: 2027-03-15T22:00+08:00
description: One
imageUrl: https://example.com/a.jpg
tickets: [{ name: GA, price: 100, quantity: 10, published: true }]
performers: [{ name: Ana }]
`,
    },
  };
  test.each(Object.entries(added))("%s", async (what, files) => {
    // Of what is read back before it is published, the pauses are real.
    await open(forgetful, undefined, what.startsWith("a published") ? 100 : 20);
    for (const [file, text] of Object.entries(files)) await project.write(file, text);
    const first = await applyWaiting();
    expect(first.exitCode, first.output).toBe(0);
    expect(first.output).toContain("waiting: until lists show what was written");
    expect(project.writes()).not.toEqual([]);
    const second = await project.apply(...patient);
    expect(second.exitCode).toBe(0);
    expect(project.writes()).toEqual([]);
  });

  test("what a run made before it failed is waited for as well", async () => {
    await open(forgetful);
    await project.write(
      "events/nights.yaml",
      `${nights}performers: [{ name: Ana }]\nschedules: [{ title: Doors, ${day}, performer: Ana }]\n`,
    );
    project.sandbox.control.addFault({ kind: "error-before", status: 403, method: "POST", path: "schedules" });
    expect((await applyWaiting()).exitCode).toBe(1);
    expect(project.writes().filter((call) => call.endsWith("/performers"))).toHaveLength(1);
    expect((await project.apply(...patient)).exitCode).toBe(0);
    expect(project.writes()).toEqual(["POST /events/ID/schedules"]);
  });
});

describe("with reads that show for a while what was before, a second apply at once sends nothing again", () => {
  const tickets = "tickets: [{ name: GA, price: 100, quantity: 10 }]\n";
  const before = `${nights}${tickets}performers: [{ name: Ana }]\nschedules: [{ title: Doors, ${day} }]\n`;
  test.each<[string, string, string]>([
    ["an event", "name: Nights\n", "name: Nights\ndescription: Loud\n"],
    ["its status", "name: Nights\n", "name: Nights\nstatus: ARCHIVED\n"],
    ["a ticket type", "price: 100", "price: 150"],
    ["a schedule entry", "title: Doors", "title: Doors, color: '#F26419'"],
    ["a performer that is deleted", "{ name: Ana }", ""],
    ["a performer that is replaced", "name: Ana", "name: Ana, type: DJ"],
  ])("%s", async (_, former, latter) => {
    await open(forgetful, "likely");
    await project.write("events/nights.yaml", before);
    expect((await project.apply()).exitCode).toBe(0);
    project.sandbox.control.setProfile({ readLag: lagMs, readLagIn: "everywhere" });
    project.writes();
    await project.write("events/nights.yaml", before.replace(former, latter));
    const { exitCode, output } = await applyWaiting();
    expect(exitCode, output).toBe(0);
    expect(output).toContain("waiting: until lists show what was written");
    expect(project.writes()).not.toEqual([]);
    const second = await project.apply(...patient);
    expect(second.exitCode).toBe(0);
    expect(project.writes()).toEqual([]);
  });
});

test("the settle time passes without a call", async () => {
  await open(forgetful, "likely,listLag=60000");
  await project.write("events/nights.yaml", `${nights}performers: [{ name: Ana }]\nbrands: [{ name: Brew }]\n`);
  const [ran, ms] = await timed(project.apply("--settle", "1"));
  expect(ran.exitCode).toBe(0);
  expect(project.sandbox.control.calls().at(-1)?.method).toBe("POST");
  expect(ms).toBeGreaterThan(1000);
  expect(ms).toBeLessThan(25_000);
});

test("a run that is stopped meanwhile ends at once", async () => {
  await open(forgetful, "likely,listLag=60000");
  await project.write("events/nights.yaml", `${nights}performers: [{ name: Ana }]\n`);
  const stop = new AbortController();
  let stopped = 0;
  function write(text: string): void {
    if (!text.includes("until lists show")) return;
    stopped = performance.now();
    stop.abort();
  }
  const stream = { write, isTerminal: false, columns: 80 };
  const world = { interrupted: stop.signal, stdout: stream, stderr: stream };
  const { exitCode } = await project.run(["apply", "--yes", "--settle", "60"], world);
  expect(exitCode).toBe(130);
  expect(stopped).toBeGreaterThan(0);
  expect(performance.now() - stopped).toBeLessThan(25_000);
});

test("what state remembers is not waited for", async () => {
  await open(forgetful.replace("none", "file"), "likely,listLag=60000");
  await project.write("events/nights.yaml", `${nights}performers: [{ name: Ana }]\n`);
  const [ran, ms] = await timed(project.apply("--settle", "30"));
  expect(ran.exitCode).toBe(0);
  expect(ms).toBeLessThan(25_000);
});

describe("two at once in one folder", () => {
  // The first is at work for long enough that the second meets it, however slow this machine is.
  const holdUp = { kind: "slow", delayMs: 1500, at: 1, times: 1 } as const;

  test("the second names the first, and nothing is made twice", async () => {
    await open(forgetful, "likely");
    await project.write("events/days.yaml", nights.replace("Nights", "Days"));
    await project.write("webhooks.yaml", hook);
    project.sandbox.control.addFault(holdUp);
    const both = await Promise.all([project.apply(), project.apply()]);
    expect(both.map((ran) => ran.exitCode).sort()).toEqual([0, 1]);
    const second = both.find((ran) => ran.exitCode === 1);
    expect(second?.stderr).toContain("Another run is active in this project: apply by");
    expect([...project.writes()].sort()).toEqual(["POST /events", "POST /webhooks"]);
  });

  test("the second waits for the first with --lock-timeout, and sees what it made", async () => {
    await open(forgetful);
    await project.write("events/nights.yaml", `${nights}performers: [{ name: Ana }]\n`);
    project.sandbox.control.addFault(holdUp);
    const both = await Promise.all([1, 2].map(() => applyWaiting("--lock-timeout", "30")));
    expect(both.map((ran) => ran.exitCode)).toEqual([0, 0]);
    expect(both.some((ran) => ran.output.includes("waiting for another run: apply by"))).toBe(true);
    expect(project.writes()).toEqual(["POST /events/ID/performers"]);
  });

  test("one whose lock is taken away stops before its next call", async () => {
    await open(forgetful, "likely");
    const many = Array.from({ length: 30 }, (_, at) => `{ name: P${at} }`).join(", ");
    await project.write("events/nights.yaml", `${nights}performers: [${many}]\n`);
    project.sandbox.control.addFault({ kind: "slow", delayMs: 2000, method: "POST", at: 2, times: 1 });
    const work = project.apply("--parallelism", "1");
    while (project.sandbox.control.calls().filter((call) => call.method === "POST").length < 2) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect((await project.run(["state", "unlock", "--yes"])).stdout).toContain("Removed the lock held by apply");
    const { exitCode, stderr } = await work;
    expect(exitCode).toBe(1);
    expect(stderr).toContain("Another run took over the lock");
    expect((await project.apply()).exitCode).toBe(0);
    expect(project.sandbox.service.dump().performers).toHaveLength(30);
  });

  test("where no one holds a lock there is none to take away", async () => {
    await open(forgetful, "likely");
    expect((await project.run(["state", "unlock", "--yes"])).stdout).toContain("There is no lock.");
  });
});
