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
  const files = () => lockedDocument(server, "https://states.example/production", "production", new AbortController());
  return { files, blind };
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
