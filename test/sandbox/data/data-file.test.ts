import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { attempt } from "../../../src/model/diagnostic.ts";
import { openDataFile } from "../../../src/sandbox/data/row-store.ts";
import { joinSandbox, type SandboxOptions, startSandbox } from "../../../src/sandbox/index.ts";
import { party } from "../open.ts";

let folder: string;
let dataFile: string;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "sandbox-")), ".ticketing");
  dataFile = join(folder, "sandbox.json");
});

/** Git ignores the whole folder, by a file that is always there. */
function listed(): string[] {
  return readdirSync(folder).filter((name) => name !== ".gitignore");
}

async function names(): Promise<unknown[]> {
  const sandbox = await startSandbox({ dataFile });
  await sandbox.close();
  return sandbox.control.dump().events.map((event) => (event as unknown as { name: string }).name);
}

test("a closed sandbox leaves one private file, and continues where it was with the same key", async () => {
  const first = await startSandbox({ dataFile });
  await first.service.call("POST", "/events", party);
  await first.close();
  expect(listed()).toEqual(["sandbox.json"]);
  expect([statSync(folder).mode & 0o777, statSync(dataFile).mode & 0o777]).toEqual([0o700, 0o600]);
  const second = await startSandbox({ dataFile });
  expect(second.apiKey).toBe(first.apiKey);
  expect((await second.service.call("GET", "/events")).body).toMatchObject({ data: [{ name: party.name }] });
  await second.close();
});

test("what was answered is not lost when the process dies", async () => {
  const doomed = await startSandbox({ dataFile });
  const { body } = await doomed.service.call("POST", "/events", {
    ...party,
    tickets: [{ name: "GA", price: 1, quantity: 2 }],
  });
  const { id } = (body as { data: { id: string } }).data;
  await doomed.service.call("POST", `/events/${id}/publish`);
  doomed.control.sell({ event: id, ticket: "GA", count: 1, force: true });
  const before = doomed.control.dump();
  await doomed.abandon();
  const next = await startSandbox({ dataFile });
  const after = next.control.dump();
  expect([after.events, after.tickets, after.orders]).toEqual([before.events, before.tickets, before.orders]);
  await next.close();
});

test("a line of the log that was cut off was never answered, and is dropped", async () => {
  const doomed = await startSandbox({ dataFile });
  await doomed.service.call("POST", "/events", party);
  await doomed.abandon();
  appendFileSync(`${dataFile}.log`, '[["events","put",{"id":"1","na');
  expect(await names()).toEqual([party.name]);
});

test("reads do not write", async () => {
  const sandbox = await startSandbox({ dataFile });
  const before = readFileSync(dataFile, "utf8");
  for (let n = 0; n < 5; n++) await sandbox.service.call("GET", "/events");
  expect([readFileSync(dataFile, "utf8") === before, existsSync(`${dataFile}.log`)]).toEqual([true, false]);
  await sandbox.close();
});

async function refusalOf(options: SandboxOptions) {
  const started = await attempt(() => startSandbox(options));
  if (started.ok) throw new Error("It started.");
  const [reported] = started.diagnostics;
  return { code: reported?.code, message: `${reported?.message} ${reported?.hint}` };
}

test.each([
  ["is empty", ""],
  ["is cut off", '{ "formatVersion": 1, "events": ['],
  ["is something else", "[]"],
  ["is of another kind", '{ "version": 1 }'],
  ["lacks a table", '{ "formatVersion": 1, "events": [] }'],
])("a data file that %s is kept aside and reported, never replaced in silence", async (_, text) => {
  const good = await startSandbox({ dataFile });
  await good.close();
  writeFileSync(dataFile, text);
  const { code, message } = await refusalOf({ dataFile });
  const keptAt = /kept as (.*?)\. /.exec(message)?.[1] ?? "";
  expect(code).toBe("sandbox-data");
  expect(message).toContain(dataFile);
  expect(message).toContain("damaged");
  expect([existsSync(dataFile), readFileSync(keptAt, "utf8")]).toEqual([false, text]);
  expect(await names()).toEqual([]);
});

test("a second damaged file does not overwrite the first", async () => {
  for (const text of ["one", "two"]) {
    await (await startSandbox({ dataFile })).close();
    writeFileSync(dataFile, text);
    await expect(startSandbox({ dataFile })).rejects.toThrow("damaged");
  }
  const kept = listed().map((name) => readFileSync(join(folder, name), "utf8"));
  expect(kept.sort()).toEqual(["one", "two"]);
});

test("a damaged log is kept aside with its document", async () => {
  const doomed = await startSandbox({ dataFile });
  await doomed.service.call("POST", "/events", party);
  await doomed.abandon();
  writeFileSync(`${dataFile}.log`, "what is this\n");
  await expect(startSandbox({ dataFile })).rejects.toThrow("damaged");
  expect(listed().sort()).toEqual(["sandbox.json.damaged", "sandbox.json.damaged.log"]);
});

test("a log whose document is gone is kept aside and reported, never silently started over", async () => {
  const doomed = await startSandbox({ dataFile });
  await doomed.service.call("POST", "/events", party);
  await doomed.abandon();
  rmSync(dataFile);
  const text = readFileSync(`${dataFile}.log`, "utf8");
  const { code, message } = await refusalOf({ dataFile });
  const keptAt = /kept as (.*?)\. /.exec(message)?.[1] ?? "";
  expect(code).toBe("sandbox-data");
  expect(message).toContain("damaged");
  expect(listed()).toEqual(["sandbox.json.damaged.log"]);
  expect(readFileSync(keptAt, "utf8")).toBe(text);
  expect(await names()).toEqual([]);
});

test("a process that dies while it begins leaves data that the next one can use", () => {
  openDataFile(dataFile).append([["events", "remove", "none"]]);
  expect(listed().sort()).toEqual(["sandbox.json", "sandbox.json.log"]);
  expect(() => openDataFile(dataFile)).not.toThrow();
});

test("a sandbox that starts over is the same organization", async () => {
  const ids: unknown[] = [];
  for (const slug of ["acme-live", "acme-live", "another"]) {
    const sandbox = await startSandbox({ dataFile, organization: { slug } });
    ids.push((await sandbox.service.call("GET", "/me")).body);
    await sandbox.close();
    rmSync(dataFile);
  }
  const [first, again, another] = ids.map(
    (body) => (body as { data: { organization: { id: string } } }).data.organization.id,
  );
  expect(again).toBe(first);
  expect(another).not.toBe(first);
  expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("a file of a newer version stays where it is", async () => {
  await (await startSandbox({ dataFile })).close();
  writeFileSync(dataFile, '{ "formatVersion": 2 }');
  await expect(startSandbox({ dataFile })).rejects.toThrow("newer version");
  expect(listed()).toEqual(["sandbox.json"]);
});

test("two sandboxes never use one file at a time: the second waits, then names the first", async () => {
  const first = await startSandbox({ dataFile });
  await expect(startSandbox({ dataFile, lockWaitMs: 60 })).rejects.toThrow(`in use by process ${process.pid}`);
  const second = startSandbox({ dataFile, lockWaitMs: 5_000 });
  await first.service.call("POST", "/events", party);
  await first.close();
  expect((await second).control.dump().events).toHaveLength(1);
  await (await second).close();
});

test.each([
  ["that died", { pid: 2 ** 22 + 1 }],
  ["that served and died", { pid: 2 ** 22 + 1, port: 1 }],
  ["that died on a machine of another name", { pid: 2 ** 22 + 1, host: "elsewhere" }],
  ["that died and had our number", { pid: process.pid }],
])("the lock of a process %s is taken over", async (_, fields) => {
  await (await startSandbox({ dataFile })).close();
  const holder = { token: "a1", host: hostname(), began: "1", since: "", command: "sandbox", user: "ana" };
  writeFileSync(`${dataFile}.lock`, JSON.stringify({ ...holder, ...fields }));
  expect(await names()).toEqual([]);
});

test("a command joins the sandbox that serves its data, and else starts its own", async () => {
  const standing = await startSandbox({ dataFile, standalone: true });
  const guest = await joinSandbox({ dataFile });
  expect(guest).toMatchObject({ shared: true, baseUrl: standing.baseUrl, apiKey: standing.apiKey });
  await guest.close();
  expect((await fetch(`${standing.baseUrl}/me`, { headers: { "api-key": guest.apiKey } })).status).toBe(200);
  await standing.close();
  const own = await joinSandbox({ dataFile });
  expect(own).toMatchObject({ shared: false, apiKey: standing.apiKey });
  await own.close();
});

test("the organization takes the name that is asked for, and keeps it", async () => {
  const organization = { slug: "acme-live", name: "Acme Live" };
  await (await startSandbox({ dataFile, organization })).close();
  const again = await startSandbox({ dataFile });
  expect(again.control.dump().organizations).toMatchObject([organization]);
  await again.close();
  const plain = await startSandbox();
  expect(plain.control.dump().organizations).toMatchObject([{ slug: "sandbox", name: "Sandbox organization" }]);
  await plain.close();
});

test("a taken port is reported, with the fix, and leaves no lock", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const { code, message } = await refusalOf({ port, dataFile });
  expect(code).toBe("port-in-use");
  expect(message).toMatch(new RegExp(`Port ${port}.*--port`));
  expect(existsSync(`${dataFile}.lock`)).toBe(false);
  server.close();
});
