// How each code of state and of the connection comes up: what somebody does, on a real project and against a real server.
import { randomUUID } from "node:crypto";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, createServer as createSocketServer, type Server as SocketServer } from "node:net";
import { join } from "node:path";
import type { World } from "../../src/app/world.ts";
import { TicketingClient } from "../../src/index.ts";
import type { State } from "../../src/model/live.ts";
import { fileStore } from "../../src/state/file/file-store.ts";
import { selfSigned } from "../certificate/self-signed.ts";
import { eventFile as gitEvent, openGitPlace } from "../stage/git-place.ts";
import { openProject, type Project } from "../stage/open-project.ts";

/** What is undone afterwards. */
export type Cleanup = (work: () => Promise<unknown>) => void;

/** All that the program said, with the code in it and its fix. */
export type Situation = (later: Cleanup) => Promise<string>;

const stateFile = ".ticketing/state.default.json";
const event = "name: Gala\ndateTime: 2027-03-14T19:00\n";

async function open(later: Cleanup, files: Readonly<Record<string, string>> = {}): Promise<Project> {
  const project = await openProject({ "events/gala.yaml": event, ...files });
  later(() => project.close());
  return project;
}

async function applied(later: Cleanup): Promise<Project> {
  const project = await open(later);
  await project.apply();
  return project;
}

async function said(project: Project, argv: readonly string[], world: Partial<World> = {}): Promise<string> {
  const { stdout, stderr } = await project.run(argv, world);
  return `${stderr}\n${stdout}`;
}

const applying = ["apply", "--yes", "--settle", "0"];

/** State with some members changed; its seal stays. */
async function rewrite(project: Project, members: Readonly<Record<string, unknown>>): Promise<void> {
  const path = join(project.directory, stateFile);
  const state = JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;
  await writeFile(path, JSON.stringify({ ...state, ...members }));
}

function storeOf({ directory, env, sandbox }: Project, now = Date.now) {
  const secrets = () => ({ current: sandbox.apiKey, previous: null });
  return fileStore({ directory, environment: "default", baseUrl: env.TICKETING_BASE_URL ?? null, secrets, now });
}

/** A plan against a server that answers as it likes. */
async function planAgainst(
  later: Cleanup,
  server: Server | SocketServer,
  env: Readonly<Record<string, string>> = {},
  protocol = "http",
): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  later(async () => {
    if ("closeAllConnections" in server) server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return planAt(later, `${protocol}://127.0.0.1:${port}/open-api/v1`, env);
}

async function planAt(later: Cleanup, address: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const project = await open(later);
  return said(project, ["plan", "--max-wait", "1"], {
    env: { ...project.env, TICKETING_BASE_URL: address, ...env },
    timeouts: { headersMs: 100 },
    sleep: async () => undefined,
  });
}

const me = {
  data: { apiKey: { id: randomUUID(), name: "CI", scopes: null }, organization: { id: randomUUID(), slug: "a" } },
};

function answering(status: number, body: string, headers: Readonly<Record<string, string>> = {}): RequestListener {
  return (_, response) => void response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
}

/** A service of which one call fails as it is set to. */
async function failing(
  later: Cleanup,
  { status, body }: { readonly status: number; readonly body: object },
  argv: readonly string[] = applying,
): Promise<string> {
  const project = await open(later);
  const server = createServer((request, response) => {
    const isAsked = argv === applying ? request.method === "POST" : request.url?.endsWith("/me") === true;
    if (isAsked) return void answering(status, JSON.stringify(body))(request, response);
    if (request.url?.endsWith("/me")) return void answering(200, JSON.stringify(me))(request, response);
    const meta = { page: 1, take: 100, total: 0, totalPages: 0 };
    answering(200, JSON.stringify({ data: [], meta }))(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  later(async () => void server.close());
  const { port } = server.address() as AddressInfo;
  const env = { ...project.env, TICKETING_BASE_URL: `http://127.0.0.1:${port}/open-api/v1` };
  return said(project, argv, { env, sleep: async () => undefined });
}

interface Gate {
  readonly address: string;
  /** What happens when the next call of this method to this path arrives: "GET /events". */
  on(call: string, act: () => Promise<unknown>): void;
  /** No call is answered anymore, as where the network is gone. */
  isShut: boolean;
}

/** What is between the program and the service. */
async function openGate(later: Cleanup, service: string): Promise<Gate> {
  let awaited: { readonly call: string; readonly act: () => Promise<unknown> } | null = null;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (awaited !== null && `${request.method} ${request.url}`.startsWith(awaited.call.replace(" ", " /open-api/v1"))) {
      const { act } = awaited;
      awaited = null;
      await act();
    }
    if (gate.isShut) return void request.socket.destroy();
    const { host: _, connection: __, "content-length": ___, ...headers } = request.headers as Record<string, string>;
    const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
    const answer = await fetch(new URL(request.url ?? "", service), { method: request.method ?? "", headers, ...body });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  later(async () => {
    server.closeAllConnections();
    server.close();
  });
  const gate: Gate = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/open-api/v1`,
    on(call, act) {
      awaited = { call, act };
    },
    isShut: false,
  };
  return gate;
}

/** An apply in the middle of which something happens. */
async function applyWhile(later: Cleanup, project: Project, act: () => Promise<unknown>): Promise<string> {
  const gate = await openGate(later, project.sandbox.baseUrl);
  gate.on("GET /events", act);
  return said(project, applying, { env: { ...project.env, TICKETING_BASE_URL: gate.address } });
}

/** Clones of a project, and what is between them and the service. */
async function gitPlace(later: Cleanup) {
  const place = await openGitPlace("");
  later(() => place.close());
  const gate = await openGate(later, place.sandbox.baseUrl);
  const project = (settings = "") =>
    `version: 1\n${settings}defaultEnvironment: production\nenvironments:\n  production: { baseUrl: "${gate.address}", apiKeyEnv: TICKETING_API_KEY }\n`;
  place.commit({ "ticketing.yaml": project() });
  return {
    place,
    gate,
    /** From now on, clones keep state in the repository. */
    useGit: () => place.commit({ "ticketing.yaml": project("state: { backend: git }\n") }),
    async run(folder: string, ...words: readonly string[]) {
      const { stdout, stderr } = await place.run(folder, ...words);
      return `${stderr}\n${stdout}`;
    },
  };
}

/** State in a file and, as it was then, in git; `one` holds the file. */
async function migrated(later: Cleanup) {
  const opened = await gitPlace(later);
  const { place, run, useGit } = opened;
  const one = place.clone("one");
  await run(one, ...applying);
  await run(one, ...toGit);
  useGit();
  return { ...opened, one, two: place.clone("two") };
}

const toGit = ["state", "migrate", "--to", "git"];

const stateSituations: Readonly<Record<string, Situation>> = {
  "state-locked": async (later) => {
    const project = await open(later);
    let second = "";
    await applyWhile(later, project, async () => {
      second = await said(project, applying);
    });
    return second;
  },
  "lock-lost": async (later) => {
    const project = await open(later);
    return applyWhile(later, project, () => project.run(["state", "unlock", "--yes"]));
  },
  "state-changed-meanwhile": async (later) => {
    const project = await applied(later);
    const [now, then] = [stateFile, ".ticketing/copy.json"].map((name) => join(project.directory, name)) as [
      string,
      string,
    ];
    await copyFile(now, then);
    await project.write("events/gala.yaml", `${event}eventCapacity: 100\n`);
    await project.apply();
    await project.write("events/gala.yaml", `${event}eventCapacity: 200\n`);
    return applyWhile(later, project, () => copyFile(then, now));
  },
  "state-corrupt": async (later) => {
    const project = await applied(later);
    await writeFile(join(project.directory, stateFile), '{ "formatVersion": 1,');
    return said(project, ["plan"]);
  },
  "state-too-new": async (later) => {
    const project = await applied(later);
    await rewrite(project, { formatVersion: 2 });
    return said(project, ["plan"]);
  },
  "state-unusable": async (later) => said(await open(later), toGit),
  "state-of-another-organization": async (later) => {
    const project = await applied(later);
    await rewrite(project, { organization: { id: randomUUID(), slug: "another" } });
    await project.run(["state", "reseal", "--yes"]);
    return said(project, ["plan"]);
  },
  "state-of-another-lineage": async (later) => {
    const { place, run } = await gitPlace(later);
    const [one, two] = [place.clone("one"), place.clone("two")];
    for (const clone of [one, two]) await run(clone, ...applying);
    await run(one, ...toGit);
    return run(two, ...toGit);
  },
  "state-is-newer": async (later) => {
    const { run, one, two } = await migrated(later);
    await run(two, "state", "rm", "events/manila-nights", "--yes");
    return run(one, ...toGit);
  },
  "state-moved": async (later) => {
    const { run, one } = await migrated(later);
    return run(one, ...applying);
  },
  "journal-open": async (later) => {
    const { run, gate, one, two } = await migrated(later);
    const path = "events/manila-nights.yaml";
    await writeFile(join(two, "events/gala.yaml"), gitEvent("Gala").replace("03-14", "05-02"));
    gate.on("POST /events", async () => {
      gate.isShut = true;
    });
    await run(two, ...applying);
    gate.isShut = false;
    // The file is edited further, so that it is the later of the two.
    for (const capacity of [1, 2, 3, 4]) {
      await writeFile(join(one, path), gitEvent("Manila Nights", `eventCapacity: ${capacity}00\n`));
      await run(one, ...applying, "--allow", "state-moved");
    }
    return run(one, ...toGit);
  },
  "nothing-to-migrate": async (later) => {
    const { place, run } = await gitPlace(later);
    return run(place.clone("one"), ...toGit);
  },
  "no-backend": async (later) => said(await open(later), ["state", "migrate"]),
  "sandbox-stays": async (later) => said(await open(later), ["state", "migrate", "--to", "git", "--env", "sandbox"]),
  "not-remembered": async (later) => said(await applied(later), ["state", "show", "events/another-evening"]),
  "local-data-unsealed": async (later) => {
    const project = await applied(later);
    await rewrite(project, { seal: undefined });
    return said(project, ["plan"]);
  },
  "local-data-altered": async (later) => {
    const project = await applied(later);
    await rewrite(project, { serial: 99 });
    return said(project, ["plan"]);
  },
  "local-data-unverified": async (later) => {
    const project = await applied(later);
    project.sandbox.control.seed({ keys: [{ value: "another-key-of-the-same" }] });
    return said(project, applying, { env: { ...project.env, TICKETING_API_KEY: "another-key-of-the-same" } });
  },
  "local-data-in-the-future": async (later) => {
    const project = await applied(later);
    const tomorrow = storeOf(project, () => Date.now() + 86_400_000);
    const { seal: _, ...state } = (await project.state()) as State & { readonly seal: unknown };
    await tomorrow.seals?.write({ ...state, serial: state.serial + 1 });
    return said(project, ["plan"]);
  },
  "unsafe-local-data": async (later) => {
    const { place, run } = await gitPlace(later);
    const one = place.clone("one");
    await run(one, ...applying);
    place.git(one, "add", "--force", ".ticketing");
    place.git(one, "commit", "-qm", "all files");
    return run(one, "plan");
  },
  "journal-damaged": async (later) => {
    const project = await applied(later);
    const { journal } = storeOf(project);
    await journal.replace('{"type":"run"}\n');
    return said(project, applying);
  },
};

const connectionSituations: Readonly<Record<string, Situation>> = {
  unreachable: (later) => planAt(later, "http://127.0.0.1:9/open-api/v1"),
  tls: (later) => planAgainst(later, createSecureServer(selfSigned(), answering(200, JSON.stringify(me))), {}, "https"),
  timeout: (later) =>
    planAgainst(
      later,
      createServer(() => undefined),
    ),
  "connection-lost": (later) =>
    planAgainst(
      later,
      createServer((request, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "900" });
        response.write('{"data":');
        request.socket.end();
      }),
    ),
  protocol: (later) =>
    planAgainst(
      later,
      createSocketServer((socket) => void socket.end("PONG\r\n\r\n")),
    ),
  proxy: async (later) => {
    const proxy = createServer();
    proxy.on("connect", (_, socket) => socket.end("HTTP/1.1 403 Forbidden\r\n\r\n"));
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    later(async () => void proxy.close());
    const { port } = proxy.address() as AddressInfo;
    return planAt(later, "https://api.example.com/open-api/v1", { HTTPS_PROXY: `http://127.0.0.1:${port}` });
  },
  "bad-proxy": (later) =>
    planAt(later, "https://api.example.com/open-api/v1", { HTTPS_PROXY: "socks5://proxy.example.com" }),
  redirect: (later) =>
    planAgainst(later, createServer(answering(301, "", { location: "https://www.example.com/open-api/v1/me" }))),
  "not-json": (later) =>
    planAgainst(later, createServer(answering(200, "<h1>Log in</h1>", { "content-type": "text/html" }))),
  "too-large": (later) => planAgainst(later, createServer(answering(200, `{"data":"${"x".repeat(9 * 2 ** 20)}"}`))),
  "unexpected-response": (later) =>
    planAgainst(
      later,
      createServer((request, response) =>
        answering(200, JSON.stringify(request.url?.endsWith("/me") ? me : { data: {} }))(request, response),
      ),
    ),
  "rate-limited-too-long": (later) => planAgainst(later, createServer(answering(429, "{}", { "retry-after": "3600" }))),
  "bad-key": (later) => planAt(later, "http://127.0.0.1:9/open-api/v1", { TICKETING_API_KEY: "one\ntwo" }),
  "bad-path": async () => {
    const client = new TicketingClient({ baseUrl: "http://127.0.0.1:9/open-api/v1", apiKey: "key" });
    const result = await client.request("GET", "https://elsewhere.example");
    if (result.ok) return "";
    const { code, message, hint } = result.problem;
    return `error[${code}] ${message}\n  fix: ${hint}`;
  },
};

const problem = (status: number, code: string) => ({ status, body: { error: { code, message: "Refused." } } });

const serviceSituations: Readonly<Record<string, Situation>> = {
  VALIDATION_ERROR: (later) => failing(later, problem(400, "VALIDATION_ERROR")),
  UNAUTHORIZED: (later) => failing(later, problem(401, "UNAUTHORIZED"), ["plan"]),
  FORBIDDEN: (later) => failing(later, problem(403, "FORBIDDEN"), ["plan"]),
  SCOPE_REQUIRED: (later) => failing(later, problem(403, "SCOPE_REQUIRED")),
  NOT_FOUND: (later) => failing(later, problem(404, "NOT_FOUND")),
  INTERNAL_ERROR: (later) => failing(later, problem(500, "INTERNAL_ERROR"), ["plan"]),
};

export const situations: Readonly<Record<string, Situation>> = {
  ...stateSituations,
  ...connectionSituations,
  ...serviceSituations,
};

/** What would take minutes, or reach beyond this machine: why, and the tests that do it with a part of the program. */
export const notStaged: Readonly<Record<string, readonly [why: string, tests: string]>> = {
  "lock-unconfirmed": ["a run waits minutes for its store to come back", "stores/contract.ts"],
  "journal-unwritable": ["a run waits minutes for its store to come back", "stores/contract.ts"],
  "store-cannot-exclude": ["needs a store that ignores conditions on writes", "stores"],
  dns: ["asks a name server, which is not on this machine", "service/http/faults.test.ts"],
  RATE_LIMITED: ["a run waits for the limit again and again before it gives up", "service/rules.test.ts"],
};
