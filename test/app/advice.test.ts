// Commands in advice: whoever follows one must reach the environment that the advice is about.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { advise, adviser } from "../../src/app/world.ts";
import { commonFlagsOf, isInHelp, type Usage } from "../../src/cli/usage/usage.ts";
import { usages } from "../../src/cli/usages.ts";
import { ticketDeletion } from "../../src/kinds/rules/ticket-rules.ts";
import { openProject, type Project } from "../stage/open-project.ts";

const to = (flags: readonly string[], inJob = flags) => ({ advice: { target: { flags, inJob, pin: null } } });
const production = to(["--env", "production"]);

describe("a text", () => {
  test.each([
    ["run `ticketing apply`.", "run `ticketing apply --env production`."],
    [
      "`ticketing plan --out FILE`, then `ticketing ci apply`",
      "`ticketing plan --out FILE --env production`, then `ticketing ci apply --env production`",
    ],
    ["`ticketing plan --format json > plan.json`", "`ticketing plan --format json --env production > plan.json`"],
  ])("%s", (text, complete) => {
    expect(adviser(production)(text)).toBe(complete);
    // What passes two doors is completed once.
    expect(adviser(production)(complete)).toBe(complete);
  });

  test.each([
    "`ticketing apply --env sandbox` and `ticketing plan --base-url https://a.example.com/v1`",
    "`ticketing explain CODE`, `ticketing fmt`, `ticketing init --ci github`, `ticketing sandbox --port 1`",
    "ticketing apply, `apply`, `ticketing`, `ticketing ci` and `ticketing planner`",
  ])("%s stays as it is", (text) => expect(adviser(production)(text)).toBe(text));

  test("nothing is added where a bare command gets there, and a name is quoted as the shell wants it", () => {
    const said = [{ message: "It is so.", hint: "`ticketing apply`" }];
    expect(advise(to([]), said)).toBe(said);
    expect(advise({}, said)).toBe(said);
    expect(adviser(to(["--env", "a b"]))("`ticketing apply`")).toBe("`ticketing apply --env 'a b'`");
  });

  test("a job uses no default, so its command names the environment all the same", () => {
    const asDefault = to([], ["--env", "production"]);
    expect(adviser(asDefault)("`ticketing ci apply --unreviewed apply` or `ticketing apply`")).toBe(
      "`ticketing ci apply --unreviewed apply --env production` or `ticketing apply`",
    );
  });

  test("the commands are those whose help lists --env", () => {
    const pathsOf = (all: readonly Usage[], before = ""): readonly (readonly [string, Usage])[] =>
      all.flatMap((usage) => [
        ...(usage.group === true ? [] : [[`${before}${usage.name}`, usage] as const]),
        ...pathsOf(usage.below ?? [], `${before}${usage.name} `),
      ]);
    for (const [path, usage] of pathsOf(usages)) {
      // The --env of init is the name of a new environment.
      const takes =
        path !== "init" && commonFlagsOf(usage).some((flag) => flag.flags.startsWith("--env") && isInHelp(flag, usage));
      expect([path, adviser(production)(`\`ticketing ${path}\``).includes("--env")]).toEqual([path, takes]);
    }
  });
});

describe("in a project whose default is the sandbox", () => {
  let project: Project;
  afterEach(() => project.close());

  const event = (name: string, day = 14) =>
    `name: ${name}\ndateTime: 2027-03-${day}T19:00+08:00\nlocationType: ONLINE\nstatus: PUBLISHED\ntickets: [{ name: GA, price: 500, quantity: 50, published: true }]\n`;

  async function open(): Promise<string> {
    const files = { "events/gala.yaml": event("Gala"), "events/b.yaml": event("B"), "events/c.yaml": event("C") };
    project = await openProject(files);
    const { TICKETING_BASE_URL: url, TICKETING_API_KEY: key } = project.env;
    for (const name of Object.keys(project.env)) delete project.env[name];
    project.env.LIVE_KEY = String(key);
    const live = `environments: { production: { baseUrl: ${JSON.stringify(url)}, apiKeyEnv: LIVE_KEY } }`;
    await project.write("ticketing.yaml", `version: 1\ndefaultEnvironment: sandbox\n${live}\n`);
    const { report } = await project.apply("--env", "production");
    expect(report.summary.done).toBe(report.outcomes.length);
    const made = await project.plan("--env", "production");
    const gala = made.plan.matched?.["events/gala"]?.id ?? "";
    project.sandbox.control.sell({ event: gala, ticket: "GA", count: 2 });
    return gala;
  }

  test("every format of a plan names the environment, and so does the saved one", async () => {
    await open();
    await project.write("events/gala.yaml", event("Gala", 20));
    const command = "ticketing orders gala --with-buyers --env production";
    for (const format of ["text", "json", "markdown", "html"]) {
      const { stdout } = await project.run(["plan", "--env", "production", "--format", format, "--out", "plan.json"]);
      expect(stdout.replace(/\s+/g, " ")).toContain(command);
    }
    expect(await project.read("plan.json")).toContain(command);
    const named = await project.run(["plan", "--out", "plan.json", "--allow", "reschedule-with-sales"], {
      env: { ...project.env, TICKETING_ENV: "production" },
    });
    expect(named.stdout.replace(/\s+/g, " ")).toContain(command);
    expect(named.stderr).toMatch(/ticketing apply (-C \S+ )?--env production plan\.json/);
    expect((await project.run(command.split(" ").slice(1))).exitCode).toBe(0);
  });

  test("a block, a lock, a refused plan file and a missing event do, too", async () => {
    await open();
    await project.edit("ticketing.yaml", (text) => text.replace(/^defaultEnvironment.*\n/m, ""));
    await Promise.all(["gala", "b", "c"].map((name) => project.remove(`events/${name}.yaml`)));
    const blocked = await project.plan("--env", "production");
    const hints = blocked.plan.changes.flatMap(({ blockedBy }) => blockedBy.map(({ hint }) => hint)).join("\n");
    expect(hints).toMatch(/`ticketing import \S+ --env production`/);
    const refused = await project.run(["apply", "--env", "production", "--yes", "ticketing.yaml"]);
    expect(refused.stderr).toContain("`ticketing plan --out FILE --env production`");
    const unknown = await project.run(["orders", "galla", "--env", "production", "--format", "json"]);
    expect(unknown.stdout).toContain("`ticketing status --archived --env production`");
    mkdirSync(join(project.directory, ".ticketing"), { recursive: true });
    const holder = { token: "aa", pid: 1, host: "elsewhere", began: null, since: "2999-01-01T00:00:00Z" };
    writeFileSync(
      join(project.directory, ".ticketing/lock.production.json"),
      JSON.stringify({ ...holder, command: "apply", user: "x" }),
    );
    const locked = await project.run(["apply", "--env", "production", "--yes", "--format", "json"]);
    expect(locked.stdout).toContain("`ticketing state unlock --env production`");
    expect(locked.stderr).toContain("`ticketing state unlock --env production`");
  });

  test("a new name for an archived event: the message has the live one, and a new file is what helps", async () => {
    await open();
    await project.write("events/b.yaml", event("B").replace("PUBLISHED", "ARCHIVED"));
    await project.apply("--env", "production");
    await project.write("events/b.yaml", event("B Two"));
    const { plan } = await project.plan("--env", "production");
    const [block] = plan.changes.find(({ address }) => address === "events/b")?.blockedBy ?? [];
    expect(block?.message).toBe('"B" is archived: the service no longer accepts changes to it.');
    expect(block?.hint).toContain("describe it in a new file, with a different name or start.");
    await project.remove("events/b.yaml");
    await project.write("events/b-two.yaml", event("B", 21));
    const again = await project.plan("--env", "production");
    expect(again.plan.changes.flatMap(({ blockedBy }) => blockedBy)).toEqual([]);
    expect(again.plan.summary.create).toBe(2);
  });

  test("a plan of a project without events claims no match", async () => {
    await open();
    await project.write("ticketing.yaml", "version: 1\nevents: none/*.yaml\n");
    const { stdout } = await project.run(["plan", "--env", "sandbox"]);
    expect(stdout).toContain("No changes: there is nothing in the files to compare with the service.");
  });

  test("the sandbox is named only where a key would keep a bare command from it", async () => {
    await open();
    const list = (env: Record<string, string>) => project.run(["webhooks", "list", "--env", "sandbox"], { env });
    expect((await list({})).stdout.replace(/\s+/g, " ")).toContain("run `ticketing apply`.");
    const withKey = await list({ TICKETING_API_KEY: "tk_12345678" });
    expect(withKey.stdout.replace(/\s+/g, " ")).toContain("run `ticketing apply --env sandbox`.");
  });
});

describe("in a plain project", () => {
  let project: Project;
  afterEach(() => project.close());

  const event = (name: string, more = "") =>
    `name: ${name}\ndateTime: 2027-03-14T19:00+08:00\nlocationType: ONLINE\ntickets: [{ name: GA, price: 500, quantity: 50, published: false }]\n${more}`;
  const read = async (...argv: readonly string[]) => (await project.run(argv)).stdout.replace(/\s+/g, " ");

  test("the risk of deleting one date is accepted by its date, and of several by each", async () => {
    const club = (skip: string) =>
      `name: Club\ndateTime: "22:00"\nlocationType: ONLINE\nseries: { every: friday, from: 2027-01-08, count: 4${skip} }\n`;
    project = await openProject({ "events/club.yaml": club("") });
    expect((await project.apply()).exitCode).toBe(0);
    await project.write("events/club.yaml", club(", skip: [2027-01-15]"));
    const one = await read("plan");
    expect(one).toContain(
      'add `{ risk: delete-event, event: "club@2027-01-15" }` to the list `allow` in ticketing.yaml.',
    );
    expect(one).not.toContain("DATE");
    expect(one).toContain("To keep it, take the date out of `skip`.");
    await project.write("events/club.yaml", club(", skip: [2027-01-08, 2027-01-15, 2027-01-22]"));
    const several = await read("plan");
    expect(several).toContain("3 dates of events/club: delete");
    expect(several).toContain("in ticketing.yaml. That entry accepts it for all dates of the series.");
  });

  test.each([
    [
      "an earlier end",
      "every: friday, from: 2027-01-08, count: 1",
      "restore the former `until` (or `count`) of its series, or, if",
    ],
    [
      "a later start",
      "every: friday, from: 2027-01-22, count: 2",
      "restore the former `from` of its series, or, if `from`",
    ],
    [
      "another rule",
      "every: saturday, from: 2027-01-09, count: 4",
      "undo the change to the rule of its series, or add",
    ],
    ["a list of dates", "also: [2027-01-08, 2027-01-22]", "undo the change to the rule of its series, or add"],
    [
      "a sheet",
      "table: dates.csv",
      "undo the change to the rule of its series, or add the date to `also` (or to the sheet",
    ],
    ["a lost file", null, "bring back the file of its series, or its `series:` block. If the series was renamed"],
  ])("a date that left its series by %s is brought back as that says", async (_, rule, advice) => {
    const club = (series: string) => `name: Club\ndateTime: "22:00"\nlocationType: ONLINE\nseries: { ${series} }\n`;
    project = await openProject({
      "events/club.yaml": club("every: friday, from: 2027-01-08, count: 4"),
      "events/dates.csv": "date\n2027-01-08\n2027-01-22\n",
    });
    expect((await project.apply()).exitCode).toBe(0);
    await (rule === null ? project.remove("events/club.yaml") : project.write("events/club.yaml", club(rule)));
    const plan = JSON.parse(await read("plan", "--format", "json"));
    const gone = plan.changes.find(({ address }: { address: string }) => address === "events/club@2027-01-15");
    expect(gone.blockedBy[0].hint).toContain(`To keep it, ${advice}`);
  });

  test("what is protected by a template is released under its date", async () => {
    const series = "extends: t\nseries: { every: sunday, from: 2027-03-07, until: 2027-03-21 }\n";
    const club = event("Club", series).replace(/dateTime: .*/, 'dateTime: "19:00"');
    project = await openProject({ "templates/t.yaml": "protected: true\n", "events/club.yaml": club });
    expect((await project.apply()).exitCode).toBe(0);
    const withDates = (text: string) => project.write("events/club.yaml", club.replace("03-21 }", `03-21, ${text} }`));
    await withDates("dates: { 2027-03-14: { status: ARCHIVED } }");
    expect(await read("plan")).toContain(
      "Write `protected: false` for the date under `dates` (`protected: true` comes from templates/t.yaml:1).",
    );
    await withDates("skip: [2027-03-14]");
    expect(await read("plan")).toContain(
      "To delete it, first bring the date back into its series, with `protected: false` under `dates`",
    );
    await withDates("dates: { 2027-03-14: { protected: false } }");
    expect((await project.apply()).exitCode).toBe(0);
    await withDates("skip: [2027-03-14]");
    expect(await read("plan", "--allow", "delete-event")).not.toContain("blocked[");
  });

  test("an event that a template protects is deleted in two steps", async () => {
    const club = event("Club", "extends: t\n");
    project = await openProject({ "templates/t.yaml": "protected: true\n", "events/club.yaml": club });
    expect((await project.apply()).exitCode).toBe(0);
    await project.remove("events/club.yaml");
    expect(await read("plan")).toContain("first bring its file back, with `protected: false`, and apply that");
    await project.write("events/club.yaml", `${club}protected: false\n`);
    expect((await project.apply()).exitCode).toBe(0);
    await project.remove("events/club.yaml");
    expect(await read("plan", "--allow", "delete-event")).not.toContain("blocked[");
  });

  test("a misspelled name of an inherited ticket type is a question, once", async () => {
    project = await openProject({
      "templates/t.yaml": "tickets: [{ name: Early, price: 400, quantity: 5, published: true }]\n",
      "events/a.yaml": "name: A\ndateTime: 2027-03-14T19:00\nextends: t\ntickets: [{ name: Erly, soldOut: true }]\n",
    });
    const said = await read("validate");
    expect(said).toContain('`price` is missing in "Erly".');
    expect(said).toContain('fix: Did you mean "Early"? If not: Add a field such as `price: 1500` inside the braces.');
    expect(said).not.toContain("`quantity` is missing");
  });

  test("a file of webhooks is only the list: a line above it is to be removed", async () => {
    const list = "  - { url: https://hooks.example.com/a, events: [order.completed] }\n";
    project = await openProject({ "events/a.yaml": event("A"), "webhooks.yaml": `webhooks:\n${list}` });
    expect(await read("validate")).toContain("Remove the line above the list, such as `webhooks:`");
    await project.write("webhooks.yaml", "url: https://a.example.com/hook\nevents: [order.completed]\n");
    expect(await read("validate")).toContain("fix: Start each webhook with a dash");
  });

  test("a key that is refused is no reason to seal the state again", async () => {
    project = await openProject({ "events/a.yaml": event("A") });
    expect((await project.apply()).exitCode).toBe(0);
    project.env.TICKETING_API_KEY = "not-the-right-key";
    const said = await read("plan");
    expect(said).toContain("UNAUTHORIZED");
    expect(said).not.toContain("local-data-unverified");
  });

  test("a file without problems says that its event has some elsewhere", async () => {
    project = await openProject({
      "templates/t.yaml": "phases: [{ from: -1d, tickets: [{ name: Door, soldOut: true }] }]\n",
      "events/a.yaml": event("A", "extends: t\n"),
      "events/b.yaml": event("B"),
    });
    expect(await read("validate", "events/a.yaml")).toContain(
      "No problems in this file. Checked 1 file (1 event). In other files, 1 error concerns this event: run `ticketing validate` without file names.",
    );
    expect(await read("validate", "events/b.yaml")).toContain("No problems. Checked 1 file (1 event).");
  });

  test("outside git, what has come due is marked also after a run that did not apply everything", async () => {
    project = await openProject({
      "events/a.yaml": event("A", "phases: [{ from: 2027-01-02T00:00Z, description: Soon }]\n"),
      "events/b.yaml": event("B"),
    });
    expect((await project.apply()).exitCode).toBe(0);
    const later = { now: () => Date.parse("2027-01-03T00:00:00Z") };
    await project.write("events/b.yaml", event("B", "description: Other\n"));
    await project.run(["apply", "--yes", "--target", "events/b"], later);
    expect((await project.state()).lastRun?.clean).toBe(false);
    expect((await project.run(["plan"], later)).stdout).toContain("(because of a phase)");
  });
});

describe("what somebody did on the service, and a rule would undo", () => {
  let project: Project;
  afterEach(() => project.close());

  const gala = (more = "") =>
    `name: Gala\ndateTime: 2027-03-14T19:00+08:00\nlocationType: ONLINE\nstatus: PUBLISHED\n${more}tickets: [{ name: GA, price: 500, quantity: 50, published: true }]\n`;

  async function byHand(method: string, path: string, body?: unknown): Promise<void> {
    const headers = { "api-key": project.sandbox.apiKey, "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    expect((await fetch(`${project.sandbox.baseUrl}${path}`, { method, headers, ...sent })).ok).toBe(true);
  }

  async function applied(more = ""): Promise<string> {
    project = await openProject({ "events/gala.yaml": gala(more) });
    await project.apply();
    const { plan } = await project.plan();
    return plan.matched?.["events/gala"]?.id ?? "";
  }

  const keep = "Somebody did this on the service. To keep it, run `ticketing import gala` and commit the file";

  test("is first kept, then undone; what was added there was not renamed", async () => {
    const event = await applied();
    project.sandbox.control.sell({ event, ticket: "GA", count: 2 });
    const [ticket] = project.sandbox.service.dump().tickets as unknown as readonly { readonly id: string }[];
    await byHand("PATCH", `/events/${event}/tickets/${ticket?.id}`, { price: 700 });
    const { plan } = await project.plan();
    const [block, ...others] = plan.changes.flatMap(({ blockedBy }) => blockedBy);
    expect(others).toEqual([]);
    expect(block?.hint).toContain(
      `${keep}; if you accept the risk, apply undoes it. To accept this risk, add \`allow: `,
    );
    await project.run(["import", "gala"]);
    expect((await project.plan()).plan.changes).toEqual([]);
    const facts = { event: { status: "PUBLISHED" }, live: { fields: {} }, sold: { count: 0, any: false }, name: "VIP" };
    const advice = (origin: string) =>
      ticketDeletion({ ...facts, change: { action: "delete", address: "events/gala/tickets/VIP", origin } } as never);
    expect(advice("edit")?.hint).toContain("renamedFrom: VIP");
    expect(advice("drift")?.hint).not.toContain("renamedFrom");
  });

  test("cannot be undone where it was archived, and no edit is there to undo", async () => {
    const event = await applied();
    await byHand("POST", `/events/${event}/archive`);
    const { plan } = await project.plan();
    const [block] = plan.changes.flatMap(({ blockedBy }) => blockedBy);
    expect(block?.hint).toBe(
      `${keep}. Archiving cannot be undone. To run the event again, describe it in a new file, with a different name or start.`,
    );
  });

  test("an edit of the same object is advised on as before", async () => {
    const event = await applied();
    project.sandbox.control.sell({ event, ticket: "GA", count: 2 });
    await byHand("PATCH", `/events/${event}`, { description: "New" });
    await project.write("events/gala.yaml", gala("description: Old\n").replace("T19:00", "T20:00"));
    const { plan } = await project.plan();
    const [block] = plan.changes.flatMap(({ blockedBy }) => blockedBy);
    expect([block?.code, block?.hint]).toEqual(["reschedule-with-sales", expect.not.stringContaining("Somebody")]);
  });
});
