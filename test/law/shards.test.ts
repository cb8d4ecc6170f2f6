// The plans of three shards together are the whole plan, whatever the service shows.
import { describe, test } from "vitest";
import { planOf } from "../stage/plan-of.ts";
import { expectParts } from "../stage/shard-plans.ts";
import { readSetup, storiesOf } from "../stage/stories.ts";

describe.each(["strict", "lax", "minimal", "hostile", "nullFields=omitted"])(
  "a story under the reading %s",
  (profile) => {
    test.each(storiesOf("plan"))("$name", async ({ folder }) => {
      const setup = { profile, ...readSetup(folder) };
      await expectParts(await planOf(setup), setup, [3]);
    });
  },
);
