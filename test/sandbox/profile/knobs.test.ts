// Each knob alone: what a client sees under each of its values.
import { describe, expect, test } from "vitest";
import { type KnobName, knobs } from "../../../src/sandbox/index.ts";
import { open } from "../open.ts";
import { listsProbes } from "./knobs/lists.ts";
import type { Probes } from "./knobs/probe.ts";
import { rateProbes } from "./knobs/rate.ts";
import { recordsProbes } from "./knobs/records.ts";
import { statesProbes } from "./knobs/states.ts";
import { webhooksProbes } from "./knobs/webhooks.ts";
import { writesProbes } from "./knobs/writes.ts";

const probes: Probes = {
  ...recordsProbes,
  ...writesProbes,
  ...listsProbes,
  ...statesProbes,
  ...webhooksProbes,
  ...rateProbes,
};

describe.each(Object.keys(knobs) as KnobName[])("knob %s", (name) => {
  const { beside, probe, shows } = probes[name];
  const cases = Object.entries(shows);

  test.each(cases)(`${name}=%s`, async (value, expected) => {
    const profile = [beside, `${name}=${value}`].filter((part) => part !== undefined).join(",");
    expect(await probe(open(profile))).toEqual(expected);
  });

  test(`${name} is explained, and its values differ`, () => {
    expect(knobs[name].about.length).toBeGreaterThan(5);
    if (name === "search") return;
    const seen = cases.map(([, expected]) => JSON.stringify(expected));
    expect(new Set(seen).size).toBeGreaterThan(1);
  });
});

test("search=ignored shows all, even what does not match", async () => {
  const found = async (profile: string) => {
    const { event, get } = open(profile);
    await event();
    return (await get("/events?search=rock")).body.meta.total;
  };
  expect([await found("search=ignored"), await found("search=substring")]).toEqual([1, 0]);
});
