// Safeguards are reviewed like any change: what a merge loosens without a plan that shows it is not in force.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { gitCalls } from "../stage/git-calls.ts";
import { draft, type FileEdits, type Job, type JobRan, type Loop, manilaNights, openLoop } from "./hosted-loop.ts";

let loop: Loop;
afterEach(async () => loop.close());

const apply = (...flags: readonly string[]) => loop.ci(["ci", "apply", ...flags]);

async function began(settings = "", files: FileEdits = {}): Promise<void> {
  loop = await openLoop("github", settings);
  loop.commit(files);
  const ran = await apply();
  expect(ran.exitCode, ran.stderr + ran.stdout).toBe(0);
  loop.takeCalls();
}

/** Applied after it was merged without a plan. */
async function slipped(files: FileEdits): Promise<JobRan> {
  loop.merge(loop.openPullRequest(files));
  return apply();
}

async function planned(files: FileEdits): Promise<number> {
  const pullRequest = loop.openPullRequest(files);
  const ran = await loop.ci(["ci", "plan"], { pullRequest });
  expect(ran.stderr).not.toContain("comment-not-posted");
  return pullRequest;
}

async function reviewed(files: FileEdits, job: Job = {}): Promise<JobRan> {
  loop.merge(await planned(files));
  return loop.ci(["ci", "apply"], job);
}

/** A line that makes a plan, and changes nothing. */
const another: FileEdits = { "events/manila-nights.yaml": `# Looked at.\n${manilaNights(1500)}` };

const settingsWith = (more: string, state = "{ backend: git }"): FileEdits => ({
  "ticketing.yaml": `version: 1
organization: acme-live
state: ${state}
environments:
  production: { baseUrl: "${loop.sandbox.baseUrl}", apiKeyEnv: TICKETING_API_KEY }
${more}`,
});

const writes = () => loop.takeCalls().filter((call) => /^(POST|PATCH|PUT|DELETE) /.test(call));

function expectHeld(ran: JobRan, words: string): void {
  const said = ran.stdout.replace(/\s+/g, " ");
  expect(ran.exitCode, ran.stdout + ran.stderr).toBe(1);
  expect(writes()).toEqual([]);
  expect(said).toContain("[guards-held]");
  expect(said).toContain(words);
  expect(ran.summary).toContain("guards-held");
}

function expectDone(ran: JobRan, calls: readonly RegExp[]): void {
  expect(ran.exitCode, ran.stdout + ran.stderr).toBe(0);
  expect(writes()).toEqual(calls.map((call) => expect.stringMatching(call)));
}

const gala = draft("Gala", 100);

describe("loosened by a merge that no plan showed: not in force, and nothing that it would let pass is sent", () => {
  test("`review`, which would let everything pass; the plan of a later pull request shows it, and it counts", async () => {
    await began();
    const held = await slipped({
      ...settingsWith("review: { unreviewed: apply }\n"),
      "events/manila-nights.yaml": manilaNights(1),
    });
    expectHeld(held, "`review.unreviewed` is apply, was hold.");
    // Every later run goes by what was reviewed, too, whatever was pushed since.
    loop.commit({ "README.md": "Hello" });
    expectHeld(await apply(), "`review.unreviewed` is apply, was hold.");
    const next = await planned({ "events/manila-nights.yaml": manilaNights(1, "# Looked at.\n") });
    expect(loop.comments(next)[0]).toContain("An earlier merge changed safeguards");
    expect(loop.comments(next)[0]).toContain("`review.unreviewed` is apply, was hold");
    loop.merge(next);
    expectDone(await apply(), [/^PATCH .*\/tickets\//]);
  });

  test("`allow` of the project", async () => {
    await began("", { "events/gala.yaml": gala });
    expect((await reviewed({ "events/gala.yaml": null })).stdout).toContain("delete-event");
    const held = await slipped(settingsWith("allow: [delete-event]\n"));
    expectHeld(held, "`allow` in ticketing.yaml now accepts `delete-event`.");
    expectDone(await reviewed(another), [/^DELETE .*\/events\//]);
  });

  test("`allow` and `protected` of an event", async () => {
    await began("", { "events/gala.yaml": `${gala}protected: true\n` });
    const deleted = `${gala}status: DELETED\n`;
    expect((await reviewed({ "events/gala.yaml": `${deleted}protected: true\n` })).exitCode).toBe(1);
    const held = await slipped({ "events/gala.yaml": `${deleted}allow: [delete-event]\n` });
    expectHeld(held, "`protected` of events/gala is not set, was true; `allow` of events/gala now accepts");
    expectDone(await reviewed(another), [/^DELETE .*\/events\//]);
  });

  test("`maxDeletes`", async () => {
    const names = ["A", "B"];
    const all = [...names, "C", "D"];
    const files = Object.fromEntries(all.map((name) => [`events/${name}.yaml`, draft(`Party ${name}`, 100)]));
    await began("allow: [delete-event]\nmaxDeletes: 1\n", files);
    const none = Object.fromEntries(names.map((name) => [`events/${name}.yaml`, null]));
    expect((await reviewed(none)).stdout).toContain("too-many-deletes");
    const held = await slipped(settingsWith("allow: [delete-event]\nmaxDeletes: 60\n"));
    expectHeld(held, "`maxDeletes` is 60, was 1.");
    expectDone(
      await reviewed(another),
      names.map(() => /^DELETE .*\/events\//),
    );
  });

  test("`state`, which would forget what is held: an error, also in the run after the next push", async () => {
    await began();
    const held = await slipped({
      ...settingsWith("", "{ backend: none }"),
      "events/manila-nights.yaml": manilaNights(1),
    });
    expectHeld(
      held,
      "error[guards-held] No reviewed plan shows these changed safeguards, so nothing was sent: `state` is",
    );
    loop.commit({ "README.md": "Hello" });
    expectHeld(await apply(), "nothing was sent: `state` is `{ backend: none }`, was");
    // Taken back, and made again where a plan shows it.
    expect((await slipped(settingsWith(""))).exitCode).toBe(1);
    expect(writes()).toEqual([]);
    const again = await reviewed(settingsWith("", "{ backend: none }"));
    expect(again.stdout).not.toContain("guards-held");
  });
});

test("loosened where the plan of its own pull request shows it: in force at once", async () => {
  await began("", { "events/gala.yaml": gala });
  expect((await reviewed({ "events/gala.yaml": null })).exitCode).toBe(1);
  expectDone(await reviewed(settingsWith("allow: [delete-event]\n")), [/^DELETE .*\/events\//]);
});

test("a project that is moved with its state: what it accepts waits for a plan, and its state was kept nowhere else", async () => {
  await began("allow: [delete-event]\n", { "events/gala.yaml": gala });
  const state = loop.stateCommit() ?? "";
  gitCalls(loop.remote, [], [["update-ref", "refs/ticketing/office/production", state]]);
  const files = ["ticketing.yaml", "events/manila-nights.yaml", "events/gala.yaml"];
  loop.checkoutMain();
  const text = (file: string) => readFileSync(join(loop.author, file), "utf8");
  const moved = Object.fromEntries(
    files.flatMap((file) => [[file, null] as const, [`office/${file}`, text(file)] as const]),
  );
  loop.merge(loop.openPullRequest(moved));
  const ran = await loop.ci(["ci", "apply"], { folder: "office" });
  expect(ran.stdout + ran.stderr).not.toContain("`state` is");
  expectHeld(ran, "`allow` in ticketing.yaml now accepts `delete-event`");
});

describe("an event whose file was renamed keeps its safeguards, unless a plan shows that they change", () => {
  const unguarded = `${gala}allow: [delete-event]\n`;

  test("in the merge that renamed it, and in the plan of a later pull request", async () => {
    await began("", { "events/gala.yaml": `${gala}protected: true\n` });
    const held = await slipped({ "events/gala.yaml": null, "events/ball.yaml": unguarded });
    expectHeld(
      held,
      "`protected` of events/ball is not set, was true; `allow` of events/ball now accepts `delete-event`.",
    );
    const next = await planned({ "events/ball.yaml": null, "events/fete.yaml": unguarded });
    expect(loop.comments(next)[0]).toContain("`protected` of events/fete is not set, was true");
  });

  test("in the plan of the pull request that renames it, the event too, and pins it to its id", async () => {
    await began("", { "events/gala.yaml": `${gala}protected: true\n` });
    const events = loop.sandbox.service.dump().events as unknown as readonly { id: string; name: string }[];
    const id = events.find(({ name }) => name === "Gala")?.id;
    const ball = `id: ${id}\n${unguarded.replace("Gala", "Ball").replace("T19", "T18")}`;
    const own = await planned({ "events/gala.yaml": null, "events/ball.yaml": ball });
    expect(loop.comments(own)[0]).toContain(
      "This changes the safeguards of this environment: `protected` of events/ball is not set, was true; `allow` of",
    );
  });

  test("and where they stay, nothing is said of them", async () => {
    await began("", { "events/gala.yaml": `${gala}protected: true\nallow: [delete-event]\n` });
    const own = await planned({ "events/gala.yaml": null, "events/ball.yaml": `${unguarded}protected: true\n` });
    expect(loop.comments(own)[0]).not.toContain("guards-changed");
  });
});

describe("a default branch with errors, which a pull request corrects", () => {
  const said = async (main: FileEdits, files: () => FileEdits) => {
    await began("maxDeletes: 1\n", { "events/gala.yaml": `${gala}protected: true\n` });
    loop.commit(main);
    return (loop.comments(await planned(files()))[0] ?? "").replace(/<br>\s+/g, " ");
  };

  test("in the project file: nothing is said of what it had, and it may be compared once that is merged", async () => {
    const comment = await said({ "ticketing.yaml": "version: [" }, () => settingsWith("maxDeletes: 30\n"));
    expect(comment).toContain(
      "The files at the base revision have errors, so it is not certain which safeguards of this environment change. These may be changes: `maxDeletes` is 30; `state` is `{ backend: git, remote: origin }`. **fix:** Check this",
    );
    expect(comment).toContain(
      'The environment "production" cannot be compared: ticketing.yaml has errors at the base revision, and an API key is set, so nothing was sent. **fix:** Merge this change to ticketing.yaml in a separate pull request first',
    );
    expect(comment).not.toMatch(/was 5|file \}|does not exist|--base/);
    expect(comment).toContain("**fix:** Correct them on origin/main first, in a separate pull request.");
  });

  test("in the file of an event: what it accepts is said, although nothing is known of before", async () => {
    const comment = await said({ "events/gala.yaml": "name: [" }, () => ({
      "events/gala.yaml": `${gala}allow: [delete-event]\n`,
    }));
    expect(comment).toContain(
      "These may be changes: `allow` of events/gala now accepts `delete-event`. **fix:** Check this",
    );
    expect(comment).toContain("An earlier merge changed safeguards");
  });
});

test("--unreviewed apply puts all in force", async () => {
  await began("", { "events/gala.yaml": gala });
  loop.merge(loop.openPullRequest({ ...settingsWith("allow: [delete-event]\n"), "events/gala.yaml": null }));
  expectDone(await apply("--unreviewed", "apply"), [/^DELETE .*\/events\//]);
  expectDone(await apply(), []);
});

test("what only forbids more is in force at once, and so is what accepts a part of what was accepted", async () => {
  await began("allow: [delete-event, price-change-with-sales]\n", { "events/gala.yaml": gala });
  const stricter = await slipped({
    ...settingsWith("allow: [{ risk: delete-event, event: gala, until: 2027-06-01 }]\nmaxDeletes: 3\n"),
    "events/gala.yaml": `${gala}protected: true\n`,
  });
  expectDone(stricter, []);
  expect(stricter.stdout).toContain("Nothing to do: this only forbids more.");
  expect((await reviewed({ "events/gala.yaml": null })).stdout).toContain("protected");
  expect(writes()).toEqual([]);
});

test("nothing is applied beside it with `review: { unreviewed: stop }`", async () => {
  await began("review: { unreviewed: stop }\n");
  loop.merge(await planned({ "events/gala.yaml": gala }));
  expectHeld(
    await slipped(settingsWith("review: { unreviewed: hold }\n")),
    "so nothing was sent: `review.unreviewed` is hold, was stop.",
  );
});

test("what a phase accepts is reviewed with its file, before it begins", async () => {
  await began();
  const phased = (allow: string) =>
    manilaNights(
      1500,
      `phases:\n  - { from: 2027-02-01T00:00, allow: [${allow}], tickets: [{ name: GA, price: 1600 }] }\n`,
    );
  // Something stays blocked: no run is complete.
  const missing = `id: 99999999-9999-4999-8999-999999999999\n${gala}`;
  expect(
    (await reviewed({ "events/manila-nights.yaml": phased("price-change-with-sales"), "events/gala.yaml": missing }))
      .exitCode,
  ).toBe(1);
  loop.clock.now = Date.parse("2027-02-02T00:00:00Z");
  const due = await apply();
  expect(due.stdout).not.toContain("guards-held");
  expect(writes()).toEqual([expect.stringMatching(/^PATCH .*\/tickets\//)]);
  const held = await slipped({
    "events/manila-nights.yaml": phased("price-change-with-sales, venue-change-with-sales"),
    "events/gala.yaml": `${missing}allow: [delete-event]\n`,
  });
  // The event is newer than what was applied last without a failure.
  const words = (event: string, risk: string) => `\`allow\` of events/${event} now accepts \`${risk}\``;
  expectHeld(held, words("manila-nights", "venue-change-with-sales"));
  expectHeld(held, words("gala", "delete-event"));
});
