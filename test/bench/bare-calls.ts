// The yardstick: the same calls by undici alone, JSON parsed, so many at once. In a process of its own, as the program is.
import { readFileSync } from "node:fs";
import { Pool } from "undici";

interface Job {
  readonly origin: string;
  readonly apiKey: string;
  readonly atOnce: number;
  readonly calls: readonly {
    readonly method: "GET" | "POST" | "PATCH" | "DELETE";
    readonly path: string;
    readonly body?: string;
  }[];
}

const job = JSON.parse(readFileSync(String(process.argv[2]), "utf8")) as Job;
const pool = new Pool(job.origin, { connections: job.atOnce });
let next = 0;

async function work(): Promise<void> {
  for (let call = job.calls[next++]; call !== undefined; call = job.calls[next++]) {
    const headers = {
      "api-key": job.apiKey,
      ...(call.body === undefined ? {} : { "content-type": "application/json" }),
    };
    const { body } = await pool.request({ method: call.method, path: call.path, headers, body: call.body ?? null });
    const text = await body.text();
    if (text !== "") JSON.parse(text);
  }
}

await Promise.all(Array.from({ length: job.atOnce }, work));
await pool.close();
