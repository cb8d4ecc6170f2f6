// A webhook whose address the service shows in its own way is still the same webhook, even where nothing remembers it.
import { describe, expect, test } from "vitest";
import { planOf } from "../../stage/plan-of.ts";

const orders = "https://Hooks.example.com/Orders?token=abcdef";
const refunds = "https://hooks.example.com/Refunds?token=uvwxyz";

async function plan(urls: readonly string[], shown: readonly string[]) {
  const file = urls.map((url) => `- { url: "${url}", events: [order.completed] }\n`).join("");
  const live = { webhooks: shown.map((url) => ({ url, events: ["order.completed"] as const })) };
  const { plan: made } = await planOf({ files: { "webhooks.yaml": file }, live });
  return made.changes.map(({ action, blockedBy }) => [action, ...blockedBy.map(({ code }) => code)].join(" "));
}

describe("a webhook is found by its address", () => {
  test.each([
    ["in small letters throughout", orders.toLowerCase()],
    ["with its query hidden", "https://hooks.example.com/Orders?token=***"],
    ["with all after the path hidden", "https://hooks.example.com/Orders?***"],
  ])("%s", async (_, shown) => {
    expect(await plan([orders], [shown])).toEqual([]);
  });

  test("but not where the service keeps capitals: those are two", async () => {
    const others = ["https://hooks.example.com/orders?token=abcdef", "https://hooks.example.com/Other"];
    expect(await plan([orders], others)).toEqual(["create"]);
  });

  test("nor where another address is hidden", async () => {
    expect(await plan([orders], ["https://hooks.example.com/Refunds?token=***"])).toEqual(["create"]);
  });

  test("nor is it guessed which of two is meant", async () => {
    const twin = orders.replace("abcdef", "ghijkl");
    const made = await plan([orders, twin, refunds], ["https://hooks.example.com/Orders?token=***"]);
    expect(made).toEqual(["create ambiguous-webhook", "create ambiguous-webhook", "create"]);
  });
});

test("a webhook that only the base revision names is removed, although the service shows its address in normal form", async () => {
  const webhook = (url: string) => ({ "webhooks.yaml": `- { url: "${url}", events: [order.completed] }\n` });
  const shown = ["https://hooks.example.com/", "https://other.example.com/"];
  const { plan: made } = await planOf({
    base: webhook("https://Hooks.example.com"),
    files: webhook("https://other.example.com/"),
    live: { webhooks: shown.map((url) => ({ url, events: ["order.completed"] as const })) },
  });
  expect(made.changes.map(({ action, address }) => `${action} ${address}`)).toEqual([
    "delete webhooks/https:%2F%2Fhooks.example.com%2F",
  ]);
});

test("a webhook is not removed because its address has the normal form of another one that is live", async () => {
  const webhook = { "webhooks.yaml": '- { url: "https://hooks.example.com/a", events: [order.completed] }\n' };
  const shown = ["https://hooks.example.com/a", "https://Hooks.example.com/a"];
  const live = { webhooks: shown.map((url) => ({ url, events: ["order.completed"] as const })) };
  const { plan: made } = await planOf({ base: webhook, files: { "webhooks.yaml": "[]\n" }, live });
  expect(made.changes.map(({ action, address }) => `${action} ${address}`)).toEqual([
    "delete webhooks/https:%2F%2Fhooks.example.com%2Fa",
  ]);
});

test("an address in its normal form is no difference where nothing remembers what was sent", async () => {
  const start = "2027-03-14T19:00:00+08:00";
  const file = `name: Gala\ndateTime: ${start}\nbrands: [{ name: Acme, url: "https://Acme.example" }]\n`;
  const live = {
    events: [{ name: "Gala", dateTime: start, brands: [{ name: "Acme", url: "https://acme.example/" }] }],
  };
  expect((await planOf({ files: { "events/gala.yaml": file }, live })).plan.changes).toEqual([]);
});
