// Asks the control face of a sandbox in another process.

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { request } from "node:http";
import { isLoopback } from "../endpoints/fields/field.ts";
import { ControlError } from "../errors.ts";
import { controlPath } from "./control-face.ts";

/** `address`: any address of the sandbox; only its host and port count. */
export async function askControl(address: string, method: string, path: string, ask?: unknown): Promise<unknown> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== "http:" || !isLoopback(url.hostname)) {
    throw new ControlError(`"${address}" is not the address of a sandbox.`, "It looks like http://127.0.0.1:PORT.");
  }
  const { status, text } = await exchange(new URL(controlPath + path, url), method, ask);
  let answer: { readonly data?: unknown; readonly error?: unknown };
  try {
    answer = JSON.parse(text);
  } catch {
    throw new ControlError(`What answers at ${url.origin} is not a sandbox.`, "Check the port.");
  }
  if (status === 200) return answer.data;
  const said = typeof answer.error === "string" ? answer.error : `It answered ${status}.`;
  throw new ControlError(`The sandbox at ${url.origin} did not do it.`, said);
}

function exchange(url: URL, method: string, ask: unknown): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, agent: false }, (incoming) => {
      const parts: Buffer[] = [];
      incoming.on("data", (part: Buffer) => parts.push(part));
      incoming.on("end", () =>
        resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(parts).toString("utf8") }),
      );
      incoming.on("error", reject);
    });
    outgoing.on("error", (problem) =>
      reject(
        new ControlError(
          `No sandbox answers at ${url.origin}: ${problem.message}.`,
          "Start one with: ticketing sandbox",
        ),
      ),
    );
    outgoing.end(ask === undefined ? undefined : JSON.stringify(ask));
  });
}

// How a sandbox proves that it serves a data file, to a command that found its port in the lock beside it.

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
