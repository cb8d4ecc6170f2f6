// Whatever a file looks like and whatever became of the event since: the plan is empty afterward and every comment is there.
import fc from "fast-check";
import { expect, test } from "vitest";
import { isMap, isSeq, parseDocument, type YAMLMap } from "yaml";
import type { SeedEvent } from "../../../src/sandbox/index.ts";
import { importInto, serviceWith } from "../../stage/import-into.ts";
import { planOf } from "../../stage/plan-of.ts";

const file = "events/party.yaml";

const words = fc.constantFrom("Party", "yes", "a: b", "x # y", "- z", "two\nlines", "${x}", "long ".repeat(40).trim());
const names = fc.constantFrom("GA", "VIP", "Table of four", "true", "#1");

function some<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.option(value, { freq: 2, nil: null });
}

const ticket = fc.record({
  name: names,
  price: fc.constantFrom(0, 500, 1500),
  quantity: fc.constantFrom(10, 200),
  published: fc.boolean(),
  type: fc.constantFrom("VIP" as const, "GENERAL_ADMISSION" as const),
  section: fc.constantFrom("General Admissions", "Balcony"),
});

const performer = fc.record({ name: names, type: some(fc.constantFrom("DJ", "HOST")), description: some(words) });

const entry = fc.record({
  title: names,
  startTime: fc.constantFrom("2027-03-14T11:00:00Z", "2027-03-14T12:30:15Z"),
  endTime: fc.constant("2027-03-14T13:00:00Z"),
  color: some(fc.constantFrom("#FF8800", "#112233")),
  performer: names,
});

const event: fc.Arbitrary<SeedEvent> = fc.record({
  id: fc.constant("00000000-0000-4000-8000-000000000001"),
  slug: fc.constant("party"),
  name: words,
  status: fc.constantFrom("DRAFT" as const, "PUBLISHED" as const),
  dateTime: fc.constant("2027-03-14T11:00:00Z"),
  endDateTime: some(fc.constantFrom("2027-03-14T15:00:00Z", "2027-03-14T16:30:00Z")),
  timezone: fc.constantFrom("Asia/Manila", "Asia/Tokyo"),
  description: some(words),
  eventCapacity: some(fc.constantFrom(100, 700)),
  galleryUrls: fc.subarray(["https://a.example/1.jpg", "https://a.example/2.jpg"]),
  visibility: fc.constantFrom("PUBLIC" as const, "PRIVATE" as const),
  tickets: fc.uniqueArray(ticket, { maxLength: 4, selector: ({ name }) => name }),
  performers: fc.uniqueArray(performer, { maxLength: 3, selector: ({ name }) => name }),
  schedules: fc.uniqueArray(entry, { maxLength: 3, selector: ({ title, startTime }) => `${title} ${startTime}` }),
});

interface Layout {
  /** Remarks behind values. */
  readonly ends: boolean;
  /** Lines that end as on Windows. */
  readonly breaks: boolean;
  /** Lists in brackets, as in JSON. */
  readonly brackets: boolean;
  /** Entries without braces. */
  readonly open: boolean;
}

/** What a person may have made of a file. */
function humanise(text: string, { ends, breaks, brackets, open }: Layout): string {
  const document = parseDocument(text);
  for (const { value } of (document.contents as YAMLMap).items) {
    if (!isSeq(value)) continue;
    for (const item of value.items) if (isMap(item) && open) item.flow = false;
    if (brackets) value.flow = true;
  }
  const lines = document
    .toString({ lineWidth: 0, indentSeq: !open })
    .replace(/^(?=(tickets|performers|schedules):)/gm, "# of the list below\n")
    .split("\n")
    .map((line) =>
      ends && /^(id|status|name|dateTime): [^|>"']*$/.test(line) ? `${line}   # of ${line.split(":")[0]}` : line,
    );
  const humane = `# ours, do not touch\n\n${lines.join("\n")}\n# the end\n`;
  return breaks ? humane.replaceAll("\n", "\r\n") : humane;
}

const layouts = fc.record({ ends: fc.boolean(), breaks: fc.boolean(), brackets: fc.boolean(), open: fc.boolean() });

test("an import into any file of any earlier state", async () => {
  await fc.assert(
    fc.asyncProperty(event, event, layouts, async (was, is, layout) => {
      const first = await importInto({ service: serviceWith({ events: [was] }) });
      const before = humanise(first.files[file] ?? "", layout);
      const service = serviceWith({ events: [is] });
      const ran = await importInto({ service, files: { [file]: before } });
      expect(ran.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      const { plan } = await planOf({ files: ran.files, service });
      expect({ changes: plan.changes, text: ran.files[file] }).toMatchObject({ changes: [] });
      const after = ran.files[file] ?? "";
      for (const comment of before.match(/# (ours|of|the end)[^\r\n]*/g) ?? []) expect(after).toContain(comment);
      if (layout.breaks) expect(after.replaceAll("\r\n", "")).not.toContain("\n");
      const again = await importInto({ service, files: ran.files });
      expect(again.imported.files).toEqual([]);
    }),
    { numRuns: Number(process.env.RUNS ?? 60) },
  );
}, 120_000);
