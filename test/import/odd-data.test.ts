// Live data that a file cannot hold, or that the rules would not have: the files still validate and the plan is still empty.
import { describe, expect, it } from "vitest";
import { lint } from "../../src/lint/lint.ts";
import { createService, type SandboxService, type Seed, type SeedEvent } from "../../src/sandbox/index.ts";
import { importInto, type Ran, serviceWith } from "../stage/import-into.ts";
import { load, now, planOf } from "../stage/plan-of.ts";
import { rewriteBodies } from "../stage/rewrite-bodies.ts";

const id = "00000000-0000-4000-8000-000000000001";

function event(fields: SeedEvent): Seed {
  return { events: [{ id, slug: "party", name: "Party", dateTime: "2027-03-14T11:00:00Z", ...fields }] };
}

async function holds(service: SandboxService, project = ""): Promise<Ran & { text: string }> {
  const ran = await importInto({ service, files: project === "" ? {} : { "ticketing.yaml": project } });
  const loaded = await load(ran.files);
  const found = [...loaded.diagnostics, ...lint(loaded, { now, environment: "production" })];
  expect(found.filter(({ severity }) => severity !== "info")).toEqual([]);
  const { plan } = await planOf({ files: ran.files, service });
  expect(plan.changes).toEqual([]);
  const again = await importInto({ service, files: ran.files });
  expect(again.imported.files).toEqual([]);
  return { ...ran, text: ran.files["events/party.yaml"] ?? "" };
}

it("a text that lists show the beginning of is written whole", async () => {
  const description = "A night of live music by the bay, with food until midnight.";
  const service = serviceWith(event({ description }));
  rewriteBodies(service, (body, _, { path }) =>
    /\/events\?/.test(path) ? body.replaceAll(description, "A night of live\u2026") : body,
  );
  const { files } = await importInto({ service });
  expect(files["events/party.yaml"]).toContain(description);
});

describe("what a file cannot hold", () => {
  it("is left out, and a remark says so", async () => {
    const { text, diagnostics } = await holds(
      serviceWith(
        event({
          timezone: "GMT+8",
          eventCapacity: 2.5,
          tickets: [{ name: "GA", price: 1500.5, quantity: 0, remainingQuantity: 0, published: true }],
          schedules: [
            { title: "Doors", startTime: "2027-03-14T11:00:00Z", endTime: "2027-03-14T12:00:00Z", color: "red" },
          ],
        }),
      ),
    );
    expect(text).toContain("# Left out, because a file cannot contain the live value: timezone, eventCapacity.\n");
    expect(text).toContain("# Left out, because a file cannot contain the live value of GA: price, quantity.\n");
    expect(text).toContain("live value of Doors: color.\n");
    expect(text).not.toMatch(/^\s*(timezone|price|color):/m);
    expect(diagnostics.map(({ code }) => code)).toContain("left-out");
  });

  it("is a secret, which never reaches a file", async () => {
    const service = serviceWith({
      ...event({ callbackUrl: "https://hooks.example.com/x?token=9f8e7d6c5b4a3f2e1d0c" }),
      webhooks: [
        { url: "https://ana:hunter22@hooks.example.com/", events: ["order.completed"] },
        { url: "https://hooks.example.com/fine", events: ["order.completed"] },
      ],
    });
    const { files, diagnostics } = await holds(service);
    expect(JSON.stringify(files)).not.toMatch(/9f8e7d|hunter22/);
    expect(files["webhooks.yaml"]).toContain("https://hooks.example.com/fine");
    expect(JSON.stringify(diagnostics)).not.toMatch(/9f8e7d|hunter22/);
  });

  it("is a secret, which is not added to a file that is there either", async () => {
    const service = serviceWith(
      event({
        callbackUrl: "https://hooks.example.com/x?token=9f8e7d6c5b4a3f2e1d0c",
        endDateTime: "2027-03-14T15:00:00Z",
      }),
    );
    const ran = await importInto({
      service,
      files: { "events/mine.yaml": "name: Party\ndateTime: 2027-03-14T19:00\n" },
    });
    expect(ran.files["events/mine.yaml"]).toContain("endDateTime");
    expect(ran.files["events/mine.yaml"]).not.toContain("callbackUrl");
  });

  it("is one of two webhooks of one address", async () => {
    const twin = { url: "https://hooks.example.com/x", events: ["order.completed"] };
    const { files, diagnostics } = await holds(serviceWith({ webhooks: [twin, twin] }));
    expect(files["webhooks.yaml"]).toMatch(/^# The webhook .* is left out: 2 live webhooks\n# have its URL/);
    expect(diagnostics.filter(({ severity }) => severity === "warning")).toHaveLength(2);
  });

  it.each(["https://Hooks.example.com/x", "https://hooks.example.com/X"])(
    "is %s beside one in small letters",
    async (url) => {
      const events = ["order.completed"];
      const webhooks = [
        { url: "https://hooks.example.com/x", events },
        { url, events },
      ];
      const { files } = await holds(serviceWith({ webhooks }));
      expect(files["webhooks.yaml"]?.replaceAll("\n# ", " ")).toContain(
        "2 live webhooks have its URL except for capital letters",
      );
    },
  );

  it("is a webhook of which the service does not show the events", async () => {
    const service = serviceWith({
      webhooks: [{ url: "https://hooks.example.com/x", events: ["order.completed"] }],
    });
    const silent: SandboxService = {
      ...service,
      async handle(request) {
        const response = await service.handle(request);
        return { ...response, body: response.body.replace('"events":["order.completed"],', "") };
      },
    };
    const { files } = await holds(silent);
    expect(files["webhooks.yaml"]?.replaceAll("\n# ", " ")).toContain("the service does not show its event types");
  });

  it("is an event type that is unknown", async () => {
    const service = serviceWith({
      webhooks: [{ url: "https://hooks.example.com/x", events: ["order.shipped"] as never }],
    });
    const { files } = await holds(service);
    expect(files["webhooks.yaml"]).toMatch(/a file cannot\s(?:# )?hold its event types\.\n\[\]\n$/);
  });
});

describe("what the rules would not have", () => {
  it("is said to be live like this", async () => {
    const { text, diagnostics } = await holds(
      serviceWith(
        event({
          status: "PUBLISHED",
          endDateTime: "2027-03-14T10:00:00Z",
          imageUrl: "not a url",
          tickets: [{ name: "Table", price: 150_000, quantity: 5, published: false }],
        }),
      ),
    );
    expect(text).toMatch(/^ignore: \[[a-z-]+(, [a-z-]+)*\] # as the service shows it$/m);
    for (const code of ["ends-before-start", "not-a-public-url", "nothing-on-sale", "price-looks-like-centavos"]) {
      expect(text).toContain(code);
    }
    expect(diagnostics.filter(({ code }) => code === "live-like-this").length).toBeGreaterThan(0);
  });

  it("is twins of a kind that has no id: each keeps what distinguishes it from the other", async () => {
    const performers = [{ name: "Ana" }, { name: "Ana", type: "DJ" }, { name: "Ana" }];
    const schedules = [
      { title: "Set", performer: "Ana", color: "#112233" },
      { title: "Set" },
      { title: "Set", description: "encore" },
    ].map((entry) => ({ startTime: "2027-03-14T11:00:00Z", endTime: "2027-03-14T12:00:00Z", ...entry }));
    const service = serviceWith(
      event({ performers, schedules, brands: [{ name: "B" }, { name: "B", url: "https://example.com" }] }),
    );
    const { text, diagnostics } = await holds(service);
    expect(text).toContain("ignore: [duplicate-name]");
    expect(diagnostics.some(({ message }) => message.includes("duplicate-name"))).toBe(true);
  });

  it("is a schedule entry that names the second of two performers of one name", async () => {
    const ids = ["00000000-0000-4000-8000-0000000000a1", "00000000-0000-4000-8000-0000000000a2"];
    const service = serviceWith(
      event({
        performers: ids.map((performerId) => ({ id: performerId, name: "Ana" })),
        schedules: [{ title: "Set", performerId: ids[1] ?? null }],
      }),
    );
    const { text } = await holds(service);
    expect(text).toContain("# Left out, because a file cannot contain the live value of Set: performer.\n");
  });
});

describe("a project's defaults", () => {
  const project = `version: 1
defaults:
  timezone: Asia/Tokyo
  absorbFees: false
  eventCapacity: 50
  imageUrl: https://\${var.host}/x.jpg
  ignore: [bare-listing]
  tickets: { maximumPurchaseQuantity: 5, published: true }
  performers: { type: DJ }
vars: { host: a.example }
`;

  it("are left out where they are live, and contradicted where they are not", async () => {
    const { text } = await holds(
      serviceWith(
        event({
          timezone: "Asia/Tokyo",
          imageUrl: "https://a.example/x.jpg",
          tickets: [{ name: "GA", maximumPurchaseQuantity: 5, published: false }],
          performers: [{ name: "Ana", type: "DJ" }, { name: "Ben" }],
        }),
      ),
      project,
    );
    expect(text).toBe(`id: { sandbox: ${id} }
status: DRAFT
name: Party
dateTime: 2027-03-14T20:00
eventCapacity: null
absorbFees: true

tickets:
  - { name: GA, price: 1500, quantity: 100, published: false }

performers:
  - { name: Ana }
  - { name: Ben, type: null }
`);
  });

  it("are contradicted where the service shows nothing, which is what it takes by itself", async () => {
    const given = `version: 1
defaults:
  type: FREE
  journeyType: RSVP
  locationType: ONLINE
  visibility: PRIVATE
  timezone: Europe/London
  absorbFees: false
  tickets: { type: VIP, section: Balcony, row: A, maximumPurchaseQuantity: 6 }
`;
    const names = ["type", "journeyType", "locationType", "visibility", "timezone", "absorbFees"];
    const nothing = Object.fromEntries(names.map((name) => [name, null]));
    const ticketNames = ["type", "section", "row", "maximumPurchaseQuantity"];
    const tickets = [{ name: "GA", ...Object.fromEntries(ticketNames.map((name) => [name, null])) }];
    const { text, diagnostics } = await holds(serviceWith(event({ ...nothing, tickets } as never)), given);
    for (const name of names) expect(text).toMatch(new RegExp(`^${name}: null$`, "m"));
    for (const name of ticketNames) expect(text).toContain(`${name}: null`);
    expect(text).toContain("dateTime: 2027-03-14T19:00\n");
    expect(diagnostics.filter(({ code }) => code !== "live-like-this")).toEqual([]);
  });

  it("are not contradicted where they are what the service takes by itself", async () => {
    const given = "version: 1\ndefaults: { timezone: Asia/Manila, visibility: PUBLIC }\n";
    const { text } = await holds(serviceWith(event({ timezone: null, visibility: null } as never)), given);
    expect(text).not.toMatch(/^(timezone|visibility):/m);
  });

  it("leave a file that is there with the clocks of the service's own zone", async () => {
    const files = {
      "ticketing.yaml": "version: 1\ndefaults: { timezone: Europe/London }\n",
      "events/party.yaml": "name: Party\ndateTime: 2027-03-14T11:00 # in London\n",
    };
    const service = serviceWith(event({ timezone: null } as never));
    const ran = await importInto({ service, files });
    expect(ran.files["events/party.yaml"]).toBe(
      `id: { sandbox: ${id} }\nstatus: DRAFT\nname: Party\ndateTime: 2027-03-14T19:00 # in London\ntimezone: null\n`,
    );
    expect((await planOf({ files: ran.files, service })).plan.changes).toEqual([]);
    expect((await importInto({ service, files: ran.files })).imported.files).toEqual([]);
  });

  it("are dropped where no value could contradict them", async () => {
    const given = "version: 1\ndefaults: { timezone: Europe/London, type: FREE }\n";
    const { text, diagnostics } = await holds(serviceWith(event({ timezone: "GMT+8", type: "WEIRD" } as never)), given);
    expect(text).toContain("dateTime: 2027-03-14T19:00\n");
    expect(text).toContain("without: [timezone, type]\n");
    expect(diagnostics.map(({ code }) => code)).not.toContain("plan-will-differ");
  });

  it("do not move the times of an event whose zone the service writes in another case", async () => {
    await holds(serviceWith(event({ timezone: "asia/tokyo" } as never)), "version: 1\n");
  });

  it("that name a venue are contradicted by an event without one", async () => {
    const given = "version: 1\ndefaults: { venue: { name: Palace, city: Baguio } }\n";
    const { text } = await holds(serviceWith(event({ venueId: null } as never)), given);
    expect(text).toContain("venueId: null\n");
  });

  it("are dropped by a file that exists, unless it drops something already", async () => {
    const service = serviceWith(event({ timezone: "GMT+8" }));
    const party = `id: { sandbox: ${id} }\nname: Party\ndateTime: 2027-03-14T11:00\n`;
    const files = {
      "ticketing.yaml": "version: 1\ndefaults: { timezone: Europe/London }\n",
      "events/party.yaml": party,
    };
    const ran = await importInto({ service, files });
    expect(ran.files["events/party.yaml"]).toBe(
      `id: { sandbox: ${id} }\nstatus: DRAFT\nname: Party\ndateTime: 2027-03-14T19:00\nwithout: [timezone]\n`,
    );
    expect((await planOf({ files: ran.files, service })).plan.changes).toEqual([]);
    const composed = { ...files, "events/party.yaml": `${party}without: [brands]\n` };
    const left = await importInto({ service, files: composed });
    expect(left.diagnostics.map(({ code }) => code)).toEqual(["cannot-update-in-place"]);
  });
});

describe("files", () => {
  const seed: Seed = {
    events: [
      { name: "Jazz Night", slug: "jazz-night" },
      { name: "Jazz Night", slug: "Jazz-Night", dateTime: "2027-04-14T11:00:00Z" },
      { name: "Console", slug: "con" },
      { name: "Away", slug: "../../etc/passwd" },
      { name: "東京", slug: "東京" },
    ],
  };

  it("have names that every system takes, and never the name of a file or key that is there", async () => {
    const mine = "name: Mine\ndateTime: 2027-09-01T19:00\n";
    const service = serviceWith(seed);
    const files = {
      "events/2026/jazz-night.yaml": mine,
      "events/etc-passwd.txt": "mine",
      "events/con-event.yml": mine.replace("Mine", "Also mine"),
    };
    const ran = await importInto({ service, files });
    expect(ran.imported.events.map(({ file }) => file)).toEqual([
      "events/etc-passwd.yaml",
      "events/jazz-night-2027-04-14.yaml",
      "events/con-event-2027-03-14.yaml",
      "events/jazz-night-2027-03-14.yaml",
      expect.stringMatching(/^events\/event-[0-9a-f]{8}\.yaml$/),
    ]);
    for (const [file, text] of Object.entries(files)) expect(ran.files[file]).toBe(text);
    const { plan } = await planOf({ files: ran.files, service, maxDeletes: 0 });
    expect(plan.changes.map(({ action, address }) => `${action} ${address}`)).toEqual([
      "create events/jazz-night",
      "create events/con-event",
    ]);
  });

  it("in another folder are updated too, and it is reported that the plan does not read them", async () => {
    const service = serviceWith(event({}));
    const first = await importInto({ service, folder: "backup" });
    expect(Object.keys(first.files)).toEqual(["backup/party.yaml"]);
    expect(first.diagnostics.map(({ code }) => code)).toEqual(["outside-globs"]);
    const again = await importInto({ service, folder: "backup", files: first.files });
    expect(again.imported.files).toEqual([]);
  });
});

describe("a venue", () => {
  it("has its name next to its id where the record shows it", async () => {
    const venueId = "5a9c2f0e-6a1b-4c3d-8e4f-0a1b2c3d4e5f";
    const service = createService({ now: () => now });
    service.control.seed(event({ venueId }));
    const shown = { id: venueId, name: "Palace\n- evil: true", city: "Baguio" };
    rewriteBodies(service, (body) => body.replaceAll(`"venueId":"${venueId}"`, `"venue":${JSON.stringify(shown)}`));
    const ran = await importInto({ service });
    expect(ran.files["events/party.yaml"]).toContain(`venueId: ${venueId} # Palace - evil: true, Baguio\n`);
  });
});

describe("what is asked for", () => {
  it("is an id or a slug; unknown ones are reported with what may be meant", async () => {
    const service = serviceWith(event({}));
    expect((await importInto({ service, names: ["party"] })).imported.events).toHaveLength(1);
    expect((await importInto({ service, names: [id] })).imported.events).toHaveLength(1);
    const { diagnostics, files } = await importInto({ service, names: ["party", "parti", "zzzzzzzz", "Party"] });
    expect(files).toEqual({});
    expect(diagnostics.map(({ code, hint }) => `${code}: ${hint}`)).toEqual([
      "unknown-event: Did you mean party?",
      "unknown-event: Live events: party. `ticketing import --all` imports them all.",
      "unknown-event: Did you mean party?",
    ]);
  });

  it("is of the status that is asked for, even where the service lists all of them", async () => {
    const service = serviceWith({
      events: (["DRAFT", "PUBLISHED", "ARCHIVED"] as const).map((status) => ({ name: status, slug: status, status })),
    });
    const careless: SandboxService = {
      ...service,
      async handle(request) {
        const { path } = request;
        if (!/\/events\?.*status=/.test(path)) return service.handle(request);
        const answers = await Promise.all(
          ["DRAFT", "PUBLISHED", "ARCHIVED"].map((status) =>
            service.handle({ ...request, path: path.replace(/status=[A-Z]+/, `status=${status}`) }),
          ),
        );
        const [first] = answers;
        if (first === undefined) throw new Error("there are three");
        const all = answers.map(({ body }) => JSON.parse(body));
        const body = { ...all[0], data: all.flatMap(({ data }) => data), meta: { ...all[0].meta, total: 3 } };
        return { ...first, body: JSON.stringify(body) };
      },
    };
    for (const [statuses, expected] of [
      [
        ["PUBLISHED", "DRAFT"],
        ["DRAFT", "PUBLISHED"],
      ],
      [["ARCHIVED"], ["ARCHIVED"]],
    ] as const) {
      const ran = await importInto({ service: careless, statuses });
      expect(ran.imported.events.map(({ status }) => status)).toEqual(expected);
    }
    expect((await importInto({ service: careless, names: ["ARCHIVED"] })).imported.events).toHaveLength(1);
  });

  it("is found by its slug where the service takes only ids in paths", async () => {
    const service = serviceWith(event({}));
    for (const status of [400, 404]) {
      const strict: SandboxService = {
        ...service,
        handle: async (request) =>
          /\/events\/(?![0-9a-f]{8}-)[^/?]+$/.test(request.path)
            ? { status, headers: {}, body: '{"error":{"code":"VALIDATION_ERROR","message":"id must be a UUID"}}' }
            : service.handle(request),
      };
      expect((await importInto({ service: strict, names: ["party"] })).imported.events).toHaveLength(1);
    }
  });

  it("needs a key that may read it", async () => {
    const service = serviceWith({ ...event({}), keys: [{ value: "reader", scopes: ["events:read"] }] });
    const { diagnostics } = await importInto({ service, apiKey: "reader" });
    expect(diagnostics.map(({ message }) => message)).toEqual([
      expect.stringContaining("is not allowed to read what is to be imported: it lacks the scope tickets:read"),
      expect.stringContaining("lacks the scope webhooks:manage"),
    ]);
  });
});
