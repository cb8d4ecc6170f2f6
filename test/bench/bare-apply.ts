// The yardstick: the same events made by undici alone, JSON parsed, so many calls at once. It looks at nothing.
import { Pool } from "undici";
import { makeParser, openLog } from "./bare-duties.ts";

interface Job {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly atOnce: number;
  readonly count: number;
  /** How many events have their ticket types listed. */
  readonly lists: number;
  /** Further reads. */
  readonly others: number;
  /** A project whose files are parsed first, and where each write is noted before it is sent. */
  readonly project?: string;
}

const job = JSON.parse(String(process.argv[2])) as Job;
const { origin, pathname } = new URL(job.baseUrl);
const pool = new Pool(origin, { connections: job.atOnce });
const log = openLog(job.project);

async function call(method: "GET" | "POST", path: string, body?: unknown): Promise<string> {
  const text = body === undefined ? null : JSON.stringify(body);
  if (method === "POST") await log.write(`${path} ${text}`);
  const response = await pool.request({
    method,
    path: pathname + path,
    headers: { "api-key": job.apiKey, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    body: text,
  });
  if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode}`);
  const { data } = (await response.body.json()) as { data: { id: string } };
  return data.id;
}

async function makeEvent(index: number): Promise<void> {
  const id = await call("POST", "/events", {
    name: `Night ${index}`,
    dateTime: "2027-03-14T11:00:00.000Z",
    endDateTime: "2027-03-14T17:00:00.000Z",
    description: "A night out in the city, with three rooms and a terrace.",
    locationType: "ONLINE",
    imageUrl: "https://images.example/night.jpg",
    tickets: [
      { name: "GA", price: 1500, quantity: 100, published: true },
      { name: "VIP", price: 4500, quantity: 20, published: true },
    ],
  });
  if (index < job.lists) await call("GET", `/events/${id}/tickets`);
  const performerId = await call("POST", `/events/${id}/performers`, { name: "Ana", type: "DJ" });
  const startTime = "2027-03-14T11:00:00.000Z";
  await call("POST", `/events/${id}/schedules`, {
    title: "Set",
    startTime,
    endTime: "2027-03-14T12:00:00.000Z",
    performerId,
  });
  await call("POST", `/events/${id}/brands`, { name: "Acme", url: "https://acme.example" });
  await call("POST", `/events/${id}/publish`);
}

let next = 0;
async function work(): Promise<void> {
  for (let index = next++; index < job.count; index = next++) await makeEvent(index);
}

makeParser(job.project)(Number.POSITIVE_INFINITY);
for (let index = 0; index < job.others; index++) await call("GET", "/me");
await Promise.all(Array.from({ length: job.atOnce }, work));
log.close();
await pool.close();
