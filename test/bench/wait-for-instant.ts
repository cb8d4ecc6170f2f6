// How long after its instant the first call of `apply --wait` leaves.
import { waitedApply } from "../stage/waited-apply.ts";
import type { Figure } from "./figure.ts";

const rounds = 3;

export async function measure(): Promise<readonly Figure[]> {
  const late: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const { exitCode, lateMs, stderr } = await waitedApply({ inMs: 8000 });
    if (exitCode !== 0 || lateMs === null || lateMs < 0) throw new Error(`${lateMs} ms: ${stderr}`);
    late.push(lateMs);
  }
  return [
    {
      name: "apply --wait, first call after its instant",
      measured: Math.max(...late),
      goal: 1000,
      bound: "at most",
      unit: "ms",
      detail: `the latest of ${rounds}; state in git`,
    },
  ];
}
