// One signed POST to a receiver, over real HTTPS.
import { createHmac } from "node:crypto";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isLoopback } from "./field.ts";

export interface Parcel {
  readonly url: string;
  readonly id: string;
  readonly type: string;
  readonly body: string;
  readonly secret: string;
  readonly timeoutMs: number;
  /** Aborted: the parcel is dropped on the way. */
  readonly signal: AbortSignal;
}

export interface Receipt {
  readonly success: boolean;
  readonly responseStatus: number | null;
  readonly error: string | null;
}

/** The value of X-Webhook-Signature: the HMAC-SHA256 of the body, byte for byte as sent. */
export function sign(body: string, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

export function deliver(parcel: Parcel): Promise<Receipt> {
  const url = URL.canParse(parcel.url) ? new URL(parcel.url) : undefined;
  const local = url !== undefined && isLoopback(url.hostname);
  if (url === undefined || !(url.protocol === "https:" || (url.protocol === "http:" && local))) {
    return Promise.resolve({ success: false, responseStatus: null, error: "the receiver's URL is not https://" });
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
