import { describe, expect, it } from "vitest";
import { projectOf } from "../../project-of.ts";

const event = `name: "Club: \${var.headliner}"
vars: { headliner: Residents, door: 500, open: true }
dateTime: 22:00
series: { table: line-up.csv }
tickets: [{ name: "\${var.headliner}", quantity: 9, price: "\${var.door}", published: "\${var.open}" }]
`;

function club(csv: string) {
  return projectOf({ "events/club.yaml": event, "events/line-up.csv": csv });
}

describe("a cell of a sheet", () => {
  it("takes the type of the field that it fills, and an empty one falls back", async () => {
    const { events, diagnostics } = await club(
      "date,headliner,door,open\n2027-01-15,1975,650,FALSE\n2027-01-22,,,\n2027-01-29,DJ Ana,,\n",
    );
    expect(diagnostics).toEqual([]);
    expect(events.map(({ name, children }) => [name, children.ticket?.[0]?.fields])).toEqual([
      ["Club: 1975", { name: "1975", quantity: 9, price: 650, published: false }],
      ["Club: Residents", { name: "Residents", quantity: 9, price: 500, published: true }],
      ["Club: DJ Ana", { name: "DJ Ana", quantity: 9, price: 500, published: true }],
    ]);
  });

  it.each([
    ["date,headliner,door,open\n2027-01-15,A,650,\n2027-01-22,B,6.50,\n", "price-not-whole", 3, 14],
    ["date,headliner,door,open\n2027-01-15,A,,maybe\n", "wrong-type", 2, 15],
  ])("that cannot be read is reported at the cell: %j", async (csv, code, line, column) => {
    const { diagnostics } = await club(csv);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({ code, source: { file: "events/line-up.csv", line, column } });
  });
});

it("an empty cell without a value to fall back to is reported at its place, a row that is not there at the column", async () => {
  const { diagnostics } = await projectOf({
    "events/club.yaml": event.replace("door: 500, ", "").replace("line-up.csv", "line-up.csv, also: [2027-02-05]"),
    "events/line-up.csv": "date,headliner,door\n2027-01-15,A,650\n2027-01-22,B,\n2027-01-29,C,\n",
  });
  const problem = (why: string, line: number, column: number) => ({
    code: "unknown-variable",
    message: `The variable \`door\` has no value: ${why}.`,
    hint: expect.stringContaining("in the event: dates whose cell is empty, or that have no row, then get this value."),
    source: { file: "events/line-up.csv", line, column },
  });
  expect(diagnostics).toMatchObject([
    problem("its cell for 2027-01-22 is empty", 3, 14),
    problem("its cell for 2027-01-29 is empty", 4, 14),
    problem("the date has no row", 1, 16),
  ]);
});

describe("a column that nothing uses", () => {
  it.each([
    ["date,Headliner,door\n", ["warning 1:6 Did you mean `headliner`?"]],
    ["date,head liner,opne,door\n", ["warning 1:6 Did you mean `headliner`?", "warning 1:17 Did you mean `open`?"]],
    ["date,Thema\n", ["warning 1:6 Write ${var.Thema} where it belongs, or remove the column."]],
    [
      "date,headliner,status\n",
      [
        "warning 1:16 A column does not set a field by itself: write `status: ${var.status}` in the event, or remove the column.",
      ],
    ],
    ["date,headliner,notes\n", ["info 1:16 Write ${var.notes} where it belongs, or remove the column."]],
    [
      "date,headliner,price\n",
      [
        'warning 1:16 A column does not set a field by itself: write `price: "${var.price}"` in the ticket type that it is for, or remove the column.',
      ],
    ],
    ["date,headliner,stage,\n", []],
  ])("is reported at its name: %j", async (header, reported) => {
    const { diagnostics } = await projectOf({
      "ticketing.yaml": "vars: { stage: Main, place: '${var.stage} stage' }\n",
      "events/club.yaml": event,
      "events/line-up.csv": `${header}2027-01-15\n`,
    });
    expect(
      diagnostics.map(({ severity, code, hint, source }) => {
        expect(code).toBe("unused-column");
        return `${severity} ${source?.line}:${source?.column} ${hint}`;
      }),
    ).toEqual(reported);
  });
});
