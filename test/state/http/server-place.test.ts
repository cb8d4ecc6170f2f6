// What is wrong before a state server is asked anything, and what helps.
import { expect, test } from "vitest";
import { findServerPlace } from "../../../src/state/http/server-place.ts";

function find(environment: string, env: Readonly<Record<string, string>>) {
  const outside = { env, keepSecret: () => undefined, disagreement: async () => null };
  return findServerPlace(
    { backend: "http", address: "https://a.example.com/state/p/{environment}" },
    environment,
    outside,
  );
}

test.each([
  [{ TICKETING_STATE_USERNAME: "ana" }, "Set TICKETING_STATE_PASSWORD as well"],
  [{ TICKETING_STATE_USERNAME: "a\u0001b", TICKETING_STATE_PASSWORD: "x" }, "control characters"],
  [{ TICKETING_STATE_USERNAME: "a:b", TICKETING_STATE_PASSWORD: "x" }, "no colon"],
])("credentials that cannot be sent: %o", async (env, hint) => {
  expect(await find("production", env)).toMatchObject({ ok: false, hint: expect.stringContaining(hint) });
});

test.each([".", ".."])("an environment called %s does not climb out of the address", async (environment) => {
  expect(await find(environment, {})).toMatchObject({ ok: false, hint: expect.stringContaining("a different name") });
  expect(await find("a/..", {})).toMatchObject({ value: { address: "https://a.example.com/state/p/a%2F.." } });
});
