// Whatever is sent, the response is one of the document's shapes, and never a fault of the sandbox itself.
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ProfileName, profiles } from "../../../src/sandbox/index.ts";
import { routes } from "../../../src/sandbox/server/respond.ts";
import { noSuchId, open } from "../open.ts";

const names = [
  ...[
    "name",
    "dateTime",
    "endDateTime",
    "description",
    "type",
    "venueId",
    "galleryUrls",
    "tickets",
    "price",
    "quantity",
  ],
  ...[
    "title",
    "startTime",
    "endTime",
    "color",
    "performerId",
    "url",
    "events",
    "isActive",
    "published",
    "__proto__",
    "constructor",
  ],
];
const values = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom("2027-03-14T11:00:00Z", "2027-03-14", "", null, noSuchId, "#FF8800", "https://example.com", 5, [
    "order.completed",
  ]),
);
const bodies = fc.oneof(
  fc.dictionary(fc.constantFrom(...names), values).map((body) => JSON.stringify(body)),
  fc.jsonValue().map((body) => JSON.stringify(body)),
  fc.string(),
);
const calls = fc.record({
  route: fc.constantFrom(...routes.filter(({ path }) => !path.endsWith("/test"))),
  known: fc.boolean(),
  word: fc.string(),
  query: fc.oneof(
    fc.constant(""),
    fc.string().map((text) => `?${text}`),
    fc.constant("?take=5&page=2&status=DRAFT&query=a"),
  ),
  body: bodies,
});

test.each(Object.keys(profiles) as ProfileName[])("under %s no request breaks the sandbox", async (profile) => {
  await fc.assert(
    fc.asyncProperty(fc.array(calls, { minLength: 1, maxLength: 12 }), async (list) => {
      const { service, send } = open(profile);
      const [event] = service.control.seed({
        events: [{ tickets: [{}], performers: [{}], schedules: [{}], brands: [{}] }],
      }).events;
      const child = [event?.tickets, event?.performers, event?.schedules, event?.brands].map(
        (rows) => rows?.[0]?.id ?? "",
      );
      for (const { route, known, word, query, body } of list) {
        let at = 0;
        const path = route.path.replace(/:\w+/g, () => {
          if (!known) return encodeURIComponent(word);
          const kind = ["tickets", "performers", "schedules", "brands"].findIndex((name) => route.path.includes(name));
          return at++ === 0 ? (event?.id ?? "") : (child[kind] ?? "");
        });
        const response = await send(route.method, path + query, route.method === "GET" ? undefined : body);
        expect([response.status, response.body]).not.toEqual([500, expect.anything()]);
        if (response.status >= 400)
          expect(response.body).toMatchObject({ error: { code: expect.any(String), hint: expect.any(String) } });
        else if (response.status !== 204) expect(response.body).toHaveProperty("data");
      }
    }),
    { numRuns: 150 },
  );
});
