import { describe, expect, test } from "vitest";
import { wantsColor } from "../../src/app/world.ts";
import { reportCrash } from "../../src/cli/report-crash.ts";
import { clockOf } from "../../src/cli/run-arguments.ts";
import { testWorld, ticketing } from "../stage/test-world.ts";

describe("color", () => {
  const terminal = { write: () => undefined, isTerminal: true, columns: 80 };

  test.each([
    ["a pipe", {}, false, true, false],
    ["a terminal", {}, true, true, true],
    ["a terminal with --no-color", {}, true, false, false],
    ["a terminal with NO_COLOR", { NO_COLOR: "1" }, true, true, false],
    ["a terminal with an empty NO_COLOR", { NO_COLOR: "" }, true, true, true],
    ["a pipe with FORCE_COLOR", { FORCE_COLOR: "1" }, false, true, true],
    ["a terminal with FORCE_COLOR=0", { FORCE_COLOR: "0" }, true, true, false],
    ["a pipe with both", { FORCE_COLOR: "1", NO_COLOR: "1" }, false, true, false],
    ["a dumb terminal", { TERM: "dumb" }, true, true, false],
  ])("%s", (_, env, isTerminal, flag, wanted) => {
    const { world } = testWorld([], { env, stdout: { ...terminal, isTerminal } });
    expect(wantsColor(world, "text", flag)).toBe(wanted);
  });

  test("with JSON on stdout, people read stderr", () => {
    const { world } = testWorld([], { stderr: terminal });
    expect(wantsColor(world, "json", true)).toBe(true);
    expect(wantsColor(world, "text", true)).toBe(false);
  });
});

describe("the clock", () => {
  test("stays where TICKETING_NOW sets it", () => {
    expect(clockOf("2027-03-01T09:00:00+08:00")?.()).toBe(Date.UTC(2027, 2, 1, 1));
    expect(clockOf("2027-03-01")?.()).toBe(Date.UTC(2027, 2, 1));
    expect(clockOf("2027-03-01T09:00")?.()).toBe(Date.UTC(2027, 2, 1, 9));
  });

  test.each(["soon", "1", "2027-13-01T00:00:00Z"])("%s is no time", (setting) => {
    expect(clockOf(setting)).toBeNull();
  });

  test("runs where it says nothing", () => {
    expect(clockOf(undefined)).toBe(Date.now);
    expect(clockOf("")).toBe(Date.now);
  });
});

describe("trouble", () => {
  function reported(argv: readonly string[], error: unknown, env: Record<string, string> = {}): string {
    const { world, written } = testWorld(argv, { env });
    reportCrash(world, error);
    return written.stderr;
  }

  test("an exception is a bug, in two lines", () => {
    const text = reported(["plan"], new Error("undefined is not a function"));
    expect(text).toMatch(
      /^error\[bug\] This is a bug in ticketing: undefined is not a function\n {2}fix: .*report.*--verbose.*\n$/,
    );
  });

  test("the stack comes with --verbose", () => {
    expect(reported(["plan", "--verbose"], new Error("oh"))).toContain("    at ");
  });

  test("what the system refuses is no bug", () => {
    const refused = Object.assign(new Error("ENOSPC: no space left on device, write"), {
      code: "ENOSPC",
      syscall: "write",
    });
    expect(reported([], refused)).toBe(
      "error[system-refused] The disk is full.\n  fix: Free some space, and run the command again.\n",
    );
    expect(reported([], Object.assign(refused, { path: "events/a.yaml" }))).toContain(
      "The disk is full: events/a.yaml.",
    );
  });

  test("a key never shows, nor does an escape", () => {
    const text = reported(["--verbose"], new Error("bad header abcdef123456 \u001b[2J"), {
      MY_API_KEY: "abcdef123456",
    });
    expect(text).not.toContain("abcdef123456");
    expect(text).not.toContain("\u001b");
    expect(text).toContain("\\u{1b}");
  });
});

test("Ctrl-C ends a harmless command at once", async () => {
  expect((await ticketing(["schema"], { interrupted: AbortSignal.abort() })).exitCode).toBe(130);
});

test("Ctrl-C does not keep a harmless command from completing its JSON", async () => {
  const ran = await ticketing(["explain", "delete-event", "--format", "json"], { interrupted: AbortSignal.abort() });
  expect(ran.exitCode).toBe(0);
  expect(JSON.parse(ran.stdout)).toMatchObject({ code: "delete-event" });
});
