// The yardstick: the same calls by undici alone, JSON parsed, so many at once. In a separate process, as the program is.
import { readFileSync } from "node:fs";
import { Pool } from "undici";
import { makeParser } from "./bare-duties.ts";

interface Job {
  readonly origin: string;
  readonly apiKey: string;
  readonly atOnce: number;
  /** A project whose files are parsed meanwhile. */
  readonly project?: string;
  readonly calls: readonly {
    readonly method: "GET" | "POST" | "PATCH" | "DELETE";
    readonly path: string;
    readonly body?: string;
  }[];
}

const job = JSON.parse(readFileSync(String(process.argv[2]), "utf8")) as Job;
const pool = new Pool(job.origin, { connections: job.atOnce });
const parse = makeParser(job.project);
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
    parse(1);
  }
}

await Promise.all(Array.from({ length: job.atOnce }, work));
parse(Number.POSITIVE_INFINITY);
await pool.close();
