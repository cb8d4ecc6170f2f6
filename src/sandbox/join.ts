// A command that needs a sandbox uses the one that already serves the data file, or else starts its own.
import { controlPath } from "./control-face.ts";
import { SandboxDataError } from "./data-error.ts";
import { readHolder } from "./data-lock.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "./start.ts";

export interface JoinedSandbox extends Pick<Sandbox, "baseUrl" | "apiKey" | "controlUrl" | "close"> {
  /** Whether it serves on after this command. */
  readonly shared: boolean;
}

export async function joinSandbox(options: SandboxOptions): Promise<JoinedSandbox> {
  const serving = findServing(options);
  if (serving !== undefined) return serving;
  try {
    const { baseUrl, apiKey, controlUrl, close } = await startSandbox(options);
    return { baseUrl, apiKey, controlUrl, shared: false, close };
  } catch (problem) {
    // One may have been started since we looked.
    const late = problem instanceof SandboxDataError ? findServing(options) : undefined;
    if (late !== undefined) return late;
    throw problem;
  }
}

function findServing({ dataFile }: SandboxOptions): JoinedSandbox | undefined {
  const holder = dataFile == null ? undefined : readHolder(dataFile);
  if (holder?.baseUrl == null || holder.apiKey === null) return undefined;
  const { baseUrl, apiKey } = holder;
  return {
    baseUrl,
    apiKey,
    controlUrl: new URL(controlPath, baseUrl).href,
    shared: true,
    close: async () => undefined,
  };
}
