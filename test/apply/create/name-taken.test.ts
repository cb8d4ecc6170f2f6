// A service with unique names refuses a replacement while the former one is there, and need not name the field.
import { expect, test } from "vitest";
import { openStage, type Stage } from "../../stage/executor-stage.ts";
import { rewriteBodies } from "../../stage/rewrite-bodies.ts";
import { buildPlan } from "../build-plan.ts";

const address = "events/jazz/performers/Ana";

/** Refuses a second performer of one name in its own words. */
async function withPerformer(code: string): Promise<{ stage: Stage; path: string; former: string }> {
  const stage = openStage("uniqueNames=yes");
  stage.service.control.seed({
    events: [{ name: "Jazz", dateTime: "2027-03-14T11:00:00.000Z", performers: [{ name: "Ana", type: "DJ" }] }],
  });
  const error = { code, message: "Refused.", hint: "Check it." };
  rewriteBodies(stage.service, (body, { status }) =>
    status === 400 ? JSON.stringify({ error, requestId: "r-1" }) : body,
  );
  const { events, performers } = stage.rows();
  return { stage, path: `/events/${events[0]?.id}/performers`, former: `${performers[0]?.id}` };
}

function replacement(path: string, former: string) {
  const gone = { address, verb: "delete", method: "DELETE", path: `${path}/${former}` } as const;
  const body = { name: "Ana", type: "HOST" };
  const create = { address, verb: "create", method: "POST", path, body, clearing: [gone] } as const;
  return buildPlan([{ ...create, fallback: ["delete", "create"] }, gone]);
}

test.each(["ALREADY_EXISTS", "DUPLICATE_NAME", "name_taken", "NAME_NOT_UNIQUE", "CONFLICT"])(
  "%s: the former one goes first",
  async (code) => {
    const { stage, path, former } = await withPerformer(code);
    const { report } = await stage.run(replacement(path, former));
    expect(report.summary).toMatchObject({ done: 2 });
    expect(stage.rows().performers).toMatchObject([{ name: "Ana", type: "HOST" }]);
  },
);

const others = ["VALIDATION_ERROR", "IMAGE_NOT_EXISTS", "SCHEDULE_CONFLICT", "EVENT_ALREADY_STARTED", "MISTAKEN_TYPE"];

test.each(others)("%s leaves the former one in place", async (code) => {
  const { stage, path, former } = await withPerformer(code);
  const { report } = await stage.run(replacement(path, former));
  expect(report.summary).toMatchObject({ failed: 1, skipped: 1 });
  expect(stage.rows().performers).toMatchObject([{ id: former, type: "DJ" }]);
  expect(report.outcomes[0]?.error?.hint).toBe(
    "Check it. If the service allows this name only once, remove this performer from the file and apply, then add it again and apply.",
  );
});
