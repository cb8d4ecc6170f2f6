import { expect, test } from "vitest";
import { type KnobName, knobs, type ProfileName, profiles, readProfile } from "../../../src/sandbox/index.ts";
import { open, party } from "../open.ts";

test("the default profile is the likeliest reading", () => {
  expect(readProfile()).toMatchObject({
    eventRecord: "full",
    ticketRecord: "full",
    resetUnit: "seconds",
    takeDefault: 10,
    takeMax: 50,
    takeAbove: "refused",
    publishedDefault: "false",
    refusalStatus: "400",
    archiveFrom: "any",
    embedded: "none",
    slug: "stable",
    malformedColor: "refused",
    tier: "off",
  });
});

test("a profile is a name, knobs, or a name with knobs, in either spelling", () => {
  expect(readProfile("minimal")).toEqual(profiles.minimal);
  expect(readProfile("tier=free, take-max=20")).toEqual({ ...profiles.likely, tier: "free", takeMax: 20 });
  expect(readProfile("hostile,listLag=500")).toEqual({ ...profiles.hostile, listLag: 500 });
});

test.each([
  ["hostil", /no profile "hostil".*likely, minimal, strict, lax, hostile/],
  ["speed=9", /no knob "speed".*takeMax/],
  ["tier=gold", /tier cannot be "gold".*free, pro, enterprise/],
  ["takeMax=0", /takeMax cannot be "0".*at least 1/],
  ["tier=free,lax", /"lax" must come first/],
])("%s is refused with what could be written", (text, message) => {
  expect(() => readProfile(text)).toThrow(message);
});

test("hostile takes an awkward reading wherever it is compatible with the others", () => {
  const kept = (Object.keys(knobs) as KnobName[]).filter((name) => profiles.hostile[name] === profiles.likely[name]);
  expect(kept.sort()).toEqual(
    [
      "archivedPatch",
      "deliveryAttempts",
      "deliveryBackoff",
      "emptyText",
      "httpLoopback",
      "inventoryLowAt",
      "listLag",
      "malformedColor",
      "nullFields",
      "publishAgain",
      "readLag",
      "takeDefault",
      "tier",
      "timeOrder",
      "uniqueNames",
      "venueIds",
      "withdraw",
    ].sort(),
  );
});

test("minimal shows only what the API specification shows", async () => {
  const { event, ticket, get } = open("minimal");
  const { id } = await event();
  await ticket(id);
  expect(Object.keys((await get(`/events/${id}`)).body.data).sort()).toEqual(["id", "name", "slug", "status"]);
  const [shown] = (await get(`/events/${id}/tickets`)).body.data;
  expect(Object.keys(shown).sort()).toEqual(["id", "name", "remainingQuantity", "section"]);
});

test.each(Object.keys(profiles) as ProfileName[])(
  "under %s an event can be made whole, published and found",
  async (name) => {
    const { service, post, get, patch } = open(name);
    const tickets = [{ name: "GA", price: 1500, quantity: 10, published: true }];
    const { status } = await post("/events", { ...party, tickets });
    expect(status).toBe(201);
    const [event] = (await get("/events?status=DRAFT")).body.data;
    const at = `/events/${event.id}`;
    const doors = { title: "Doors", startTime: "2027-03-14T11:00:00Z", endTime: "2027-03-14T12:00:00Z" };
    expect((await post(`${at}/performers`, { name: "DJ" })).status).toBe(201);
    const [performer] = (await get(`${at}/performers`)).body.data;
    expect((await post(`${at}/schedules`, { ...doors, performerId: performer.id })).status).toBe(201);
    expect((await post(`${at}/brands`, { name: "Cola" })).status).toBe(201);
    expect((await patch(at, { description: "Doors at 19:00" })).status).toBeLessThan(300);
    expect((await post(`${at}/publish`)).status).toBeLessThan(300);
    const { data } = (await get(at)).body;
    expect((data.event ?? data).status).toBe("PUBLISHED");
    expect(service.control.sell({ event: event.id, ticket: "GA", count: 10 })).toHaveLength(2);
  },
);
