// A store that speaks enough of S3 for our files, checks every signature, and can be made to lie about its conditions.
import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export interface S3Habits {
  /** Conditions that it does not look at. */
  readonly ignores?: "if-none-match" | "if-match";
  /**
   * Ceph's gateway compares what follows If-Match with the ETag without quotation marks, and answers 500 to one that another
   * was faster than; some give it without them.
   */
  readonly etags?: "quoted" | "compared-bare" | "given-bare" | "none";
  /** What it answers where a condition does not hold; 412 by default. */
  readonly conflict?: 409 | 412 | 501;
  /** How far its clock is ahead. */
  readonly aheadMs?: number;
  /** It shows what was there before the last write. */
  readonly isBehind?: boolean;
}

export interface S3Call {
  readonly method: string;
  readonly key: string;
  readonly bytes: number;
}

/** "before": the call is lost; "after": its response is; "truncated": half of its response is; "hang": nothing ever comes. */
export type S3Fault = "before" | "after" | "truncated" | "hang" | { readonly status: number; readonly code: string };

interface S3Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export const s3Keys = {
  writer: { id: "AKIDWRITERWRITER", secret: "writer-secret-not-for-anyones-eyes" },
  reader: { id: "AKIDREADERREADER", secret: "reader-secret-not-for-anyones-eyes" },
} as const;

export class S3Server {
  readonly objects = new Map<string, string>();
  readonly calls: S3Call[] = [];
  habits: S3Habits;
  fault: ((call: S3Call) => S3Fault | null) | null = null;
  readonly bucket = "box-office";
  #previous = new Map<string, string>();
  readonly #changedAt = new Map<string, number>();
  #server: Server | null = null;
  #sockets = new Set<Socket>();
  #port = 0;

  constructor(habits: S3Habits = {}) {
    this.habits = habits;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    const server = createServer((incoming, outgoing) => void this.#serve(incoming, outgoing));
    server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    for (const socket of this.#sockets) socket.destroy();
    if (server !== null) await new Promise((resolve) => server.close(resolve));
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const began = performance.now();
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const body = Buffer.concat(chunks);
    const { method = "", url = "" } = incoming;
    const path = decodeURIComponent(url);
    const key = path.startsWith(`/${this.bucket}/`) ? path.slice(this.bucket.length + 2) : "";
    const call = { method, key, bytes: body.length };
    this.calls.push(call);
    const fault = this.fault?.(call) ?? null;
    if (fault === "hang") return;
    if (fault === "before") return void incoming.socket.destroy();
    const response =
      fault !== null && typeof fault === "object"
        ? failure(fault.status, fault.code)
        : (this.#refuse(incoming, body) ?? this.#response(incoming, key, body.toString("utf8"), began));
    if (fault === "after") return void incoming.socket.destroy();
    const text = Buffer.from(response.body ?? "");
    outgoing.writeHead(response.status, { ...response.headers, "content-length": text.length });
    if (fault !== "truncated") return void outgoing.end(text);
    outgoing.write(text.subarray(0, text.length / 2));
    setTimeout(() => incoming.socket.destroy(), 20);
  }

  /** Signature, clock and rights. */
  #refuse(incoming: IncomingMessage, body: Buffer): S3Answer | null {
    const { method = "", url = "", headers } = incoming;
    const [, id, date, region, names = "", signature] =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d+)\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]+)$/.exec(
        headers.authorization ?? "",
      ) ?? [];
    const known = Object.values(s3Keys).find((each) => each.id === id);
    if (known === undefined) return failure(403, "InvalidAccessKeyId", `No such key: ${id}`);
    const time = String(headers["x-amz-date"]);
    const [year, month, day, hour, minute, second] = [0, 4, 6, 9, 11, 13].map((at, index) =>
      time.slice(at, at + (index === 0 ? 4 : 2)),
    );
    const sentAt = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
    if (Math.abs(Date.now() + (this.habits.aheadMs ?? 0) - sentAt) > 900_000)
      return failure(
        403,
        "RequestTimeTooSkewed",
        "The difference between the request time and the server's time is too large.",
      );
    const digest = String(headers["x-amz-content-sha256"]);
    if (createHash("sha256").update(body).digest("hex") !== digest) return failure(400, "XAmzContentSHA256Mismatch");
    for (const needed of ["host", "x-amz-date", ...Object.keys(headers).filter((name) => name.startsWith("if-"))])
      if (!names.split(";").includes(needed)) return failure(403, "AccessDenied", `${needed} is not signed.`);
    const signed = names.split(";").map((name) => `${name}:${String(headers[name]).trim()}\n`);
    const canonical = [method, encodePath(url), "", signed.join(""), names, digest].join("\n");
    const scope = `${date}/${region}/s3/aws4_request`;
    const text = ["AWS4-HMAC-SHA256", time, scope, createHash("sha256").update(canonical).digest("hex")].join("\n");
    const secret = [date, region, "s3", "aws4_request"].reduce<string | Buffer>(
      (key, part) => createHmac("sha256", key).update(String(part)).digest(),
      `AWS4${known.secret}`,
    );
    if (createHmac("sha256", secret).update(text).digest("hex") !== signature)
      return failure(403, "SignatureDoesNotMatch", `Check your key and signing method. ${known.id}`);
    if (known === s3Keys.reader && method !== "GET") return failure(403, "AccessDenied", "Access Denied");
    return null;
  }

  #response(incoming: IncomingMessage, key: string, body: string, began: number): S3Answer {
    if (key === "") return failure(404, "NoSuchBucket", "The specified bucket does not exist");
    const present = this.objects.get(key);
    const { "if-match": ifMatch, "if-none-match": ifNone } = incoming.headers;
    const { ignores, conflict = 412, isBehind } = this.habits;
    switch (incoming.method) {
      case "GET": {
        const shown = isBehind === true ? this.#previous.get(key) : present;
        if (shown === undefined) return failure(404, "NoSuchKey", "The specified key does not exist.");
        if (ifNone !== undefined && ifNone === this.#etag(shown)) return { status: 304 };
        return { status: 200, headers: this.#etagHeader(shown), body: shown };
      }
      case "PUT": {
        const isRefused =
          (ifNone === "*" && present !== undefined && ignores !== "if-none-match") ||
          (ifMatch !== undefined && ignores !== "if-match" && !this.#matches(ifMatch, present));
        if (conflict === 501 && (ifNone ?? ifMatch) !== undefined) return failure(501, "NotImplemented");
        const isBeaten = this.habits.etags === "compared-bare" && (this.#changedAt.get(key) ?? 0) > began;
        if (isRefused && isBeaten && ifMatch !== undefined) return failure(500, "UnknownError");
        if (isRefused) return failure(conflict, conflict === 412 ? "PreconditionFailed" : "ConditionalRequestConflict");
        this.#previous.set(key, present ?? body);
        this.objects.set(key, body);
        this.#changedAt.set(key, performance.now());
        return { status: 200, headers: this.#etagHeader(body) };
      }
      case "DELETE":
        this.objects.delete(key);
        return { status: 204 };
      default:
        return failure(405, "MethodNotAllowed");
    }
  }

  #etag(content: string): string {
    const digest = createHash("md5").update(content).digest("hex");
    return this.habits.etags === "given-bare" ? digest : `"${digest}"`;
  }

  #etagHeader(content: string): Record<string, string> {
    return this.habits.etags === "none" ? {} : { etag: this.#etag(content) };
  }

  #matches(condition: string, present: string | undefined): boolean {
    if (present === undefined) return false;
    const { etags = "quoted" } = this.habits;
    return condition === (etags === "quoted" ? this.#etag(present) : this.#etag(present).replaceAll('"', ""));
  }
}

function failure(status: number, code: string, message = ""): S3Answer {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return { status, headers: { "content-type": "application/xml" }, body };
}

function encodePath(path: string): string {
  return decodeURIComponent(path)
    .split("/")
    .map((part) =>
      encodeURIComponent(part).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join("/");
}
