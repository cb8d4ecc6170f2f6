// The same as for every store, in a real one: Ceph's gateway. `npm run test:s3`
import { spawnSync } from "node:child_process";
import { AwsV4Signer } from "aws4fetch";
import { expect, test } from "vitest";
import { outsideCalls } from "../../../src/service/transport.ts";
import { openS3Files } from "../../../src/state/s3/s3-store.ts";
import { storeContract } from "../contract.ts";
import { ledgerContract } from "../ledger.ts";
import { storeProcesses } from "../processes.ts";
import type { StartedStore, StoreUnderTest } from "../store-under-test.ts";
import { cephKeys, startCeph } from "./ceph-cluster.ts";
import { startLosingProxy } from "./losing-proxy.ts";

const env = { AWS_ACCESS_KEY_ID: cephKeys.id, AWS_SECRET_ACCESS_KEY: cephKeys.secret };
const bucket = "box-office";

async function call(endpoint: string, method: string, path: string, body?: string, headers = {}): Promise<Response> {
  const { id: accessKeyId, secret: secretAccessKey } = cephKeys;
  const signer = new AwsV4Signer({
    method,
    url: `${endpoint}/${path}`,
    headers,
    accessKeyId,
    secretAccessKey,
    service: "s3",
    region: "us-east-1",
    ...(body === undefined ? {} : { body }),
  });
  const signed = await signer.sign();
  return fetch(signed.url, { method, headers: signed.headers, ...(body === undefined ? {} : { body }) });
}

async function start(): Promise<StartedStore> {
  const cluster = await startCeph();
  const made = await call(cluster.endpoint, "PUT", bucket);
  if (!made.ok) throw new Error(await made.text());
  const proxy = await startLosingProxy(cluster.endpoint);
  const settings = { backend: "s3", bucket, prefix: "acme/events", endpoint: proxy.endpoint } as const;
  return {
    settings,
    env,
    secrets: Object.values(env),
    async files(environment) {
      const outside = { ...outsideCalls({}), env, keepSecret: () => undefined, disagreement: async () => null };
      const files = await openS3Files(settings, "/", environment, outside);
      if (!files.ok) throw new Error(files.message);
      return files.value;
    },
    async plant(environment, files) {
      const head = JSON.stringify({ formatVersion: 1, id: "planted", probe: null, old: [], files });
      const planted = await call(cluster.endpoint, "PUT", `${bucket}/acme/events/${environment}/head.json`, head);
      if (!planted.ok) throw new Error(await planted.text());
    },
    loseNextResponse: async () => proxy.loseNextWrite("/head.json"),
    away: proxy.away,
    back: proxy.back,
    async stop() {
      await proxy.away();
      await cluster.stop();
    },
  };
}

// One clear failure instead of one for each test.
for (const program of ["radosgw", "ceph-mon", "ceph-osd", "ceph"]) {
  if (spawnSync(program, ["--version"]).error !== undefined)
    throw new Error(`There is no ${program}: install the packages of Ceph that CONTRIBUTING.md names.`);
}

const ceph: StoreUnderTest = { name: "s3 (Ceph's gateway)", start };
storeContract(ceph);
ledgerContract(ceph);
storeProcesses(ceph);

test("the gateway looks at conditions, and keeps what it has while it is away", async () => {
  const cluster = await startCeph();
  try {
    await call(cluster.endpoint, "PUT", bucket);
    const put = (body: string, headers: Record<string, string>) =>
      call(cluster.endpoint, "PUT", `${bucket}/x`, body, headers);
    const created = await put("1", { "If-None-Match": "*" });
    const etag = created.headers.get("etag") ?? "";
    const seen = [
      created.status,
      (await put("2", { "If-None-Match": "*" })).status,
      (await put("3", { "If-Match": etag })).status,
      (await put("4", { "If-Match": etag.replaceAll('"', "") })).status,
      (await put("5", { "If-Match": etag.replaceAll('"', "") })).status,
    ];
    // Ceph 16 compares what follows If-Match with the bare ETag.
    expect([
      [200, 412, 412, 200, 412],
      [200, 412, 200, 412, 412],
    ]).toContainEqual(seen);
    await cluster.stopGateway();
    await expect(call(cluster.endpoint, "GET", `${bucket}/x`)).rejects.toThrow();
    await cluster.startGateway();
    expect(await (await call(cluster.endpoint, "GET", `${bucket}/x`)).text()).toBe(seen[2] === 200 ? "3" : "4");
  } finally {
    await cluster.stop();
  }
});
