import { expect, test } from "vitest";
import { builtInVenues } from "../../../src/sandbox/index.ts";
import { noSuchId, open, party, wrongFields } from "../open.ts";

const everything = {
  name: "Manila Nights",
  dateTime: "2027-03-14T11:00:00.000Z",
  endDateTime: "2027-03-14T18:00:00.000Z",
  description: "A night out",
  type: "FREE",
  journeyType: "RSVP",
  currency: "PHP",
  locationType: "ONLINE",
  venueId: builtInVenues[0]?.id,
  imageUrl: "https://example.com/cover.png",
  galleryUrls: ["https://example.com/1.png", "https://example.com/2.png"],
  eventCapacity: 700,
  visibility: "PRIVATE",
  timezone: "Asia/Tokyo",
  absorbFees: false,
  callbackUrl: "https://hooks.example.com/manila",
};

test("creates an event in DRAFT with every field as sent, and returns it", async () => {
  const { post, get } = open();
  const { status, body } = await post("/events", everything);
  expect(status).toBe(201);
  expect(body.data).toMatchObject({ ...everything, status: "DRAFT", slug: "manila-nights" });
  expect((await get(`/events/${body.data.id}`)).body.data).toEqual(body.data);
});

test("gives an event the documented defaults", async () => {
  const { event } = open();
  expect(await event()).toMatchObject({
    type: "PAID",
    currency: "PHP",
    locationType: "VENUE",
    visibility: "PUBLIC",
    timezone: "Asia/Manila",
    absorbFees: true,
    endDateTime: null,
    venueId: null,
  });
});

test("requires name and dateTime of an event", async () => {
  const { post } = open();
  expect(wrongFields(await post("/events", {}))).toEqual(["name", "dateTime"]);
  expect(wrongFields(await post("/events", { name: " ", dateTime: null }))).toEqual(["name", "dateTime"]);
});

test.each([
  ["type", "SOLD"],
  ["journeyType", "WALK"],
  ["currency", "USD"],
  ["locationType", "MOON"],
  ["visibility", "public"],
  ["venueId", "palace"],
  ["venueId", noSuchId],
  ["galleryUrls", "https://example.com/1.png"],
  ["galleryUrls", [1]],
  ["eventCapacity", "700"],
  ["eventCapacity", 1.5],
  ["absorbFees", "true"],
  ["description", 5],
  ["imageUrl", {}],
  ["timezone", 8],
  ["callbackUrl", false],
  ["endDateTime", "2027-02-30T10:00:00Z"],
  ["endDateTime", "14 March 2027"],
  ["endDateTime", "2027-03-14T10:59:59Z"],
  ["tickets", {}],
])("refuses an event whose %s is %j", async (field, value) => {
  const { post, service } = open();
  const response = await post("/events", { ...party, [field]: value });
  expect([response.status, wrongFields(response)]).toEqual([400, [field]]);
  expect(service.control.dump().events).toEqual([]);
});

test("creates inline ticket types with the event", async () => {
  const { event, get } = open();
  const made = await event({
    tickets: [
      { name: "VIP", price: 4500, quantity: 200 },
      { name: "GA", price: 0, quantity: 5 },
    ],
  });
  expect(made.tickets).toBeUndefined();
  const { body } = await get(`/events/${made.id}/tickets`);
  expect(body.data).toMatchObject([
    { name: "VIP", price: 4500, quantity: 200, remainingQuantity: 200, eventId: made.id },
    { name: "GA", price: 0, quantity: 5, remainingQuantity: 5 },
  ]);
});

test("makes nothing when one inline ticket type is wrong", async () => {
  const { post, service } = open();
  const tickets = [
    { name: "GA", price: 1, quantity: 1 },
    { name: "VIP", price: 1.5, quantity: 1 },
  ];
  expect(wrongFields(await post("/events", { ...party, tickets }))).toEqual(["tickets.1.price"]);
  expect(service.control.dump()).toMatchObject({ events: [], tickets: [] });
});

test("finds an event by id and by slug", async () => {
  const { event, get } = open();
  const made = await event({ name: "Fiesta Ñandú!" });
  expect(made.slug).toBe("fiesta-nandu");
  expect((await get(`/events/${made.slug}`)).body.data.id).toBe(made.id);
  expect((await get(`/events/${made.id.toUpperCase()}`)).body.data.id).toBe(made.id);
});

test("gives events of one name different slugs", async () => {
  const { event, get } = open();
  const [one, two] = [await event(), await event()];
  expect([one.slug, two.slug]).toEqual(["manila-nights", "manila-nights-2"]);
  expect((await get("/events/manila-nights-2")).body.data.id).toBe(two.id);
});

test("lists the organization's events by status and by search", async () => {
  const { service, get } = open();
  service.control.seed({
    events: [
      { name: "Jazz Night", status: "DRAFT" },
      { name: "Jazz Morning", status: "PUBLISHED" },
      { name: "Rock Night", status: "ARCHIVED" },
    ],
  });
  const names = async (query: string) =>
    (await get(`/events${query}`)).body.data.map((event: { name: string }) => event.name);
  expect(await names("")).toEqual(["Jazz Night", "Jazz Morning", "Rock Night"]);
  expect(await names("?status=PUBLISHED")).toEqual(["Jazz Morning"]);
  expect(await names("?search=jazz")).toEqual(["Jazz Night", "Jazz Morning"]);
  expect(await names("?search=night&status=ARCHIVED")).toEqual(["Rock Night"]);
  expect((await get("/events?status=draft")).status).toBe(400);
});

test("PATCH changes only the provided fields of an event", async () => {
  const { post, patch, get } = open();
  const { data } = (await post("/events", everything)).body;
  const { status } = await patch(`/events/${data.id}`, { name: "Manila Days", eventCapacity: null });
  expect(status).toBe(200);
  const { updatedAt: _, ...live } = (await get(`/events/${data.id}`)).body.data;
  const { updatedAt: __, ...before } = data;
  expect(live).toEqual({ ...before, name: "Manila Days", eventCapacity: null });
});

test("PATCH of an event is validated like its creation, and against what stays", async () => {
  const { event, patch, get } = open();
  const made = await event({ endDateTime: "2027-03-14T12:00:00Z" });
  const at = `/events/${made.id}`;
  expect(wrongFields(await patch(at, { name: "", type: "X", dateTime: null }))).toEqual(["name", "dateTime", "type"]);
  expect(wrongFields(await patch(at, { dateTime: "2027-03-14T13:00:00Z" }))).toEqual(["endDateTime"]);
  expect((await get(at)).body.data).toEqual(made);
});

test("a cleared field with a default gets the default back", async () => {
  const { event, patch, get } = open();
  const { id } = await event({ timezone: "Asia/Tokyo", absorbFees: false });
  await patch(`/events/${id}`, { timezone: null, absorbFees: null });
  expect((await get(`/events/${id}`)).body.data).toMatchObject({ timezone: "Asia/Manila", absorbFees: true });
});
