import { expect, it } from "vitest";
import { eventFilter, readFilter, targetFilter } from "../../../src/plan/compare/targets.ts";
import { load } from "../../stage/plan-of.ts";

const composed = "caf\u00e9";
const decomposed = "cafe\u0301";

it.each([composed, decomposed])(
  "an event in a file of an accented name is met by --target events/%s",
  async (typed) => {
    const { events } = await load({
      [`events/${decomposed}.yaml`]: `name: A\ndateTime: 2027-03-14T19:00\nperformers: [{ name: Zo${"e\u0308"} }]\n`,
    });
    const [event] = events;
    expect(targetFilter([`events/${typed}`])(event?.address ?? "")).toBe(true);
    expect(eventFilter([`events/${typed}/performers/Zoë`])(event?.address ?? "")).toBe(true);
    expect(targetFilter([`events/${typed}/performers/Zoë`])(event?.children.performer?.[0]?.address ?? "")).toBe(true);
  },
);

it.each([
  "*/tickets/GA",
  "*GA",
  "*/GA",
  "events/*GA",
  "*1/tickets/GA",
  "*tickets*",
  "events/e1*GA",
  "events/*/tickets/*",
])("--target %s reads the event whose ticket type it names", (target) => {
  expect(targetFilter([target])("events/e1/tickets/GA")).toBe(true);
  expect(eventFilter([target], ["events/e1/tickets/GA"])("events/e1")).toBe(true);
  // The ticket type may be on the service alone.
  expect(readFilter([target])("events/e1")).toBe(true);
});

it.each(["events/e2*GA", "webhooks/*", "*webhooks/*", "events/e2/*", "*-2027", "*VIP"])(
  "--target %s leaves another event unread",
  (target) => {
    expect(eventFilter([target], ["events/e1", "events/e1/tickets/GA", "webhooks/a"])("events/e1")).toBe(false);
  },
);

it("percent escapes have no case", () => {
  expect(targetFilter(["events/e1/tickets/A%2fB"])("events/e1/tickets/A%2FB")).toBe(true);
});

it.each(["events/e2*GA", "webhooks/*", "events/e2/*"])("--target %s has another event not read", (target) => {
  expect(readFilter([target])("events/e1")).toBe(false);
});
