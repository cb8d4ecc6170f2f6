// A service with unique names refuses a replacement while the former one is there, and need not name the field.
import { describe, expect, test } from "vitest";
import type { Dump, SandboxRequest, SandboxResponse, SandboxService } from "../../../src/sandbox/index.ts";
import { openStage, type Stage } from "../../stage/executor-stage.ts";
import { rewriteBodies } from "../../stage/rewrite-bodies.ts";
import { openTheater, type Scenery, type Theater } from "../../stage/theater.ts";
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
    expect(stage.writes().filter((write) => write.startsWith("DELETE"))).toHaveLength(1);
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

/** Refuses every POST of a performer that `refuse` gives a response to, in order. */
function refusePosts(service: SandboxService, refuse: (body: string, nth: number) => readonly [number, string] | null) {
  const handle = service.handle.bind(service);
  let posts = 0;
  Object.assign(service, {
    async handle(request: SandboxRequest): Promise<SandboxResponse> {
      const isPost = request.method === "POST" && request.path.endsWith("/performers");
      const refusal = isPost ? refuse(String(request.body), ++posts) : null;
      if (refusal === null) return handle(request);
      const [status, code] = refusal;
      const response = await handle({ ...request, method: "GET" });
      return { ...response, status, body: JSON.stringify({ error: { code, message: "Refused." }, requestId: "r-2" }) };
    },
  });
}

function liveStage(): { stage: Stage; path: string; former: string; entry: string } {
  const stage = openStage("uniqueNames=yes");
  const { service } = stage;
  const performers = [{ name: "Ana", type: "DJ", imageUrl: "https://example.com/ana.jpg" }];
  service.control.seed({
    events: [
      {
        name: "Jazz",
        dateTime: "2027-03-14T11:00:00.000Z",
        performers,
        schedules: [{ title: "Set", startTime: "2027-03-14T12:00:00.000Z", endTime: "2027-03-14T13:00:00.000Z" }],
      },
    ],
  });
  const { events, performers: rows, schedules } = stage.rows();
  const [event, former, entry] = [`${events[0]?.id}`, `${rows[0]?.id}`, `${schedules[0]?.id}`];
  return { stage, path: `/events/${event}/performers`, former, entry };
}

/** As the planner makes it: the mention goes, the former one goes, and the entry names the new one. */
function wholeReplacement(path: string, former: string, entry: string) {
  const gone = { address, verb: "delete", method: "DELETE", path: `${path}/${former}` } as const;
  const mention = { address: "events/jazz/schedules/Set", verb: "update", method: "PATCH" } as const;
  const at = { path: `${path.replace("performers", "schedules")}/${entry}` };
  const body = { name: "Ana", type: "BAND", imageUrl: "https://example.com/ana.jpg" };
  return buildPlan([
    {
      ...{ address, verb: "create", method: "POST", path, body, fallback: ["delete", "create"] },
      clearing: [{ ...mention, ...at, body: { performerId: null } }, gone],
    },
    { ...mention, ...at, body: { performerId: { $id: address } } },
    gone,
  ]);
}

test.each([
  [409, "EVENT_LOCKED"],
  [409, "SCHEDULE_CONFLICT"],
  [403, "FORBIDDEN"],
])("%i %s leaves the former one in place", async (status, code) => {
  const { stage, path, former, entry } = liveStage();
  refusePosts(stage.service, () => [status, code]);
  const { report } = await stage.run(wholeReplacement(path, former, entry), { known: [former] });
  expect(report.summary).toMatchObject({ done: 0, failed: 1, skipped: 2 });
  expect(stage.rows().performers).toMatchObject([{ id: former, type: "DJ" }]);
});

test("a name that no object has is not freed", async () => {
  const { stage, path, former, entry } = liveStage();
  refusePosts(stage.service, () => [409, "CONFLICT"]);
  const plan = wholeReplacement(path, former, entry);
  const [create, ...rest] = plan.operations;
  const renamed = { ...create, body: { ...create?.body, name: "Bea" } } as (typeof plan.operations)[number];
  await stage.run({ ...plan, operations: [renamed, ...rest] }, { known: [former] });
  expect(stage.rows().performers).toMatchObject([{ id: former }]);
});

describe("the new one is refused once the former one is gone", () => {
  test("the former one is put back with all that it had, and the outcomes say so", async () => {
    const { stage, path, former, entry } = liveStage();
    refusePosts(stage.service, (body) =>
      stage.rows().performers.length === 0 && body.includes("BAND") ? [400, "VALIDATION_ERROR"] : null,
    );
    const { report, objects } = await stage.run(wholeReplacement(path, former, entry), { known: [former] });
    const [back] = stage.rows().performers;
    expect(back).toMatchObject({ name: "Ana", type: "DJ", imageUrl: "https://example.com/ana.jpg" });
    expect(stage.rows().schedules).toMatchObject([{ performerId: back?.id }]);
    expect(report.outcomes.map(({ result }) => result)).toEqual(["failed", "skipped", "done"]);
    expect(report.outcomes[0]?.error?.message).toBe(
      `Refused. The old performer was deleted first, because the service allows its name only once; it was put back as ${back?.id}.`,
    );
    expect(objects[address]).toMatchObject({ id: back?.id, applied: { type: "DJ" } });
    expect(objects[address]?.carried).toBeUndefined();
  });

  test("where it cannot be put back, that it is missing is said, and what it had is remembered", async () => {
    const { stage, path, former, entry } = liveStage();
    refusePosts(stage.service, () => (stage.rows().performers.length === 0 ? [409, "EVENT_LOCKED"] : null));
    const { report, objects } = await stage.run(wholeReplacement(path, former, entry), { known: [former] });
    expect(report.summary).toMatchObject({ done: 1, failed: 1, skipped: 1 });
    expect(report.outcomes[0]?.error?.message).toContain("and is missing now. It had {");
    expect(objects[address]?.carried).toEqual({ name: "Ana", type: "DJ", imageUrl: "https://example.com/ana.jpg" });
  });

  test("a delete that is refused leaves nothing pointing nowhere", async () => {
    const { stage, path, former, entry } = liveStage();
    const { service } = stage;
    const handle = service.handle.bind(service);
    Object.assign(service, {
      handle: async (request: SandboxRequest) =>
        request.method === "DELETE"
          ? {
              ...(await handle({ ...request, method: "GET", path: request.path.replace(/\/[^/]+$/, "") })),
              status: 409,
              body: "{}",
            }
          : handle(request),
    });
    await stage.run(wholeReplacement(path, former, entry), { known: [former] });
    expect(stage.rows().schedules).toMatchObject([{ performerId: former }]);
  });
});

describe("a run that is cut off between the delete and the create", () => {
  const jazz = (type: string) => ({
    "events/jazz.yaml": `name: Jazz\ndateTime: 2027-03-14T19:00+08:00\nperformers:\n  - { name: Ana, type: ${type} }\n`,
  });

  // Nothing of an object that was there before is ours, however the list that shows it is wrapped.
  test.each(["items", "performers"])(
    "a run that is not cut off replaces it, too, if lists are inside of %s",
    async (name) => {
      const theater = openTheater("uniqueNames=yes");
      const handle = theater.service.handle.bind(theater.service);
      Object.assign(theater.service, {
        async handle(request: SandboxRequest) {
          const response = await handle(request);
          if (response.status === 400) {
            const error = { code: "CONFLICT", message: "Taken.", hint: "Check it." };
            return { ...response, status: 409, body: JSON.stringify({ error, requestId: "r-1" }) };
          }
          if (request.method !== "GET" || !request.path.endsWith("/performers")) return response;
          return { ...response, body: JSON.stringify({ data: { [name]: JSON.parse(response.body).data } }) };
        },
      });
      await theater.run(jazz("DJ"));
      const { applied } = await theater.run(jazz("HOST"));
      expect(applied?.report.summary).toMatchObject({ done: 2 });
      expect(theater.service.dump().performers).toMatchObject([{ name: "Ana", type: "HOST" }]);
    },
  );

  test.each([false, true])("the next one creates it with what nobody manages; written ahead: %s", async (pushes) => {
    const first = openTheater("uniqueNames=yes");
    await first.run(jazz("DJ"));
    const live = first.service.dump();
    const performers = live.performers.map((row) => ({ ...row, imageUrl: "https://example.com/ana.jpg" }));
    const scenery = { ...first.scenery(), live: { ...live, performers } };
    const { calls } = await openTheater("uniqueNames=yes", undefined, scenery).run(jazz("HOST"), { pushes });
    for (let at = 1; at <= calls; at++) {
      for (const moment of ["before", "after"] as const) {
        const theater = openTheater("uniqueNames=yes", undefined, scenery);
        await theater.run(jazz("HOST"), { pushes, death: { of: "call", at, moment } });
        const { applied } = await theater.run(jazz("HOST"), { pushes });
        expect(applied?.refusal).toBeNull();
        expect(theater.service.dump().performers, `killed ${moment} call ${at}`).toMatchObject([
          { name: "Ana", type: "HOST", imageUrl: "https://example.com/ana.jpg" },
        ]);
        const again = await theater.run(jazz("HOST"), { pushes });
        expect(again.applied?.report.plan.operations).toEqual([]);
      }
    }
  });
});

/** A replacement takes what an entry names away from it; the files say nothing of that, so only the journal and state do. */
describe("entries whose performer the files do not manage", () => {
  const address = "events/jazz/schedules/Set";
  const files = (type: string, more = "") => ({
    "events/jazz.yaml": `name: Jazz\ndateTime: 2027-03-14T19:00+08:00\nperformers:\n  - { name: Ana, type: ${type} }\n${more}`,
  });
  const listed = "schedules:\n  - { title: Set, startTime: 2027-03-14T20:00+08:00, endTime: 2027-03-14T21:00+08:00 }\n";

  async function liveScenery(more: string): Promise<Scenery> {
    const first = openTheater("uniqueNames=yes");
    await first.run(files("DJ", more));
    const live = first.service.dump();
    const { performers, schedules } = live;
    const about = { startTime: "2027-03-14T12:00:00.000Z", endTime: "2027-03-14T13:00:00.000Z" };
    const entry = (title: string, at: number) => {
      const id = `5c4ed01e-0000-4000-8000-00000000000${at}`;
      return { ...performers[0], ...about, id, title, name: undefined, type: undefined };
    };
    const rows = more === "" ? ["Set", "Encore"].map(entry) : schedules;
    const naming = rows.map((row) => ({ ...row, performerId: performers[0]?.id }));
    return { ...first.scenery(), live: { ...live, schedules: naming } as unknown as Dump };
  }

  function namedIn({ service }: Theater): readonly unknown[] {
    const { performers, schedules } = service.dump() as unknown as Record<string, Record<string, string>[]>;
    return (schedules ?? []).map(({ performerId }) => performers?.find(({ id }) => id === performerId)?.name ?? null);
  }

  test.each([
    ["not in the file", "", false],
    ["not in the file, written ahead", "", true],
    ["listed without it", listed, false],
  ])("name the new one after a run that was cut off at any call: %s", async (_, more, pushes) => {
    const scenery = await liveScenery(more);
    const { calls } = await openTheater("uniqueNames=yes", undefined, scenery).run(files("HOST", more), { pushes });
    for (let at = 1; at <= calls; at++) {
      for (const moment of ["before", "after"] as const) {
        const theater = openTheater("uniqueNames=yes", undefined, scenery);
        await theater.run(files("HOST", more), { pushes, death: { of: "call", at, moment } });
        const { applied } = await theater.run(files("HOST", more), { pushes });
        expect(applied?.refusal).toBeNull();
        expect(namedIn(theater), `killed ${moment} call ${at}`).toEqual(more === "" ? ["Ana", "Ana"] : ["Ana"]);
        const again = await theater.run(files("HOST", more), { pushes });
        expect(again.applied?.report.plan.operations).toEqual([]);
        expect(theater.disk.state).not.toContain('"named"');
      }
    }
  });

  test.each(["", listed])("name the new one once the service no longer refuses it", async (more) => {
    const theater = openTheater("uniqueNames=yes", undefined, await liveScenery(more));
    const { service } = theater;
    const handle = service.handle;
    refusePosts(service, () => (service.dump().performers.length === 0 ? [403, "FORBIDDEN"] : null));
    await theater.run(files("HOST", more));
    await theater.run(files("HOST", more));
    expect(namedIn(theater)[0]).toBeNull();
    Object.assign(service, { handle });
    const { applied } = await theater.run(files("HOST", more));
    expect(applied?.report.plan.changes.find((change) => change.address === address)).toMatchObject({
      action: "update",
      reason: "an earlier run cleared a field and did not set it again",
      edits: [{ path: "/performer", before: null, after: "Ana", origin: "unapplied" }],
    });
    expect(new Set(namedIn(theater))).toEqual(new Set(["Ana"]));
  });

  test("are left alone if somebody sets another one, or none is wanted any more", async () => {
    const theater = openTheater("uniqueNames=yes", undefined, await liveScenery(""));
    const { service } = theater;
    const handle = service.handle;
    refusePosts(service, () => (service.dump().performers.length === 0 ? [403, "FORBIDDEN"] : null));
    await theater.run(files("HOST"));
    Object.assign(service, { handle });
    const other = files("HOST")["events/jazz.yaml"].replace("Ana", "Bea");
    await theater.run({ "events/jazz.yaml": other });
    expect(namedIn(theater)).toEqual([null, null]);
    expect(theater.disk.state).not.toContain('"named"');
  });
});
