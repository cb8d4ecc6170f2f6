// A command that needs a sandbox uses the one that already serves the data file, or else starts its own.

import { knowsKey } from "../control/ask-control.ts";
import { controlPath } from "../control/control-face.ts";
import { readyKeyOf } from "../data/data-file.ts";
import { readHolder } from "../data/data-lock.ts";
import { dataPlaceError, SandboxDataError } from "../errors.ts";
import { basePath } from "../wire/wire.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "./start.ts";

export interface JoinedSandbox extends ServingSandbox {
  /** Whether it serves on after this command. */
  readonly shared: boolean;
  close(): Promise<void>;
}

export type ServingSandbox = Pick<Sandbox, "baseUrl" | "apiKey" | "controlUrl">;

export async function joinSandbox(options: SandboxOptions): Promise<JoinedSandbox> {
  const serving = await guestOf(options);
  if (serving !== undefined) return serving;
  try {
    const { baseUrl, apiKey, controlUrl, close } = await startSandbox(options);
    return { baseUrl, apiKey, controlUrl, shared: false, close };
  } catch (problem) {
    // One may have been started since we looked.
    const late = problem instanceof SandboxDataError ? await guestOf(options) : undefined;
    if (late !== undefined) return late;
    throw problem;
  }
}

async function guestOf({ dataFile }: SandboxOptions): Promise<JoinedSandbox | undefined> {
  const serving = dataFile == null ? undefined : await findServing(dataFile);
  return serving === undefined ? undefined : { ...serving, shared: true, close: async () => undefined };
}

/** The sandbox that serves a data file; undefined where none does. Throws where something else answers in its place. */
export async function findServing(dataFile: string): Promise<ServingSandbox | undefined> {
  try {
    const port = readHolder(dataFile)?.port ?? null;
    if (port === null) return undefined;
    const apiKey = readyKeyOf(dataFile);
    if (apiKey === null || !(await knowsKey(port, apiKey))) throw notServing(dataFile, port);
    const origin = `http://127.0.0.1:${port}`;
    return { baseUrl: origin + basePath, apiKey, controlUrl: origin + controlPath };
  } catch (problem) {
    throw dataPlaceError(dataFile, problem);
  }
}

function notServing(dataFile: string, port: number): SandboxDataError {
  return new SandboxDataError(
    dataFile,
    `${dataFile}.lock says that a sandbox serves this data on port ${port}, and what answers there cannot prove it.`,
    "If no sandbox is running, delete the lock file.",
  );
}
