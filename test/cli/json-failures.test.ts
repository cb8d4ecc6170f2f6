// A program that asked for JSON reads JSON on stdout, whatever went wrong.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { reportCrash } from "../../src/cli/report-crash.ts";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import { testWorld, ticketing } from "../stage/test-world.ts";

let directory: string;
let standing: Sandbox;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "ticketing-json-"));
  standing = await startSandbox({ dataFile: join(directory, "used.json"), standalone: true });
  const kept = await startSandbox({ dataFile: join(directory, "d.json") });
  await kept.close();
  writeFileSync(join(directory, "bad.json"), "{");
});

afterEach(() => standing.close());

test.each([
  ["sandbox sell nope nope 1 --data d.json", "sandbox-refused", 'There is no event "nope".'],
  ["sandbox sell nope nope 1 --data used.json", "sandbox-refused", 'There is no event "nope".'],
  ["sandbox refund ORD-9 --data d.json", "sandbox-refused", 'There is no order "ORD-9".'],
  ["sandbox refund ORD-9", "sandbox-refused", "There is no sandbox data"],
  ["sandbox reset --data nope.json", "sandbox-refused", "There is no sandbox data"],
  ["sandbox --port TAKEN", "port-in-use", "is in use by another program."],
  ["sandbox --data used.json", "sandbox-data", "is in use by process"],
  ["sandbox --data bad.json", "sandbox-data", "is damaged"],
  ["sandbox --data bad.json/below/it.json", "sandbox-data", "a part of its path is a file"],
  ["sandbox --data /proc/x/y.json", "sandbox-data", "cannot be kept in /proc/x/y.json"],
  ["sandbox --profile foo", "sandbox-profile", 'There is no profile "foo".'],
  ["sandbox --port 99999", "usage", '--port cannot be "99999".'],
  ["sandbox sell a b 1 --port 0", "usage", '--port cannot be "0".'],
  ["state show nope", "not-remembered", 'State has no object "nope".'],
  ["state rm nope --yes", "not-remembered", 'State has no object "nope".'],
])("%s", async (line, code, words) => {
  const argv = line.replace("TAKEN", new URL(standing.baseUrl).port).split(" ");
  const ran = await ticketing([...argv, "--format", "json"], { cwd: directory });
  expect(ran.exitCode).toBe(1);
  const { formatVersion, ok, diagnostics } = JSON.parse(ran.stdout);
  expect([formatVersion, ok, diagnostics]).toEqual([
    1,
    false,
    [expect.objectContaining({ code, severity: "error", message: expect.stringContaining(words) })],
  ]);
  expect(ran.stderr).toContain(words);
});

test("a bug is reported as JSON too, unless another document was begun", () => {
  const { world, written } = testWorld(["plan", "--format", "json"], { env: { SOME_TOKEN: "geheimnis" } });
  reportCrash(world, new Error("it broke at geheimnis"));
  expect(JSON.parse(written.stdout)).toMatchObject({
    ok: false,
    diagnostics: [{ code: "bug", message: "This is a bug in ticketing: it broke at ***" }],
  });
  const begun = testWorld(["orders", "gig", "--format=json"]);
  reportCrash({ ...begun.world, stdout: { ...begun.world.stdout, isUsed: true } }, new Error("it broke"));
  expect([begun.written.stdout, begun.written.stderr]).toEqual(["", expect.stringContaining("it broke")]);
});
