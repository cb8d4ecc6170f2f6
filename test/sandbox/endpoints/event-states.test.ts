import { expect, test } from "vitest";
import { noSuchId, open } from "../open.ts";

test("publish takes DRAFT to PUBLISHED and unpublish takes it back", async () => {
  const { event, post, get } = open();
  const { id } = await event();
  const status = async () => (await get(`/events/${id}`)).body.data.status;
  expect((await post(`/events/${id}/publish`)).status).toBe(200);
  expect(await status()).toBe("PUBLISHED");
  expect((await post(`/events/${id}/unpublish`)).status).toBe(200);
  expect(await status()).toBe("DRAFT");
});

test("archive leads to ARCHIVED from any status, with the data preserved", async () => {
  const { service, post, get } = open();
  for (const status of ["DRAFT", "PUBLISHED", "ARCHIVED"] as const) {
    const [event] = service.control.seed({ events: [{ status, tickets: [{ sold: 2 }] }] }).events;
    expect((await post(`/events/${event?.id}/archive`)).status).toBe(200);
    expect((await get(`/events/${event?.id}`)).body.data.status).toBe("ARCHIVED");
    expect((await get(`/events/${event?.id}/tickets`)).body.data).toHaveLength(1);
    expect((await get(`/events/${event?.id}/orders`)).body.meta.total).toBe(1);
  }
});

test("an archived event is neither published nor changed nor deleted", async () => {
  const { service, send } = open();
  const [event] = service.control.seed({ events: [{ status: "ARCHIVED" }] }).events;
  const calls = [
    ["POST", "/publish", undefined],
    ["POST", "/unpublish", undefined],
    ["PATCH", "", { name: "Other" }],
    ["DELETE", "", undefined],
    ["POST", "/tickets", { name: "GA", price: 1, quantity: 1 }],
    ["POST", "/brands", { name: "B" }],
  ] as const;
  for (const [method, path, body] of calls) {
    const response = await send(method, `/events/${event?.id}${path}`, body);
    expect([method, path, response.status, response.body.error.code]).toEqual([method, path, 400, "VALIDATION_ERROR"]);
  }
});

test("deletes a DRAFT event with all that belongs to it", async () => {
  const { service, del, get } = open();
  const seed = { tickets: [{}], performers: [{}], schedules: [{}], brands: [{}] };
  const [event] = service.control.seed({ events: [seed] }).events;
  expect(await del(`/events/${event?.id}`)).toMatchObject({ status: 200 });
  expect((await get(`/events/${event?.id}`)).status).toBe(404);
  expect((await del(`/events/${event?.id}`)).status).toBe(404);
  const { events, tickets, performers, schedules, brands } = service.control.dump();
  expect([events, tickets, performers, schedules, brands]).toEqual([[], [], [], [], []]);
});

test("does not delete an event that is not DRAFT", async () => {
  const { service, del, get } = open();
  for (const status of ["PUBLISHED", "ARCHIVED"] as const) {
    const [event] = service.control.seed({ events: [{ status }] }).events;
    expect(await del(`/events/${event?.id}`)).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR" } },
    });
    expect((await get(`/events/${event?.id}`)).status).toBe(200);
  }
});

test("does not delete a DRAFT event with sold tickets", async () => {
  const { service, del, get } = open();
  const [event] = service.control.seed({ events: [{ status: "DRAFT", tickets: [{ sold: 1 }] }] }).events;
  expect((await del(`/events/${event?.id}`)).status).toBe(400);
  expect((await get(`/events/${event?.id}`)).status).toBe(200);
});

test("transitions of an event that does not exist are NOT_FOUND", async () => {
  const { post } = open();
  for (const verb of ["publish", "unpublish", "archive"]) {
    expect((await post(`/events/${noSuchId}/${verb}`)).body.error.code).toBe("NOT_FOUND");
  }
});
