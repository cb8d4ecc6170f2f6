// Emptying several fields at once: each is decided by itself, and what cannot be is reported once and not asked for again.
import { afterEach, describe, expect, test } from "vitest";
import { openProject, type Project } from "../../stage/open-project.ts";
import { rewriteBodies } from "../../stage/rewrite-bodies.ts";

const jazz = `name: Jazz
dateTime: 2027-03-14T19:00+08:00
endDateTime: 2027-03-15T02:00+08:00
description: One
imageUrl: https://example.com/a.jpg
callbackUrl: https://example.com/thanks
eventCapacity: 10
`;
const emptied = jazz
  .replace("description: One", "description: null")
  .replace("callbackUrl: https://example.com/thanks", "callbackUrl: null")
  .replace("eventCapacity: 10", "eventCapacity: null");

let project: Project;
afterEach(() => project.close());

async function live(profile: string, more = ""): Promise<Project> {
  project = await openProject({ "events/jazz.yaml": jazz, "ticketing.yaml": `version: 1\n${more}` }, { profile });
  expect((await project.apply()).exitCode).toBe(0);
  project.writes();
  return project;
}

function row(): Readonly<Record<string, unknown>> {
  return project.sandbox.service.dump().events[0] as unknown as Readonly<Record<string, unknown>>;
}

describe.each([
  "clearing=refused",
  "clearing=ignored",
  "clearing=ignored,writeResponse=echo",
  "clearing=refused,writeResponse=204",
])("%s", (profile) => {
  test("what can be emptied is; only the rest is named; other edits land", async () => {
    await live(profile);
    await project.write("events/jazz.yaml", emptied.replace("name: Jazz", "name: Blues\nrenamedFrom: Jazz"));
    const { exitCode, report } = await project.apply();
    expect(exitCode).toBe(1);
    expect(report.outcomes).toHaveLength(1);
    expect(report.outcomes[0]).toMatchObject({ result: "failed", error: { code: "cannot-clear" } });
    const { message, hint } = report.outcomes[0]?.error ?? {};
    expect(message).toContain("`eventCapacity`");
    expect(message).not.toContain("description");
    expect(message).not.toContain("callbackUrl");
    expect(hint).toContain("remove it from the file");
    expect(row()).toMatchObject({ name: "Blues", description: null, callbackUrl: null, eventCapacity: 10 });
  });

  test("a refusal is shown in the service's own words, with its request", async () => {
    await live(profile);
    await project.write("events/jazz.yaml", emptied);
    const { report } = await project.apply();
    const isRefused = profile.includes("refused");
    expect(report.outcomes[0]?.error).toMatchObject({
      code: "cannot-clear",
      message: expect.stringMatching(
        isRefused ? /be cleared\. The service said: ".+\." \(.*eventCapacity/ : /be cleared\.$/,
      ),
      requestId: isRefused ? expect.any(String) : null,
      status: isRefused ? 400 : null,
    });
  });

  test("state holds what was confirmed and not what failed; the next plan blocks it and sends nothing", async () => {
    await live(profile);
    await project.write("events/jazz.yaml", emptied);
    await project.apply();
    const entry = (await project.state()).objects["events/jazz"];
    expect(entry?.applied).toMatchObject({ description: null, callbackUrl: null });
    expect(entry?.applied).not.toHaveProperty("eventCapacity");
    expect(entry?.uncleared).toEqual({ eventCapacity: 10 });
    project.writes();
    const { exitCode, plan } = await project.plan();
    expect(exitCode).toBe(1);
    expect(plan.operations).toEqual([]);
    expect(plan.changes).toHaveLength(1);
    expect(plan.changes[0]?.edits.map((edit) => edit.path)).toEqual(["/eventCapacity"]);
    expect(plan.changes[0]?.blockedBy).toMatchObject([{ code: "cannot-clear" }]);
    expect((await project.apply("--skip-blocked")).exitCode).toBe(1);
    expect((await project.plan()).plan.changes[0]?.blockedBy).toMatchObject([{ code: "cannot-clear" }]);
    expect(project.writes()).toEqual([]);
  });

  test("another value, the field left out, or emptied by hand: all is well again", async () => {
    await live(profile);
    await project.write("events/jazz.yaml", emptied);
    await project.apply();
    await project.write("events/jazz.yaml", emptied.replace("eventCapacity: null\n", ""));
    expect((await project.plan()).plan.changes).toEqual([]);
    await project.write("events/jazz.yaml", emptied.replace("eventCapacity: null", "eventCapacity: 20"));
    expect((await project.apply()).exitCode).toBe(0);
    expect(row()).toMatchObject({ eventCapacity: 20 });
    // Somebody changed it since: that may be worth another attempt.
    await project.write("events/jazz.yaml", emptied);
    expect((await project.plan()).plan.operations).toHaveLength(1);
  });
});

test("another edit that is refused for its own reason is reported with that reason", async () => {
  await live("clearing=refused");
  await project.write("events/jazz.yaml", emptied.replace("https://example.com/a.jpg", "https://example.com/b.jpg"));
  project.sandbox.control.addFault({ kind: "error-before", status: 422, method: "PATCH", times: 0 });
  const { exitCode, report } = await project.apply();
  expect(exitCode).toBe(1);
  expect(report.outcomes[0]).toMatchObject({ result: "failed", error: { status: 422 } });
  expect(report.outcomes[0]?.error?.code).not.toBe("cannot-clear");
  expect((await project.state()).objects["events/jazz"]).not.toHaveProperty("uncleared");
});

test("fields that the service keeps although it accepts each call alone: the refusal of all together is not quoted", async () => {
  await live("clearing=ignored");
  const both = jazz.replace("eventCapacity: 10", "eventCapacity: null").replace(/endDateTime: .*/, "endDateTime: null");
  await project.write("events/jazz.yaml", both);
  project.sandbox.control.addFault({ kind: "error-before", status: 422, method: "PATCH", times: 1 });
  const { report } = await project.apply();
  expect(report.outcomes[0]?.error).toMatchObject({
    code: "cannot-clear",
    message: "The service does not let `endDateTime`, `eventCapacity` be cleared.",
    requestId: null,
  });
});

test("without state it is reported each time, and exits with 1 each time", async () => {
  await live("clearing=ignored", "state: { backend: none }\n");
  await project.write("events/jazz.yaml", emptied);
  for (const _ of [1, 2]) {
    const { exitCode, report } = await project.apply();
    expect(exitCode).toBe(1);
    expect(report.outcomes[0]).toMatchObject({ result: "failed", error: { code: "cannot-clear" } });
  }
});

test("a field that the service does not show: remembered as emptied however it was said", async () => {
  await live("minimal,clearing=refused");
  await project.write("events/jazz.yaml", jazz.replace("description: One", "description: null"));
  expect((await project.apply()).exitCode).toBe(0);
  expect(row()).toMatchObject({ description: null });
  expect((await project.plan()).plan.changes).toEqual([]);
  await project.write("events/jazz.yaml", emptied);
  expect((await project.apply()).exitCode).toBe(1);
  const { plan } = await project.plan();
  expect(plan.operations).toEqual([]);
  expect(plan.changes[0]?.blockedBy).toMatchObject([{ code: "cannot-clear" }]);
});

test("an update that is refused leaves what was applied before as it was, even where no one can read it", async () => {
  await live("minimal");
  project.sandbox.control.addFault({ kind: "error-before", status: 422, method: "PATCH", times: 0 });
  await project.write("events/jazz.yaml", jazz.replace("description: One", "description: Two"));
  expect((await project.apply()).exitCode).toBe(1);
  expect((await project.state()).objects["events/jazz"]?.applied).toMatchObject({ description: "One" });
  project.sandbox.control.clearFaults();
  await project.write("events/jazz.yaml", jazz);
  expect((await project.plan()).plan.changes).toEqual([]);
});

test("what a service shows as zero once it is cleared is cleared, with and without state", async () => {
  await live("likely");
  rewriteBodies(project.sandbox.service, (body) =>
    body
      .replaceAll('"eventCapacity":null', '"eventCapacity":0')
      .replaceAll('"endDateTime":null', '"endDateTime":"0001-01-01T00:00:00Z"'),
  );
  await project.write("events/jazz.yaml", emptied.replace(/endDateTime.*/, "endDateTime: null"));
  expect((await project.apply()).exitCode).toBe(0);
  expect(row()).toMatchObject({ eventCapacity: null, endDateTime: null });
  expect((await project.plan()).plan.changes).toEqual([]);
  await project.remove(".ticketing/state.default.json");
  expect((await project.plan()).plan.changes).toEqual([]);
});
