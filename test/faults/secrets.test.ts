// A webhook's secret is shown once. Wherever the program is killed, it is held, or the next run says that it is not.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Files } from "../stage/theater.ts";
import { dyingAt, type Ended, openPlace, type Place } from "./run-program.ts";

const keeper = fileURLToPath(new URL("./keep-secret.js", import.meta.url));
const sinks = {
  file: "{ sink: file, path: .ticketing/secrets.json }",
  command: JSON.stringify({ sink: "command", command: [process.execPath, keeper, "{secretName}"] }),
} as const;
const url = "https://hooks.example.com/orders";

type Backend = "file" | "none";
type Sink = keyof typeof sinks;

function filesOf(backend: Backend, sink: Sink): Files {
  return {
    "ticketing.yaml": `version: 1\nstate: { backend: ${backend} }\nsecrets: ${sinks[sink]}\n`,
    "webhooks.yaml": `- { url: "${url}", events: [order.completed], secretName: ORDERS }\n`,
    "events/gala.yaml": "name: Gala\ndateTime: 2027-03-14T19:00+08:00\nbrands: [{ name: Tubig }]\n",
  };
}

function liveHooks(place: Place): readonly { readonly id: string; readonly secret: string }[] {
  return place.sandbox.service.dump().webhooks as unknown as readonly { id: string; secret: string }[];
}

function isHeld(place: Place, sink: Sink): boolean {
  const [hook] = liveHooks(place);
  if (hook === undefined) return false;
  if (sink === "file") return place.secrets().get(hook.id) === hook.secret;
  const kept = join(place.directory, "kept-ORDERS.txt");
  return existsSync(kept) && readFileSync(kept, "utf8") === hook.secret;
}

/** Gives whether the run was killed at all. */
async function survive(backend: Backend, sink: Sink, first: (place: Place) => Promise<Ended>): Promise<boolean> {
  const place = await openPlace(filesOf(backend, sink));
  const killed = await first(place);
  place.sandbox.control.clearFaults();
  const second = await place.applyHere();
  const third = await place.applyHere();
  const story = [killed, second, third].map((each) => `${each.code} ${each.signal}\n${each.output}`).join("\n---\n");
  expect([second.code, third.code], story).toEqual([0, 0]);
  expect(liveHooks(place), story).toHaveLength(1);
  // What no one can prove is reported in every run, not only in the first.
  for (const reported of [second, third]) {
    const words = reported.output.replace(/\s+/g, " ");
    const isTold = words.includes("secret-not-held") && words.includes(`ticketing webhooks rotate ${url}`);
    expect(isHeld(place, sink) || isTold, story).toBe(true);
  }
  if (backend === "file") expect(isHeld(place, sink), story).toBe(true);
  await place.close();
  return killed.signal === "SIGKILL";
}

// Most of the time goes into waiting for a command that may still be running.
describe.concurrent.each(["file", "none"] as const)("state: %s", (backend) => {
  describe.each(["file", "command"] as const)("sink: %s", (sink) => {
    test.each(["before", "after"] as const)("killed %s the webhook is made", async (moment) => {
      const fault = { kind: "kill", method: "POST", path: "/webhooks", moment } as const;
      expect(await survive(backend, sink, (place) => place.apply({}, fault))).toBe(true);
    });

    test.each(["before", "after"] as const)("killed %s each file is durable", async (moment) => {
      let died = true;
      for (let at = 1; died; at += 1) {
        died = await survive(backend, sink, (place) => place.apply(dyingAt("file", at, moment)));
        if (at === 1 && (backend === "file" || sink === "file")) expect(died).toBe(true);
      }
    });
  });

  test.each(["before", "after"] as const)("killed %s the command has the secret", async (moment) => {
    expect(await survive(backend, "command", (place) => place.apply({ DIE_SINK: moment }))).toBe(true);
  });
});

test("a secret is safe before the next webhook is asked for", async () => {
  const place = await openPlace({
    ...filesOf("none", "command"),
    "webhooks.yaml": ["a", "b", "c"]
      .map((name) => `- { url: "${url}/${name}", events: [order.completed], secretName: ${name}, isActive: false }\n`)
      .join(""),
  });
  const { signal } = await place.apply({ DIE_SINK: "before" });
  expect(signal).toBe("SIGKILL");
  const calls = place.sandbox.control.calls().filter((call) => call.path.startsWith("/webhooks"));
  expect(calls.filter((call) => call.method !== "GET").map((call) => call.method)).toEqual(["POST"]);
  await place.close();
});
