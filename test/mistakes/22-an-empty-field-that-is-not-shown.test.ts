// `galleryUrls: []` where the service does not show the gallery was sent again by every apply. The law: apply, then plan is empty, and
// a second apply writes nothing; for every field of every kind that the service keeps to itself, however it is emptied.
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { openProject, type Project } from "../stage/open-project.ts";

const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** The sandbox, with these fields taken out of every record that it shows. */
async function hide(project: Project, fields: ReadonlySet<string>): Promise<void> {
  const behind = new URL(project.sandbox.baseUrl);
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answer = await fetch(new URL(request.url ?? "/", behind), {
      method: request.method ?? "GET",
      headers: { "api-key": String(request.headers["api-key"]), "content-type": "application/json" },
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    });
    const text = await answer.text();
    const shown =
      text === "" ? text : JSON.stringify(JSON.parse(text), (key, value) => (fields.has(key) ? undefined : value));
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(shown);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  project.env.TICKETING_BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}${behind.pathname}`;
}

/** Every field that can be left empty, with something that it can hold. */
const fields = {
  event: {
    endDateTime: "2027-03-15T02:00:00.000Z",
    description: "All night",
    type: "FREE",
    journeyType: "RSVP",
    currency: "PHP",
    locationType: "ONLINE",
    imageUrl: "https://example.com/a.png",
    galleryUrls: ["https://example.com/a.png", "https://example.com/b.png"],
    eventCapacity: 70,
    visibility: "PRIVATE",
    timezone: "Asia/Tokyo",
    absorbFees: false,
    callbackUrl: "https://example.com/hook",
  },
  ticket: { section: "Floor", row: "A", type: "VIP", maximumPurchaseQuantity: 2 },
  performer: { type: "DJ", imageUrl: "https://example.com/p.png", description: "Ana" },
  schedule: { description: "Doors open", icon: "door", color: "#FF8800", performer: "Ana" },
  brand: { url: "https://example.com", imageUrl: "https://example.com/b.png", description: "Brew" },
} as const;
const required = ["dateTime", "startTime", "endTime", "price", "quantity", "published", "performerId", "isActive"];
const hidden = new Set([...Object.values(fields).flatMap((each) => Object.keys(each)), ...required]);

type Kind = keyof typeof fields;

/** One event whose one entry of that kind has the field; left out: it has not. */
function document(kind: Kind, number: number, field: string, value: unknown): string {
  const extra = value === undefined ? {} : { [field]: value };
  const of = (each: Kind) => (each === kind ? extra : {});
  return JSON.stringify({
    name: `${kind} ${field}`,
    dateTime: `2027-03-14T${String(10 + (number % 10))}:${String(number).padStart(2, "0")}:00Z`,
    ...of("event"),
    tickets: [{ name: "GA", price: 0, quantity: 50, published: false, ...of("ticket") }],
    performers: [{ name: "Ana", ...of("performer") }],
    schedules: [
      { title: "Doors", startTime: "2027-03-14T19:00:00Z", endTime: "2027-03-14T20:00:00Z", ...of("schedule") },
    ],
    brands: [{ name: "Brew", ...of("brand") }],
  });
}

const table = Object.entries(fields).flatMap(([kind, all]) =>
  Object.entries(all).map(([field, value]) => ({ kind: kind as Kind, field, value: value as unknown })),
);

/** Every way to say in YAML that a field is empty or at its lowest. */
function emptyOnes(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return [[], null];
  if (typeof value === "boolean") return [false, true, null];
  return typeof value === "string" && !/^[A-Z]+$|^#|^2027/.test(value) ? [null, ""] : [null];
}
const turns = [0, 1];

async function writeAll(project: Project, valueFor: (row: (typeof table)[number]) => unknown): Promise<void> {
  for (const [index, row] of table.entries()) {
    await project.write(`events/${row.kind}-${row.field}.yaml`, document(row.kind, index, row.field, valueFor(row)));
  }
}

async function expectLaw(project: Project): Promise<void> {
  const applied = await project.apply();
  expect(applied.report.plan.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(applied.report.plan.changes.flatMap(({ blockedBy }) => blockedBy)).toEqual([]);
  expect(applied.exitCode).toBe(0);
  expect(applied.report.outcomes.filter((outcome) => outcome.result !== "done")).toEqual([]);
  const { plan } = await project.plan();
  expect(plan.changes.map(({ address, edits }) => ({ address, edits }))).toEqual([]);
  project.writes();
  await project.apply();
  expect(project.writes()).toEqual([]);
}

describe("with state", () => {
  test.each(turns)(
    "a field that was never there is emptied (%i)",
    async (turn) => {
      const project = await openProject({}, { profile: "likely" });
      closers.push(() => project.close());
      await hide(project, hidden);
      await writeAll(project, () => undefined);
      expect((await project.apply()).exitCode).toBe(0);
      await writeAll(project, ({ value }) => emptyOnes(value)[turn % emptyOnes(value).length]);
      await expectLaw(project);
    },
    60_000,
  );

  test.each(turns)(
    "a field that was there is emptied (%i)",
    async (turn) => {
      const project = await openProject({}, { profile: "likely" });
      closers.push(() => project.close());
      await hide(project, hidden);
      await writeAll(project, ({ value }) => value);
      expect((await project.apply()).exitCode).toBe(0);
      await writeAll(project, ({ value }) => emptyOnes(value)[turn % emptyOnes(value).length]);
      await expectLaw(project);
    },
    60_000,
  );

  test("a field that nothing remembers is emptied, once it is sent", async () => {
    const project = await openProject({}, { profile: "likely" });
    closers.push(() => project.close());
    await hide(project, hidden);
    await writeAll(project, ({ value }) => value);
    expect((await project.apply()).exitCode).toBe(0);
    await project.remove(".ticketing/state.default.json");
    await writeAll(project, ({ value }) => emptyOnes(value)[0]);
    await expectLaw(project);
    project.writes();
    await project.apply("--resend-unreadable");
    expect(project.writes()).not.toEqual([]);
    await expectLaw(project);
  }, 60_000);

  test("an empty list that an earlier version remembered as it was sent is not sent again", async () => {
    const project = await openProject({}, { profile: "likely" });
    closers.push(() => project.close());
    await hide(project, hidden);
    await project.write("events/night.yaml", document("event", 1, "galleryUrls", []));
    expect((await project.apply()).exitCode).toBe(0);
    const state = await project.state();
    const entry = state.objects["events/night"];
    expect(entry?.applied.galleryUrls).toBeNull();
    const objects = { ...state.objects, "events/night": { ...entry, applied: { ...entry?.applied, galleryUrls: [] } } };
    await project.write(".ticketing/state.default.json", JSON.stringify({ ...state, objects }));
    expect((await project.run(["state", "reseal", "--yes"])).exitCode).toBe(0);
    await expectLaw(project);
  });

  test("a field is empty from the start", async () => {
    const project = await openProject({}, { profile: "likely" });
    closers.push(() => project.close());
    await hide(project, hidden);
    await writeAll(project, ({ value }) => emptyOnes(value)[0]);
    await expectLaw(project);
  }, 60_000);
});

test("a webhook that shows nothing but its address is switched off and on once", async () => {
  const hook = (rest: string) => `[{ url: "https://hooks.example.com/a", events: [order.completed]${rest} }]`;
  const project = await openProject({ "webhooks.yaml": hook("") }, { profile: "likely" });
  closers.push(() => project.close());
  await hide(project, new Set(["events", "isActive"]));
  await expectLaw(project);
  for (const rest of [", isActive: false", "", ", isActive: true", ", isActive: false"]) {
    await project.write("webhooks.yaml", hook(rest));
    await expectLaw(project);
  }
});

describe("with a base and no state", () => {
  async function stateless(profile: string, text: string): Promise<Project> {
    const files = { "ticketing.yaml": "version: 1\nstate: { backend: none }\n", "events/m.yaml": text };
    const project = await openProject(files, { profile });
    closers.push(project.close);
    git(project, "init", "--quiet", "--initial-branch=main");
    commit(project);
    expect((await project.apply()).exitCode).toBe(0);
    project.writes();
    return project;
  }
  function git({ directory }: Project, ...argv: readonly string[]): void {
    execFileSync("git", argv, { cwd: directory, stdio: "ignore" });
  }
  function commit(project: Project): void {
    git(project, "add", "--all");
    const author = ["-c", "user.email=test@example.com", "-c", "user.name=Test"];
    git(project, ...author, "commit", "--quiet", "--message", "a commit");
  }
  const manila = (start: string, capacity: number) =>
    `name: Manila\ndateTime: 2027-03-14T${start}\neventCapacity: ${capacity}\ndescription: "<p>All <script>x</script>night</p>"\nperformers:\n  - { name: DJ Ana, imageUrl: "https://example.com/ana.png" }\nschedules:\n  - { title: Set, startTime: 2027-03-14T20:00, endTime: 2027-03-14T21:00, performer: DJ Ana }\n`;

  test("the edits of a document in a renamed file are planned where the service shows none of them", async () => {
    const project = await stateless("minimal", manila("19:00", 700));
    git(project, "mv", "events/m.yaml", "events/n.yaml");
    expect((await project.plan("--base", "HEAD")).plan.changes).toEqual([]);
    await project.write("events/n.yaml", manila("18:00", 900));
    const { plan } = await project.plan("--base", "HEAD");
    expect(plan.changes).toMatchObject([
      {
        address: "events/n",
        action: "update",
        edits: [
          { path: "/dateTime", before: "2027-03-14T11:00:00.000Z", after: "2027-03-14T10:00:00.000Z" },
          { path: "/eventCapacity", before: 700, after: 900 },
        ],
      },
    ]);
    expect(plan.diagnostics.map(({ code }) => code)).not.toContain("unreadable");
  });

  test.each(["strict", "lax", "minimal", "hostile", "imageUrls=rehosted"])(
    "the rename of a file alone plans nothing: %s",
    async (profile) => {
      const project = await stateless(profile, manila("19:00", 700));
      git(project, "mv", "events/m.yaml", "events/n.yaml");
      const { plan, exitCode } = await project.plan("--base", "HEAD");
      expect({ changes: plan.changes, exitCode }).toEqual({ changes: [], exitCode: 0 });
    },
  );

  test("two files that change their names with each other keep what is remembered of each", async () => {
    const project = await stateless("likely", manila("19:00", 700));
    await hide(project, new Set(["eventCapacity"]));
    await project.write("events/o.yaml", manila("19:00", 50).replace("Manila", "Cebu"));
    await project.apply("--target", "events/o");
    commit(project);
    await project.write("events/m.yaml", manila("19:00", 50).replace("Manila", "Cebu"));
    await project.write("events/o.yaml", manila("19:00", 700));
    expect((await project.plan("--base", "HEAD")).plan.changes).toEqual([]);
  });

  test.each(["hostile", "imageUrls=rehosted"])(
    "what the service rewrites is not replaced by each apply: %s",
    async (profile) => {
      const project = await stateless(profile, manila("19:00", 700));
      await project.write("events/m.yaml", manila("19:00", 900));
      commit(project);
      const first = await project.apply("--base", "HEAD~1");
      expect(first.exitCode).toBe(0);
      expect(project.writes()).toEqual(["PATCH /events/ID"]);
      const second = await project.apply("--base", "HEAD~1");
      expect(second.exitCode).toBe(0);
      expect(project.writes()).toEqual([]);
      // An edit of it still goes out.
      await project.write("events/m.yaml", manila("19:00", 900).replace("ana.png", "ana-2.png"));
      expect((await project.plan("--base", "HEAD")).plan.changes).toMatchObject([
        { address: "events/m/performers/DJ Ana", action: "replace" },
      ]);
    },
  );

  test("the headline says what was compared", async () => {
    const project = await stateless("likely", manila("19:00", 700));
    const nothing = await project.run(["plan", "--base", "HEAD"]);
    expect(nothing.stdout).toContain("nothing differs from HEAD. Nothing was compared with the service.");
    expect(nothing.stdout).not.toContain("the service matches the files");
    const { plan } = await project.plan("--base", "HEAD");
    expect(plan.compared).toEqual({ base: "HEAD", events: 0, ofEvents: 1, removed: 0, webhooks: false });
    expect(plan.summary.unmanaged).toBeNull();
    await project.write("events/o.yaml", manila("19:00", 50).replace("Manila", "Cebu"));
    await project.apply("--target", "events/o");
    const some = (await project.run(["plan", "--base", "HEAD"])).stdout.replace(/\s+/g, " ");
    expect(some).toContain(
      "No changes: what differs from HEAD needs no change on the service now (3 objects checked). Compared with the service: 1 of 2 events.",
    );
    expect((await project.plan()).plan.compared).toBeUndefined();
  });
});
