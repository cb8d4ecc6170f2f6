// The law of import holds for series too: `plan` right after shows no changes, and importing again changes no byte.
import { describe, expect, it } from "vitest";
import { lint } from "../../../src/lint/lint.ts";
import type { Seed } from "../../../src/sandbox/index.ts";
import { beginState } from "../../../src/state/store.ts";
import { importInto, type Ran, serviceWith } from "../../stage/import-into.ts";
import { organization } from "../../stage/organization.ts";
import { load, now, planOf } from "../../stage/plan-of.ts";

const statuses = ["PUBLISHED", "DRAFT", "ARCHIVED"] as const;
const day = 86_400_000;

function id(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

type SeedEvent = NonNullable<Seed["events"]>[number];

/** A night from 22:00 to 04:00 in Manila. */
function night(number: number, date: string, more: Partial<SeedEvent> = {}): SeedEvent {
  const start = Date.parse(`${date}T14:00:00Z`);
  const at = (hours: number) => new Date(start + hours * 3_600_000).toISOString();
  return {
    id: id(number),
    slug: `friday-club-${number}`,
    name: "Friday Club",
    status: "PUBLISHED",
    dateTime: at(0),
    endDateTime: at(6),
    tickets: [
      { name: "Door", price: 500, quantity: 300, published: true },
      { name: "Table", price: 8000, quantity: 10, published: true },
    ],
    schedules: [
      { title: "Doors", startTime: at(-2), endTime: at(0) },
      { title: "Last dance", startTime: at(5), endTime: at(6) },
      { title: "Breakfast", startTime: at(34), endTime: at(35) },
    ],
    ...more,
  };
}

function weekly(first: string, count: number, every = 7): readonly string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(first) + index * every * day).toISOString().slice(0, 10),
  );
}

function nights(dates: readonly string[]): SeedEvent[] {
  return dates.map((date, index) => night(index + 1, date));
}

it("mentions series only for new files of one name that did not become one", async () => {
  const service = serviceWith({ events: nights(weekly("2027-01-08", 3)) });
  const mentions = ({ diagnostics }: Ran) => diagnostics.filter(({ message }) => message.includes("`import --series`"));
  const plain = await importInto({ service, statuses });
  expect(mentions(plain)).toMatchObject([
    { code: "left-out", message: expect.stringMatching(/^3 of these events are called "Friday Club"\./) },
  ]);
  expect(mentions(await importInto({ service, statuses, files: plain.files }))).toEqual([]);
  expect(mentions(await importInto({ service, statuses, series: true }))).toEqual([]);
});

async function lawHolds(seed: Seed, profile = "likely"): Promise<Ran> {
  const service = serviceWith(seed, profile);
  const plain = await importInto({ service, statuses });
  const first = await importInto({ service, statuses, series: true });
  expect(first.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(first.imported.isSettled).toBe(plain.imported.isSettled);

  const project = await load(first.files);
  const found = [...project.diagnostics, ...lint(project, { now, environment: "production" })];
  expect(found.filter(({ severity }) => severity !== "info")).toEqual([]);
  expect(project.events).toHaveLength(seed.events?.length ?? 0);

  const { plan, matched } = await planOf({ files: first.files, service });
  expect(plan.changes).toEqual([]);
  expect(plan.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(plan.summary.unmanaged ?? 0).toBe(0);
  expect(Object.keys(matched)).toEqual(expect.arrayContaining(project.events.map(({ address }) => address)));

  const known = beginState({ id: id(99), slug: "sandbox" });
  const state = {
    ...known,
    organization: { id: plan.target.organization?.id ?? "", slug: "sandbox" },
    objects: matched,
  };
  expect((await planOf({ files: first.files, service, state })).plan.changes).toEqual([]);
  for (const series of [true, false]) {
    const again = await importInto({ service, statuses, files: first.files, state, series });
    expect(again.imported.files).toEqual([]);
  }
  return first;
}

function seriesIn({ files }: Ran, file = "events/friday-club.yaml"): string {
  return String(files[file] ?? "");
}

describe("import --series, then plan", () => {
  it.each(["likely", "minimal", "ticketRecord=minimal", "eventRecord=venue-object"])(
    "shows no changes under the profile %s",
    async (profile) => {
      const dates = weekly("2027-01-15", 11).filter((date) => date !== "2027-02-12");
      const events = [...(organization.events ?? []), ...dates.map((date, index) => night(index + 101, date))];
      const ran = await lawHolds({ ...organization, events }, profile);
      // A service that does not show the start leaves nothing to make a series of.
      if (profile === "minimal") return expect(seriesIn(ran)).toBe("");
      expect(ran.imported.templates.map(({ file }) => file)).toEqual(["templates/friday-club.yaml"]);
      expect(ran.files["templates/friday-club.yaml"]).toContain("name: Friday Club");
      expect(seriesIn(ran)).toContain(
        [
          "extends: friday-club",
          "dateTime: 22:00",
          "series:",
          "  every: friday",
          "  from: 2027-01-15",
          "  until: 2027-03-26",
          "  skip: [2027-02-12]",
          "  dates:",
          "    2027-01-15:",
        ].join("\n"),
      );
    },
  );

  it.each([
    ["every: [friday, saturday]", ["2027-01-08", "2027-01-09", "2027-01-15", "2027-01-16", "2027-01-22", "2027-01-23"]],
    ["every: day", weekly("2027-01-08", 9, 1)],
    ["every: 2 weeks", weekly("2027-01-08", 9, 14)],
    ["every: first wednesday", ["2027-01-06", "2027-02-03", "2027-03-03", "2027-04-07", "2027-05-05"]],
    ["every: last friday", ["2027-01-29", "2027-02-26", "2027-03-26", "2027-04-30", "2027-05-28"]],
    ["also: [2027-05-01]", [...weekly("2027-01-08", 9), "2027-05-01"]],
    ["also: [2027-01-01, 2027-01-18, 2027-03-30]", ["2027-01-01", "2027-01-18", "2027-03-30"]],
  ])("finds %s", async (rule, dates) => {
    expect(seriesIn(await lawHolds({ events: nights(dates) }))).toContain(`\n  ${rule}\n`);
  });

  it("says how many events of one name have too few dates", async () => {
    const ran = await lawHolds({ events: nights(["2027-01-08", "2027-01-15"]) });
    expect(ran.diagnostics.filter(({ code }) => code === "left-out").map(({ message }) => message)).toEqual([
      "events/friday-club-2027-01-08.yaml and 1 more file: not part of a series, which needs at least three dates that are alike.",
    ]);
    const many = await lawHolds({ events: nights(weekly("2027-01-08", 3)) });
    expect(many.diagnostics.filter(({ code }) => code === "left-out")).toEqual([]);
  });

  it("does not count the rules that most dates break and `import` ignores for them", async () => {
    const tickets = [{ name: "Door", price: 500, quantity: 300, published: false }];
    const events = weekly("2027-01-08", 10).map((date, index) =>
      night(
        index + 1,
        date,
        index < 2 ? { tickets: [{ name: "Door", price: 500, quantity: 300, published: true }] } : { tickets },
      ),
    );
    const ran = await lawHolds({ events });
    expect(seriesIn(ran).match(/ignore: \[nothing-on-sale\]/g)).toHaveLength(8);
    expect(ran.diagnostics.filter(({ code }) => code === "left-out")).toEqual([]);
  });

  it("keeps what is different on a date under that date", async () => {
    const events = nights(weekly("2027-01-08", 9));
    events[2] = night(3, "2027-01-22", { status: "DRAFT", description: "Opening night" });
    events[4] = night(5, "2027-02-05", {
      tickets: [
        { name: "Door", price: 650, quantity: 300, published: true },
        { name: "Guest", price: 100, quantity: 5, published: true },
      ],
    });
    const text = seriesIn(await lawHolds({ events }));
    expect(text).toContain(`2027-01-22: { id: { sandbox: ${id(3)} }, status: DRAFT, description: Opening night }`);
    expect(text).toMatch(
      /2027-02-05:\n[^@]*?\{ name: Door, price: 650 \}\n.*name: Guest.*\n.*\{ name: Table, remove: true \}/,
    );
  });

  it("leaves an event its own file where it is another, or shares its day", async () => {
    const events = nights([...weekly("2027-01-08", 9), "2027-03-12", "2027-03-12"]);
    events.push(night(20, "2027-03-19", { name: "Friday Club Special" }));
    const { imported, files } = await lawHolds({ events });
    expect(imported.events.filter(({ file }) => file === "events/friday-club.yaml")).toHaveLength(9);
    expect(Object.keys(files)).toHaveLength(5);
  });

  it("leaves separate files where two dates are alike, or none is usual", async () => {
    const prices = [100, 200, 300, 400].map((price) => ({ tickets: [{ name: "Door", price, quantity: 1 }] }));
    const dates = weekly("2027-01-08", 4);
    const different = dates.map((date, index) => night(index + 1, date, prices[index]));
    for (const events of [nights(weekly("2027-01-08", 2)), different]) {
      const { files } = await lawHolds({ events });
      expect(seriesIn({ files } as Ran)).toBe("");
    }
  });

  it("manages dates that are over, as separate files would", async () => {
    const past = new Date(now - 60 * day).toISOString().slice(0, 10);
    expect(seriesIn(await lawHolds({ events: nights(weekly(past, 4)) }))).toContain("  keepEnded: true\n");
  });

  it("keeps hours of the wall where clocks change", async () => {
    const dates = weekly("2027-03-05", 5);
    const events = dates.map((date, index) => {
      const hour = date < "2027-03-14" ? 3 : 2;
      const start = Date.parse(`${date}T00:00:00Z`) + hour * 3_600_000;
      const at = (hours: number) => new Date(start + hours * 3_600_000).toISOString();
      return night(index + 1, date, {
        timezone: "America/New_York",
        dateTime: at(0),
        endDateTime: at(3),
        schedules: [],
      });
    });
    expect(seriesIn(await lawHolds({ events }))).toContain("dateTime: 22:00\nseries:\n  every: thursday\n");
  });

  it("takes no name that is in use, and no template's place", async () => {
    const service = serviceWith({ events: nights(weekly("2027-01-08", 4)) });
    const files = {
      "ticketing.yaml": "version: 1\n",
      "templates/friday-club.yaml": "eventCapacity: 5\n",
      "events/friday-club.yaml": "name: Other\nnew: true\ndateTime: 2027-01-08T10:00\n",
    };
    const ran = await importInto({ service, statuses, files, series: true });
    expect(ran.files["events/friday-club.yaml"]).toBe(files["events/friday-club.yaml"]);
    expect(ran.files["templates/friday-club.yaml"]).toBe(files["templates/friday-club.yaml"]);
    expect(seriesIn(ran, "events/friday-club-2200.yaml")).toContain("extends: friday-club-2200\n");
    const inItself = await importInto({
      service,
      statuses,
      files: { "ticketing.yaml": "version: 1\ntemplates: shared/night.yaml\n" },
      series: true,
    });
    expect(seriesIn(inItself)).toContain("name: Friday Club\n");
  });
});
