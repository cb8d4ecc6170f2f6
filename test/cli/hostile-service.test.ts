// A service, or whatever answers in its place, may say anything in an error: none of it may act on a terminal or a runner.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ticketing } from "../stage/test-world.ts";

const nasty =
  "bad\n::error::pwned\r\n  ::add-mask::e\u001b[2J\u0007\u202e\u2028::stop-commands::x ::set-output name=a::b";
const refusal = {
  error: {
    code: `::error::CODE\n::error::code`,
    message: nasty,
    hint: `::warning::hint\n${nasty}`,
    details: [{ field: `::error::field\n${nasty}`, message: `::error::detail\n${nasty}` }, nasty],
  },
  requestId: `::error::r\n${nasty}`,
};

let directory: string;
let server: Server;
let env: Record<string, string>;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "ticketing-hostile-"));
  mkdirSync(join(directory, "events"));
  writeFileSync(
    join(directory, "events", "night.yaml"),
    'name: Manila Nights\ndateTime: "2027-03-01T20:00"\nlocationType: ONLINE\n',
  );
  server = createServer((_request, response) => {
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify(refusal));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.address() as AddressInfo;
  env = { TICKETING_BASE_URL: `http://127.0.0.1:${port}/open-api/v1`, TICKETING_API_KEY: "some-key-of-ours" };
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(directory, { recursive: true, force: true });
});

const commands: readonly string[] = [
  "plan",
  "plan --format json",
  "plan --format markdown",
  "plan --format html",
  "apply --yes",
  "whoami",
  "whoami --format json",
  "status",
  "status --format json",
  "status --format csv",
  "orders manila-nights",
  "orders show 7a1d3c52-0000-4000-8000-000000000001",
  "venues search palace",
  "webhooks list",
  "webhooks test https://hooks.example.com/",
  "webhooks deliveries",
  "webhooks rotate https://hooks.example.com/ --yes",
  "import --all",
  "import --all --format json",
];

describe("an error full of commands and control characters", () => {
  test.each(commands.flatMap((line) => [line, `${line} --verbose`]))("is only shown: %s", async (line) => {
    const ran = await ticketing(line.split(" "), { cwd: directory, env });
    expect(ran.exitCode).toBe(1);
    const text = ran.stdout + ran.stderr;
    expect(text).toContain("pwned");
    // A runner of workflows looks past blanks at the beginning of a line.
    expect(text.split(/\r\n|[\r\n]/).filter((each) => /^\s*::/.test(each))).toEqual([]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]/);
  });
});
