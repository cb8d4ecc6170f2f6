// A project that was written for a live organization is rehearsed in the sandbox as it is.
import { afterEach, describe, expect, test } from "vitest";
import type { Plan } from "../../../src/model/plan.ts";
import { builtInVenues } from "../../../src/sandbox/index.ts";
import { openProject, type Project } from "../../stage/open-project.ts";
import { ticketing } from "../../stage/test-world.ts";

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const own = "7d3b8a52-0c44-4f0e-9a4e-5d1c2b3a4f60";

/** Venues by id, by name, by name and city; in defaults, a template, a series and an event. */
const files = {
  "ticketing.yaml": `version: 1
organization: acme-live
environments:
  production: { baseUrl: https://api.example.com/open-api/v1, apiKeyEnv: TICKETING_API_KEY }
  sandbox: { vars: { hall: Garden Hall } }
vars: { hall: Great Hall }
defaults: { timezone: Asia/Manila, venueId: ${own} }
`,
  "templates/club.yaml": "venue: { name: Neon Cellar, city: Cebu City, country: Philippines }\nwithout: [venueId]\n",
  "events/by-default.yaml": "name: At Home\ndateTime: 2027-03-14T19:00\n",
  "events/friday.yaml":
    "extends: club\nname: Friday\ndateTime: 22:00\nseries: { every: friday, from: 2027-01-08, count: 3 }\n",
  "events/tour-one.yaml":
    "name: Tour\ndateTime: 2027-04-14T19:00\nwithout: [venueId]\nvenue: { name: Grand Palace, city: Iloilo City }\n",
  "events/tour-two.yaml":
    "name: Tour\ndateTime: 2027-04-15T19:00\nwithout: [venueId]\nvenue: { name: Grand Palace, city: Davao City }\n",
  "events/by-var.yaml": "name: By Var\ndateTime: 2027-05-14T19:00\nwithout: [venueId]\nvenue: ${var.hall}\n",
};

async function project(written: Readonly<Record<string, string>>): Promise<Project> {
  const opened = await openProject(written);
  open.push(opened.close);
  return opened;
}

async function inSandbox({ directory }: Project, ...argv: readonly string[]) {
  return ticketing([...argv, "--env", "sandbox", "-C", directory]);
}

async function planned(from: Project): Promise<Plan> {
  return JSON.parse((await inSandbox(from, "plan", "--format", "json")).stdout);
}

function venueOf({ changes }: Plan, key: string): unknown {
  const change = changes.find(({ address }) => address === `events/${key}`);
  return change?.edits.find(({ path }) => path === "/venueId")?.after;
}

async function found(from: Project, text: string) {
  const ran = await inSandbox(from, "venues", "search", text, "--format", "json");
  return (JSON.parse(ran.stdout) as { venues: { id: string; name: string; city: string | null }[] }).venues;
}

describe("the embedded sandbox", () => {
  test("plans and applies a live project without edits, and the second plan is empty", async () => {
    const opened = await project(files);
    const plan = await planned(opened);
    expect(plan.changes.flatMap(({ blockedBy }) => blockedBy)).toEqual([]);
    expect(venueOf(plan, "by-default")).toBe(own);
    const cities = ["tour-one", "tour-two"].map((key) => venueOf(plan, key));
    expect(new Set(cities).size).toBe(2);
    expect((await inSandbox(opened, "apply", "--yes", "--settle", "0")).exitCode).toBe(0);
    expect((await planned(opened)).changes).toEqual([]);
  });

  test("says once which venues of new events it made up, and nothing of those it has or that are given by id", async () => {
    const opened = await project(files);
    const seen = async () => (await planned(opened)).diagnostics.filter(({ code }) => code === "venue-made-up");
    const [remark, ...others] = await seen();
    expect(others).toEqual([]);
    expect(remark).toMatchObject({
      severity: "info",
      message: `The sandbox does not have the venues "Garden Hall", "Neon Cellar", "Grand Palace" and made them up.`,
      hint: "Check the names on your service: `ticketing venues search TEXT --env NAME`.",
    });
    await inSandbox(opened, "apply", "--yes", "--settle", "0");
    expect(await seen()).toEqual([]);
    const known = await project({ "events/a.yaml": "name: A\ndateTime: 2027-03-14T19:00\nvenue: Palace\n" });
    expect((await planned(known)).diagnostics).toEqual([]);
  });

  test("finds each venue once, under what the files say of it", async () => {
    const opened = await project(files);
    const seen = async (text: string) => (await found(opened, text)).map(({ name, city }) => [name, city]);
    expect(await seen("neon cellar")).toEqual([["Neon Cellar", "Cebu City"]]);
    expect(await seen("Garden Hall")).toEqual([["Garden Hall", null]]);
    expect(await seen("Grand Palace")).toEqual([
      ["Grand Palace", "Davao City"],
      ["Grand Palace", "Iloilo City"],
    ]);
    expect((await found(opened, "Venue 7d3b8a52")).map(({ id }) => id)).toEqual([own]);
    expect(await seen("Great Hall")).toEqual([]);
  });

  test("has one venue of a name that is given once with its city and once without, and keeps its id", async () => {
    const opened = await project({ "events/a.yaml": "name: A\ndateTime: 2027-03-14T19:00\nvenue: Neon Cellar\n" });
    const before = venueOf(await planned(opened), "a");
    await opened.write(
      "events/b.yaml",
      "name: B\ndateTime: 2027-03-15T19:00\nvenue: { name: NEON CELLAR, city: Cebu }\n",
    );
    const plan = await planned(opened);
    expect([venueOf(plan, "a"), venueOf(plan, "b")]).toEqual([before, before]);
    expect(await found(opened, "neon")).toMatchObject([{ city: "Cebu" }]);
  });

  test("uses its own venue where one fits, and one of two where the files need no city", async () => {
    const palace = builtInVenues.filter(({ name }) => name === "Palace");
    const opened = await project({ "events/a.yaml": "name: A\ndateTime: 2027-03-14T19:00\nvenue: Palace\n" });
    expect(venueOf(await planned(opened), "a")).toBe(palace[0]?.id);
    expect(await found(opened, "palace")).toHaveLength(1);
    await opened.write("events/a.yaml", "name: A\ndateTime: 2027-03-14T19:00\nvenue: { name: Palace, city: Taguig }\n");
    expect(venueOf(await planned(opened), "a")).toBe(palace[1]?.id);
    expect(await found(opened, "palace")).toHaveLength(2);
  });

  test("a name that the files give to two cities is unclear without one, as it would be live", async () => {
    const opened = await project({
      ...files,
      "events/tour-three.yaml": "name: Tour\ndateTime: 2027-04-16T19:00\nwithout: [venueId]\nvenue: Grand Palace\n",
    });
    const { changes } = await planned(opened);
    expect(changes.flatMap(({ blockedBy }) => blockedBy.map(({ code }) => code))).toEqual(["venue-ambiguous"]);
  });

  test("one that serves already learns what the files name by now", async () => {
    const opened = await project({ "events/a.yaml": "name: A\ndateTime: 2027-03-14T19:00\nvenue: Neon Cellar\n" });
    const stop = new AbortController();
    const argv = ["sandbox", "--port", "0", "--format", "json", "-C", opened.directory];
    let said: (line: string) => void = () => undefined;
    const line = new Promise<string>((resolve) => {
      said = resolve;
    });
    const stdout = { write: (text: string) => said(text), isTerminal: false, columns: 80 };
    const serving = ticketing(argv, { stdout, interrupted: stop.signal });
    const { baseUrl, apiKey } = JSON.parse(await line) as { baseUrl: string; apiKey: string };
    const search = async (text: string) => {
      const response = await fetch(`${baseUrl}/venues/search?query=${text}`, { headers: { "api-key": apiKey } });
      return ((await response.json()) as { data: unknown[] }).data.length;
    };
    expect([await search("neon"), await search("attic")]).toEqual([1, 0]);
    await opened.write("events/b.yaml", "name: B\ndateTime: 2027-03-15T19:00\nvenue: Tin Attic\n");
    expect((await planned(opened)).changes.flatMap(({ blockedBy }) => blockedBy)).toEqual([]);
    expect([await search("neon"), await search("attic")]).toEqual([1, 1]);
    stop.abort();
    expect((await serving).exitCode).toBe(130);
  });
});

test("secrets of its webhooks stay in a file: the project's command would overwrite the real one", async () => {
  const command = '[node, -e, "require(`fs`).writeFileSync(`ran`, `x`)", "{secretName}"]';
  const opened = await project({
    "ticketing.yaml": `version: 1\nsecrets: { sink: command, command: ${command} }\n`,
    "webhooks.yaml": "- { url: https://hooks.example/orders, events: [order.completed], secretName: ORDERS }\n",
  });
  expect((await inSandbox(opened, "apply", "--yes", "--settle", "0")).exitCode).toBe(0);
  await expect(opened.read("ran")).rejects.toThrow("ENOENT");
  expect(await opened.read(".ticketing/secrets.json")).toContain("https://hooks.example/orders");
});

test("at any other service a venue that is not there is still an error", async () => {
  const opened = await project({
    "events/a.yaml": "name: A\ndateTime: 2027-03-14T19:00\nvenue: Neon Cellar\n",
    "events/b.yaml": `name: B\ndateTime: 2027-03-15T19:00\nvenueId: ${own}\n`,
  });
  const { exitCode, plan } = await opened.plan();
  expect(exitCode).toBe(1);
  expect(plan.changes.flatMap(({ blockedBy }) => blockedBy.map(({ code }) => code))).toEqual(["venue-not-found"]);
  const applied = await opened.apply("--skip-blocked");
  expect(applied.exitCode).toBe(1);
  expect(applied.stdout).toContain(`venueId ${own} is not a venue`);
});
