// Random histories of the whole loop, from pull request to service. After every run that ends by itself, and at the end: the
// service matches main, or the run reports what does not; nothing is duplicated or left over; nothing that was sold is deleted;
// what was sent was reviewed, and what a plan has listed is what is sent.
import fc from "fast-check";
import { test } from "vitest";
import { hasGit } from "../stage/has-git.ts";
import { editKinds } from "./walk/season.ts";
import { applyKinds, type Step, takeWalk } from "./walk/walk.ts";

const few = fc.nat(5);
const word = <Word extends string>(...words: readonly Word[]) => fc.constantFrom(...words);
const edit = fc.record({ kind: word(...editKinds), which: few, value: few });
const edits = fc.array(edit, { minLength: 1, maxLength: 4 });
const open = fc.record({ do: word("open"), edits });
const merge = fc.record({
  do: word("merge"),
  request: fc.constantFrom(0, 0, 0, 1, 2),
  planned: fc.constantFrom(true, true, true, true, true, false),
});
const apply = fc.record({ do: word("apply"), how: word("whole", "whole", "whole", "whole", ...applyKinds), at: few });
const back = fc.record({ do: word("revert", "revert", "revert", "pick"), request: fc.constantFrom(0, 0, 0, 1, 2) });
/** Related steps are drawn together; most steps are edits. */
const part: fc.Arbitrary<readonly Step[]> = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(open, merge, apply) },
  { weight: 4, arbitrary: fc.tuple(back, merge, apply) },
  { weight: 3, arbitrary: fc.tuple(open, merge) },
  { weight: 2, arbitrary: fc.tuple(open) },
  { weight: 1, arbitrary: fc.tuple(fc.record({ do: word("push"), request: few, edit })) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.record({ do: word("update"), request: few, favor: word("ours", "theirs") }), merge),
  },
  { weight: 1, arbitrary: fc.tuple(fc.record({ do: word("plan"), request: few })) },
  { weight: 1, arbitrary: fc.tuple(fc.record({ do: word("commit"), edit }), apply) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.record({ do: word("sell"), ticket: few, count: fc.integer({ min: 1, max: 4 }) })),
  },
  { weight: 1, arbitrary: fc.tuple(fc.record({ do: word("refund") })) },
  { weight: 2, arbitrary: fc.tuple(fc.record({ do: word("hand"), event: few, value: few })) },
  { weight: 1, arbitrary: fc.tuple(fc.record({ do: word("pass") }), apply) },
);
const steps = fc.array(part, { minLength: 3, maxLength: 7 }).map((parts) => parts.flat());

/** Histories that went wrong once, in their shortest form. */
const wentWrong: readonly (readonly Step[])[] = [
  // The run was killed while it created an event, and the event's file was deleted before the next one: it stayed live, with exit 0.
  [
    { do: "open", edits: [{ kind: "new-file", which: 0, value: 3 }] },
    { do: "merge", request: 0, planned: true },
    { do: "apply", how: "killed-after", at: 0 },
    { do: "open", edits: [{ kind: "delete-file", which: 3, value: 0 }] },
    { do: "merge", request: 0, planned: true },
  ],
  // The run was killed before it could say that it has edited one event and deleted another, and the merge was reverted: they stayed so.
  [
    {
      do: "open",
      edits: [
        { kind: "skip-date", which: 0, value: 1 },
        { kind: "capacity", which: 1, value: 1 },
      ],
    },
    { do: "merge", request: 0, planned: true },
    { do: "apply", how: "killed-after", at: 1 },
    { do: "revert", request: 0 },
    { do: "merge", request: 0, planned: true },
  ],
];

// WALKS=100 takes that many; SEED=random, or a number, takes others; SHRINK=1 looks for the shortest history that still fails.
const walks = Number(process.env.WALKS ?? 3);

test.skipIf(!hasGit)(
  "whatever happens, the service shows what main says, or it is said that it does not",
  async () => {
    await fc.assert(fc.asyncProperty(steps, takeWalk), {
      numRuns: walks,
      examples: wentWrong.map((history): [Step[]] => [[...history]]),
      endOnFailure: process.env.SHRINK === undefined,
    });
  },
  walks * 120_000,
);
