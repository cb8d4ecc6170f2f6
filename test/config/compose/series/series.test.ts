import { describe, expect, it } from "vitest";
import { lintAcross } from "../../../../src/lint/lint.ts";
import { sortDiagnostics } from "../../../../src/model/diagnostic.ts";
import type { Wish } from "../../../../src/model/wish.ts";
import { projectOf, reported } from "../../project-of.ts";

const club = `name: "Friday Club: \${var.headliner}"
vars: { headliner: Residents }
dateTime: 22:00
endDateTime: +6h
tickets: [{ name: GA, price: 500, quantity: 600, published: true }]
series:
  every: friday
  from: 2027-01-08
`;

async function series(text: string, more: Readonly<Record<string, string>> = {}, now?: string) {
  const project = await projectOf(
    { "events/friday-club.yaml": text, ...more },
    now === undefined ? {} : { now: Date.parse(now) },
  );
  const problems = sortDiagnostics(project.diagnostics).filter(({ severity }) => severity !== "info");
  return { ...project, problems, reported: reported(problems) };
}

describe("a series", () => {
  it.each([
    ["8pm", "Write 20:00."],
    ["8:30 PM", "Write 20:30."],
    ["20.30", "Write 20:30."],
    ...["24:00", "25:00", "22:60", "noon", "2200", "22:00+08:00", "22h", "+22h"].map((start) => [
      start,
      "Write a time of day, such as 22:00.",
    ]),
  ])("whose start is %s is reported with the time it needs", async (start, hint) => {
    const { problems } = await series(`${club.replace("22:00", start)}  count: 1\n`);
    expect(problems[0]).toMatchObject({ code: "unreadable-time", hint });
    const dates = `  dates: { 2027-01-08: { dateTime: ${start} } }\n`;
    expect((await series(`${club}  count: 1\n${dates}`)).problems[0]).toMatchObject({ hint });
  });

  it("without a start is told to add a time of day", async () => {
    const { problems } = await series(`${club.replace("dateTime: 22:00\n", "")}  count: 1\n`);
    expect(problems[0]).toMatchObject({ code: "missing-field", hint: "Add a line such as `dateTime: 22:00`." });
  });

  it.each([
    ["2027-01-08T22:00", "Write 22:00."],
    ["2027-01-08 7pm", "Write 19:00."],
    ["2027-01-08", "Write only the time, such as 22:00."],
  ])("whose start has a date (%s) is reported once, and by nothing else", async (start, hint) => {
    const project = await series(`${club.replace("22:00", start)}  count: 3\n`);
    const all = [...project.problems, ...lintAcross(project)];
    expect(all.map((each) => `${each.code}: ${each.hint}`)).toEqual([`bad-series: ${hint}`]);
  });

  it("says what was meant on a date, which the document below may have", async () => {
    const { problems } = await series(
      `${club}  count: 1\n  dates: { 2027-01-08: { tickts: [{ name: GA, price: 600 }] } }\n`,
    );
    expect(problems.map(({ hint }) => hint)).toEqual(["Did you mean `tickets`?"]);
  });

  it("knows the start in the rule of a moved date also where a variable gives the hour", async () => {
    const { events } = await series(
      `${club.replace("Residents", 'Residents, hour: "22:00"').replace("dateTime: 22:00", 'dateTime: "${var.hour}"')}  count: 2
  dates: { 2027-01-15: { dateTime: 2027-01-16T21:00 } }
`,
    );
    expect(events.map(({ own }) => own.series?.ruleStart)).toEqual([undefined, "2027-01-15T14:00:00.000Z"]);
  });

  it("ends at an instant of its rule by its own zone and start, which variables may give", async () => {
    const { events, problems } = await series(`name: Nightly
vars: { hour: "20:00" }
timezone: America/New_York
dateTime: "\${var.hour}"
series: { rrule: "FREQ=DAILY;UNTIL=20270116T005959Z", from: 2027-01-14 }
`);
    expect(problems).toEqual([]);
    expect(events.map(({ own }) => own.series?.day)).toEqual(["2027-01-14"]);
  });

  it("is one event per date, named by the date in the rule", async () => {
    const { events, problems } = await series(`${club}  until: 2027-02-05
  skip: [2027-01-15]
  also: [2027-12-31]
  dates:
    2027-01-22: { vars: { headliner: DJ Ana }, tickets: [{ name: GA, price: 650 }] }
    2027-01-29: { dateTime: 2027-01-30T21:00 }
    2027-02-05: { id: 0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11 }
`);
    expect(problems).toEqual([]);
    const named = events.map(({ own }) => own.series?.namedBy);
    expect(named.map((by) => `${by?.rule} ${by?.also} ${by?.entry}`)).toEqual([
      "true false false",
      ...["true false true", "true false true", "true false true"],
      "false true false",
    ]);
    expect(new Set(events.map(({ own }) => own.series?.bounds))).toEqual(
      new Set([{ rule: ["2027-01-08", "2027-02-05"], skip: ["2027-01-15"] }]),
    );
    const placed = ({ own: { series } }: Wish) => ({ ...series, namedBy: undefined, bounds: undefined });
    expect(events.map((wish) => [wish.address, wish.name, wish.fields.dateTime, placed(wish)])).toEqual([
      [
        "events/friday-club@2027-01-08",
        "Friday Club: Residents",
        "2027-01-08T14:00:00.000Z",
        { of: "events/friday-club", day: "2027-01-08" },
      ],
      [
        "events/friday-club@2027-01-22",
        "Friday Club: DJ Ana",
        "2027-01-22T14:00:00.000Z",
        { of: "events/friday-club", day: "2027-01-22" },
      ],
      [
        "events/friday-club@2027-01-29",
        "Friday Club: Residents",
        "2027-01-30T13:00:00.000Z",
        {
          of: "events/friday-club",
          day: "2027-01-30",
          ruleStart: "2027-01-29T14:00:00.000Z",
          ruleName: "Friday Club: Residents",
        },
      ],
      [
        "events/friday-club@2027-02-05",
        "Friday Club: Residents",
        "2027-02-05T14:00:00.000Z",
        { of: "events/friday-club", day: "2027-02-05" },
      ],
      [
        "events/friday-club@2027-12-31",
        "Friday Club: Residents",
        "2027-12-31T14:00:00.000Z",
        { of: "events/friday-club", day: "2027-12-31" },
      ],
    ]);
    expect(events[1]?.children.ticket?.[0]?.fields).toMatchObject({ price: 650, quantity: 600 });
    expect(events[2]?.fields.endDateTime).toBe("2027-01-30T19:00:00.000Z");
    expect(events[3]?.own.id).toBe("0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11");
  });

  it("takes variables from its table, below those of the date and above those of the document", async () => {
    const { events, problems } = await series(
      `${club}  count: 3\n  table: line-up.csv\n  dates: { 2027-01-22: { vars: { headliner: DJ Ana } } }\n`,
      { "events/line-up.csv": "date,headliner\n2027-01-15,Band\n2027-01-22,Nobody\n2027-01-08,\n" },
    );
    expect(problems).toEqual([]);
    expect(events.map(({ name }) => name)).toEqual([
      "Friday Club: Residents",
      "Friday Club: Band",
      "Friday Club: DJ Ana",
    ]);
  });

  it.each([
    ["between its rows", "date,headliner\n2027-01-08,A\n2027-01-15,B\n2027-01-29,C\n", ["bad-sheet"]],
    ["with only a date", "date,headliner\n2027-01-08,A\n2027-01-15,B\n2027-01-22,\n2027-01-29,C\n", []],
    ["before and after its rows", "date,headliner\n2027-01-15,B\n2027-01-22,C\n", []],
  ])("warns of rows that are missing: %s", async (_, sheet, codes) => {
    const { problems } = await series(`${club}  count: 4\n  table: line-up.csv\n`, { "events/line-up.csv": sheet });
    expect(problems.map(({ code }) => code)).toEqual(codes);
    for (const { severity, message } of problems)
      expect([severity, message]).toEqual([
        "warning",
        "events/line-up.csv has rows for 3 dates, but none for 2027-01-22.",
      ]);
  });

  it("takes its dates from the table and `also`, without a rule", async () => {
    const { events } = await series("name: A\ndateTime: 20:00\nseries: { table: t.csv, also: [2027-03-01] }\n", {
      "events/t.csv": "date\n2027-02-01\n",
    });
    expect(events.map(({ address }) => address)).toEqual([
      "events/friday-club@2027-02-01",
      "events/friday-club@2027-03-01",
    ]);
  });

  it("has its key and templates like any document", async () => {
    const { events, problems } = await series(
      "extends: t\nkey: club\nseries: { every: day, from: 2027-01-08, count: 2 }\n",
      {
        "templates/t.yaml": "name: A\ndateTime: 20:00\n",
      },
    );
    expect(problems).toEqual([]);
    expect(events.map(({ address }) => address)).toEqual(["events/club@2027-01-08", "events/club@2027-01-09"]);
  });

  it("no longer manages dates that are over, unless it keeps them", async () => {
    const rule = `${club}  count: 3\n`;
    const ended = await series(rule, {}, "2027-01-16T00:00:00Z");
    expect(ended.events.map(({ address }) => address)).toEqual(["events/friday-club@2027-01-22"]);
    expect(ended.ended.map(({ address }) => address)).toEqual([
      "events/friday-club@2027-01-08",
      "events/friday-club@2027-01-15",
    ]);
    const kept = await series(`${rule}  keepEnded: true\n`, {}, "2027-01-16T00:00:00Z");
    expect(kept.events).toHaveLength(3);
    // Without an end, a date is over at the next local midnight.
    const open = rule.replace("endDateTime: +6h\n", "");
    expect((await series(open, {}, "2027-01-08T15:59:59Z")).events).toHaveLength(3);
    expect((await series(open, {}, "2027-01-08T16:00:00Z")).events).toHaveLength(2);
  });
});

describe("a series that is over", () => {
  const phased = `${club}  count: 1\nphases: [{ from: -1d, description: Tonight }]\n`;

  it("is mentioned, with its last date", async () => {
    const { diagnostics } = await series(`${club}  count: 3\n`, {}, "2028-01-16T00:00:00Z");
    expect(diagnostics).toMatchObject([{ code: "event-over", severity: "info", address: "events/friday-club" }]);
    expect(diagnostics[0]?.message).toContain("All 3 dates of this series are over");
    expect(diagnostics[0]?.message).toContain("Fri 22 Jan 2027 22:00");
  });

  it("is said to need no file only once its live events are over too, also without an end", async () => {
    const open = `${club.replace("endDateTime: +6h\n", "")}  count: 1\n`;
    const hintAt = async (now: string) => (await series(open, {}, now)).diagnostics.map(({ hint }) => hint);
    expect(await hintAt("2027-01-08T17:00:00Z")).toEqual(["Check the year."]);
    expect(await hintAt("2027-01-09T14:00:01Z")).toEqual([expect.stringContaining("you can delete its file")]);
  });

  it("stays managed for a week after its last phase, and is marked as over", async () => {
    const { events } = await series(phased, {}, "2027-01-10T00:00:00Z");
    expect(events.map(({ own }) => own.series?.isPast)).toEqual([true]);
    expect((await series(phased, {}, "2027-01-15T00:00:00Z")).events).toEqual([]);
  });
});

describe("mistakes about a series", () => {
  it.each([
    ["a rule that never ends", club, ["7:10 bad-series"]],
    ["a date that the rule does not make", `${club}  count: 2\n  dates: { 2027-01-09: {} }\n`, ["10:12 not-in-series"]],
    ["a start with a date", `${club.replace("22:00", "2027-01-08T22:00")}  count: 2\n`, ["3:11 bad-series"]],
    ["a start of its own, without a series", "name: A\ndateTime: 22:00\n", ["2:11 unreadable-time"]],
    ["an unknown part", `${club}  untill: 2027-02-01\n`, ["9:3 unknown-key"]],
    ["a rule under another name", `${club.replace("every", "evry")}  count: 2\n`, ["7:3 unknown-key"]],
    [
      "10,000 dates",
      "name: A\ndateTime: 20:00\nseries: { every: day, from: 2027-01-01, count: 10000 }\n",
      ["3:9 bad-series"],
    ],
    [
      "a mistake on a date",
      `${club}  count: 2\n  dates: { 2027-01-08: { nmae: x, visibility: public } }\n`,
      ["10:26 unknown-key", "10:47 wrong-case"],
    ],
    ["a key of a date", `${club}  count: 2\n  dates: { 2027-01-08: { key: x } }\n`, ["10:26 unknown-key"]],
    ["a series in a template", "extends: t\nname: A\ndateTime: 2027-01-01T20:00\n", ["1:1 unknown-key"]],
  ])("%s", async (_, text, places) => {
    const { reported: found } = await series(
      text,
      text.includes("extends") ? { "templates/t.yaml": "series: {}\n" } : {},
    );
    expect(found.map((one) => one.replace(/^[^:]*:/, ""))).toEqual(places);
  });

  it("a cell is reported with file, line and column, and no date is made", async () => {
    const { reported: found, events } = await series(`${club}  count: 2\n  table: line-up.csv\n`, {
      "events/line-up.csv": "date;headliner\n2027-01-08;A\n8 Jan;B\n",
    });
    expect(found).toEqual(["events/line-up.csv:3:1 bad-sheet"]);
    expect(events).toEqual([]);
  });

  it("an id that all dates share is reported once, with where it belongs", async () => {
    const project = await series(`${club}  count: 4\nid: 0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11\n`);
    expect(lintAcross(project)).toMatchObject([
      {
        code: "pinned-twice",
        message: "This `id` would pin all 4 dates of the series to one live event.",
        hint: "Write it under the date it belongs to: `dates: { 2027-01-08: { id: 0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11 } }`.",
      },
    ]);
  });

  it("an id that two dates share is reported with both dates", async () => {
    const id = "{ id: 0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11 }";
    const project = await series(`${club}  count: 2\n  dates: { 2027-01-08: ${id}, 2027-01-15: ${id} }\n`);
    expect(lintAcross(project)[0]?.message).toMatch(/\(2027-01-15\) pins the id \S+, and so does .*\(2027-01-08\)\.$/);
  });

  it.each([
    ["", "", "add 2027-01-15 to `skip`"],
    [
      "",
      "  dates: { 2027-01-15: { vars: { headliner: A } } }\n",
      "add 2027-01-15 to `skip` and delete its entry under `dates`",
    ],
    ["", "  table: t.csv\n", "add 2027-01-15 to `skip` and delete its row in t.csv"],
    [
      "also",
      "  dates: { 2027-01-15: { vars: { headliner: A } } }\n",
      "remove 2027-01-15 from `also` and delete its entry under `dates`",
    ],
    ["table", "  table: t.csv\n", "delete 2027-01-15's row in t.csv"],
  ])("a date that has a separate file too says how to leave: %s %j", async (by, more, how) => {
    const rules: Record<string, string> = { also: "series:\n  also: [2027-01-08, 2027-01-15]\n", table: "series:\n" };
    const text = by === "" ? `${club}  count: 2\n` : club.replace(/series:[\s\S]*/, rules[by] ?? "");
    const sheet = "date,headliner\n2027-01-15,A\n";
    const name = more === "" ? "Residents" : "A";
    const project = await series(`${text}${more}`, {
      ...(more.includes("t.csv") ? { "events/t.csv": sheet } : {}),
      "events/zz.yaml": `name: "Friday Club: ${name}"\ndateTime: 2027-01-15T22:00\n`,
    });
    const [found] = lintAcross(project).filter(({ code }) => code === "duplicate-name");
    expect(found?.message).toMatch(
      /^The date 2027-01-15 of this series and events\/zz\.yaml both describe "Friday Club: /,
    );
    expect(found?.hint).toContain(`Or ${how}; if both are live`);
    expect(found?.source?.file).toBe("events/friday-club.yaml");
  });

  it("what all dates have is reported once", async () => {
    const { problems } = await series(`${club}  count: 5\nvisibility: \${var.who}\n`);
    const dates = "friday-club@2027-01-08, friday-club@2027-01-15, friday-club@2027-01-22, …";
    const message = `Unknown variable \`who\`. (in 5 events: ${dates})`;
    expect(problems).toMatchObject([{ code: "unknown-variable", message }]);
  });
});
