// `apply --wait` as it is installed, by the machine's own clock.
import { beforeAll, expect, test } from "vitest";
import { waitedApply } from "../stage/waited-apply.ts";
import { buildProgram } from "./program.ts";

beforeAll(() => buildProgram(), 120_000);

test("the first write leaves at its instant, and what it rests on was read before", async () => {
  const { exitCode, stderr, lateMs, readsAhead, readsBetween } = await waitedApply({ inMs: 10_000 });
  expect(exitCode, stderr).toBe(0);
  expect(stderr).toContain("for On sale of events/nights");
  expect(readsAhead).toBeGreaterThan(0);
  expect(lateMs).toBeGreaterThanOrEqual(0);
  expect(readsBetween).toBe(0);
  // A busy machine has part in it: `npm run bench` measures how punctual it is.
  expect(lateMs).toBeLessThan(5000);
});

test("Ctrl-C while it waits ends it with 130, and nothing was sent", async () => {
  const { exitCode, lateMs } = await waitedApply({
    inMs: 50_000,
    onText: (text, child) => void (text.includes("waiting until") && child.kill("SIGINT")),
  });
  expect(exitCode).toBe(130);
  expect(lateMs).toBeNull();
});
