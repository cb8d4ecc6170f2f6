import { expect, test } from "vitest";
import { type Json, noSuchId, open, wrongFields } from "../open.ts";

const doors = { title: "Doors", startTime: "2027-03-14T11:00:00.000Z", endTime: "2027-03-14T12:00:00.000Z" };

test("creates a performer and returns its record", async () => {
  const { event, post, get } = open();
  const { id } = await event();
  const fields = { name: "DJ Ana", type: "DJ", imageUrl: "https://example.com/a.png", description: "Decks" };
  const { status, body } = await post(`/events/${id}/performers`, fields);
  expect(status).toBe(201);
  expect(body.data).toEqual({ ...fields, id: expect.any(String), eventId: id, createdAt: expect.any(String) });
  expect((await get(`/events/${id}/performers`)).body).toEqual({ data: [body.data] });
});

test("a performer needs only a name, and takes any type", async () => {
  const { event, post } = open();
  const at = `/events/${(await event()).id}/performers`;
  expect(wrongFields(await post(at, { type: "DJ" }))).toEqual(["name"]);
  expect((await post(at, { name: "A" })).body.data).toMatchObject({ type: null, imageUrl: null, description: null });
  expect((await post(at, { name: "B", type: "JUGGLER" })).status).toBe(201);
  expect(wrongFields(await post(at, { name: "C", type: 1, imageUrl: 2, description: 3 }))).toHaveLength(3);
});

test("creates a schedule entry and returns its record", async () => {
  const { event, post, get } = open();
  const { id } = await event();
  const performer = (await post(`/events/${id}/performers`, { name: "DJ Ana" })).body.data;
  const fields = { ...doors, description: "Come in", icon: "door", color: "#FF8800", performerId: performer.id };
  const { status, body } = await post(`/events/${id}/schedules`, fields);
  expect(status).toBe(201);
  expect(body.data).toEqual({ ...fields, id: expect.any(String), eventId: id, createdAt: expect.any(String) });
  expect((await get(`/events/${id}/schedules`)).body).toEqual({ data: [body.data] });
});

test.each([
  ["title", ""],
  ["startTime", "noon"],
  ["endTime", null],
  ["endTime", doors.startTime],
  ["color", "#f00"],
  ["color", "orange"],
  ["performerId", "DJ Ana"],
  ["performerId", noSuchId],
])("refuses a schedule entry whose %s is %j, created or changed", async (field, value) => {
  const { event, post, patch } = open();
  const at = `/events/${(await event()).id}/schedules`;
  const made = (await post(at, doors)).body.data;
  expect(wrongFields(await post(at, { ...doors, [field]: value }))).toEqual([field]);
  expect(wrongFields(await patch(`${at}/${made.id}`, { [field]: value }))).toEqual([field]);
});

test("requires title, startTime and endTime of a schedule entry", async () => {
  const { event, post } = open();
  const response = await post(`/events/${(await event()).id}/schedules`, {});
  expect(wrongFields(response)).toEqual(["title", "startTime", "endTime"]);
});

test("a schedule entry names only a performer of the same event", async () => {
  const { event, post } = open();
  const [one, two] = [await event(), await event()];
  const performer = (await post(`/events/${two.id}/performers`, { name: "DJ Ana" })).body.data;
  const response = await post(`/events/${one.id}/schedules`, { ...doors, performerId: performer.id });
  expect(wrongFields(response)).toEqual(["performerId"]);
});

test("PATCH changes only the provided fields of a schedule entry", async () => {
  const { event, post, patch, get } = open();
  const at = `/events/${(await event()).id}/schedules`;
  const made = (await post(at, { ...doors, color: "#FF8800", icon: "door" })).body.data;
  expect((await patch(`${at}/${made.id}`, { title: "Gates", icon: null })).status).toBe(200);
  expect((await get(at)).body.data).toEqual([{ ...made, title: "Gates", icon: null }]);
});

test("creates a brand and returns its record", async () => {
  const { event, post, get } = open();
  const { id } = await event();
  const fields = {
    name: "Cola",
    url: "https://example.com",
    imageUrl: "https://example.com/c.png",
    description: "Drinks",
  };
  const { status, body } = await post(`/events/${id}/brands`, fields);
  expect(status).toBe(201);
  expect(body.data).toEqual({ ...fields, id: expect.any(String), eventId: id, createdAt: expect.any(String) });
  expect((await get(`/events/${id}/brands`)).body).toEqual({ data: [body.data] });
  expect(wrongFields(await post(`/events/${id}/brands`, { url: 5 }))).toEqual(["name", "url"]);
});

test.each(["performers", "schedules", "brands"])("deleting one of the %s returns deleted and id", async (kind) => {
  const { event, post, del, get } = open();
  const { id } = await event();
  const at = `/events/${id}/${kind}`;
  const made: Json = (await post(at, { name: "N", ...doors })).body.data;
  expect(await del(`${at}/${made.id}`)).toMatchObject({ status: 200, body: { data: { deleted: true, id: made.id } } });
  expect((await get(at)).body).toEqual({ data: [] });
  expect((await del(`${at}/${made.id}`)).body.error.code).toBe("NOT_FOUND");
});

test.each(["performers", "schedules", "brands"])("%s are found only under their own event", async (kind) => {
  const { event, post, del, get } = open();
  const [one, two] = [await event(), await event()];
  const made = (await post(`/events/${one.id}/${kind}`, { name: "N", ...doors })).body.data;
  expect((await del(`/events/${two.id}/${kind}/${made.id}`)).status).toBe(404);
  expect((await get(`/events/${noSuchId}/${kind}`)).status).toBe(404);
  expect((await post(`/events/${noSuchId}/${kind}`, { name: "N", ...doors })).status).toBe(404);
});
