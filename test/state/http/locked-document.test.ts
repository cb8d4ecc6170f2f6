// A state server whose reads show nothing for a while, although a state is there.
import { expect, test } from "vitest";
import { lockedDocument } from "../../../src/state/http/http-store.ts";
import type { StateDocument } from "../../../src/state/http/state-document.ts";
import type { StateServer } from "../../../src/state/http/state-server.ts";

function blindServer() {
  let document: StateDocument | null = null;
  let holder: string | null = null;
  /** How many reads show nothing from now on. */
  const blind = { reads: 0 };
  const server: StateServer = {
    get: async () => ({ ok: true, value: blind.reads-- > 0 ? null : document }),
    async post(next, lockId) {
      if (holder !== lockId) return { ok: false, reason: "refused", message: "locked", mayArrive: false };
      document = next;
      return null;
    },
    async lock({ ID }) {
      if (holder !== null && holder !== ID) return { ok: true, value: { ours: false, by: { ID: holder } } };
      holder = ID;
      return { ok: true, value: { ours: true } };
    },
    async unlock({ ID }) {
      if (holder === ID) holder = null;
      return null;
    },
  };
  const files = (leaseMs?: number) =>
    lockedDocument(server, "https://states.example/production", "production", new AbortController(), leaseMs);
  const hold = (by: string | null) => {
    holder = by;
  };
  return { files, blind, hold };
}

test("one read that shows nothing is no empty state", async () => {
  const { files, blind } = blindServer();
  expect(await files().write(new Map([["state.json", "{}"]]), null, "first")).toMatchObject({ ok: true });
  blind.reads = 1;
  const read = await files().read();
  expect(read.ok && read.value?.files.get("state.json")).toBe("{}");
});

test("what was written while reads showed nothing is never taken for a new state", async () => {
  const { files, blind } = blindServer();
  expect(await files().write(new Map([["state.json", "{}"]]), null, "first")).toMatchObject({ ok: true });
  blind.reads = Number.POSITIVE_INFINITY;
  expect(await files().write(new Map(), null, "second")).toMatchObject({ ok: false, reason: "unsafe" });
  blind.reads = 0;
  expect(await files().read()).toMatchObject({
    ok: false,
    reason: "foreign",
    message: expect.stringContaining("an earlier state may have been overwritten"),
  });
});

test("others that write one after another are waited for, however many they are", async () => {
  const { files, hold } = blindServer();
  let count = 0;
  const next = () => hold(++count > 20 ? null : `ticketing-${count}-1`);
  next();
  const taking = setInterval(next, 200);
  const read = await files().read(true);
  clearInterval(taking);
  expect(read).toEqual({ ok: true, value: null });
  expect(count).toBeGreaterThan(20);
});

test("one that stays without being named is shown as the holder", async () => {
  const { files, hold } = blindServer();
  hold("ticketing-7-1");
  const read = await files(500).read(true);
  expect(read.ok && read.value?.files.get("lock.json")).toContain("ticketing-7-1");
});
