// Whatever a file can say, and what it cannot: rules look only at what they understand.
import fc from "fast-check";
import { expect, test } from "vitest";
import { kindOf, kinds } from "../../src/kinds/index.ts";
import { lint } from "../../src/lint/lint.ts";
import type { KindName } from "../../src/model/address.ts";
import type { Source } from "../../src/model/diagnostic.ts";
import type { Wish } from "../../src/model/wish.ts";
import { context, project } from "../stage/short-wishes.ts";

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "PUBLISHED",
    "FREE",
    "RSVP",
    "VIP",
    "ONLINE",
    "RESERVED_SEAT",
    "GA",
    "",
    "TBA",
    "http://[::1",
    "://@",
  ),
  fc.constantFrom("2027-03-14T11:00:00.000Z", "9999-12-31T23:59:59.999Z", "-000001-01-01T00:00:00.000Z", "soon"),
  fc.webUrl({ withQueryParameters: true }),
  fc.base64String({ minLength: 20, maxLength: 60 }),
);
const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(0, -0, 1500, 150_000, 2 ** 53));
const reference = fc.constantFrom("events/e/performers/0", "events/e/performers/1").map(($id) => ({ $id }));
const value = fc.oneof(
  text,
  text,
  number,
  fc.boolean(),
  fc.constant(null),
  fc.array(text, { maxLength: 3 }),
  reference,
);
const zone = fc.option(fc.oneof(text, fc.constantFrom("Asia/Manila", "America/Chicago")), { nil: undefined });

function arbitraryWish(kindName: KindName, address: string): fc.Arbitrary<Wish> {
  const kind = kindOf(kindName);
  const names = Object.keys(kind.fields).concat("performerId");
  const fields = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: names.length, noNullPrototype: true });
  const children = kinds
    .filter((child) => child.parent === kindName)
    .map((child) => ({
      kind: child.name,
      list: fc.option(
        fc
          .integer({ min: 0, max: 3 })
          .chain((count) =>
            fc.tuple(
              ...Array.from({ length: count }, (_, nth) =>
                arbitraryWish(child.name, `${address}/${child.plural}/${nth}`),
              ),
            ),
          ),
        { nil: undefined },
      ),
    }));
  return fc
    .record({
      name: text,
      fields,
      written: fields,
      own: fc.record(
        {
          id: text,
          key: text,
          status: fc.constantFrom("DRAFT", "PUBLISHED", "ARCHIVED", "DELETED"),
          venue: fc.record({ name: text }),
          ignore: fc.array(fc.oneof(text, fc.constant("bare-listing")), { maxLength: 2 }),
          secretName: text,
          timezone: zone,
        },
        { requiredKeys: [], noNullPrototype: true },
      ),
      placed: fc.array(fc.constantFrom(...names)),
      lists: fc.tuple(...children.map(({ list }) => list)),
    })
    .map(({ placed, lists, own, ...rest }) => {
      const places: Record<string, Source> = {};
      for (const [index, field] of placed.entries()) places[field] = { file: "e.yaml", line: index + 2, column: 1 };
      const below: Record<KindName, readonly Wish[]> = {};
      for (const [index, child] of children.entries()) {
        const list = lists[index];
        if (list !== undefined) below[child.kind] = list;
      }
      const source = { file: "e.yaml", line: 1, column: 1 };
      return {
        ...rest,
        own: own as Wish["own"],
        kind: kindName,
        address,
        parent: null,
        children: below,
        source,
        places,
      };
    });
}

const events = fc.tuple(arbitraryWish("event", "events/e"), arbitraryWish("event", "events/f"));
const webhooks = fc.tuple(arbitraryWish("webhook", "webhooks/e"), arbitraryWish("webhook", "webhooks/f"));
const scenes = fc.record({
  now: fc.oneof(fc.integer(), fc.constant(context.now)),
  environment: fc.constantFrom("sandbox", "production"),
});

test("no wish makes a rule throw, and every remark can be shown", () => {
  fc.assert(
    fc.property(events, webhooks, scenes, (someEvents, someWebhooks, scene) => {
      for (const diagnostic of lint(project(someEvents, someWebhooks), scene)) {
        expect(diagnostic.message).not.toMatch(/undefined|\[object/);
        expect(diagnostic.source?.file).toBe("e.yaml");
      }
    }),
    { numRuns: 500 },
  );
});

test("the order of documents changes nothing but which of two twins comes first", () => {
  fc.assert(
    fc.property(events, scenes, ([one, other], scene) => {
      const reported = (...wishes: Wish[]) =>
        lint(project(wishes), scene)
          .filter(({ code }) => code !== "duplicate-name" && code !== "pinned-twice")
          .map(({ code, source, message }) => JSON.stringify([code, source, message]))
          .sort();
      expect(reported(one, other)).toEqual(reported(other, one));
    }),
  );
});
