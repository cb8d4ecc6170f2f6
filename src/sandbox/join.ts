// A command that needs a sandbox uses the one that already serves the data file, or else starts its own.
import { controlPath } from "./control-face.ts";
import { readHolder } from "./data-lock.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "./start.ts";

export interface JoinedSandbox extends Pick<Sandbox, "baseUrl" | "apiKey" | "controlUrl" | "close"> {
  /** Whether it serves on after this command. */
  readonly shared: boolean;
}

export async function joinSandbox(options: SandboxOptions): Promise<JoinedSandbox> {
  const holder = options.dataFile == null ? undefined : readHolder(options.dataFile);
  if (holder?.baseUrl != null && holder.apiKey !== null) {
    const { baseUrl, apiKey } = holder;
    const controlUrl = new URL(controlPath, baseUrl).href;
    return { baseUrl, apiKey, controlUrl, shared: true, close: async () => undefined };
  }
  const { baseUrl, apiKey, controlUrl, close } = await startSandbox(options);
  return { baseUrl, apiKey, controlUrl, shared: false, close };
}
