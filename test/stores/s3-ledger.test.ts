import { afterEach, expect, test } from "vitest";
import type { StateStore } from "../../src/state/store.ts";
import { add, ledgerContract } from "./ledger.ts";
import { S3Server } from "./s3-server.ts";
import { s3Env, s3Settings, s3Under } from "./s3-store.ts";
import { openStarted, quickTimes } from "./store-under-test.ts";

ledgerContract(s3Under("as AWS", {}));
ledgerContract(s3Under("ETags compared bare, as Ceph", { etags: "compared-bare" }));

const server = new S3Server({});
const opened: StateStore[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close?.();
  await server.stop();
  server.objects.clear();
});

function open(who: "reader" | "writer", prefix: string): StateStore {
  const settings = { ...s3Settings(server), prefix };
  const store = openStarted({ settings, env: s3Env(who) }, "production", quickTimes, "acme-live");
  opened.push(store);
  return store;
}

test("projects that share a bucket share one ledger, in a separate place", async () => {
  await server.start();
  await open("writer", "acme/events").pace.update(add("one"));
  await open("writer", "acme/clubs").pace.update(add("two"));
  expect(await open("reader", "acme/fairs").pace.load()).toEqual(["one", "two"]);
  expect([...server.objects.keys()]).toEqual([expect.stringMatching(/^ticketing-pace\/[0-9a-f]{16}\/head\.json$/)]);
});

test("whoever may only read sees the ledger, counts by itself, and writes nothing", async () => {
  await server.start();
  await open("writer", "acme/events").pace.update(add("theirs"));
  const before = [...server.objects];
  const { pace } = open("reader", "acme/events");
  expect(await pace.load()).toEqual(["theirs"]);
  await pace.update(add("mine"));
  await pace.update(add("again"));
  expect(await pace.load()).toEqual(["mine", "again"]);
  expect([...server.objects]).toEqual(before);
});
