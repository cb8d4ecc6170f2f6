// What every place for a shared ledger must do: no call of a run is forgotten, whoever writes at the same time.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { StateStore } from "../../src/state/store.ts";
import { openStarted, quickTimes, type StartedStore, type StoreUnderTest } from "./store-under-test.ts";

/** A change of a ledger that is a list of names. */
export function add(name: string): (kept: unknown) => unknown {
  return (kept) => [...(Array.isArray(kept) ? kept : []), name];
}

export function ledgerContract(store: StoreUnderTest): void {
  describe(`the ledger in ${store.name}`, () => {
    let started: StartedStore;
    let accounts = 0;
    const opened: StateStore[] = [];

    beforeAll(async () => {
      started = await store.start();
      const first = open("production", "nobody");
      // Whoever writes the state first makes its place; a ledger does not.
      expect(await first.lock({ command: "apply", timeoutMs: 0 })).toMatchObject({ ok: true });
      await first.close?.();
    });
    afterAll(() => started.stop());
    afterEach(async () => {
      for (const each of opened.splice(0)) await each.close?.();
      await started.back();
    });

    /** On its own machine: what it shares with the others it shares by the store. */
    function open(environment: string, account: string): StateStore {
      const made = openStarted(started, environment, quickTimes, account);
      opened.push(made);
      return made;
    }

    test("loses no update, not even of another environment at the same service", async () => {
      const account = `acme-${++accounts}`;
      const stores = ["production", "production", "staging"].map((environment) => open(environment, account));
      await Promise.all(stores.flatMap(({ pace }, nth) => [1, 2].map((time) => pace.update(add(`${nth}.${time}`)))));
      const kept = (await open("production", account).pace.load()) as string[];
      expect(kept.sort()).toEqual(["0.1", "0.2", "1.1", "1.2", "2.1", "2.2"]);
    });

    test("is another one for another organization", async () => {
      const account = `acme-${++accounts}`;
      await open("production", account).pace.update(add("ours"));
      expect(await open("production", `acme-${++accounts}`).pace.load()).toBeNull();
    });

    test("is not that of the environment's state, whose lock somebody holds", async () => {
      const account = `acme-${++accounts}`;
      const holder = open("production", account);
      expect(await holder.lock({ command: "apply", timeoutMs: 0 })).toMatchObject({ ok: true });
      await open("production", account).pace.update(add("beside"));
      expect(await holder.pace.load()).toEqual(["beside"]);
      expect(await holder.close?.()).toBeNull();
    });

    test("stays as it is where nothing is to change, and shows what another has written since", async () => {
      const account = `acme-${++accounts}`;
      const [one, two] = [open("production", account), open("production", account)];
      await one.pace.update(add("first"));
      await two.pace.update(add("second"));
      const found: unknown[] = [];
      await one.pace.update((kept) => {
        found.push(kept);
        return undefined;
      });
      expect(found.at(-1)).toEqual(["first", "second"]);
      expect(await two.pace.load()).toEqual(["first", "second"]);
    });

    test("says that it cannot be reached, so that calls do not wait for it, and continues where the store is back", async () => {
      const account = `acme-${++accounts}`;
      const { pace } = open("production", account);
      await pace.update(add("first"));
      await started.away();
      await expect(pace.update(add("lost"))).rejects.toThrow();
      await started.back();
      await pace.update(add("second"));
      expect(await open("production", account).pace.load()).toEqual(["first", "second"]);
    });
  });
}
