// Each environment has its own ids: what was imported from one can be rehearsed in another.
import { afterEach, describe, expect, test } from "vitest";
import { openProject, type Project } from "../stage/open-project.ts";
import { ticketing } from "../stage/test-world.ts";

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const [one, two] = ["10000000-0000-4000-8000-000000000001", "10000000-0000-4000-8000-000000000002"];
const nowhere = "0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11";

/** A project with the environments production and staging, each a separate service. */
async function project(files: Readonly<Record<string, string>>, profile = ""): Promise<Project> {
  const opened = await openProject(files, { profile });
  const staging = await openProject({});
  open.push(opened.close, staging.close);
  const environment = ({ sandbox }: Project, key: string) => `{ baseUrl: "${sandbox.baseUrl}", apiKeyEnv: ${key} }`;
  await opened.write(
    "ticketing.yaml",
    [
      "version: 1",
      "defaultEnvironment: sandbox",
      "secrets: { sink: file, path: .ticketing/secrets.json }",
      "environments:",
      `  production: ${environment(opened, "TICKETING_API_KEY")}`,
      `  staging: ${environment(staging, "STAGING_KEY")}`,
      "",
    ].join("\n"),
  );
  const env = { TICKETING_API_KEY: opened.sandbox.apiKey, STAGING_KEY: staging.sandbox.apiKey };
  const run: Project["run"] = (argv, world = {}) => ticketing([...argv, "-C", opened.directory], { env, ...world });
  return {
    ...opened,
    run,
    async plan(...flags) {
      const ran = await run(["plan", "--format", "json", ...flags]);
      return { ...ran, plan: JSON.parse(ran.stdout) };
    },
    async apply(...flags) {
      const ran = await run(["apply", "--yes", "--settle", "0", "--format", "json", ...flags]);
      return { ...ran, report: JSON.parse(ran.stdout) };
    },
  };
}

function live(more: object = {}) {
  const event = {
    id: one,
    name: "Jazz Night",
    dateTime: "2027-03-14T11:00:00.000Z",
    slug: "jazz-night",
    status: "PUBLISHED",
  };
  return { events: [{ ...event, ...more }] } as never;
}

describe("a pin per environment", () => {
  test("holds in the environment that it names, and in no other", async () => {
    const jazz = await project({
      "events/jazz.yaml": `id: { production: ${one} }\nname: Jazz Gala\ndateTime: 2027-03-21T19:00\n`,
    });
    jazz.sandbox.control.seed(live());
    const there = (await jazz.plan("--env", "production")).plan;
    expect(there.changes).toMatchObject([{ address: "events/jazz", action: "update", id: one }]);
    for (const environment of ["staging", "sandbox"]) {
      const { plan } = await jazz.plan("--env", environment);
      expect(plan.changes).toMatchObject([{ address: "events/jazz", action: "create", blockedBy: [] }]);
      expect(plan.diagnostics.filter(({ code }) => code === "pin-not-here")).toEqual([]);
    }
  });

  test("that is gone blocks where it holds", async () => {
    const jazz = await project({ "events/jazz.yaml": `id: { production: ${one}, staging: ${two} }\nname: Jazz\n` });
    jazz.sandbox.control.seed(live({ name: "Jazz" }));
    expect((await jazz.plan("--env", "production")).plan.changes).toEqual([]);
    const { plan } = await jazz.plan("--env", "staging");
    expect(plan.changes[0]?.blockedBy).toMatchObject([
      { code: "pinned-id-missing", message: expect.stringContaining(two), hint: expect.not.stringContaining("file") },
    ]);
  });

  test("that is gone on one date of a series names the date", async () => {
    const dates = `dates: { 2027-03-19: { id: { staging: ${two} } } }`;
    const series = `series: { every: friday, from: 2027-03-12, count: 2, ${dates} }`;
    const club = await project({ "events/club.yaml": `name: Club\ndateTime: 22:00\n${series}\n` });
    const { plan } = await club.plan("--env", "staging");
    expect(plan.changes.flatMap(({ blockedBy }) => blockedBy)).toMatchObject([
      { code: "pinned-id-missing", message: expect.stringContaining('"Club" (2027-03-19) is pinned to the id') },
    ]);
  });

  test("is what advice offers, because a plain id would count for the other services, too", async () => {
    const event = "name: Jazz Gala\ndateTime: 2027-03-14T19:00\nlocationType: ONLINE\n";
    const jazz = await project({ "events/jazz.yaml": `${event}renamedFrom: Jaz Night\n` });
    jazz.sandbox.control.seed(live());
    const blockOf = async (env: string) => (await jazz.plan("--env", env)).plan.changes[0]?.blockedBy[0];
    expect((await blockOf("production"))?.hint).toBe(
      `If that is the event you mean, add \`id: { production: ${one} }\` to the file (or correct the line to \`renamedFrom: Jazz Night\`); if this is a different event, add \`new: true\`.`,
    );
    await jazz.write("events/jazz.yaml", `${event}id: ${one}\n`);
    expect((await blockOf("staging"))?.hint).toContain(`write \`id: { NAME: ${one} }\``);
    await jazz.write("events/jazz.yaml", `${event}id: { staging: ${two} }\n`);
    expect((await blockOf("production"))?.hint).toContain("add its id to the map `id` in the file, under the name");
    await jazz.write("events/jazz.yaml", `${event}id: { production: ${one} }\n`);
    expect(await blockOf("production")).toBeUndefined();
    expect(await blockOf("staging")).toBeUndefined();
  });

  test("holds for ticket types as well", async () => {
    const ticket = `tickets:\n  - { id: { production: ${two} }, name: Gold, price: 900, quantity: 10, published: false }\n`;
    const jazz = await project({
      "events/jazz.yaml": `id: { production: ${one} }\nname: Jazz Night\ndateTime: 2027-03-14T19:00\n${ticket}`,
    });
    const vip = { id: two, name: "VIP", price: 900, quantity: 10, remainingQuantity: 10, published: false };
    jazz.sandbox.control.seed(live({ tickets: [vip] }));
    const { plan } = await jazz.plan("--env", "production");
    expect(plan.changes).toMatchObject([
      { kind: "ticket", action: "update", edits: [{ path: "/name", after: "Gold" }] },
    ]);
    expect((await jazz.plan("--env", "sandbox")).plan.changes).toMatchObject([
      { action: "create" },
      { action: "create" },
    ]);
  });

  test("is no reason to make something without what it needs", async () => {
    const jazz = await project({ "events/jazz.yaml": `id: { production: ${one} }\nname: Jazz\n` });
    expect((await jazz.run(["validate"])).exitCode).toBe(0);
    const { plan, exitCode } = await jazz.plan("--env", "staging");
    expect(exitCode).toBe(1);
    expect(plan.operations).toEqual([]);
    expect(plan.changes[0]?.blockedBy).toMatchObject([
      { code: "missing-field", message: expect.stringContaining("`dateTime`") },
    ]);
  });
});

describe("validate", () => {
  async function problems(...ids: readonly string[]) {
    const files = ids.map((id, index) => [
      `events/e${index}.yaml`,
      `name: Night ${index}\ndateTime: 2027-03-14T19:00\nvenueId: ${nowhere}\n${id}\n`,
    ]);
    const checked = await project(Object.fromEntries(files));
    const { diagnostics } = JSON.parse((await checked.run(["validate", "--format", "json"])).stdout);
    return diagnostics.filter(({ severity }: { severity: string }) => severity === "error");
  }

  test("names the environment that was meant", async () => {
    expect(await problems(`id: { prodution: ${one} }`)).toMatchObject([
      {
        code: "unknown-environment",
        message: 'There is no environment "prodution".',
        hint: "Did you mean production?",
        source: { file: "events/e0.yaml", line: 4, column: 7 },
      },
    ]);
  });

  test("refuses what is not an id, at its place", async () => {
    expect(await problems("id: { production: abc }")).toMatchObject([
      { code: "bad-id", source: { line: 4, column: 19 } },
    ]);
    expect(await problems("id: abc")).toMatchObject([{ code: "bad-id", source: { line: 4, column: 5 } }]);
    expect(await problems("id: {}")).toHaveLength(1);
  });

  test("refuses two documents that pin one id in one environment", async () => {
    const twice = await problems(`id: { production: ${one} }`, `id: { production: ${one}, staging: ${two} }`);
    expect(twice).toMatchObject([{ code: "pinned-twice", message: expect.stringContaining(one) }]);
    expect(await problems(`id: ${one}`, `id: { staging: ${one} }`)).toMatchObject([{ code: "pinned-twice" }]);
    expect(await problems(`id: { production: ${one} }`, `id: { staging: ${one} }`)).toEqual([]);
  });
});

describe("in the embedded sandbox", () => {
  test("a plain id that is not there is no pin, and that is said", async () => {
    const ticket = `tickets:\n  - { id: ${two}, name: GA, price: 900, quantity: 10, published: true }\n`;
    const jazz = await project({
      "events/jazz.yaml": `id: ${one}\nname: Jazz Night\ndateTime: 2027-03-14T19:00\nstatus: PUBLISHED\n${ticket}`,
    });
    const { plan, exitCode } = await jazz.plan();
    expect(exitCode).toBe(0);
    expect(plan.changes.map(({ action }) => action)).toEqual(["create", "create"]);
    expect(plan.diagnostics.filter(({ code }) => code === "pin-not-here")).toMatchObject([
      { severity: "info", address: "events/jazz", message: expect.stringContaining(one) },
    ]);
    expect((await jazz.apply("--env", "sandbox")).exitCode).toBe(0);
    expect((await jazz.plan()).plan.changes).toEqual([]);
    // Elsewhere it still is one.
    expect((await jazz.plan("--env", "staging")).plan.changes[0]?.blockedBy).toMatchObject([
      { code: "pinned-id-missing" },
    ]);
  });

  test("an id that is written for it is a pin", async () => {
    const jazz = await project({
      "events/jazz.yaml": `id: { sandbox: ${one} }\nname: Jazz Night\ndateTime: 2027-03-14T19:00\n`,
    });
    const { plan } = await jazz.plan();
    expect(plan.changes[0]?.blockedBy).toMatchObject([
      {
        code: "pinned-id-missing",
        hint: expect.stringContaining("or the sandbox was reset, remove `id` (the event is then found"),
      },
    ]);
  });
});

describe("import", () => {
  const files = {
    "events/jazz.yaml": [
      "status: PUBLISHED",
      "name: Jazz Night",
      "dateTime: 2027-03-14T19:00",
      "venue: { name: Palace, city: Baguio }",
      "tickets:",
      "  - { name: GA, section: A, price: 900, quantity: 10, published: true }",
      "  - { name: GA, section: B, price: 900, quantity: 10, published: false }",
      "performers: [{ name: DJ Ana }]",
      "schedules:",
      "  - { title: Set, startTime: 2027-03-14T20:00, endTime: 2027-03-14T21:00, performer: DJ Ana }",
      "",
    ].join("\n"),
  };

  for (const profile of ["likely", "strict", "lax"]) {
    test(`can be rehearsed in the sandbox, and is nothing new where it came from: ${profile}`, async () => {
      const source = await project(files, profile);
      expect((await source.apply("--env", "production")).exitCode).toBe(0);
      const into = await project({}, profile);
      await into.write("ticketing.yaml", await source.read("ticketing.yaml"));
      const env = { TICKETING_API_KEY: source.sandbox.apiKey };
      const run = (...argv: string[]) => into.run(argv, { env });
      expect(await run("import", "--all", "--env", "production")).toMatchObject({ exitCode: 0 });
      const text = await into.read("events/jazz-night.yaml");
      expect(text).toMatch(/^id: \{ production: [0-9a-f-]{36} \}$/m);
      expect(await run("validate")).toMatchObject({ exitCode: 0 });
      const planned = async (environment: string) =>
        JSON.parse((await run("plan", "--env", environment, "--format", "json")).stdout);
      expect((await planned("production")).changes).toEqual([]);
      // A venue of that service, which the sandbox does not know.
      const venue = await into.read("events/jazz-night.yaml");
      await into.write("events/jazz-night.yaml", venue.replace(/^venueId: \S+/m, `venueId: ${nowhere}`));
      expect((await planned("sandbox")).summary).toMatchObject({ create: expect.any(Number), blocked: 0 });
      expect(await run("apply", "--env", "sandbox", "--yes", "--settle", "0")).toMatchObject({ exitCode: 0 });
      expect((await planned("sandbox")).changes).toEqual([]);
      await into.write("events/jazz-night.yaml", venue);
      expect((await planned("production")).changes).toEqual([]);
    });
  }

  test("of a service that shows little validates, and says what the sandbox would need to make it", async () => {
    const source = await project(files, "minimal");
    await source.apply("--env", "production");
    await source.remove("events/jazz.yaml");
    expect(await source.run(["import", "--all", "--env", "production"])).toMatchObject({ exitCode: 0 });
    expect(await source.run(["validate"])).toMatchObject({ exitCode: 0 });
    expect((await source.plan("--env", "production")).plan.changes).toEqual([]);
    const { plan } = await source.plan("--env", "sandbox");
    expect(new Set(plan.changes.flatMap(({ blockedBy }) => blockedBy.map(({ code }) => code)))).toEqual(
      new Set(["missing-field"]),
    );
  });

  test("adds the id of another environment next to those that the file has", async () => {
    const jazz = await project({
      "events/jazz.yaml": `id: { production: ${two} } # ours\nname: Jazz Night\ndateTime: 2027-03-14T19:00\n`,
    });
    await jazz.apply("--env", "staging");
    expect(await jazz.run(["import", "--all", "--env", "staging"])).toMatchObject({ exitCode: 0 });
    expect(await jazz.read("events/jazz.yaml")).toMatch(
      new RegExp(`^id: \\{ production: ${two}, staging: [0-9a-f-]{36} \\} # ours$`, "m"),
    );
  });
});

test("a project that names no environments is pinned in none of those that its files name", async () => {
  const file = `id: { production: ${nowhere} }\nname: Jazz Night\ndateTime: 2027-03-14T19:00\n`;
  const plain = await openProject({ "events/jazz-night.yaml": file });
  open.push(plain.close);
  plain.sandbox.control.seed(live());
  const { exitCode, plan } = await plain.plan();
  expect(exitCode).toBe(0);
  expect(plan.changes).toEqual([]);
  expect(plan.diagnostics).toMatchObject([
    {
      code: "pin-not-here",
      severity: "warning",
      message: expect.stringContaining('"production"'),
      source: { line: 1 },
    },
  ]);
});
