// Seven small things that random lifetimes on another server brought up.
import { afterEach, describe, expect, test } from "vitest";
import { openProject, type Project } from "../stage/open-project.ts";

let project: Project;
afterEach(async () => {
  await project?.close();
});

async function open(files: Readonly<Record<string, string>>, profile = "likely"): Promise<void> {
  project = await openProject(files, { profile });
}

/** What somebody does in the dashboard; gives the id of the record. */
async function byHand(method: string, path: string, body?: unknown): Promise<string> {
  const response = await fetch(`${project.sandbox.baseUrl}${path}`, {
    method,
    headers: { "api-key": project.sandbox.apiKey, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const shown = (await response.json()) as { data?: { id?: string } };
  if (!response.ok) throw new Error(JSON.stringify(shown));
  return shown.data?.id ?? "";
}

const jazz = (day: number, more = "") =>
  `name: Jazz Night\ndateTime: 2027-03-${day}T19:00\nlocationType: ONLINE\n${more}`;

describe("`status: DELETED`, done, next to a live namesake", () => {
  const gone = (day: number) => jazz(day, "status: DELETED\nallow: [delete-event]\n");

  test.each(["likely", "eventRecord=short-in-lists"])("is nothing to do (%s)", async (profile) => {
    await open({ "events/old.yaml": jazz(14), "events/next.yaml": jazz(21, "new: true\n") }, profile);
    expect((await project.apply()).exitCode).toBe(0);
    await project.write("events/old.yaml", gone(14));
    expect((await project.apply()).exitCode).toBe(0);
    // The other one belongs to no one here anymore, and is not to be taken for it.
    for (const next of [jazz(21, "new: true\n"), null]) {
      if (next === null) {
        await project.remove("events/next.yaml");
        await project.remove(".ticketing/state.default.json");
      }
      const { plan, exitCode } = await project.plan();
      expect({ exitCode, changes: plan.changes }).toEqual({ exitCode: 0, changes: [] });
      expect(plan.diagnostics).toContainEqual(expect.objectContaining({ code: "nothing-to-do" }));
    }
  });

  test("without a namesake, the file has done its work", async () => {
    await open({ "events/jazz.yaml": gone(21) });
    const { plan } = await project.plan();
    expect(plan.diagnostics).toMatchObject([{ code: "nothing-to-do", hint: "Remove it from the files." }]);
  });

  test("the notice lists the namesake", async () => {
    await open({ "events/jazz.yaml": gone(21) });
    const id = await byHand("POST", "/events", { name: "Jazz Night", dateTime: "2027-03-14T11:00:00.000Z" });
    const { plan, exitCode } = await project.plan();
    expect({ exitCode, changes: plan.changes }).toEqual({ exitCode: 0, changes: [] });
    expect(plan.diagnostics.find(({ code }) => code === "nothing-to-do")).toMatchObject({
      severity: "info",
      message: expect.stringContaining(`${id} · Jazz Night · Sun 14 Mar 2027 19:00 Asia/Manila (11:00Z) · DRAFT`),
      hint: expect.stringContaining(`\`id: ${id}\``),
    });
  });

  test("is nothing to do where starts are not shown and state knows others", async () => {
    await open(
      { "events/old.yaml": jazz(14), "events/other.yaml": "name: Other\ndateTime: 2027-05-01T19:00\n" },
      "minimal",
    );
    expect((await project.apply()).exitCode).toBe(0);
    await project.write("events/old.yaml", gone(14));
    expect((await project.apply()).exitCode).toBe(0);
    await byHand("POST", "/events", { name: "Jazz Night", dateTime: "2027-04-01T11:00:00.000Z" });
    const { plan, exitCode } = await project.plan();
    expect({ exitCode, changes: plan.changes }).toEqual({ exitCode: 0, changes: [] });
  });
});

describe("a performer or brand that takes the place of another", () => {
  const lists = (type: string, url: string) =>
    jazz(14, `performers: [{ name: Ana, type: ${type} }]\nbrands: [{ name: Brew, url: "${url}" }]\n`);

  test.each(["likely", "html=wrapped"])("keeps what the file does not manage (%s)", async (profile) => {
    await open({ "events/jazz.yaml": jazz(14, "performers: []\nbrands: []\n") }, profile);
    expect((await project.apply()).exitCode).toBe(0);
    const event = (await project.state()).objects["events/jazz"]?.id;
    const image = "https://example.com/a.png";
    await byHand("POST", `/events/${event}/performers`, {
      name: "Ana",
      type: "DJ",
      description: "By hand",
      imageUrl: image,
    });
    await byHand("POST", `/events/${event}/brands`, {
      name: "Brew",
      url: "https://example.com/1",
      description: "Malt",
    });
    await project.write("events/jazz.yaml", lists("HOST", "https://example.com/2"));
    const { plan } = await project.plan();
    const shown = plan.changes.map(({ action, edits }) => [action, edits.map(({ path }) => path)]);
    expect(shown).toEqual([
      ["replace", ["/type", "/imageUrl", "/description"]],
      ["replace", ["/url", "/description"]],
    ]);
    expect(plan.operations.filter(({ verb }) => verb === "create")).toMatchObject([
      { body: { name: "Ana", type: "HOST", imageUrl: image, description: expect.stringContaining("By hand") } },
      { body: { name: "Brew", url: "https://example.com/2", description: expect.stringContaining("Malt") } },
    ]);
    expect((await project.run(["plan"])).stdout).toContain("By hand");
    expect((await project.apply()).exitCode).toBe(0);
    const { performers, brands } = project.sandbox.control.dump();
    expect([performers.length, brands.length]).toEqual([1, 1]);
    expect((await project.plan()).plan.changes).toEqual([]);
  });
});

describe("a quantity below what is sold, where the service hides quantities", () => {
  const gala = (quantity: number) =>
    `status: PUBLISHED\nname: Gala\ndateTime: 2027-03-14T19:00\ntickets: [{ name: GA, price: 100, quantity: ${quantity}, published: true }]\n`;

  test.each(["orders are shown", "orders are not shown"])("is blocked in the plan: %s", async (orders) => {
    await open({ "events/gala.yaml": gala(100) }, "minimal");
    expect((await project.apply()).exitCode).toBe(0);
    project.sandbox.control.sell({ event: "gala", ticket: "GA", count: 30 });
    await project.write("events/gala.yaml", gala(20));
    if (orders === "orders are not shown") {
      project.sandbox.control.addFault({ kind: "error-before", status: 403, path: "/orders", times: 0 });
    }
    const { plan } = await project.plan();
    expect(plan.changes.flatMap(({ blockedBy }) => blockedBy)).toMatchObject([
      { code: "quantity-below-sold", message: expect.stringContaining("30 tickets have been sold") },
    ]);
    await project.write("events/gala.yaml", gala(30));
    expect((await project.apply()).exitCode).toBe(0);
  });

  test("is blocked where nothing but what remains is known", async () => {
    await open({ "events/gala.yaml": gala(100) }, "ticketRecord=no-quantity");
    expect((await project.apply()).exitCode).toBe(0);
    await project.remove(".ticketing/state.default.json");
    project.sandbox.control.addFault({ kind: "error-before", status: 403, path: "/orders", times: 0 });
    const codes = async (quantity: number) => {
      await project.write("events/gala.yaml", gala(quantity));
      const { plan } = await project.plan("--resend-unreadable");
      return plan.changes.map(({ blockedBy }) => blockedBy.map(({ code }) => code));
    };
    expect(await codes(20)).toEqual([["sales-unknown"]]);
    expect(await codes(100)).toEqual([[]]);
  });
});

describe("a `publish` that is refused because it is so already", () => {
  const gala = (price: number) =>
    `status: PUBLISHED\nname: Gala\ndateTime: 2027-03-14T19:00\ntickets: [{ name: GA, price: ${price}, quantity: 10, published: true }]\n`;

  test.each(["400", "403", "409", "422"])("is success where `published` is hidden (%s)", async (refusalStatus) => {
    await open({ "events/gala.yaml": gala(100) }, `ticketRecord=no-published,refusalStatus=${refusalStatus}`);
    expect((await project.apply()).exitCode).toBe(0);
    await project.remove(".ticketing/state.default.json");
    await project.write("events/gala.yaml", gala(200));
    project.writes();
    const { report, exitCode } = await project.apply();
    expect(exitCode).toBe(0);
    expect(project.writes()).toEqual(["PATCH /events/ID/tickets/ID", "POST /events/ID/tickets/ID/publish"]);
    expect(report.summary).toMatchObject({ done: 2, failed: 0 });
    expect(report.notes).toMatchObject([
      { code: "unconfirmed", message: expect.stringContaining("already published") },
    ]);
    expect((await project.plan()).plan.changes).toEqual([]);
  });

  test("is a failure where the refusal is about something else", async () => {
    await open({ "events/gala.yaml": gala(100) }, "ticketRecord=no-published");
    expect((await project.apply()).exitCode).toBe(0);
    await project.remove(".ticketing/state.default.json");
    await project.write("events/gala.yaml", gala(200));
    project.sandbox.control.addFault({ kind: "error-before", status: 404, path: "/publish", times: 0 });
    expect((await project.apply()).exitCode).toBe(1);
  });

  test("is success for an event and for a ticket type that show it", async () => {
    await open({ "events/gala.yaml": gala(100).replace("PUBLISHED", "DRAFT").replace("true", "false") });
    expect((await project.apply()).exitCode).toBe(0);
    await project.write("events/gala.yaml", gala(100));
    project.sandbox.control.addFault({ kind: "error-after", status: 400, path: "/publish", times: 0 });
    const { report, exitCode } = await project.apply();
    expect([exitCode, report.summary.done]).toEqual([0, 2]);
    project.sandbox.control.clearFaults();
    expect((await project.plan()).plan.changes).toEqual([]);
  });
});

describe("`import --all` where everything is archived", () => {
  test.each([true, false])("leaves a project that validates (a project file before: %s)", async (isProject) => {
    await open({});
    if (!isProject) await project.remove("ticketing.yaml");
    project.sandbox.control.seed({ events: [{ name: "Old", dateTime: "2025-01-01T10:00:00Z", status: "ARCHIVED" }] });
    expect((await project.run(["import", "--all"])).exitCode).toBe(0);
    expect((await project.run(["validate"])).exitCode).toBe(0);
    const { plan, exitCode } = await project.plan();
    expect([exitCode, plan.changes]).toEqual([0, []]);
  });

  test("a folder without a project, or a glob that matches nothing, is still an error", async () => {
    await open({ "ticketing.yaml": "version: 1\nevents: evnts/**/*.yaml\n" });
    expect((await project.run(["validate"])).exitCode).toBe(1);
    await project.remove("ticketing.yaml");
    expect((await project.run(["validate"])).exitCode).toBe(1);
  });
});

describe("a performer and a brand that somebody renamed in the dashboard", () => {
  const gala = (performer: string, brand: string) =>
    `name: Gala\ndateTime: 2027-03-14T19:00\nlocationType: ONLINE\nperformers: [{ name: ${performer}, type: DJ }]\nschedules: [{ title: Set, startTime: +1h, endTime: +1h, performer: ${performer} }]\nbrands: [{ name: ${brand} }]\n`;

  /** The API cannot rename them, so the record of the last run is given other names instead. */
  async function openRenamed(): Promise<void> {
    await open({ "events/gala.yaml": gala("Zed", "Pepsi") });
    expect((await project.apply()).exitCode).toBe(0);
    await project.write("events/gala.yaml", gala("Ana", "Coke"));
    await project.edit(".ticketing/state.default.json", (text) =>
      text.replaceAll("Zed", "Ana").replaceAll("Pepsi", "Coke"),
    );
    expect((await project.run(["state", "reseal", "--yes"])).exitCode).toBe(0);
    project.writes();
  }

  test("are drift, and replaced; what names the performer follows", async () => {
    await openRenamed();
    const { plan } = await project.plan();
    const edit = (before: string, after: string) => ({ path: "/name", before, after, origin: "drift" });
    expect(plan.changes).toMatchObject([
      { kind: "performer", action: "replace", edits: [edit("Zed", "Ana")] },
      { kind: "brand", action: "replace", edits: [edit("Pepsi", "Coke")] },
    ]);
    expect((await project.apply()).exitCode).toBe(0);
    expect(project.writes().toSorted()).toEqual([
      "DELETE /events/ID/brands/ID",
      "DELETE /events/ID/performers/ID",
      "PATCH /events/ID/schedules/ID",
      "POST /events/ID/brands",
      "POST /events/ID/performers",
    ]);
    expect((await project.plan()).plan.changes).toEqual([]);
  });

  test("have their new names in the file after an import", async () => {
    await openRenamed();
    expect((await project.run(["import", "--all"])).exitCode).toBe(0);
    expect(await project.read("events/gala.yaml")).toContain(gala("Zed", "Pepsi"));
    expect((await project.plan()).plan.changes).toEqual([]);
  });
});

describe("a venue that is not known", () => {
  test.each(["Nowhere Hall", "Palace"])("hides nothing else that blocks the change (%s)", async (venue) => {
    const gala = (more: string) =>
      `name: Gala\ndateTime: 2027-03-14T19:00\n${more}tickets: [{ name: GA, price: 100, quantity: 10, published: true }]\n`;
    await open({ "events/gala.yaml": gala("status: PUBLISHED\nlocationType: ONLINE\n") });
    expect((await project.apply()).exitCode).toBe(0);
    project.sandbox.control.sell({ event: "gala", ticket: "GA", count: 6 });
    const moved = gala(`status: DRAFT\nvenue: ${venue}\nvisibility: PRIVATE\n`).replace("03-14", "03-20");
    await project.write("events/gala.yaml", moved);
    const { plan } = await project.plan();
    expect(plan.changes[0]?.blockedBy.map(({ code }) => code).toSorted()).toEqual([
      "make-private-with-sales",
      "reschedule-with-sales",
      "unpublish-with-sales",
      expect.stringMatching(/^venue-(not-found|ambiguous)$/),
    ]);
  });
});

describe("a draft that is published once it is over", () => {
  test.each([
    ["2020-01-05T19:00", ["warning"]],
    ["2099-01-05T19:00", []],
  ])("is warned about: %s", async (dateTime, expected) => {
    await open({});
    const id = await byHand("POST", "/events", { name: "Gala", dateTime: `${dateTime}:00+08:00` });
    await project.write(
      "events/gala.yaml",
      `name: Gala\ndateTime: ${dateTime}\nid: ${id}\nlocationType: ONLINE\nstatus: PUBLISHED\n`,
    );
    const { plan } = await project.plan();
    expect(plan.summary.publish).toBe(1);
    const found = plan.diagnostics.filter(({ code }) => code === "starts-in-the-past");
    expect(found.map(({ severity }) => severity)).toEqual(expected);
  });
});

test("a blocked quantity keeps its event's capacity as it is, and neither an unpublish nor another end of a sale", async () => {
  const night = (status: string, capacity: number, quantity: number, vip: string) =>
    `name: Gala\ndateTime: 2099-03-14T19:00\nlocationType: ONLINE\nstatus: ${status}\neventCapacity: ${capacity}\ntickets:
  - { name: GA, price: 500, quantity: ${quantity}, published: true }
  - { name: VIP, price: 900, quantity: 50, published: true${vip} }\n`;
  await open({ "events/gala.yaml": night("PUBLISHED", 500, 400, "") });
  expect((await project.apply()).exitCode).toBe(0);
  project.sandbox.control.sell({ event: "Gala", ticket: "GA", count: 45 });
  await project.write("events/gala.yaml", night("PUBLISHED", 100, 40, ", soldOut: true"));
  const { plan } = await project.plan();
  expect(plan.operations.map(({ verb }) => verb)).toEqual(["sold-out"]);
  // A new type would be more for a room that stays as it is.
  const more = "\n  - { name: Late, price: 700, quantity: 10, published: true }";
  await project.write("events/gala.yaml", night("PUBLISHED", 100, 40, ` }${more.trimEnd().slice(0, -2)}`));
  expect((await project.plan()).plan.operations).toEqual([]);
  await project.write("events/gala.yaml", night("DRAFT", 100, 40, ""));
  const away = (await project.plan("--allow", "unpublish-with-sales")).plan;
  expect(away.operations.map(({ verb }) => verb)).toContain("unpublish");
});
