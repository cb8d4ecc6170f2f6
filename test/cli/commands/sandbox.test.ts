import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { beforeEach, expect, test } from "vitest";
import type { World } from "../../../src/app/world.ts";
import { runSandbox, runSandboxRefund, runSandboxReset, runSandboxSell } from "../../../src/cli/commands/sandbox.ts";
import { startSandbox } from "../../../src/sandbox/index.ts";
import { ticketing } from "../../stage/test-world.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "commands-"));
});

interface Stage {
  readonly world: World;
  readonly said: { out: string; err: string };
  interrupt(): void;
}

function stage(): Stage {
  const said = { out: "", err: "" };
  const interruption = new AbortController();
  const to = (stream: "out" | "err") => ({
    isTerminal: false,
    columns: 80,
    write(text: string) {
      said[stream] += text;
    },
  });
  const world: World = {
    argv: [],
    env: {},
    cwd: directory,
    now: Date.now,
    stdout: to("out"),
    stderr: to("err"),
    stdin: Readable.from([]),
    interrupted: interruption.signal,
    advice: { target: null },
  };
  return { world, said, interrupt: () => interruption.abort() };
}

async function serving(said: Stage["said"]): Promise<{ baseUrl: string; apiKey: string }> {
  await expect.poll(() => said.out).not.toBe("");
  return JSON.parse(said.out);
}

const gig = { name: "Gig", status: "PUBLISHED", tickets: [{ name: "GA", price: 1500, published: true }] } as const;

test("with --format json one line shows address and key, and it serves until it is interrupted", async () => {
  const { world, said, interrupt } = stage();
  const done = runSandbox(world, { directory, port: 0, format: "json", verbose: true });
  const { baseUrl, apiKey } = await serving(said);
  expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/open-api\/v1$/);
  expect((await fetch(`${baseUrl}/me`, { headers: { "api-key": apiKey } })).status).toBe(200);
  interrupt();
  expect(await done).toBe(130);
  expect(said.out.trim().split("\n")).toHaveLength(1);
  expect(said.err).toBe("GET /open-api/v1/me 200\n");
  await expect(fetch(baseUrl)).rejects.toThrow();
});

test("for people it prints address, key, data, profile and what to do next", async () => {
  const { world, said, interrupt } = stage();
  const done = runSandbox(world, { directory, port: 0, format: "text", profile: "strict", data: "own.json" });
  await expect.poll(() => said.out).toContain("Ctrl-C");
  expect(said.out).toMatch(/TICKETING_BASE_URL=http:\/\/127\.0\.0\.1:\d+\/open-api\/v1\n.*TICKETING_API_KEY=sandbox_/);
  expect(said.out).toMatch(/Data: +own\.json\nProfile: strict/);
  interrupt();
  expect(await done).toBe(130);
});

test("the lines to paste in another terminal work there, whatever file holds the data", async () => {
  const project = join(directory, "my project");
  mkdirSync(join(project, "events"), { recursive: true });
  writeFileSync(join(project, "events", "gig.yaml"), "name: Gig\ndateTime: 2099-03-12T20:00\n");
  for (const folder of [directory, project]) {
    const { world, said, interrupt } = stage();
    const done = runSandbox(world, { directory: folder, port: 0, format: "text", data: "own.json" });
    await expect.poll(() => said.out).toContain("Ctrl-C");
    const lines = said.out.split("\n").flatMap((line) => /^ {2}(.*)/.exec(line)?.slice(1) ?? []);
    const exports = lines.filter((line) => line.startsWith("export ")).map((line) => line.slice(7).split("="));
    const env = Object.fromEntries(exports);
    await fetch(new URL("/_sandbox/seed", env.TICKETING_BASE_URL), {
      method: "POST",
      body: JSON.stringify({ events: [gig] }),
    });
    const typed = lines.filter((line) => line.startsWith("ticketing "));
    expect(typed).toHaveLength(2);
    for (const line of typed) {
      const filled = line.replace("EVENT TICKET", "gig GA");
      const words = [...filled.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word).slice(1);
      const { exitCode, stderr, stdout } = await ticketing(words, { cwd: directory, env });
      if (words.includes("sell")) expect([exitCode, stdout]).toEqual([0, expect.stringContaining("Sold 2 × GA")]);
      else expect(`${stdout}${stderr}`).toContain(`Target: default (${env.TICKETING_BASE_URL})`);
    }
    interrupt();
    await done;
  }
});

test("a taken port, a wrong profile and damaged data are reported, with exit code 1", async () => {
  const taken = await startSandbox();
  const tries = [
    { options: { port: Number(new URL(taken.baseUrl).port) }, says: /^error\[[\w-]+\] Port \d+ .*\n {2}.*--port/ },
    { options: { profile: "hostil" }, says: /^error\[[\w-]+\] There is no profile "hostil"/ },
    { options: { data: "bad.json" }, says: /^error\[[\w-]+\] The sandbox data .*bad\.json is damaged/ },
  ];
  writeFileSync(join(directory, "bad.json"), "{");
  for (const { options, says } of tries) {
    const { world, said } = stage();
    expect(await runSandbox(world, { directory, port: 0, format: "text", ...options })).toBe(1);
    expect([said.out, said.err]).toEqual(["", expect.stringMatching(says)]);
  }
  await taken.close();
});

test("sells in the data file when no sandbox runs", async () => {
  const dataFile = join(directory, ".ticketing", "sandbox.json");
  const sandbox = await startSandbox({ dataFile });
  sandbox.control.seed({ events: [gig] });
  await sandbox.close();
  const { world, said } = stage();
  expect(await runSandboxSell(world, { directory, event: "gig", ticket: "GA", count: 10, format: "text" })).toBe(0);
  expect(said.out).toBe("Sold 10 × GA for ₱15,000.00: ORD-000001, ORD-000002.\n");
  const again = await startSandbox({ dataFile });
  expect(again.control.dump().tickets).toMatchObject([{ remainingQuantity: 90, sold: 10 }]);
  await again.close();
});

test("asks for a date where a series is named", async () => {
  mkdirSync(join(directory, "events"));
  const series = "series: { every: friday, from: 2027-01-08, count: 3 }";
  writeFileSync(join(directory, "events/club.yaml"), `name: Club\ndateTime: 22:00\nendDateTime: +6h\n${series}\n`);
  await (await startSandbox({ dataFile: join(directory, ".ticketing", "sandbox.json") })).close();
  const { world, said } = stage();
  const sale = { event: "club", ticket: "GA", count: 1 };
  expect(await runSandboxSell(world, { directory, format: "text", ...sale })).toBe(1);
  expect(said.err).toContain("club is a series of 3 dates.\n  fix: Name one of them: club@2027-01-08,");
});

test("sells in the sandbox that serves the data, or in the one that is named", async () => {
  const { world, said, interrupt } = stage();
  const done = runSandbox(world, { directory, port: 0, format: "json" });
  const { baseUrl } = await serving(said);
  await fetch(new URL("/_sandbox/seed", baseUrl), { method: "POST", body: JSON.stringify({ events: [gig] }) });
  const sale = { directory, event: "gig", ticket: "GA", count: 1, format: "json" } as const;
  for (const where of [{}, { url: baseUrl }, { port: Number(new URL(baseUrl).port) }]) {
    const seller = stage();
    expect(await runSandboxSell(seller.world, { ...sale, ...where })).toBe(0);
    expect(JSON.parse(seller.said.out)).toMatchObject({ orders: [{ quantity: 1, status: "COMPLETED" }] });
  }
  const refused = stage();
  expect(await runSandboxSell(refused.world, { ...sale, ticket: "VIP" })).toBe(1);
  expect(refused.said.err).toMatch(
    /^error\[sandbox-refused\] There is no ticket type "VIP"\.\n {2}fix: Name one of: GA /,
  );
  const early = stage();
  expect(await runSandboxSell(early.world, { ...sale, event: "gala" })).toBe(1);
  expect(early.said.err).toMatch(
    /Name one of: gig .* If it is only in the files, run `ticketing apply --env sandbox` first\./,
  );
  // The sandbox of the project may be another one.
  const elsewhere = stage();
  expect(await runSandboxSell(elsewhere.world, { ...sale, event: "gigg", url: baseUrl })).toBe(1);
  expect(elsewhere.said.err).toContain('fix: Did you mean "gig"? Name one of: gig (');
  expect(elsewhere.said.err).toContain(`run \`ticketing apply --base-url ${baseUrl}\` first.`);
  interrupt();
  await done;
});

test("sells nothing where there is no sandbox", async () => {
  const { world, said } = stage();
  expect(await runSandboxSell(world, { directory, event: "gig", ticket: "GA", count: 1, format: "text" })).toBe(1);
  expect(said.err).toMatch(/There is no sandbox data.*\n.*apply --env sandbox/);
});

test("an event is named by its key as well, even where its slug is another's", async () => {
  const dataFile = join(directory, ".ticketing", "sandbox.json");
  const sandbox = await startSandbox({ dataFile });
  const later = { ...gig, dateTime: "2099-03-12T12:00:00.000Z" };
  sandbox.control.seed({ events: [{ ...gig, dateTime: "2099-03-05T12:00:00.000Z" }, later] });
  await sandbox.close();
  mkdirSync(join(directory, "events"));
  writeFileSync(join(directory, "events", "gig.yaml"), "name: Gig\ndateTime: 2099-03-12T20:00\n");
  for (const event of ["gig", "events/gig"]) {
    const { world, said } = stage();
    expect(await runSandboxSell(world, { directory, event, ticket: "GA", count: 1, format: "json" }), said.err).toBe(0);
    const again = await startSandbox({ dataFile });
    const { events } = again.control.dump();
    const { eventId } = JSON.parse(said.out).orders[0];
    expect(events.find(({ id }) => id === eventId)).toMatchObject({ dateTime: later.dateTime });
    await again.close();
  }
});

test("says which phase puts a ticket type on sale, and how to rehearse that", async () => {
  const project = join(directory, "events");
  mkdirSync(project);
  const tickets =
    "[{ name: Early, price: 100, quantity: 9, published: true }, { name: Regular, price: 150, quantity: 9 }]";
  const phases = "[{ name: Opening, from: -14d, tickets: [{ name: Regular, published: true }] }]";
  const text = `status: PUBLISHED\nname: Bay Fest\ndateTime: 2099-03-12T20:00\nlocationType: ONLINE\ntickets: ${tickets}\nphases: ${phases}\n`;
  writeFileSync(join(project, "bayfest.yaml"), text);
  const type = (line: string, env: World["env"] = {}) =>
    ticketing([...line.split(" "), "-C", directory], {
      cwd: directory,
      env,
      now: () => Date.parse(env.TICKETING_NOW ?? "2099-01-01T00:00Z"),
    });
  await type("apply --yes --settle 0");
  const refused = await type("sandbox sell bayfest Regular 1");
  expect(refused.stderr).toBe(`error[sandbox-refused] Ticket type Regular is not on sale.
  fix: The phase "Opening" publishes it on Thu 26 Feb 2099 20:00 Asia/Manila (12:00Z). To rehearse that, run \`ticketing apply --env sandbox\` with the variable TICKETING_NOW set to 2099-02-26T12:00:00.000Z.
`);
  expect((await type("sandbox sell bayfest Early 10")).stderr).toContain("Only 9 tickets of Early remain");
  await type("apply --yes --settle 0 --env sandbox", { TICKETING_NOW: "2099-02-26T12:00:00.000Z" });
  expect((await type("sandbox sell bayfest Regular 1")).stdout).toContain("Sold 1 × Regular");
});

test("ticket types of one name are told apart by section and row", async () => {
  const dataFile = join(directory, ".ticketing", "sandbox.json");
  const sandbox = await startSandbox({ dataFile });
  const [ga] = gig.tickets;
  sandbox.control.seed({
    events: [
      {
        ...gig,
        tickets: [
          { ...ga, section: "Floor" },
          { ...ga, section: "Balcony", row: "B" },
        ],
      },
    ],
  });
  await sandbox.close();
  const { world, said } = stage();
  expect(await runSandboxSell(world, { directory, event: "gig", ticket: "GA", count: 1, format: "text" })).toBe(1);
  expect(said.err).toMatch(/Name one of: GA \(section Floor, row GA, [-0-9a-f]{36}\), GA \(section Balcony, row B, /);
});

test("asks before it empties the sandbox, but only at a terminal and without --yes", async () => {
  const dataFile = join(directory, ".ticketing", "sandbox.json");
  const reset = async (answer: string, yes: boolean) => {
    const sandbox = await startSandbox({ dataFile });
    sandbox.control.seed({ events: [gig] });
    await sandbox.close();
    const { world, said } = stage();
    const stdin = Object.assign(Readable.from([`${answer}\n`]), { isTTY: true });
    const stderr = { ...world.stderr, isTerminal: true };
    return [await runSandboxReset({ ...world, stdin, stderr }, { directory, format: "text", yes }), said] as const;
  };
  const [refused, said] = await reset("no", false);
  expect([refused, said.out]).toEqual([1, ""]);
  expect(said.err).toContain("Delete all events, orders and webhooks of the sandbox?");
  expect(said.err).toContain("Not confirmed: nothing was changed.");
  expect((await reset("yes", false))[1].out).toContain("it held 2 events,");
  const [done, quiet] = await reset("", true);
  expect([done, quiet.err]).toEqual([0, ""]);
});

test("refunds an order by its number, and empties the sandbox", async () => {
  const dataFile = join(directory, ".ticketing", "sandbox.json");
  const sandbox = await startSandbox({ dataFile });
  sandbox.control.seed({ events: [gig] });
  sandbox.control.sell({ event: "gig", ticket: "GA", count: 2 });
  await sandbox.close();
  const { world, said } = stage();
  expect(await runSandboxRefund(world, { directory, order: "ORD-000001", format: "text" })).toBe(0);
  expect(await runSandboxRefund(world, { directory, order: "ORD-000001", format: "text" })).toBe(1);
  expect(said.err).toBe(
    "error[sandbox-refused] Order ORD-000001 is REFUNDED; only a COMPLETED order can become REFUNDED.\n  fix: Choose another: `ticketing orders EVENT --env sandbox` lists them.\n",
  );
  expect(await runSandboxReset(world, { directory, format: "text" })).toBe(0);
  expect(said.out).toBe(
    "Refunded ORD-000001: 2 × GA, ₱3,000.00.\nThe sandbox is empty (it held 1 event, 1 order, 0 webhooks). Fill it with: ticketing apply --env sandbox\n",
  );
  const again = await startSandbox({ dataFile });
  expect(again.control.dump()).toMatchObject({ events: [], orders: [], tickets: [] });
  await again.close();
});
