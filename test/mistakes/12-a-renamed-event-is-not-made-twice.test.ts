// A renamed event, without state and without a base: the old one is live, with its sales.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { openProject, type Project } from "../stage/open-project.ts";

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const stateless = { "ticketing.yaml": "version: 1\nstate: { backend: none }\n" };

interface Night {
  readonly name: string;
  readonly start?: string;
  readonly more?: readonly string[];
}

function night({ name, start = "2027-03-14T19:00", more = [] }: Night): string {
  return ["status: PUBLISHED", `name: ${name}`, `dateTime: ${start}`, ...more, ""].join("\n");
}

async function project(files: Readonly<Record<string, string>>, profile = ""): Promise<Project> {
  const opened = await openProject({ ...stateless, ...files }, { profile });
  open.push(opened.close);
  return opened;
}

function blocksOf(plan: { changes: readonly { address: string; blockedBy: readonly { code: string }[] }[] }) {
  return plan.changes.flatMap(({ address, blockedBy }) => blockedBy.map(({ code }) => `${address} ${code}`));
}

for (const profile of [
  "likely",
  "strict",
  "lax",
  "hostile",
  "eventRecord=short-in-lists",
  "eventRecord=venue-object",
]) {
  test(`it is asked about, never made a second time: ${profile}`, async () => {
    const jazz = await project({ "events/jazz.yaml": night({ name: "Jazz Night" }) }, profile);
    expect((await jazz.apply()).exitCode).toBe(0);
    const [live] = jazz.sandbox.control.dump().events as unknown as { id: string }[];
    await jazz.write("events/jazz.yaml", night({ name: "Jazz Gala" }));
    jazz.writes();
    const { plan } = await jazz.plan();
    expect(blocksOf(plan)).toEqual(["events/jazz ambiguous-event"]);
    expect(plan.operations).toEqual([]);
    const [block] = plan.changes[0]?.blockedBy ?? [];
    expect(block?.message).toContain(
      `${live?.id} · Jazz Night · Sun 14 Mar 2027 19:00 Asia/Manila (11:00Z) · PUBLISHED`,
    );
    expect(block?.hint).toContain(`\`id: ${live?.id}\``);
    expect(block?.hint).toContain("`renamedFrom: Jazz Night`");
    expect(block?.hint).toContain("`new: true`");
    expect((await jazz.apply("--skip-blocked")).exitCode).toBe(1);
    expect(jazz.writes()).toEqual([]);
    // Each of the fixes settles it.
    await jazz.write("events/jazz.yaml", night({ name: "Jazz Gala", more: ["renamedFrom: Jazz Night"] }));
    expect((await jazz.plan()).plan.operations.map(({ verb }) => verb)).toEqual(["update"]);
    await jazz.write("events/jazz.yaml", night({ name: "Jazz Gala", more: [`id: ${live?.id}`] }));
    expect((await jazz.plan()).plan.operations.map(({ verb }) => verb)).toEqual(["update"]);
    await jazz.write("events/jazz.yaml", night({ name: "Jazz Gala", more: ["new: true"] }));
    expect((await jazz.plan()).plan.operations.map(({ verb }) => verb)).toEqual(["create", "publish"]);
  });
}

describe("what is a lookalike by its start", () => {
  const palace = "venue: { name: Palace, city: Baguio }";

  test("the same instant, in whatever form it is written, at the venue that is meant by name", async () => {
    const jazz = await project({ "events/jazz.yaml": night({ name: "Jazz Night", more: [palace] }) });
    const venues = jazz.sandbox.control.dump().venues as unknown as { id: string; name: string; city: string }[];
    await jazz.apply();
    const [live] = jazz.sandbox.control.dump().events as unknown as { venueId: string }[];
    const other = venues.find(({ id }) => id !== live?.venueId);
    await jazz.write("events/jazz.yaml", night({ name: "Jazz Gala", start: "2027-03-14T11:00:00Z", more: [palace] }));
    expect(blocksOf((await jazz.plan()).plan)).toEqual(["events/jazz ambiguous-event"]);
    // Where one of them shows no venue, the start decides; another venue is another event.
    await jazz.write("events/jazz.yaml", night({ name: "Jazz Gala" }));
    expect(blocksOf((await jazz.plan()).plan)).toEqual(["events/jazz ambiguous-event"]);
    await jazz.write("events/jazz.yaml", night({ name: "Jazz Gala", more: [`venueId: ${other?.id}`] }));
    expect(blocksOf((await jazz.plan()).plan)).toEqual([]);
    await jazz.write("events/jazz.yaml", night({ name: "Jazz Gala", start: "2027-03-14T20:00", more: [palace] }));
    expect(blocksOf((await jazz.plan()).plan)).toEqual([]);
  });

  test("not what is archived, nor what another document means", async () => {
    const jazz = await project({ "events/jazz.yaml": night({ name: "Jazz Night" }) });
    await jazz.apply();
    await jazz.write("events/rock.yaml", night({ name: "Rock Night" }));
    expect((await jazz.plan()).plan.operations.map(({ verb }) => verb)).toEqual(["create", "publish"]);
    await jazz.write("events/jazz.yaml", night({ name: "Jazz Night" }).replace("PUBLISHED", "ARCHIVED"));
    await jazz.apply("--target", "events/jazz");
    await jazz.remove("events/jazz.yaml");
    expect(blocksOf((await jazz.plan()).plan)).toEqual([]);
  });

  test("nothing is asked about a document that makes nothing", async () => {
    const jazz = await project({ "events/jazz.yaml": night({ name: "Jazz Night" }) });
    await jazz.apply();
    await jazz.write("events/jazz.yaml", night({ name: "Jazz Gala" }).replace("PUBLISHED", "DELETED"));
    expect((await jazz.plan()).plan.changes).toEqual([]);
  });

  test("twenty sessions that start together do not hinder each other, whole or half made", async () => {
    const sessions = Array.from({ length: 20 }, (_, index) => `Session ${index}`);
    const files = Object.fromEntries(sessions.map((name, index) => [`events/s${index}.yaml`, night({ name })]));
    for (const profile of ["likely", "eventRecord=short-in-lists"]) {
      const conference = await project(files, profile);
      expect(blocksOf((await conference.plan()).plan)).toEqual([]);
      await conference.apply("--target", "events/s1*");
      expect((await conference.apply()).exitCode).toBe(0);
      expect(conference.sandbox.control.dump().events).toHaveLength(20);
      expect((await conference.plan()).plan.changes).toEqual([]);
    }
  });
});

describe("what it costs", () => {
  async function callsOfOneMore(profile: string): Promise<readonly string[]> {
    const many = await project({}, profile);
    for (let index = 0; index < 30; index++)
      await many.write(
        `events/e${index}.yaml`,
        night({ name: `Night ${index}`, start: `2027-03-14T10:${10 + index}` }),
      );
    await many.apply();
    for (let index = 0; index < 30; index++) await many.remove(`events/e${index}.yaml`);
    await many.write("events/one.yaml", night({ name: "One more" }));
    many.sandbox.control.clearCalls();
    expect((await many.plan()).plan.operations).toHaveLength(2);
    return many.sandbox.control.calls().map(({ method, path }) => `${method} ${path.replace(/[0-9a-f-]{36}/, "ID")}`);
  }

  test("the lists, where they show the start", async () => {
    expect((await callsOfOneMore("takeMax=50,takeAbove=clamped")).filter((call) => call.includes("ID"))).toEqual([]);
  });

  test("one call per event that no document means, where only GET by id shows it", async () => {
    const calls = await callsOfOneMore("eventRecord=short-in-lists");
    expect(calls.filter((call) => call === "GET /events/ID")).toHaveLength(30);
  });

  test("one call in all, where nothing shows it", async () => {
    const calls = await callsOfOneMore("minimal");
    expect(calls.filter((call) => call === "GET /events/ID")).toHaveLength(1);
  });
});

test("one that comes up between plan and apply makes the plan stale", async () => {
  const jazz = await project({ "events/jazz.yaml": night({ name: "Jazz Gala" }) });
  expect((await jazz.plan("--out", "plan.json")).exitCode).toBe(0);
  const other = await project({ "events/jazz.yaml": night({ name: "Jazz Night" }) });
  await other.run(["apply", "--yes"], { env: jazz.env });
  jazz.writes();
  const { exitCode, report } = await jazz.apply("plan.json");
  expect(exitCode).toBe(1);
  expect(JSON.stringify(report.plan.diagnostics)).toContain("start and venue");
  expect(jazz.writes()).toEqual([]);
});

test("status says so as well", async () => {
  const jazz = await project({ "events/jazz.yaml": night({ name: "Jazz Night" }) });
  await jazz.apply();
  await jazz.write("events/jazz.yaml", night({ name: "Jazz Gala" }));
  const status = JSON.parse((await jazz.run(["status", "--format", "json"])).stdout);
  expect(status.events).toMatchObject([{ name: "Jazz Night", managed: null }]);
  expect(status.diagnostics).toMatchObject([{ code: "ambiguous-event", address: "events/jazz" }]);
});

test("the whole list is read before anything unknown is made: a namesake that starts at another time is no end of it", async () => {
  // Lists of one event a page, without starts; the search finds only the wrong namesake.
  const events = [
    { id: "11111111-1111-4111-8111-111111111111", name: "Jazz Night", dateTime: "2027-02-01T11:00:00.000Z" },
    { id: "22222222-2222-4222-8222-222222222222", name: "Rock", dateTime: "2027-02-02T11:00:00.000Z" },
    { id: "33333333-3333-4333-8333-333333333333", name: "Pop", dateTime: "2027-02-03T11:00:00.000Z" },
    { id: "44444444-4444-4444-8444-444444444444", name: "Jazz Night", dateTime: "2027-03-14T11:00:00.000Z" },
  ].map((event) => ({ ...event, status: "PUBLISHED", slug: event.id }));
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://127.0.0.1");
    const path = url.pathname.replace("/open-api/v1", "");
    const answer = (body: unknown) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    if (path === "/me")
      return answer({
        data: {
          apiKey: { id: "k", name: "k", scopes: ["events:read", "events:write", "tickets:read"], expiresAt: null },
          organization: { id: "o", name: "o", slug: "o" },
        },
      });
    const found = events.find(({ id }) => path === `/events/${id}`);
    if (found !== undefined) return answer({ data: found });
    const page = Number(url.searchParams.get("page") ?? 1);
    const all = url.searchParams.get("status") === "PUBLISHED" ? events : [];
    const matching = url.searchParams.has("search") ? all.slice(0, 1) : all;
    const data = matching.slice(page - 1, page).map(({ id, name, status, slug }) => ({ id, name, status, slug }));
    return answer({ data, meta: { page, take: 1, total: matching.length, totalPages: matching.length } });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => new Promise((resolve) => server.close(resolve)));
  const jazz = await project({ "events/jazz.yaml": night({ name: "Jazz Night" }) });
  const env = {
    TICKETING_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/open-api/v1`,
    TICKETING_API_KEY: "a-key-of-some-length",
  };
  const ran = await jazz.run(["plan", "--format", "json"], { env });
  expect(JSON.parse(ran.stdout).changes).toEqual([]);
});

describe("where the service shows no start at all, a renamed event cannot be distinguished from a new one", () => {
  const reported = ({ diagnostics }: { diagnostics: readonly { code: string }[] }) =>
    diagnostics.filter(({ code }) => code === "lookalikes-unknown");

  test("the plan warns and lists what it may be", async () => {
    const jazz = await project({ "events/jazz.yaml": night({ name: "Jazz Night" }) }, "minimal");
    expect(reported((await jazz.plan()).plan)).toEqual([]);
    await jazz.apply();
    const [live] = jazz.sandbox.control.dump().events as unknown as { id: string }[];
    await jazz.write("events/jazz.yaml", night({ name: "Jazz Gala" }));
    const { plan } = await jazz.plan();
    expect(plan.operations.map(({ verb }) => verb)).toEqual(["create", "publish"]);
    expect(reported(plan)).toMatchObject([
      {
        severity: "warning",
        address: "events/jazz",
        message: expect.stringContaining(`${live?.id} · Jazz Night · start not shown · PUBLISHED`),
        hint: expect.stringMatching(new RegExp(`\`id: ${live?.id}\`.*renamedFrom: Jazz Night.*\`new: true\``)),
      },
    ]);
    // Each of the fixes settles it.
    await jazz.write("events/jazz.yaml", night({ name: "Jazz Gala", more: [`id: ${live?.id}`] }));
    const pinned = (await jazz.plan()).plan;
    expect(pinned.operations.map(({ verb }) => verb)).toEqual(["update"]);
    expect(reported(pinned)).toEqual([]);
    await jazz.write("events/jazz.yaml", night({ name: "Jazz Gala", more: ["new: true"] }));
    expect(reported((await jazz.plan()).plan)).toEqual([]);
  });

  test("not of what other documents mean, and five of many", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 8 }, (_, at) => [`events/e${at}.yaml`, night({ name: `Night ${at}` })]),
    );
    const jazz = await project(many, "minimal");
    await jazz.apply();
    await jazz.write("events/one.yaml", night({ name: "One more" }).replace("PUBLISHED", "DRAFT"));
    for (let at = 0; at < 8; at++)
      await jazz.write(`events/e${at}.yaml`, `${night({ name: `Night ${at}` })}id: ${idOf(jazz, at)}\n`);
    expect(reported((await jazz.plan()).plan)).toEqual([]);
    for (let at = 0; at < 7; at++) await jazz.remove(`events/e${at}.yaml`);
    const [warning] = reported((await jazz.plan()).plan) as unknown as { message: string }[];
    expect(warning?.message.split("\n")).toHaveLength(7);
    expect(warning?.message).toContain("and 2 more");
  });

  function idOf({ sandbox }: Project, at: number): string {
    const events = sandbox.control.dump().events as unknown as { id: string; name: string }[];
    return events.find(({ name }) => name === `Night ${at}`)?.id ?? "";
  }
});

describe("a date of a series that is moved and renamed at once", () => {
  const club = (dates = "") =>
    `status: PUBLISHED\nname: "Friday Club: \${var.guest}"\nvars: { guest: Residents }\ndateTime: 22:00\nseries:\n  every: friday\n  from: 2027-01-08\n  until: 2027-01-22\n${dates === "" ? "" : `  dates:\n    2027-01-15: ${dates}\n`}`;
  const to = "dateTime: 2027-01-16T22:00";

  test.each([
    ["by its name", "name: Saturday Club"],
    ["by a variable", "vars: { guest: Ana }"],
  ])("%s", async (_, renamed) => {
    const date = (more = "") => `{ ${more}${to}, ${renamed} }`;
    const jazz = await project({ "events/club.yaml": club() });
    expect((await jazz.apply()).exitCode).toBe(0);
    const rows = () => jazz.sandbox.control.dump().events as unknown as { id: string; dateTime: string }[];
    const live = rows().find(({ dateTime }) => dateTime.startsWith("2027-01-15"));
    await jazz.write("events/club.yaml", club(date()));
    const { plan } = await jazz.plan();
    expect(blocksOf(plan)).toEqual(["events/club@2027-01-15 ambiguous-event"]);
    const [block] = plan.changes.flatMap(({ blockedBy }) => blockedBy);
    expect(block?.message).toContain(`${live?.id} · Friday Club: Residents`);
    expect(block?.hint).toContain(`add \`id: ${live?.id}\` to 2027-01-15 under \`dates\` of its series`);
    expect(block?.hint).toContain("add `new: true` there, or to the file for all its dates");
    await jazz.write("events/club.yaml", club(date(`id: ${live?.id}, `)));
    const { plan: pinned } = await jazz.plan();
    expect(blocksOf(pinned)).toEqual([]);
    expect(pinned.operations.map(({ verb }) => verb)).toEqual(["update"]);
    await jazz.write("events/club.yaml", club(date("new: true, ")));
    expect((await jazz.plan()).plan.operations.map(({ verb }) => verb)).toEqual(["create", "publish"]);
  });
});
