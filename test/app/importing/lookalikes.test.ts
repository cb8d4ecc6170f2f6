// A live event that a document may describe gets no file of its own: the next apply would create the document's event a second time.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openProject } from "../../stage/open-project.ts";

const stateless = "version: 1\nstate: { backend: none }\n";
const tickets = "tickets: [{ name: Door, price: 500, quantity: 100, published: true }]\n";
const gala = `status: PUBLISHED\nname: Gala\ndateTime: 2027-03-01T19:00\nvenue: Session Hall\n${tickets}`;
const club = `status: PUBLISHED\nname: Club\ndateTime: 22:00\nvenue: Session Hall\n${tickets}series: { every: friday, from: 2027-02-05, count: 3 }\n`;

interface LiveEvent {
  readonly id: string;
  readonly name: string;
  readonly dateTime: string;
}
type Project = Awaited<ReturnType<typeof openProject>>;

async function call({ sandbox }: Project, path: string, method = "GET", body?: object) {
  const headers = { "api-key": sandbox.apiKey, "content-type": "application/json" };
  const response = await fetch(`${sandbox.baseUrl}/events${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return ((await response.json()) as { data: readonly LiveEvent[] }).data;
}

const ways = [
  ["moved", gala, { dateTime: "2027-03-01T12:00:00Z" }, ["--all"], "remove this event from the files"],
  ["renamed", gala, { name: "Grand Gala" }, ["--all"], "remove this event from the files"],
  ["renamed and asked for by its id", gala, { name: "Grand Gala" }, [], "remove this event from the files"],
  ["a moved date of a series", club, { dateTime: "2027-02-13T14:00:00Z" }, ["--all", "--series"], "to `skip`"],
  ["a renamed date of a series", club, { name: "Grand Club" }, [], "to `skip`"],
] as const;

test.each(ways.flatMap((way) => [[...way, "no state"] as const, [...way, "a state that does not know it"] as const]))(
  "%s on the service: the import says which document may mean it, and how to answer",
  async (...given) => {
    const [, text, drift, flags, leave, memory] = given;
    const isSeries = text === club;
    const settings = memory === "no state" ? { "ticketing.yaml": stateless } : {};
    const project = await openProject({ ...settings, "events/ours.yaml": text });
    try {
      expect((await project.apply()).exitCode).toBe(0);
      if (memory !== "no state") await project.remove(".ticketing/state.default.json");
      const live = await call(project, "?status=PUBLISHED");
      const id = live.find(({ dateTime }) => !isSeries || dateTime.startsWith("2027-02-12"))?.id ?? "";
      await call(project, `/${id}`, "PATCH", drift);
      await call(project, "", "POST", { name: "Other", dateTime: "2027-05-01T11:00:00Z", locationType: "ONLINE" });

      const ran = await project.run(["import", "--format", "json", ...(flags.length === 0 ? [id] : flags)]);
      expect(ran.exitCode).toBe(1);
      const { events, diagnostics } = JSON.parse(ran.stdout);
      expect(events.map((one: LiveEvent) => one.id)).not.toContain(id);
      expect(diagnostics).toMatchObject([{ code: "ambiguous-event", source: { file: "events/ours.yaml" } }]);
      expect(diagnostics[0].hint).toContain(`id: ${id}`);
      expect(diagnostics[0].hint).toContain(leave);
      expect(existsSync(join(project.directory, "events/other.yaml"))).toBe(flags.length > 0);
      const { plan } = await project.plan();
      expect(plan.operations).toEqual([]);
      expect(plan.changes.flatMap(({ blockedBy }) => blockedBy.map(({ code }) => code))).toEqual(["ambiguous-event"]);

      const pin = isSeries
        ? text.replace("count: 3", `count: 3, dates: { 2027-02-12: { id: ${id} } }`)
        : `id: ${id}\n${text}`;
      await project.write("events/ours.yaml", pin);
      const again = await project.run(["import", id]);
      const [, entry = ""] = /add under `series.dates`: `.*?: \{ (.*) \}`\. If the date/.exec(again.stderr) ?? [];
      if (isSeries) await project.write("events/ours.yaml", pin.replace(`id: ${id}`, `id: ${id}, ${entry}`));
      expect((await project.plan()).plan.changes).toEqual([]);
    } finally {
      await project.close();
    }
  },
);

test("an event beside documents of its name is imported where each of them has its own live event", async () => {
  const text = gala.replace("status: PUBLISHED\n", "");
  const files = { "events/march.yaml": text, "events/april.yaml": text.replace("2027-03", "2027-04") };
  const project = await openProject({ "ticketing.yaml": stateless, ...files });
  try {
    expect((await project.apply()).exitCode).toBe(0);
    await call(project, "", "POST", { name: "Gala", dateTime: "2027-05-01T11:00:00Z" });
    const id = (await call(project, "?status=DRAFT")).find(({ dateTime }) => dateTime.startsWith("2027-05"))?.id ?? "";
    expect(await project.run(["import", id])).toMatchObject({ exitCode: 0, stderr: "" });
    expect((await project.plan()).plan.changes).toEqual([]);
  } finally {
    await project.close();
  }
});
