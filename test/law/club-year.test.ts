// examples/club through its whole year: at every instant at which something comes due, apply does it; at every eighth of them,
// and at the end, the plan after is empty. CLUB_STRIDE=5: at every fifth, as for a job that runs every other day.
import { join } from "node:path";
import { expect, test } from "vitest";
import { readFiles } from "../stage/golden.ts";
import { openProject } from "../stage/open-project.ts";

test("the club's year", async () => {
  let now = Date.parse("2026-11-15T00:00:00Z");
  const clock = () => now;
  const project = await openProject(readFiles(join("examples", "club")), { now: clock });
  const run = (...argv: readonly string[]) => project.run(argv, { now: clock });
  try {
    const listed = await run("upcoming", "--format", "json");
    const { upcoming } = JSON.parse(listed.stdout) as { upcoming: { at: string; type: string }[] };
    const phases = upcoming.filter(({ type }) => type.startsWith("phase"));
    expect(phases.length).toBe(52 * 3 + 12 * 2 + 3);
    const all = [...new Set(phases.map(({ at }) => at))];
    const stride = Number(process.env.CLUB_STRIDE ?? 1);
    const due = all.filter((_at, turn) => (all.length - 1 - turn) % stride === 0);

    for (const [turn, at] of [new Date(now).toISOString(), ...due].entries()) {
      now = Date.parse(at);
      const applied = await run("apply", "--yes", "--settle", "0");
      expect(applied.exitCode, `${at}\n${applied.stdout}${applied.stderr}`).toBe(0);
      expect(project.writes().length, at).toBeGreaterThan(0);
      if (turn % 8 === 0 || turn === due.length) {
        const again = await run("plan", "--detailed-exitcode");
        expect(again.exitCode, `${at}\n${again.stdout}${again.stderr}`).toBe(0);
      }
      project.sandbox.control.clearCalls();
    }
    const left = await run("upcoming", "--format", "json");
    expect(JSON.parse(left.stdout).upcoming).toEqual([]);
  } finally {
    await project.close();
  }
});
