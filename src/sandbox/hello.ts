// How a sandbox proves that it serves a data file, to a command that found its port in the lock beside it.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { request } from "node:http";
import { controlPath } from "./control-face.ts";

const longestMs = 5_000;

/** Whoever answers must have read the key in the data file; the key itself is not sent to find out. */
export async function knowsKey(port: number, apiKey: string): Promise<boolean> {
  const nonce = randomBytes(16).toString("hex");
  const answer = await hello(port, nonce);
  const [wanted, given] = [Buffer.from(proofOf(apiKey, port, nonce)), Buffer.from(answer)];
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}

/** The port is part of it, so that one sandbox cannot be made to answer for another place. */
export function proofOf(apiKey: string, port: number, nonce: string): string {
  return createHmac("sha256", apiKey).update(`sandbox on port ${port}: ${nonce}`).digest("hex");
}

function hello(port: number, nonce: string): Promise<string> {
  return new Promise((resolve) => {
    const url = `http://127.0.0.1:${port}${controlPath}/hello?nonce=${nonce}`;
    const outgoing = request(url, { agent: false, signal: AbortSignal.timeout(longestMs) }, (incoming) => {
      let text = "";
      incoming.setEncoding("utf8");
      incoming.on("data", (part: string) => {
        text += part;
        if (text.length > 1000) outgoing.destroy();
      });
      incoming.on("end", () => resolve(text));
      incoming.on("error", () => resolve(""));
    });
    outgoing.on("error", () => resolve(""));
    outgoing.on("close", () => resolve(""));
    outgoing.end();
  });
}
