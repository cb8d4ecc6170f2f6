// What the client costs above bare undici: the same GETs, JSON parsed, one after the other and eight at once.
import { Worker } from "node:worker_threads";
import { Pool } from "undici";
import { TicketingClient } from "../../src/service/client.ts";
import { type Figure, median } from "./figure.ts";

/** Answers like the service does, on a separate thread, so that its work is in neither figure. */
const server = `
  const { createServer } = require("node:http");
  const { parentPort } = require("node:worker_threads");
  const body = JSON.stringify({ data: { id: "3f0c9a52-1111-4222-8333-444455556666", name: "Manila Nights", status: "DRAFT",
    slug: "manila-nights", dateTime: "2027-03-14T11:00:00.000Z", description: "A night of music. ".repeat(20) } });
  let used = 0;
  createServer({ keepAliveTimeout: 60000 }, (request, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body),
      "x-ratelimit-limit": "1000000", "x-ratelimit-remaining": String(1000000 - (used++ % 900000)), "x-ratelimit-reset": "60" });
    response.end(body);
  }).listen(0, "127.0.0.1", function () { parentPort.postMessage(this.address().port); });
`;

export interface Overhead {
  readonly concurrency: number;
  readonly calls: number;
  /** Medians over the rounds. */
  readonly bareMs: number;
  readonly clientMs: number;
  readonly ratio: number;
}

export async function measureOverhead(concurrency: number, calls = 5000, rounds = 7): Promise<Overhead> {
  const worker = new Worker(server, { eval: true });
  const port = await new Promise<number>((resolve, reject) => worker.once("message", resolve).once("error", reject));
  const origin = `http://127.0.0.1:${port}`;
  const pool = new Pool(origin, { connections: concurrency });
  const client = new TicketingClient({ baseUrl: `${origin}/open-api/v1`, apiKey: "bench-key", concurrency });
  const path = "/events/3f0c9a52-1111-4222-8333-444455556666";

  async function bare(): Promise<void> {
    const { body } = await pool.request({
      method: "GET",
      path: `/open-api/v1${path}`,
      headers: { "api-key": "bench-key", accept: "application/json", "user-agent": "ticketing" },
    });
    JSON.parse(await body.text());
  }

  async function through(): Promise<void> {
    const result = await client.request("GET", path);
    if (!result.ok) throw new Error(result.problem.message);
  }

  await time(bare, calls / 5, concurrency);
  await time(through, calls / 5, concurrency);
  const pairs: { bare: number; client: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    // Side by side and in turns, so that a busy machine is busy for both.
    const first = round % 2 === 0 ? await time(bare, calls, concurrency) : null;
    const clientMs = await time(through, calls, concurrency);
    pairs.push({ bare: first ?? (await time(bare, calls, concurrency)), client: clientMs });
  }
  await pool.close();
  await client.close();
  await worker.terminate();
  return {
    concurrency,
    calls,
    bareMs: median(pairs.map((pair) => pair.bare)),
    clientMs: median(pairs.map((pair) => pair.client)),
    ratio: median(pairs.map((pair) => pair.client / pair.bare)),
  };
}

async function time(call: () => Promise<void>, calls: number, concurrency: number): Promise<number> {
  let left = calls;
  async function work(): Promise<void> {
    while (left-- > 0) await call();
  }
  const began = performance.now();
  await Promise.all(Array.from({ length: concurrency }, work));
  return performance.now() - began;
}

export async function measure(): Promise<readonly Figure[]> {
  const sequential = await measureOverhead(1);
  const parallel = await measureOverhead(8);
  return [
    figureOf("5,000 GETs in sequence, client to bare undici", sequential, 1.3),
    figureOf("5,000 GETs at concurrency 8, client to bare undici", parallel, 1.5),
  ];
}

function figureOf(name: string, overhead: Overhead, goal: number): Figure {
  const detail = `${Math.round(overhead.clientMs)} ms to ${Math.round(overhead.bareMs)} ms, median of pairs`;
  return { name, measured: overhead.ratio, goal, bound: "at most", unit: "×", detail };
}
