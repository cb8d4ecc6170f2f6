// Starts receiver.js and listens to what it says.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Json } from "./open.ts";

export interface Receiver {
  readonly url: string;
  /** Tells it a secret to check signatures with. */
  trust(secret: string): void;
  /** The next delivery. */
  next(): Promise<Json>;
  close(): void;
}

let files: { readonly key: string; readonly certificate: string } | undefined;

function selfSigned(): { readonly key: string; readonly certificate: string } {
  const folder = mkdtempSync(join(tmpdir(), "receiver-"));
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const request = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  execFileSync("openssl", [...request, "-subj", "/CN=localhost", "-keyout", key, "-out", certificate], {
    stdio: "pipe",
  });
  return { key, certificate };
}

export async function receive(...statuses: number[]): Promise<Receiver> {
  files ??= selfSigned();
  const script = join(import.meta.dirname, "receiver.js");
  const child = spawn(process.execPath, [script, files.key, files.certificate, ...statuses.map(String)], {
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
