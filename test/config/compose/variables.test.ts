import { describe, expect, it } from "vitest";
import { sortDiagnostics } from "../../../src/model/diagnostic.ts";
import { projectOf, reported } from "../project-of.ts";

async function described(text: string, settings = "", env: Record<string, string> = {}, environment?: string) {
  const options = environment === undefined ? { env } : { env, environment };
  const project = await projectOf(
    { "ticketing.yaml": `version: 1\n${settings}`, "events/a.yaml": `name: A\ndateTime: 2027-03-14T19:00\n${text}\n` },
    options,
  );
  const [event] = project.events;
  return {
    fields: event?.fields,
    own: event?.own,
    problems: project.diagnostics,
    reported: reported(project.diagnostics),
  };
}

describe("variables", () => {
  it("that nothing uses are reported where a used one has a similar name", async () => {
    const series = `extends: club
name: A
vars: { band: Residents, notes: for us, hots: "12" }
dateTime: 22:00
phases: [{ from: -1d, vars: { dors: "21" }, description: "Doors \${var.doors}" }]
series:
  every: friday
  from: 2027-01-08
  count: 2
  dates:
    2027-01-08: { vars: { bnad: Ana } }
    2027-01-15: { vars: { band: Ben, doors: "20", bands: two } }
`;
    const { diagnostics } = await projectOf({
      "ticketing.yaml":
        "version: 1\nvars: { host: a.example, doors: '19' }\ndefaults: { tickets: { section: '${var.zone}' } }\n",
      "templates/club.yaml":
        "extends: base\nvars: { bandd: for others, lineups: all, zones: all }\ndescription: With ${var.band} of ${var.lineups} in ${var.zones}\n",
      "templates/base.yaml": "description: With ${var.lineup}\n",
      "events/a.yaml": series,
      // The template's text that uses `lineup` is replaced by the other's.
      "events/b.yaml": "extends: club\nname: B\ndateTime: 2027-03-14T19:00\nvars: { band: X, lineup: Y, zone: Z }\n",
    });
    const said = diagnostics.map(({ source, message, hint }) => `${source?.file}:${source?.line} ${message} ${hint}`);
    expect(said).toEqual([
      "events/a.yaml:5 Nothing uses the variable `dors`. Did you mean `doors`?",
      "events/a.yaml:11 Nothing uses the variable `bnad`. Did you mean `band`?",
    ]);
  });

  it("that are not set are reported only where they are used", async () => {
    const { reported: said } = await described("vars: { band: Ana, a: 1 }\ndescription: ${var.bnad} ${var.b}");
    expect(said).toEqual([expect.stringContaining("unknown-variable"), expect.stringContaining("unknown-variable")]);
  });

  it("may be inside texts", async () => {
    const { fields } = await described(
      'description: "${var.a} and ${env.TICKETING_VAR_B}, $${var.a}"',
      "vars: { a: one }\n",
      { TICKETING_VAR_B: "two" },
    );
    expect(fields?.description).toBe("one and two, ${var.a}");
  });

  it("that are written by environment are reported with where those go", async () => {
    const { problems } = await described("", "vars:\n  production: { host: a.example }\n");
    expect(problems).toMatchObject([
      {
        code: "wrong-type",
        message: "`production` has fields, but a variable is a single value.",
        hint: "If production is an environment, put its value in ticketing.yaml: environments: { production: { vars: { host: … } } }.",
      },
    ]);
  });

  it("give their own type when they are the whole value", async () => {
    const { fields, problems } = await described("eventCapacity: ${var.seats}", "vars: { seats: 700 }\n");
    expect(problems).toEqual([]);
    expect(fields?.eventCapacity).toBe(700);
  });

  it.each(["", '"'])(
    "of the environment take the type of their field where they are the whole value (quotes: %s)",
    async (quote) => {
      const env = { TICKETING_VAR_SEATS: "700", TICKETING_VAR_FEES: "false", TICKETING_VAR_KEPT: "true" };
      const whole = (name: string) => `${quote}\${${name}}${quote}`;
      const { fields, own, problems } = await described(
        `vars:
  all: ${whole("env.TICKETING_VAR_SEATS")}
eventCapacity: ${whole("env.TICKETING_VAR_SEATS")}
absorbFees: ${whole("env.TICKETING_VAR_FEES")}
protected: ${whole("env.TICKETING_VAR_KEPT")}
description: ${whole("env.TICKETING_VAR_SEATS")}
tickets:
  - name: ${whole("var.all")}
    price: ${whole("var.all")}
    quantity: 1`,
        "",
        env,
      );
      expect(problems).toEqual([]);
      expect(fields).toMatchObject({ eventCapacity: 700, absorbFees: false, description: "700" });
      expect(own?.protected).toBe(true);
    },
  );

  it("give their own type in the defaults, too", async () => {
    const settings =
      "vars: { seats: 700, fees: false, who: PRIVATE }\ndefaults: { eventCapacity: '${var.seats}', absorbFees: '${var.fees}', visibility: '${var.who}' }\n";
    const { fields, problems } = await described("", settings);
    expect(problems).toEqual([]);
    expect(fields).toMatchObject({ eventCapacity: 700, absorbFees: false, visibility: "PRIVATE" });
  });

  it("that do not fit into the defaults are reported once, and left out", async () => {
    const { events, diagnostics } = await projectOf({
      "ticketing.yaml": "vars: { who: all }\ndefaults:\n  visibility: ${var.who}\n  eventCapacity: ${var.no}\n",
      "events/a.yaml": "name: A\ndateTime: 2027-03-14T19:00\n",
      "events/b.yaml": "name: B\ndateTime: 2027-03-14T19:00\n",
    });
    expect(reported(sortDiagnostics(diagnostics))).toEqual([
      "ticketing.yaml:3:15 unknown-value",
      "ticketing.yaml:4:18 unknown-variable",
    ]);
    expect(events[0]?.fields).not.toHaveProperty("visibility");
  });

  it("come from the chosen environment first", async () => {
    const settings = `vars: { host: dev }
environments:
  production: { baseUrl: "https://api.example.com/open-api/v1", vars: { host: live } }
`;
    expect((await described("description: ${var.host}", settings, {}, "production")).fields?.description).toBe("live");
    expect((await described("description: ${var.host}", settings, {}, "sandbox")).fields?.description).toBe("dev");
  });

  it("may be made of each other", async () => {
    const { fields } = await described(
      "description: ${var.url}",
      'vars: { host: a.example, url: "https://${var.host}/x" }\n',
    );
    expect(fields?.description).toBe("https://a.example/x");
  });

  it("are reported at their place when they are unknown", async () => {
    const { reported, problems } = await described('description: "Welcome to ${var.hal}"', "vars: { hall: A }\n");
    expect(reported).toEqual(["events/a.yaml:3:26 unknown-variable"]);
    expect(problems[0]?.hint).toBe("Did you mean `hall`?");
  });

  it.each([
    ["${vars.hall}", "Did you mean `${var.hall}`? If not, write $${vars.hall} for the literal text."],
    ["${hall}", "Did you mean `${var.hall}`? If not, write $${hall} for the literal text."],
    ["${vars.nobody}", "Did you mean `${var.nobody}`? If not, write $${vars.nobody} for the literal text."],
    [
      "${TICKETING_VAR_X}",
      "Did you mean `${env.TICKETING_VAR_X}`? If not, write $${TICKETING_VAR_X} for the literal text.",
    ],
    ["${nothing}", "Write ${var.nothing} for the variable `nothing`, or $${nothing} for the literal text."],
    ["${env.hall-1}", "Set TICKETING_VAR_HALL_1 and write ${env.TICKETING_VAR_HALL_1}."],
    ["${env.ticketing_var_x}", "Set TICKETING_VAR_X and write ${env.TICKETING_VAR_X}."],
    ["${var.hall ?? B}", "Write `${var.hall}`, and its default under `vars` in ticketing.yaml or in a template."],
  ])("%s is taken for what it may mean", async (text, hint) => {
    const { problems } = await described(`description: "Welcome to ${text}"`, "vars: { hall: A }\n");
    expect(problems).toMatchObject([{ code: "unknown-variable", hint }]);
  });

  it("with an error in ticketing.yaml are not unknown besides", async () => {
    const { reported } = await described('description: "Welcome to ${var.hall}"', "vars: { hall: [A] }\n");
    expect(reported).toEqual(["ticketing.yaml:2:15 wrong-type"]);
  });

  it("need quotes within brackets", async () => {
    const { problems } = await described("tickets: [{ name: GA, price: ${var.p}, quantity: 5 }]");
    const message = "Within { } or [ ], text that contains `${var.p}` needs quotes.";
    expect(problems).toMatchObject([
      {
        code: "yaml-syntax",
        message,
        hint: 'Put the whole text in quotes, such as "${var.p}".',
        source: { column: 30 },
      },
    ]);
  });

  it("are reported in the right line of a long text", async () => {
    const { reported } = await described("description: |\n  First\n  then ${var.nobody}");
    expect(reported).toEqual(["events/a.yaml:5:8 unknown-variable"]);
  });

  it("are looked up behind a literal `${`, too", async () => {
    const settings = "vars: { x: one }\n";
    const { fields, problems } = await described('description: "$${a ${var.x}} $${ $$${b} $${var.x}"', settings);
    expect(problems).toEqual([]);
    expect(fields?.description).toBe("${a one} ${ $${b} ${var.x}");
    expect((await described('description: "$${a ${var.y}}"', settings)).reported).toEqual([
      "events/a.yaml:3:20 unknown-variable",
    ]);
  });

  it.each([
    ["behind literal ones", 'description: "Use $${ for ${var.x} and $${b} ${var.nope}"', "3:46"],
    ["behind one that is not closed", 'description: "${a ${var.x}"', "3:15"],
    ["in a text without quotes", "description: Use $${ for ${var.nope}", "3:26"],
    ["in a long text", "description: |\n  $${ and\n  $${b} ${var.nope}", "5:9"],
  ])("are reported at their place %s", async (_, text, place) => {
    expect((await described(text, "vars: { x: one }\n")).reported).toEqual([`events/a.yaml:${place} unknown-variable`]);
  });

  it("of the environment are read only with the prefix", async () => {
    const { reported, problems } = await described("description: ${env.AWS_SECRET}", "", { AWS_SECRET: "hush" });
    expect(reported).toEqual(["events/a.yaml:3:14 unknown-variable"]);
    expect(JSON.stringify(problems)).not.toContain("hush");
  });

  it("that are not set are reported", async () => {
    expect((await described("description: ${env.TICKETING_VAR_X}")).reported).toEqual([
      "events/a.yaml:3:14 unknown-variable",
    ]);
  });

  it("that go in a circle are reported once, and not again where they are used", async () => {
    const { reported, problems } = await described(
      "description: ${var.a}",
      'vars:\n  a: "${var.b}"\n  b: "${var.c}"\n  c: "x${var.a}"\n  d: fine\n',
    );
    expect(reported).toEqual(["ticketing.yaml:3:6 variable-circle"]);
    expect(problems[0]?.message).toContain("a → b → c → a");
  });

  it("add at most 64 MiB to all files together", async () => {
    const performers = Array.from({ length: 10 }, (_, index) => `{ name: DJ ${index}, description: "\${var.long}" }`);
    const text = `name: A\ndateTime: 2027-03-14T19:00\nperformers: [${performers.join(", ")}]\n`;
    const files = Object.fromEntries(Array.from({ length: 75 }, (_, index) => [`events/${index + 100}.yaml`, text]));
    const settings = `vars: { long: ${"x".repeat(95_000)} }\n`;
    const project = await projectOf({ ...files, "ticketing.yaml": settings });
    // Ten texts of 95,000 characters in each: the 71st file is the first beyond 67,108,864.
    expect(reported(project.diagnostics)).toEqual(["events/170.yaml:1:1 too-long"]);
    expect(project.events).toHaveLength(71);
  });
});
