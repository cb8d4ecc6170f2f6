// What one project applied, another one adopts: whatever the service makes of what it is sent, the plan after the import is empty.
import { cpSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { profiles, startSandbox } from "../../../src/sandbox/index.ts";
import { openProject } from "../../stage/open-project.ts";
import { type Ran, ticketing } from "../../stage/test-world.ts";

const now = () => Date.parse("2027-01-10T00:00:00Z");
const examples = join(import.meta.dirname, "..", "..", "..", "examples");

test.each(Object.keys(profiles))("the festival, applied and adopted under the profile %s", async (profile) => {
  const sandbox = await startSandbox({ now, profile });
  const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  const run = (folder: string, ...argv: readonly string[]): Promise<Ran> =>
    ticketing([...argv, "-C", folder], { env, now });
  try {
    const first = mkdtempSync(join(tmpdir(), "ticketing-first-"));
    cpSync(join(examples, "festival"), first, { recursive: true });
    expect((await run(first, "apply", "--yes", "--settle", "0.05")).exitCode).toBe(0);

    const second = mkdtempSync(join(tmpdir(), "ticketing-second-"));
    expect((await run(second, "import", "--all", "--webhooks")).exitCode).toBe(0);
    expect(readdirSync(join(second, "events"))).toEqual(["bayside-sounds-2027.yaml"]);
    expect(await run(second, "validate")).toMatchObject({ exitCode: 0 });
    expect(await run(second, "plan", "--detailed-exitcode")).toMatchObject({ exitCode: 0 });

    // The project that made it gets the id and nothing else: what the service keeps in another shape, state remembers as sent.
    const event = join(first, "events", "bayside-sounds.yaml");
    const before = readFileSync(event, "utf8");
    expect((await run(first, "import", "--all", "--webhooks")).exitCode).toBe(0);
    expect(readFileSync(event, "utf8").replace(/^id: { default: [0-9a-f-]{36} }\n/m, "")).toBe(before);
    expect(await run(first, "plan", "--detailed-exitcode")).toMatchObject({ exitCode: 0 });
  } finally {
    await sandbox.close();
  }
});

test("a series is not pinned to one of its dates, nor changed by what one of them is like: what to write for it is shown", async () => {
  const series = "{ every: friday, from: 2027-02-05, count: 3 }";
  const tickets =
    "[{ name: Door, price: 500, quantity: 100, published: true }, { name: VIP, price: 900, quantity: 9, published: true }]";
  const text = `name: Club\ndateTime: 22:00\nlocationType: ONLINE\ndescription: All night.\ntickets: ${tickets}\nseries: ${series}\n`;
  const project = await openProject({ "events/club.yaml": text });
  try {
    expect((await project.apply()).exitCode).toBe(0);
    expect(await project.run(["import", "--all"])).toMatchObject({ exitCode: 0 });
    expect(await project.read("events/club.yaml")).toBe(text);
    expect((await project.plan()).plan.changes).toEqual([]);

    const { objects } = await project.state();
    const id = String(objects["events/club@2027-02-12"]?.id);
    const patch = (path: string, body: object) =>
      fetch(`${project.sandbox.baseUrl}/events/${id}${path}`, {
        method: "PATCH",
        headers: { "api-key": project.sandbox.apiKey, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    await patch("", { description: "Until two." });
    await patch(`/tickets/${objects["events/club@2027-02-12/tickets/Door"]?.id}`, { price: 600 });
    const again = await project.run(["import", id]);
    expect(again.exitCode).toBe(0);
    expect(again.stderr).toMatch(/^notice\[cannot-update-in-place\] .*events\/club@2027-02-12 differs /);
    expect((await project.run(["import", "club@2027-02-12"])).stderr).toBe(again.stderr);
    expect((await project.run(["import", "events/club@2027-02-12"])).stderr).toBe(again.stderr);
    expect(await project.read("events/club.yaml")).toBe(text);
    const entry = "2027-02-12: { description: Until two., tickets: [{ name: Door, price: 600 }] }";
    expect(again.stderr).toContain(`\`${entry}\`. If the date is there already, add only these fields.`);
    await project.write("events/club.yaml", text.replace("count: 3", `count: 3, dates: { ${entry} }`));
    expect((await project.plan()).plan.changes).toEqual([]);
  } finally {
    await project.close();
  }
});

test("the line for one date of a series holds no secret, and its new venue in place of the old", async () => {
  const text = [
    "name: Club",
    "dateTime: 22:00",
    "venue: Session Hall",
    "imageUrl: https://images.example/club.jpg",
    "description: All night.",
    "series: { every: friday, from: 2027-02-05, count: 2 }",
    "",
  ].join("\n");
  const project = await openProject({ "events/club.yaml": text });
  try {
    expect(await project.apply()).toMatchObject({ exitCode: 0 });
    const { objects } = await project.state();
    const id = String(objects["events/club@2027-02-12"]?.id);
    const call = (path: string, init: RequestInit = {}) =>
      fetch(`${project.sandbox.baseUrl}${path}`, {
        ...init,
        headers: { "api-key": project.sandbox.apiKey, "content-type": "application/json" },
      });
    const { data: found } = (await (await call("/venues/search?query=Foundry")).json()) as { data: { id: string }[] };
    const venueId = found[0]?.id;
    const patch = (body: object) => call(`/events/${id}`, { method: "PATCH", body: JSON.stringify(body) });
    expect((await patch({ venueId, description: "Until two." })).status).toBe(200);
    const { stderr } = await project.run(["import", id]);
    const [, entry = ""] = /add under `series.dates`: `(.*)`\. If the date/.exec(stderr) ?? [];
    await project.write("events/club.yaml", text.replace("count: 2", `count: 2, dates: { ${entry} }`));
    expect((await project.plan()).plan.changes).toEqual([]);

    await patch({ imageUrl: "https://images.example/club.jpg?X-Amz-Signature=0123456789abcdef0123456789abcdef" });
    const signed = await project.run(["import", id]);
    expect(signed.stderr).toContain("Write what is live under `series.dates`");
    expect(signed.stderr).not.toMatch(/imageUrl|Signature/);
  } finally {
    await project.close();
  }
});

test.each(["DRAFT", "ARCHIVED"])(
  "the line for a date whose fields a phase has set has an effect: %s",
  async (status) => {
    const now = () => Date.parse("2027-01-10T00:30:20Z");
    const phase = "{ from: -6w at 10:00, status: PUBLISHED, tickets: [{ name: GA, price: 550 }] }";
    const tickets = "tickets: [{ name: GA, price: 500, quantity: 9, published: true }]";
    const text = `name: Club\nstatus: DRAFT\ndateTime: 22:00\nlocationType: ONLINE\n${tickets}\nphases: [${phase}]\nseries: { every: friday, from: 2027-02-05, count: 2 }\n`;
    const project = await openProject({ "events/club.yaml": text }, { now });
    try {
      expect((await project.run(["apply", "--yes", "--settle", "0"], { now })).exitCode).toBe(0);
      const id = String((await project.state()).objects["events/club@2027-02-05"]?.id);
      await project.sandbox.service.call("POST", `/events/${id}/${status === "DRAFT" ? "unpublish" : "archive"}`, {});
      const { stderr } = await project.run(["import", id], { now });
      const [, entry = ""] = /add under `series.dates`: `(.*)`\. If the date/.exec(stderr) ?? [];
      expect(entry).toBe(`2027-02-05: { phases: [{ from: 2027-01-10T08:30, status: ${status} }] }`);
      await project.write("events/club.yaml", text.replace("count: 2", `count: 2, dates: { ${entry} }`));
      const { stdout } = await project.run(["plan", "--format", "json"], { now });
      expect(JSON.parse(stdout).changes).toEqual([]);
      if (status === "ARCHIVED") return;
      // `name` in a phase is the name of the phase.
      await project.write("events/club.yaml", text);
      await project.sandbox.service.call("PATCH", `/events/${id}`, { name: "Late Club" });
      const renamed = await project.run(["import", id], { now });
      expect(renamed.stderr).toContain("Write what is live under `series.dates`");
    } finally {
      await project.close();
    }
  },
);

const early = "{ name: Early, from: -1w, tickets: [{ name: VIP, soldOut: true }] }";
const capacity = "{ name: Late, from: 2027-02-01T10:00, eventCapacity: 90 }";

test.each([
  [
    "the zone",
    {},
    "",
    { timezone: "Asia/Tokyo" },
    "2027-02-12: { dateTime: 2027-02-12T23:00, endDateTime: 2027-02-13T05:00, timezone: Asia/Tokyo, schedules: [{ title: Doors, startTime: 2027-02-12T23:00, endTime: 2027-02-13T00:00 }] }",
  ],
  [
    "the start, and nothing that counts from it",
    {},
    "",
    { dateTime: "2027-02-12T13:30:00Z" },
    "2027-02-12: { dateTime: 2027-02-12T21:30, endDateTime: 2027-02-13T04:00, schedules: [{ title: Doors, startTime: 2027-02-12T22:00, endTime: 2027-02-12T23:00 }] }",
  ],
  [
    "the end, on a date that has an entry",
    {},
    ", dates: { 2027-02-12: { tickets: [{ name: Door, price: 600 }] } }",
    { endDateTime: "2027-02-12T19:00:00Z" },
    "2027-02-12: { endDateTime: 2027-02-13T03:00 }",
  ],
  [
    "a ticket type that a phase names",
    { phases: early },
    "",
    "VIP",
    'the file would then have an error: "Club" has no ticket type "VIP"',
  ],
  [
    "the zone, and phases move with it",
    { phases: capacity },
    "",
    { timezone: "Asia/Tokyo" },
    "the phases of the date would then happen at different instants",
  ],
])("the entry for a date is offered only if it says what is live and nothing else: %s", async (...given) => {
  const [, { phases = "" }, dates, drift, offered] = given as [
    string,
    { phases?: string },
    string,
    object | string,
    string,
  ];
  const series = `series: { every: friday, from: 2027-02-05, count: 3${dates} }\n`;
  const tickets =
    "tickets: [{ name: Door, price: 500, quantity: 9, published: true }, { name: VIP, price: 900, quantity: 9, published: true }]\n";
  const text = `name: "Club"\ndateTime: 22:00\nendDateTime: +6h\ntimezone: Asia/Manila\nlocationType: ONLINE\neventCapacity: 50\n${tickets}schedules: [{ title: Doors, startTime: +0m, endTime: +1h }]\nphases: [${phases}]\n${series}`;
  const project = await openProject({ "events/club.yaml": text }, { now });
  try {
    expect((await project.run(["apply", "--yes", "--settle", "0"], { now })).exitCode).toBe(0);
    const { objects } = await project.state();
    const path = `/events/${objects["events/club@2027-02-12"]?.id}`;
    const { call } = project.sandbox.service;
    if (typeof drift !== "string") await call("PATCH", path, drift);
    else await call("DELETE", `${path}/tickets/${objects[`events/club@2027-02-12/tickets/${drift}`]?.id}`, {});
    const { stderr } = await project.run(["import", "--all"], { now });
    expect(stderr).toContain(offered);
    const [, entry = ""] = /add under `series.dates`: `(.*)`\. If the date/.exec(stderr) ?? [];
    if (!offered.startsWith("2027")) return expect(entry).toBe("");
    expect(entry).toBe(offered);
    const added = dates === "" ? `count: 3, dates: { ${entry} }` : "";
    await project.write(
      "events/club.yaml",
      dates === "" ? text.replace("count: 3", added) : text.replace("2027-02-12: { ", `${entry.slice(0, -2)}, `),
    );
    expect(JSON.parse((await project.run(["plan", "--format", "json"], { now })).stdout).changes).toEqual([]);
  } finally {
    await project.close();
  }
});

test.each([
  ["Asia/Manila", "Asia/Tokyo", "2027-02-01T11:00", "-2w at 19:00", "-3d at 08:00"],
  ["America/New_York", "Europe/London", "2027-02-01T15:00", "-15d at 23:00", "-4d at 12:00"],
])(
  "phases keep their instants if the zone was changed from %s to %s on the service",
  async (zone, timezone, ...later) => {
    const phases = `phases:\n  - { name: On sale, from: 2027-02-01T10:00, visibility: PRIVATE } # local\n  - { from: "2027-02-02T10:00Z", until: -1d, eventCapacity: 90 }\n  - { from: -2w at 18:00, until: -3d at 07:00, absorbFees: false }\n`;
    const text = `name: Gala\ndateTime: 2027-03-01T19:00\ntimezone: ${zone}\nlocationType: ONLINE\neventCapacity: 50\nabsorbFees: true\nvisibility: PUBLIC\n${phases}`;
    const project = await openProject({ "events/gala.yaml": text }, { now });
    try {
      expect((await project.run(["apply", "--yes", "--settle", "0"], { now })).exitCode).toBe(0);
      const id = (await project.state()).objects["events/gala"]?.id;
      const response = await fetch(`${project.sandbox.baseUrl}/events/${id}`, {
        method: "PATCH",
        headers: { "api-key": project.sandbox.apiKey, "content-type": "application/json" },
        body: JSON.stringify({ timezone }),
      });
      expect(response.status).toBe(200);
      const upcoming = async () => (await project.run(["upcoming", "--format", "json"], { now })).stdout;
      const instants = async () => JSON.parse(await upcoming()).upcoming.map(({ at }: { at: string }) => at);
      const before = await instants();
      expect((await project.run(["import", "--all"], { now })).exitCode).toBe(0);
      expect(await project.read("events/gala.yaml")).toContain(
        ["2027-02-01T10:00", "-2w at 18:00", "-3d at 07:00"].reduce(
          (was, time, index) => was.replace(time, later[index] ?? ""),
          phases,
        ),
      );
      expect(await instants()).toEqual(before);
      expect(JSON.parse((await project.run(["plan", "--format", "json"], { now })).stdout).changes).toEqual([]);
    } finally {
      await project.close();
    }
  },
);

test("a schedule entry of a phase that crosses midnight keeps its end if the zone was changed on the service", async () => {
  const sets = [
    'startTime: "day 1 23:30", endTime: "00:30"',
    'startTime: 2027-03-30T23:30, endTime: "day 2 00:30"',
    'startTime: "23:30", endTime: +1d at 00:30',
    'endTime: "00:30"',
    "endTime: +1h",
    "endTime: 2027-03-31T00:30",
  ];
  const schedules = sets.map((_, at) => `  - { title: Set ${at}, startTime: "day 1 23:30", endTime: +45m }\n`).join("");
  const later = sets.map((times, at) => `      - { title: Set ${at}, ${times} }\n`).join("");
  const text = `name: Gala\nstatus: DRAFT\ndateTime: 2027-03-30T02:00\nendDateTime: +2d\ntimezone: Asia/Manila\nlocationType: ONLINE\nschedules:\n${schedules}phases:\n  - from: -4h\n    schedules:\n${later}`;
  const project = await openProject({ "events/gala.yaml": text }, { now });
  try {
    expect((await project.run(["apply", "--yes", "--settle", "0"], { now })).exitCode).toBe(0);
    const id = String((await project.state()).objects["events/gala"]?.id);
    await project.sandbox.service.call("PATCH", `/events/${id}`, { timezone: "America/New_York" });
    expect((await project.run(["import", "--all"], { now })).exitCode).toBe(0);
    const written = await project.read("events/gala.yaml");
    expect(written).toContain('startTime: "+1d at 11:30", endTime: "start +1d at 12:30"');
    const { stdout } = await project.run(["show", "gala", "--at", "2027-03-30T00:00", "--format", "json"], { now });
    const ends = JSON.parse(stdout).document.schedules.map((entry: { endTime: string }) => entry.endTime);
    expect(ends).toEqual(sets.map(() => "2027-03-30T12:30"));
  } finally {
    await project.close();
  }
});

test("phases of a template that move because the zone was changed on the service are named", async () => {
  const phases =
    "phases:\n  - { name: Early, from: -2w at 18:00, visibility: PRIVATE }\n  - { from: -1d, eventCapacity: 90 }\n";
  const text = "extends: gig\nname: Gala\ndateTime: 2027-03-01T19:00\ntimezone: Asia/Manila\nlocationType: ONLINE\n";
  const project = await openProject(
    { "templates/gig.yaml": `eventCapacity: 50\nvisibility: PUBLIC\n${phases}`, "events/gala.yaml": text },
    { now },
  );
  try {
    expect((await project.run(["apply", "--yes", "--settle", "0"], { now })).exitCode).toBe(0);
    const id = (await project.state()).objects["events/gala"]?.id;
    await fetch(`${project.sandbox.baseUrl}/events/${id}`, {
      method: "PATCH",
      headers: { "api-key": project.sandbox.apiKey, "content-type": "application/json" },
      body: JSON.stringify({ timezone: "Asia/Tokyo" }),
    });
    const { stderr } = await project.run(["import", "--all"], { now });
    const [, moved = ""] = /warning\[phases-moved\][\s\S]*?instants:([\s\S]*?)fix:/.exec(stderr) ?? [];
    expect(moved.replaceAll(/\s+/g, " ")).toContain('"Early" (until now, Mon 15 Feb 2027 18:00 Asia/Manila (10:00Z)).');
    expect((await project.run(["import", "--all"], { now })).stderr).not.toContain("phases-moved");
  } finally {
    await project.close();
  }
});

test("relative times stay as they are written if the whole event was moved on the service", async () => {
  const text = `status: DRAFT
name: Gala
dateTime: 2027-03-01T19:00 # Monday
endDateTime: +5h
locationType: ONLINE
schedules:
  - { title: Doors, startTime: +0h, endTime: +1h }
  - { title: Set, startTime: 21:00, endTime: +1h }
  - { title: Doors, startTime: day 2 18:00, endTime: +1h }
`;
  const moved = text.replaceAll("2027-03-01T19:00", "2027-03-08T19:00");
  const project = await openProject({ "events/gala.yaml": moved });
  try {
    expect((await project.apply()).exitCode).toBe(0);
    await project.remove(".ticketing/state.default.json");
    await project.write("events/gala.yaml", text.replace("name:", `id: ${(await liveId(project)) ?? ""}\nname:`));
    expect((await project.run(["import", "--all"])).stderr).not.toContain("not-live");
    const written = await project.read("events/gala.yaml");
    expect(written.replace(/^id: .*\n/m, "")).toBe(moved);
    expect((await project.plan()).plan.changes).toEqual([]);
  } finally {
    await project.close();
  }
});

async function liveId({ sandbox }: Awaited<ReturnType<typeof openProject>>): Promise<string | undefined> {
  const response = await fetch(`${sandbox.baseUrl}/events?status=DRAFT`, { headers: { "api-key": sandbox.apiKey } });
  return ((await response.json()) as { data: { id: string }[] }).data[0]?.id;
}

const lineup = `performers: [{ name: Ana, type: DJ }, { name: Ben }]
brands: [{ name: Coke, url: https://example.com }, { name: Other }]
tickets: [{ name: Door, price: 500, quantity: 9, published: true }]
schedules: [{ title: Set, startTime: +1h, endTime: +1h, performer: Ana }]
`;
const gala = "extends: band\nname: Gala\nlocationType: ONLINE\n";
const names = { Ana: "Zed", Coke: "Pepsi", Door: "Gate" };
const after = "performers: [{ name: Zed, type: DJ }, { name: Ana, remove: true }]";

test.each([
  ["are inherited", "dateTime: 2027-03-14T19:00\n", after],
  [
    "are inherited and overridden",
    "dateTime: 2027-03-14T19:00\nperformers: [{ name: Ana, description: Disco. }] # ours\n",
    "performers: [{ name: Zed, type: DJ, description: Disco. }, { name: Ana, remove: true }] # ours",
  ],
  ["belong to a date of a series", "dateTime: 22:00\nseries: { every: friday, from: 2027-02-05, count: 1 }\n", after],
])("entries with another name on the service that %s: import writes the new names", async (_name, more, performers) => {
  const files = { "templates/band.yaml": lineup, "events/gala.yaml": gala + more };
  const project = await openProject({});
  try {
    // The API cannot rename performers and brands, so the files and the record of the first run have other names instead.
    for (const [file, text] of Object.entries(files))
      await project.write(
        file,
        Object.entries(names).reduce((was, [old, live]) => was.replaceAll(old, live), text),
      );
    expect((await project.apply()).exitCode).toBe(0);
    for (const [file, text] of Object.entries(files)) await project.write(file, text);
    await project.edit(".ticketing/state.default.json", (text) =>
      Object.entries(names).reduce((was, [old, live]) => was.replaceAll(live, old), text),
    );
    expect((await project.run(["state", "reseal", "--yes"])).exitCode).toBe(0);

    const { stderr } = await project.run(["import", "--all"]);
    const [, entry = ""] = /add under `series.dates`: `(.*)`\. If the date/.exec(stderr) ?? [];
    await project.edit("events/gala.yaml", (text) => text.replace("count: 1", `count: 1, dates: { ${entry} }`));
    const text = (await project.read("events/gala.yaml")).replace(
      /performers:\n {2}- (.*)\n {2}- (.*)/,
      "performers: [$1, $2]",
    );
    expect(text).toContain(performers);
    expect(text).toContain("{ title: Set, performer: Zed }");
    expect((await project.plan()).plan).toMatchObject({ changes: [], diagnostics: [] });
  } finally {
    await project.close();
  }
});
