import { expect, test } from "vitest";
import { builtInVenues } from "../../../src/sandbox/index.ts";
import { open } from "../open.ts";

test("venue search needs a query", async () => {
  const { get } = open();
  for (const query of ["", "?query=", "?query=%20", "?take=5"]) {
    expect((await get(`/venues/search${query}`)).body.error.code).toBe("VALIDATION_ERROR");
  }
});

test("venue search finds by name, in pages, with the documented fields", async () => {
  const { get } = open();
  const { body } = await get("/venues/search?query=PALACE&take=1");
  expect(body.meta).toEqual({ page: 1, take: 1, total: 2, totalPages: 2 });
  expect(Object.keys(body.data[0]).sort()).toEqual([
    "address1",
    "city",
    "country",
    "id",
    "latitude",
    "longitude",
    "name",
    "state",
  ]);
  expect((await get("/venues/search?query=nowhere")).body.data).toEqual([]);
});

test("the id of a venue is used as venueId", async () => {
  const { get, event } = open();
  const { body } = await get("/venues/search?query=Session");
  expect((await event({ venueId: body.data[0].id })).venueId).toBe(body.data[0].id);
});

test("there are venues in several cities: two share a name, one has no coordinates, ids stay", () => {
  const palaces = builtInVenues.filter(({ name }) => name === "Palace");
  expect(palaces.map(({ city }) => city)).toEqual(["Baguio", "Taguig"]);
  expect(palaces[0]?.id).toBe("5a9db0c0-7e1d-4b0e-8f00-000000000001");
  expect(builtInVenues.filter(({ latitude, longitude }) => latitude === 0 && longitude === 0)).toHaveLength(1);
  expect(new Set(builtInVenues.map(({ id }) => id)).size).toBe(builtInVenues.length);
  expect(new Set(builtInVenues.map(({ city }) => city)).size).toBeGreaterThan(5);
});
