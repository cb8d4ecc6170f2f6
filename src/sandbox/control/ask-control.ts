// Asks the control API of a sandbox in another process.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, type RequestOptions, request } from "node:http";
import { isThisMachine, parseAddress } from "../endpoints/read-body.ts";
import { controlError, messageOf } from "../errors.ts";
import { controlPath } from "./control.ts";

/** `address`: any address of the sandbox; only its host and port count. */
export async function askControl(address: string, method: string, path: string, ask?: unknown): Promise<unknown> {
  const url = parseAddress(address);
  if (url?.protocol !== "http:" || !isThisMachine(url.hostname))
    throw controlError(`"${address}" is not the URL of a sandbox.`, "It looks like http://127.0.0.1:PORT.");
  const body = ask === undefined ? undefined : JSON.stringify(ask);
  const { status, text } = await exchange(new URL(controlPath + path, url), { method }, body).catch((problem) => {
    const message = `No sandbox responds at ${url.origin}: ${messageOf(problem)}.`;
    throw controlError(message, `Start one with: ticketing sandbox --port ${url.port || 80}`);
  });
  let response: { readonly data?: unknown; readonly error?: unknown; readonly fix?: unknown };
  try {
    response = JSON.parse(text);
  } catch {
    throw controlError(`What responds at ${url.origin} is not a sandbox.`, "Check the port.");
  }
  if (status === 200) return response.data;
  const { error = `It responded with ${status}.`, fix } = response;
  if (fix !== undefined) throw controlError(String(error), String(fix));
  const message = `The sandbox at ${url.origin} refused. ${error}`;
  throw controlError(message, "Restart it with this version: ticketing sandbox");
}

async function exchange(
  url: URL,
  options: RequestOptions,
  body?: string,
  maxLength = Number.POSITIVE_INFINITY,
): Promise<{ readonly status: number; readonly text: string }> {
  const outgoing = request(url, { ...options, agent: false });
  // Once there is a response, it shows the errors.
  outgoing.on("error", () => undefined).end(body);
  const [incoming]: IncomingMessage[] = await once(outgoing, "response");
  let text = "";
  for await (const part of incoming?.setEncoding("utf8") ?? []) {
    text += part;
    if (text.length > maxLength) throw new Error("the response is too long");
  }
  return { status: incoming?.statusCode ?? 0, text };
}

// How a sandbox proves that it serves a data file, to a command that found its port in the lock next to it.

/** The process that responds must have read the key in the data file; the key itself is not sent to find out. */
export async function knowsKey(port: number, apiKey: string): Promise<boolean> {
  const nonce = randomBytes(16).toString("hex");
  const url = new URL(`http://127.0.0.1:${port}${controlPath}/hello?nonce=${nonce}`);
  const { text } = await exchange(url, { signal: AbortSignal.timeout(5_000) }, undefined, 1_000).catch(() => ({
    text: "",
  }));
  const [wanted, given] = [Buffer.from(proofOf(apiKey, port, nonce)), Buffer.from(text)];
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}

/** The port is part of it, so that one sandbox cannot be made to respond for another. */
export function proofOf(apiKey: string, port: number, nonce: string): string {
  return createHmac("sha256", apiKey).update(`sandbox on port ${port}: ${nonce}`).digest("hex");
}
