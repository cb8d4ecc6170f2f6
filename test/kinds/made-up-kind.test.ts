// Adding a kind touches its own file, one line of the tuple and the service; nothing else, and nothing silent. Here the
// tuple has a kind more, and a server next to the sandbox serves it: the whole program must know it by that alone.
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Plan } from "../../src/model/plan.ts";
import { createService } from "../../src/sandbox/index.ts";
import { ticketing } from "../stage/test-world.ts";

vi.mock("../../src/kinds/index.ts", async (load) => {
  const real = await load<typeof import("../../src/kinds/index.ts")>();
  const { makeRegistry } = await import("../../src/kinds/registry.ts");
  const { parking } = await import("./parking.ts");
  return { ...real, ...makeRegistry([...real.kinds, parking]) };
});

type Lot = Record<string, unknown> & { readonly id: string; readonly eventId: string };

const service = createService({ profile: "likely", apiKey: "key-for-tests" });
const lots = new Map<string, Lot>();
let server: Server;
let directory: string;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const answer = serveLots(request, body) ?? (await fromSandbox(request, body));
    response.writeHead(answer.status, { "Content-Type": "application/json", ...answer.headers }).end(answer.body);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  directory = await mkdtemp(join(tmpdir(), "made-up-kind-"));
  await mkdir(join(directory, "events"));
});

afterAll(async () => {
  server.close();
  await rm(directory, { recursive: true });
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

function fromSandbox({ method = "GET", url = "", headers }: IncomingMessage, body: string) {
  return service.handle({ method, path: url, headers, body: body === "" ? undefined : body });
}

function serveLots({ method, url = "" }: IncomingMessage, body: string) {
  const [, eventId, id] = /\/events\/([^/]+)\/parkings(?:\/([^/?]+))?(?:\?.*)?$/.exec(url) ?? [];
  if (eventId === undefined) return null;
  const answer = (status: number, data: unknown) => ({
    status,
    headers: {},
    body: JSON.stringify({ data, requestId: randomUUID() }),
  });
  if (method === "GET")
    return answer(
      200,
      [...lots.values()].filter((lot) => lot.eventId === eventId),
    );
  const fields = body === "" ? {} : JSON.parse(body);
  const lot = { mapUrl: null, ...lots.get(id ?? ""), ...fields, id: id ?? randomUUID(), eventId };
  if (method === "DELETE") lots.delete(lot.id);
  else lots.set(lot.id, lot);
  return answer(method === "POST" ? 201 : 200, lot);
}

function run(...argv: readonly string[]) {
  const { port } = server.address() as AddressInfo;
  const address = ["--base-url", `http://127.0.0.1:${port}/open-api/v1`];
  return ticketing([...argv, "-C", directory, ...(argv[0] === "validate" ? [] : address)], {
    env: { TICKETING_API_KEY: service.apiKey },
  });
}

function write(...lines: readonly string[]): Promise<void> {
  const event = ["name: Manila Nights", "dateTime: 2027-03-14T19:00", "locationType: ONLINE"];
  return writeFile(join(directory, "events", "nights.yaml"), [...event, ...lines, ""].join("\n"));
}

function names(): readonly unknown[] {
  return [...lots.values()].map(({ lot, fee }) => `${lot} ${fee}`).toSorted();
}

const opening = ["parkings:", "  - { lot: North lot, fee: 200 }", "  - { lot: South lot, fee: 100 }"];

test("validate checks its fields, its names and its own rules", async () => {
  await write("parkings:", "  - { lot: North lot, fees: 200 }", "  - { lot: North lot, fee: 1.5 }");
  const { exitCode, stdout } = await run("validate", "--format", "json");
  const codes = JSON.parse(stdout).diagnostics.map(({ code }: { code: string }) => code);
  expect(exitCode).toBe(1);
  expect(codes).toEqual(expect.arrayContaining(["unknown-key", "price-not-whole", "duplicate-name"]));
  await write("parkings: [{ lot: North lot, fee: 666, mapUrl: http://localhost/map.png }]");
  const text = (await run("validate")).stdout;
  expect(text).toContain("error[odd-price] events/nights.yaml:4:");
  expect(text).toContain("not-a-public-url");
  await write("parkings: [North lot]");
  expect((await run("validate")).stdout).toContain("`- { lot: North");
  await write('parkings: [{ lot: "North  lot", fee: 200 }]');
  expect((await run("validate")).stdout).toContain("warning[invisible-characters] events/nights.yaml:4:");
  await write(...opening);
  expect((await run("validate")).exitCode).toBe(0);
});

test("editors know it, in events and under defaults", async () => {
  const event = JSON.parse((await run("schema", "event")).stdout);
  expect(event.properties.parkings.items.required).toEqual(["lot"]);
  const project = JSON.parse((await run("schema", "project")).stdout);
  expect(project.properties.defaults.properties.parkings.title).toBe("Parking lot defaults");
});

test("plan and apply create, change and delete it", async () => {
  const planned = await run("plan");
  expect(planned.stdout).toContain("parking lot");
  const { changes, operations } = JSON.parse((await run("plan", "--format", "json")).stdout);
  expect(changes.map(({ address, kind }: Record<string, unknown>) => `${kind} ${address}`)).toContain(
    "parking events/nights/parkings/North lot",
  );
  expect(operations.map(({ method, path }: Record<string, unknown>) => `${method} ${path}`)).toContain(
    "POST /events/{events/nights}/parkings",
  );
  expect(await run("apply", "--yes")).toMatchObject({ exitCode: 0 });
  expect(names()).toEqual(["North lot 200", "South lot 100"]);
  expect((await run("plan", "--detailed-exitcode")).exitCode).toBe(0);

  await write("parkings: [{ lot: North lot, fee: 250, mapUrl: https://example.com/map.png }]");
  await expectOnPagesAndInComments();
  const saved = join(directory, "plan.json");
  expect(await run("plan", "--out", saved)).toMatchObject({ exitCode: 0 });
  expect(await run("apply", saved, "--yes")).toMatchObject({ exitCode: 0 });
  expect(names()).toEqual(["North lot 250"]);
  expect((await run("plan", "--detailed-exitcode")).exitCode).toBe(0);

  await write("parkings: []");
  expect(await run("apply", "--yes")).toMatchObject({ exitCode: 0 });
  expect(names()).toEqual([]);
});

/** The card of the event shows it as it is and will be; the comment on a pull request says what changes. */
async function expectOnPagesAndInComments(): Promise<void> {
  const page = (await run("plan", "--format", "html")).stdout;
  expect(page).toContain("Parking lots");
  for (const words of ["North lot", "South lot", "https://example.com/map.png"]) expect(page).toContain(words);
  const markdown = (await run("plan", "--format", "markdown")).stdout;
  expect(markdown).toContain("parking lot");
  const { renderPlanComment } = await import("../../src/report/comment.ts");
  const plan = JSON.parse((await run("plan", "--format", "json")).stdout) as Plan;
  const common = { project: "", place: null, merged: null, held: new Set<string>(), room: 60_000 };
  const comment = renderPlanComment({ ...common, plan, explain: () => null });
  expect(comment).toContain("North lot of Manila Nights: ₱200 → ₱250");
  expect(comment).toContain("South lot of Manila Nights");
}

test("import writes it, the most expensive first, and the next plan is empty", async () => {
  await write(...opening);
  expect(await run("apply", "--yes")).toMatchObject({ exitCode: 0 });
  await rm(join(directory, "events", "nights.yaml"));
  await rm(join(directory, ".ticketing"), { recursive: true, force: true });
  expect(await run("import", "--all")).toMatchObject({ exitCode: 0 });
  const text = await readFile(join(directory, "events", "manila-nights.yaml"), "utf8");
  expect(text.slice(text.indexOf("parkings:"))).toBe(
    "parkings:\n  - { lot: North lot, fee: 200 }\n  - { lot: South lot, fee: 100 }\n",
  );
  expect((await run("plan", "--detailed-exitcode")).exitCode).toBe(0);
});
