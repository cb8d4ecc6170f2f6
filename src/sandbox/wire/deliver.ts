// One signed POST to a receiver, over real HTTPS.
import { createHmac } from "node:crypto";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { isLoopback } from "../endpoints/fields/field.ts";

export interface Parcel {
  readonly url: string;
  readonly id: string;
  readonly type: string;
  readonly body: string;
  readonly secret: string;
  readonly timeoutMs: number;
  /** Whether it may leave this machine. */
  readonly outside: boolean;
  /** Aborted: the parcel is dropped on the way. */
  readonly signal: AbortSignal;
}

export interface Receipt {
  readonly success: boolean;
  readonly responseStatus: number | null;
  readonly error: string | null;
  /** Nothing was sent, and trying again would not change that. */
  readonly notSent?: true;
}

/** The value of X-Webhook-Signature: the HMAC-SHA256 of the body, byte for byte as sent. */
export function sign(body: string, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

const staysHere =
  "not sent: the sandbox delivers only to this machine (localhost, 127.0.0.1, ::1); `ticketing sandbox --deliver-outside` delivers everywhere";

const loopback = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/** Names that end in .localhost are this machine, whatever a name server makes of them. */
const thisMachine: LookupFunction = (_, options, found) => {
  const family = options.family === 6 || options.family === "IPv6" ? 6 : 4;
  const one = loopback.find((each) => each.family === family);
  if (options.all === true) found(null, loopback);
  else found(null, one?.address ?? "127.0.0.1", family);
};

export function deliver(parcel: Parcel): Promise<Receipt> {
  const url = URL.canParse(parcel.url) ? new URL(parcel.url) : undefined;
  const local = url !== undefined && isLoopback(url.hostname);
  if (url === undefined || !(url.protocol === "https:" || (url.protocol === "http:" && local))) {
    return Promise.resolve({ success: false, responseStatus: null, error: "the receiver's URL is not https://" });
  }
  // By the name alone: what a name resolves to is for others to say, and may change from one moment to the next.
  if (!local && !parcel.outside) {
    return Promise.resolve({ success: false, responseStatus: null, error: staysHere, notSent: true });
  }
  return new Promise((resolve) => {
    const send = url.protocol === "https:" ? httpsRequest : httpRequest;
    const outgoing = send(
      url,
      {
        method: "POST",
        // A receiver under test on this machine has no certificate that anybody signed.
        rejectUnauthorized: !local,
        agent: false,
        ...(local ? { lookup: thisMachine } : {}),
        signal: parcel.signal,
        headers: {
          "Content-Type": "application/json",
          "Content-Length": Buffer.byteLength(parcel.body),
          "X-Webhook-Id": parcel.id,
          "X-Webhook-Event": parcel.type,
          "X-Webhook-Signature": sign(parcel.body, parcel.secret),
        },
      },
      (response) => {
        response.resume();
        const status = response.statusCode ?? 0;
        const success = status >= 200 && status < 300;
        resolve({ success, responseStatus: status, error: success ? null : `the receiver answered ${status}` });
      },
    );
    // The whole exchange, since a socket's own timeout begins only once it is connected.
    const timer = setTimeout(
      () => outgoing.destroy(new Error("the receiver did not answer in time")),
      parcel.timeoutMs,
    );
    outgoing.on("close", () => clearTimeout(timer));
    outgoing.on("error", (problem) => resolve({ success: false, responseStatus: null, error: problem.message }));
    outgoing.end(parcel.body);
  });
}
