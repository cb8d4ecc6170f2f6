// The plans of all shards together are the whole plan, whatever the service shows.
import { describe, test } from "vitest";
import { planOf } from "../stage/plan-of.ts";
import { expectParts } from "../stage/shard-plans.ts";
import { readSetup, storiesOf } from "../stage/stories.ts";

test.each(storiesOf("plan"))("$name", async ({ folder }) => {
  const setup = readSetup(folder);
  // Of two documents, more shards say nothing more.
  await expectParts(await planOf(setup), setup, Object.keys(setup.files).length > 3 ? [1, 2, 3, 4, 5, 6, 7, 8] : [3]);
});

describe.each(["strict", "lax", "minimal", "hostile", "nullFields=omitted"])(
  "a story under the reading %s",
  (profile) => {
    test.each(storiesOf("plan"))("$name", async ({ folder }) => {
      const setup = { profile, ...readSetup(folder) };
      await expectParts(await planOf(setup), setup, [3]);
    });
  },
);
