// A service may check what is below an event against the event: quantities against its capacity, prices against its type,
// times against its start and end. Whatever the order of the files, room is made before it is used.
import { describe, expect, test } from "vitest";
import { planOf } from "../../stage/plan-of.ts";

const start = "2027-03-14T19:00:00+08:00";
const door = { title: "Doors", startTime: start, endTime: "2027-03-14T20:00:00+08:00" };

interface Tier {
  readonly name: string;
  readonly price: number;
  readonly quantity: number;
}

const vip: Tier = { name: "VIP", price: 500, quantity: 200 };
const ga: Tier = { name: "GA", price: 300, quantity: 500 };

/** Each call by what it is about, after the calls that it needs. */
async function order(live: object, files: object): Promise<readonly string[]> {
  const { plan } = await planOf({
    files: { "events/gala.yaml": JSON.stringify({ name: "Gala", dateTime: start, ...files }) },
    live: { events: [{ name: "Gala", dateTime: start, ...live }] },
  });
  const about = new Map(plan.operations.map((one) => [one.id, `${one.verb} ${one.address.split("/").at(-1)}`]));
  return plan.operations.map(({ id, needs }) => [...needs, id].map((each) => about.get(each)).join(" > "));
}

describe("a capacity", () => {
  test("grows before the quantities below it", async () => {
    const files = { eventCapacity: 900, tickets: [{ ...vip, quantity: 400 }, ga, { ...ga, name: "Late" }] };
    expect(await order({ eventCapacity: 700, tickets: [vip, ga] }, files)).toEqual([
      "update gala",
      "update gala > update VIP",
      "update gala > create Late",
    ]);
  });

  test("shrinks after them, and after what is deleted", async () => {
    const live = { eventCapacity: 900, tickets: [vip, ga, { ...ga, name: "Late" }] };
    expect(await order(live, { eventCapacity: 600, tickets: [{ ...vip, quantity: 100 }, ga] })).toEqual([
      "update VIP",
      "delete Late",
      "update VIP > delete Late > update gala",
    ]);
  });

  test("shrinks whatever becomes of what is new below it", async () => {
    const files = { eventCapacity: 800, tickets: [{ ...vip, quantity: 100 }, { ...ga, name: "Late" }, ga] };
    const calls = await order({ eventCapacity: 900, tickets: [vip, ga] }, files);
    expect(calls).toEqual(["update VIP", "create Late", "update VIP > update gala"]);
  });

  test("is not waited for by what it does not limit", async () => {
    const files = { eventCapacity: 900, tickets: [{ ...vip, price: 550 }, ga] };
    expect(await order({ eventCapacity: 700, tickets: [vip, ga] }, files)).toEqual(["update gala", "update VIP"]);
  });
});

describe("an event", () => {
  const free = { ...vip, price: 0 };

  test("becomes free after its prices do, and has prices after it is no longer free", async () => {
    expect(await order({ type: "PAID", tickets: [vip] }, { type: "FREE", tickets: [free] })).toEqual([
      "update VIP",
      "update VIP > update gala",
    ]);
    expect(await order({ type: "FREE", tickets: [free] }, { type: "PAID", tickets: [vip] })).toEqual([
      "update gala",
      "update gala > update VIP",
    ]);
  });

  test("that would have to come both first and last keeps no order, since neither is right", async () => {
    const files = { type: "PAID", eventCapacity: 100, tickets: [{ ...vip, quantity: 100 }] };
    expect(await order({ type: "FREE", eventCapacity: 300, tickets: [free] }, files)).toEqual([
      "update gala",
      "update VIP",
    ]);
  });

  const id = "5c4ed01e-0000-4000-8000-000000000001";
  const at = (title: string, day: string, from: string, to: string) => ({
    title,
    startTime: `2027-${day}T${from}:00+08:00`,
    endTime: `2027-${day}T${to}:00+08:00`,
  });

  test("moves before the entries of its schedule", async () => {
    const schedules = [at("Doors", "04-14", "19:00", "20:00"), at("Set", "04-14", "20:00", "21:00")];
    const times = (day: string) => ({
      dateTime: `2027-${day}T19:00:00+08:00`,
      endDateTime: `2027-${day}T23:00:00+08:00`,
    });
    expect(await order({ id, ...times("03-14"), schedules: [door] }, { id, ...times("04-14"), schedules })).toEqual([
      "update gala",
      "update gala > update Doors",
      "update gala > create Set",
    ]);
  });

  test("that moves and grows in one call does both before what is below it", async () => {
    const times = (day: string) => ({
      dateTime: `2027-${day}T19:00:00+08:00`,
      endDateTime: `2027-${day}T23:00:00+08:00`,
    });
    const files = { id, ...times("04-14"), eventCapacity: 900, tickets: [{ ...vip, quantity: 800 }] };
    const grown = ["update gala", "update gala > update VIP"];
    expect(await order({ id, ...times("03-14"), eventCapacity: 300, tickets: [vip] }, files)).toEqual(grown);
    // Without a schedule that changes, a later start takes no room from anything.
    const { endDateTime: _, ...open } = files;
    expect(await order({ id, eventCapacity: 300, tickets: [vip] }, open)).toEqual(grown);
  });

  test("ends later before the entries of its schedule do, and earlier after them", async () => {
    const ends = (hour: string) => ({ endDateTime: `2027-03-14T${hour}:00+08:00` });
    const schedules = [at("Set", "03-14", "20:00", "21:00")];
    const later = [at("Set", "03-14", "20:00", "22:30")];
    const last = at("Last", "03-14", "22:00", "23:00");
    expect(await order({ ...ends("22:00"), schedules }, { ...ends("23:00"), schedules: later })).toEqual([
      "update gala",
      "update gala > update Set",
    ]);
    expect(await order({ ...ends("23:00"), schedules: [...later, last] }, { ...ends("22:00"), schedules })).toEqual([
      "update Set",
      "delete Last",
      "update Set > delete Last > update gala",
    ]);
  });
});
