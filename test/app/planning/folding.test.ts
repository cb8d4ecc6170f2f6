// What many files have in common is shown a few times and counted; what is wrong is always reported.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Plan } from "../../../src/model/plan.ts";
import { type Sandbox, startSandbox } from "../../../src/sandbox/index.ts";
import { type Ran, ticketing } from "../../stage/test-world.ts";

const now = () => Date.parse("2027-01-10T00:00:00Z");
let sandbox: Sandbox;
let folder: string;

beforeAll(async () => {
  sandbox = await startSandbox({ now });
  folder = mkdtempSync(join(tmpdir(), "ticketing-folding-"));
  mkdirSync(join(folder, "events"));
  for (let nth = 1; nth <= 6; nth++) {
    const start = nth === 6 ? "2026-03-14T19:00" : `2027-03-1${nth}T19:00`;
    writeFileSync(
      join(folder, "events", `night-${nth}.yaml`),
      `name: Night ${nth}\ndateTime: ${start}\nlocationType: ONLINE\ntickets:\n  - { name: GA, price: 500, quantity: 100 }\n`,
    );
  }
});

afterAll(() => sandbox.close());

function run(...argv: readonly string[]): Promise<Ran> {
  const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  return ticketing([...argv, "-C", folder], { env, now });
}

function reported(text: string): number {
  return text.split("[published-not-stated]").length - 1;
}

describe("six ticket types with the same flaw", () => {
  test("the text shows two of them and counts the rest", async () => {
    const { stdout } = await run("plan");
    expect(reported(stdout)).toBe(3);
    expect(stdout).toMatch(/4 more like this\.\s+fix: --verbose lists them all/);
  });

  test("--verbose shows each", async () => {
    const { stdout } = await run("plan", "--verbose");
    expect(reported(stdout)).toBe(6);
    expect(stdout).not.toContain("more like this");
  });

  test("JSON holds each, with its place", async () => {
    const { diagnostics } = JSON.parse((await run("plan", "--format", "json")).stdout) as Plan;
    const places = diagnostics.filter((one) => one.code === "published-not-stated").map((one) => one.source?.file);
    expect(new Set(places).size).toBe(6);
  });

  test("Markdown folds as the text does", async () => {
    const { stdout } = await run("plan", "--format", "markdown");
    expect(stdout).toContain("4 more like this");
  });

  test("errors are never folded", async () => {
    for (let nth = 1; nth <= 5; nth++)
      writeFileSync(join(folder, "events", `wrong-${nth}.yaml`), `name: Wrong ${nth}\ndateTime: tomorrow\n`);
    const { stdout } = await run("plan");
    expect(stdout.split("[unreadable-time]").length - 1).toBe(5);
  });
});

test("what one line of a series brings up on every date is told once, with the number of dates", async () => {
  const series = mkdtempSync(join(tmpdir(), "ticketing-folding-"));
  mkdirSync(join(series, "events"));
  const write = (price: number) =>
    writeFileSync(
      join(series, "events", "club.yaml"),
      `name: Club\ndateTime: 22:00\nendDateTime: +6h\nlocationType: ONLINE\nstatus: PUBLISHED\nseries: { every: friday, from: 2027-03-05, count: 4 }\ntickets:\n  - { name: GA, price: ${price}, quantity: 500, published: true }\n`,
    );
  write(1000);
  const inSeries = (...argv: readonly string[]) => {
    const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
    return ticketing(argv, { env, now, cwd: series });
  };
  expect((await inSeries("apply", "--yes")).exitCode).toBe(0);
  write(1600);
  const told = /\(\+60%\) on a published event\. \(in 4 events: club@2027-03-05, club@2027-03-12, club@2027-03-19, …\)/;
  for (const format of ["text", "markdown", "json"]) {
    const { stdout } = await inSeries("plan", "--format", format);
    expect(stdout.replace(/\s+/g, " ").replaceAll("`", "")).toMatch(told);
    expect(stdout.split("large-price-change").length - 1, stdout).toBeLessThanOrEqual(format === "text" ? 2 : 1);
  }
});
