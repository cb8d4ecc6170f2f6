// A sandbox in process, with calls short enough to read a test as a story.
import { createService, type SandboxService, type Seed, type ServiceOptions } from "../../src/sandbox/index.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape, and fail by what they expect
export type Json = any;

export interface Answer {
  readonly status: number;
  readonly body: Json;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Open {
  readonly service: SandboxService;
  get(path: string, key?: string): Promise<Answer>;
  post(path: string, body?: unknown, key?: string): Promise<Answer>;
  patch(path: string, body: unknown): Promise<Answer>;
  del(path: string): Promise<Answer>;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>, from?: string): Promise<Answer>;
  /** Creates an event, gives its data. */
  event(fields?: Record<string, unknown>): Promise<Json>;
  ticket(eventId: string, fields?: Record<string, unknown>): Promise<Json>;
  key(fields?: NonNullable<Seed["keys"]>[number]): string;
  /** Lets time pass; it does not move otherwise. */
  pass(ms: number): void;
}

export const start = Date.parse("2027-01-01T00:00:30.500Z");

export const party = { name: "Manila Nights", dateTime: "2027-03-14T11:00:00.000Z" };
export const noSuchId = "00000000-0000-4000-8000-000000000000";

export function open(profile?: string, options: ServiceOptions = {}): Open {
  let time = start;
  const clock = () => time;
  const service = createService({ profile, now: clock, elapsed: clock, ...options });

  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    from?: string,
  ): Promise<Answer> {
    const response = await service.handle({
      method,
      path: `/open-api/v1${path}`,
      headers: {
        "api-key": service.apiKey,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
      remoteAddress: from,
    });
    const json = (response.headers["Content-Type"] ?? "").startsWith("application/json") && response.body !== "";
    return {
      status: response.status,
      headers: response.headers,
      body: json ? JSON.parse(response.body) : response.body,
    };
  }

  function withKey(key: string | undefined): Record<string, string> {
    return key === undefined ? {} : { "api-key": key };
  }

  return {
    service,
    send,
    get: (path, key) => send("GET", path, undefined, withKey(key)),
    post: (path, body, key) => send("POST", path, body, withKey(key)),
    patch: (path, body) => send("PATCH", path, body),
    del: (path) => send("DELETE", path),
    async event(fields = {}) {
      return must(await send("POST", "/events", { ...party, ...fields }));
    },
    async ticket(eventId, fields = {}) {
      const body = { name: "GA", price: 1500, quantity: 100, ...fields };
      return must(await send("POST", `/events/${eventId}/tickets`, body));
    },
    pass(ms) {
      time += ms;
    },
    key: (fields = {}) => service.control.seed({ keys: [fields] }).keys[0]?.value ?? "",
  };
}

function must(response: Answer): Json {
  if (response.status !== 201) throw new Error(`${response.status} ${JSON.stringify(response.body)}`);
  return response.body.data;
}

/** The fields that a validation error names. */
export function wrongFields(response: Answer): string[] {
  return (response.body.error.details ?? []).map((problem: { field: string }) => problem.field);
}
