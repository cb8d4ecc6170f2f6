import { expect, test } from "vitest";
import { loadEventFile } from "../../../src/config/compose/load-event-files.ts";
import type { EventInputs } from "../../../src/config/compose/read-event.ts";
import type { LocatedMap } from "../../../src/config/yaml/located.ts";
import { readYaml } from "../../../src/config/yaml/read-yaml.ts";
import { memoryFiles } from "../../stage/memory-files.ts";

function mapOf(file: string, text: string): LocatedMap {
  return readYaml(file, text, [])[0]?.content as LocatedMap;
}

const files = memoryFiles({});
const club = "templates/club.yaml";
const shared: EventInputs = {
  defaults: mapOf("ticketing.yaml", "description: By the bay\ntickets: { published: true }\n"),
  templates: new Map([["club", { file: club, map: mapOf(club, "tickets: [{ name: GA, price: '${var.price}' }]\n") }]]),
  variables: {
    written: new Map(),
    values: new Map<string, string | number | undefined>([
      ["hall", "Palace"],
      ["price", 1500],
      ["broken", undefined],
    ]),
    elsewhere: { setBy: new Map(), checked: [] },
    env: { TICKETING_VAR_CITY: "Baguio" },
  },
  now: 0,
  environments: { chosen: "production", known: ["production", "sandbox"] },
};

const texts = [
  "name: A\ndateTime: 2027-03-14T19:00\nvenue: { name: '${var.hall}', city: '${env.TICKETING_VAR_CITY}' }\n",
  "name: B\ntimezone: Europe/Berlin\ndateTime: 2027-03-28T02:30\ntickets: [{ name: GA, price: '${var.price}' }]\n",
  "key: c\nname: ${var.broken}\n---\nkey: c\nname: ${var.nothing}\nprice: .nan\n",
  "name: D\nid: { production: 00000000-0000-4000-8000-000000000001, nowhere: x }\ntickets: [&a { name: GA }, *a, *b]\n",
  "extends: [club, clubs]\nname: E\ndateTime: 2027-03-14T19:00\nendDateTime: +6h\n",
  'name: "F\n',
  "",
];

test.each(texts)("what a file holds is made of plain data, and is plain data: %j", async (text) => {
  const loaded = await loadEventFile("events/a.yaml", text, shared, new Map(), files);
  expect(loaded.events.length + loaded.problems.length).toBeGreaterThan(0);
  const copied = await loadEventFile("events/a.yaml", text, structuredClone(shared), new Map(), files);
  expect(structuredClone(copied)).toStrictEqual(loaded);
});

test("an event whose key other files have already gets its own address", async () => {
  const text = "key: a\nname: A\ndateTime: 2027-03-14T19:00\nprice: 1\ntickets: [{ name: GA }]\n";
  const { events, problems } = await loadEventFile("events/b.yaml", text, shared, new Map([["a", 2]]), files);
  expect(events[0]?.wish.address).toBe("events/a#3");
  expect(events[0]?.wish.children.ticket?.[0]?.address).toBe("events/a#3/tickets/GA");
  expect(problems.map(({ address }) => address)).toContain("events/a#3");
});
