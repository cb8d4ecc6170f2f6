// Asks the control face of a sandbox in another process.
import { request } from "node:http";
import { ControlError } from "./control-error.ts";
import { controlPath } from "./control-face.ts";
import { isLoopback } from "./field.ts";

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
