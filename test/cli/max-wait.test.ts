// A service that asks for a longer pause than anybody waits for: what the hint says to type can be typed.
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loaders } from "../../src/cli/loaders.ts";
import { ticketing } from "../stage/test-world.ts";

const server = createServer((_request, response) => {
  response.writeHead(429, { "content-type": "application/json", "retry-after": "9999" }).end('{"error":{}}');
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

const offline = /^(validate|fmt|preview|copy|show|upcoming|schema|explain|completion|sandbox.*|state .*)$/;
const words: Readonly<Record<string, string>> = {
  init: "anew --yes --organization acme --import",
  orders: "gig",
  "orders show": "3f0c9a52-1111-4222-8333-444455556666",
  import: "--all",
  apply: "--yes",
  "ci plan": "--base HEAD",
  "venues search": "palace",
  "webhooks test": "3f0c9a52-1111-4222-8333-444455556666",
  "webhooks rotate": "3f0c9a52-1111-4222-8333-444455556666",
};
const commands = Object.keys(loaders).filter((path) => !offline.test(path));

test.each(commands)("%s takes the flag that its hint names", async (path) => {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/open-api/v1`;
  const typed = [...path.split(" "), ...(words[path]?.split(" ") ?? []), "--base-url", baseUrl];
  for (const argv of [typed, [...typed, "--max-wait", "5"]]) {
    const cwd = mkdtempSync(join(tmpdir(), "ticketing-wait-"));
    writeFileSync(join(cwd, "ticketing.yaml"), "version: 1\n");
    if (path.startsWith("ci ")) {
      const git = (...args: readonly string[]) => execFileSync("git", args, { cwd });
      git("init", "-q");
      git("add", ".");
      git("-c", "user.name=ana", "-c", "user.email=ana@example.com", "commit", "-qm", "one");
    }
    const ran = await ticketing(argv, { cwd, env: { TICKETING_API_KEY: "a-key-of-nobody" } });
    const said = `${ran.stdout}${ran.stderr}`.replace(/\s+/g, " ");
    expect(said).toMatch(/with --max-wait (9999|10000)\./);
    expect(said).toContain(argv === typed ? "(5 min)" : "(5 s)");
    expect(ran.exitCode).toBe(1);
  }
});
