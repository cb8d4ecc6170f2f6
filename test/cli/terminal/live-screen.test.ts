import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { reportCalls } from "../../../src/app/session/report-problems.ts";
import { liveScreen } from "../../../src/cli/terminal/live-screen.ts";
import { applyProgress, readingProgress, reportWaits } from "../../../src/cli/terminal/progress.ts";
import { fakeTerminal } from "../../stage/fake-terminal.ts";
import { testWorld } from "../../stage/test-world.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function screenOn(columns = 40) {
  const terminal = fakeTerminal(columns);
  const { world } = testWorld([], { stdout: terminal, stderr: terminal });
  return { terminal, screen: liveScreen(world) };
}

const pause = {
  reason: "asked",
  ms: 8200,
  why: "the service asks for a pause",
  message: "Waiting 9 seconds: …",
} as const;
const call = { method: "GET", path: "/events", attempt: 1 } as const;

test("the lowest lines are drawn over, and nothing of them stays", () => {
  const { terminal, screen } = screenOn();
  screen.show("work", ["one", "two", "three"]);
  vi.advanceTimersByTime(200);
  expect(terminal.lines()).toEqual(["one", "two", "three"]);
  screen.show("work", ["two"]);
  vi.advanceTimersByTime(200);
  expect(terminal.lines()).toEqual(["two"]);
  screen.clear();
  expect(terminal.lines()).toEqual([]);
});

test("the last of many changes within a blink is the one that is shown", () => {
  const { terminal, screen } = screenOn();
  for (let count = 0; count <= 50; count++) screen.show("work", [`at ${count}`]);
  vi.advanceTimersByTime(200);
  expect(terminal.lines()).toEqual(["at 50"]);
});

test("whatever is written goes above the live lines, from either stream", () => {
  const { terminal, screen } = screenOn();
  screen.show("work", ["under way"]);
  vi.advanceTimersByTime(200);
  screen.world.stderr.write("first\n");
  screen.world.stdout.write("sec");
  expect(terminal.lines()).toEqual(["first", "sec"]);
  screen.world.stdout.write("ond\n");
  expect(terminal.lines()).toEqual(["first", "second", "under way"]);
});

test("wide letters are cut before they wrap", () => {
  const { terminal, screen } = screenOn(30);
  for (const name of ["夜市音楽祭夜市音楽祭夜市音楽祭夜市", "夜市"]) {
    screen.show("work", [`  … create ${name}`]);
    vi.advanceTimersByTime(200);
    expect(terminal.lines()).toHaveLength(1);
  }
  expect(terminal.lines()).toEqual(["  … create 夜市"]);
});

test("what the terminal shows of Ctrl-C goes with the lines", () => {
  const { terminal, screen } = screenOn();
  screen.show("work", ["under way"]);
  vi.advanceTimersByTime(200);
  terminal.echo("^C");
  screen.world.stderr.write("stopping\n");
  expect(terminal.lines()).toEqual(["stopping", "under way"]);
});

test("a wait is counted down below the work, and goes when it is over", () => {
  const { terminal, screen } = screenOn(60);
  const waits = reportWaits(screen);
  screen.show("work", ["under way"]);
  waits.onWait?.(pause);
  vi.advanceTimersByTime(200);
  expect(terminal.lines()).toEqual(["under way", "  waiting 8 s: the service asks for a pause"]);
  vi.advanceTimersByTime(3000);
  expect(terminal.lines()).toEqual(["under way", "  waiting 5 s: the service asks for a pause"]);
  vi.advanceTimersByTime(5200);
  expect(terminal.lines()).toEqual(["under way"]);
});

test("a wait ends with the next call, and when the run is stopped", () => {
  const { terminal, screen } = screenOn(60);
  const waits = reportWaits(screen);
  waits.onWait?.(pause);
  vi.advanceTimersByTime(200);
  waits.onCall?.(call);
  vi.advanceTimersByTime(200);
  expect(terminal.lines()).toEqual([]);
  vi.advanceTimersByTime(9000);
  expect(terminal.lines()).toEqual([]);

  const stop = new AbortController();
  const stopped = fakeTerminal(60);
  const { world } = testWorld([], { stderr: stopped, interrupted: stop.signal });
  reportWaits(liveScreen(world)).onWait?.(pause);
  vi.advanceTimersByTime(200);
  expect(stopped.lines()).toHaveLength(1);
  stop.abort();
  vi.advanceTimersByTime(100);
  expect(stopped.lines()).toEqual([]);
});

test("a long wait is reported in minutes and hours", () => {
  const { terminal, screen } = screenOn(60);
  const waits = reportWaits(screen);
  for (const [ms, words] of [
    [150_000, "2 min 30 s"],
    [3_780_000, "1 h 03 min"],
  ] as const) {
    waits.onWait?.({ ...pause, ms });
    vi.advanceTimersByTime(200);
    expect(terminal.lines()).toEqual([`  waiting ${words}: the service asks for a pause`]);
  }
});

test("each call that --verbose reports is above the work", () => {
  const { terminal, screen } = screenOn(60);
  const listener = reportCalls(screen.world, true, reportWaits(screen));
  screen.show("work", ["under way"]);
  vi.advanceTimersByTime(200);
  for (const path of ["/events", "/me"]) listener.onResponse?.({ ...call, path, status: 200, code: null, ms: 3 });
  expect(terminal.lines()).toEqual(["  GET /events 200 (3 ms)", "  GET /me 200 (3 ms)", "under way"]);
});

test("without a terminal a wait is one line, and nothing is drawn", () => {
  const { world, written } = testWorld([]);
  const screen = liveScreen(world);
  const waits = reportWaits(screen);
  screen.show("work", ["under way"]);
  waits.onWait?.(pause);
  waits.onWait?.({ ...pause, ms: 300 });
  vi.advanceTimersByTime(9000);
  expect(written).toEqual({ stdout: "", stderr: "Waiting 9 seconds: …\n" });
});

test("reading shows how far it is and how long it still takes, and leaves no line behind", () => {
  const { terminal, screen } = screenOn(60);
  const progress = readingProgress(screen);
  progress.onProgress(1, 1000);
  vi.advanceTimersByTime(200);
  expect(terminal.lines()).toEqual([]);
  vi.advanceTimersByTime(9800);
  progress.onProgress(250, 1000);
  vi.advanceTimersByTime(200);
  expect(terminal.lines()).toEqual(["reading 250 of 1,000 events, 30 s left"]);
  progress.onProgress(1000, 1000);
  vi.advanceTimersByTime(200);
  expect(terminal.lines()).toEqual(["reading 1,000 of 1,000 events"]);
  progress.end();
  expect(terminal.lines()).toEqual([]);
});

test("in a pipe reading says nothing", () => {
  const { world, written } = testWorld([]);
  const progress = readingProgress(liveScreen(world));
  vi.advanceTimersByTime(10_000);
  progress.onProgress(250, 1000);
  vi.advanceTimersByTime(200);
  progress.end();
  expect(written.stderr).toBe("");
});

test("what apply waits for is wrapped to the width of the terminal", () => {
  const { terminal, screen } = screenOn(60);
  const progress = applyProgress(screen, { operations: [], changes: [], observed: [] }, false, 1);
  progress.listener.onWait?.(
    "events/gig",
    "The connection was lost before the response came (UND_ERR_SOCKET); checking in 200 ms",
  );
  progress.end();
  expect(terminal.lines()).toEqual([
    "  waiting: The connection was lost before the response came",
    "    (UND_ERR_SOCKET); checking in 200 ms",
  ]);
});
