// Starts receiver.js and listens to what it says.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { certificateFile, keyFile } from "../../certificate/self-signed.ts";
import type { Json } from "../open.ts";

export interface Receiver {
  readonly url: string;
  /** Tells it a secret to check signatures with. */
  trust(secret: string): void;
  /** The next delivery. */
  next(): Promise<Json>;
  close(): void;
}

export async function receive(...statuses: number[]): Promise<Receiver> {
  const script = join(import.meta.dirname, "receiver.js");
  const child = spawn(process.execPath, [script, keyFile, certificateFile, ...statuses.map(String)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? "null");
  const { port } = await next();
  return {
    url: `https://127.0.0.1:${port}`,
    trust: (secret) => child.stdin.write(`${secret}\n`),
    next,
    close: () => child.stdin.end(),
  };
}
