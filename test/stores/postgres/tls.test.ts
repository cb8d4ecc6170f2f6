// TLS to a real PostgreSQL, with a certificate for this machine that nobody else has signed.
import { chmodSync, chownSync, copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseAddress } from "../../../src/state/postgres/database-address.ts";
import { openStateRows } from "../../../src/state/postgres/postgres-store.ts";
import { certificateFile, keyFile } from "../../certificate/self-signed.ts";
import { removeFolder } from "../../stage/remove-folder.ts";
import { type PostgresServer, serverUser, startPostgres } from "./server.ts";

let server: PostgresServer;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "postgres-tls-"));
  chmodSync(folder, 0o755);
  const key = join(folder, "key.pem");
  copyFileSync(keyFile, key);
  chmodSync(key, 0o600);
  const { uid, gid } = serverUser();
  chownSync(key, uid, gid);
  copyFileSync(certificateFile, join(folder, "certificate.pem"));
  const files = [`ssl_key_file=${key}`, `ssl_cert_file=${join(folder, "certificate.pem")}`];
  server = await startPostgres(["fsync=off", "ssl=on", ...files]);
});
afterAll(async () => {
  await server.remove();
  removeFolder(folder);
});

async function readWith(host: string, settings: string) {
  const url = `${server.url().replace("127.0.0.1", host)}?${settings}`;
  const address = databaseAddress({ TICKETING_STATE_URL: url });
  if (!address.ok) return address;
  const place = { address: address.value, schema: "ticketing", project: "tls", environment: "e", migrates: true };
  const files = openStateRows(place);
  const read = await files.read();
  const encrypted = await server.sql(
    "select ssl from pg_stat_ssl join pg_stat_activity using (pid) where usename = 'ticketing'",
  );
  await files.close();
  return read.ok ? encrypted : read;
}

const ca = `sslrootcert=${certificateFile}`;
const unknown = { ok: false, reason: "setup", hint: expect.stringContaining("sslrootcert") };

test.each([
  ["localhost", `sslmode=verify-full&${ca}`, [{ ssl: true }]],
  ["localhost", "sslmode=verify-full", unknown],
  ["localhost", `sslmode=verify-ca&${ca}`, [{ ssl: true }]],
  ["localhost", `sslmode=require&${ca}`, [{ ssl: true }]],
  ["localhost", "sslmode=require", [{ ssl: true }]],
  ["localhost", "sslmode=disable", [{ ssl: false }]],
])("%s?%s", async (host, settings, result) => {
  expect(await readWith(host, settings)).toMatchObject(result);
});
