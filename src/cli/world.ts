// Everything a command may touch of the outside: taken in, never reached for, so that tests can hand in another world.
import type { Timeouts } from "../service/transport.ts";

export interface Output {
  write(text: string): void;
  /** True once nobody reads any more (`| head`): then there is no need to go on only to be read. */
  readonly isClosed?: boolean;
  /** True once something was written to it. */
  readonly isUsed?: boolean;
  readonly isTerminal: boolean;
  /** Width in columns; 80 where it is not known. */
  readonly columns: number;
}

/** What must never be seen in anything that is written. */
export interface Secrets {
  keep(secret: string): void;
  mask(text: string): string;
}

/** Whether a CI runner works here, and nobody watches. */
export function isOnRunner({ env }: Pick<World, "env">): boolean {
  const says = (value: string | undefined) => !["", "0", "false"].includes((value ?? "").trim().toLowerCase());
  return says(env.CI) || says(env.GITHUB_ACTIONS) || says(env.GITLAB_CI);
}

export interface World {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Milliseconds since the epoch; TICKETING_NOW sets it. */
  now(): number;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** How long the service may take; the client knows what is usual. */
  readonly timeouts?: Partial<Timeouts>;
  /** Aborted by the first Ctrl-C or SIGTERM. */
  readonly interrupted: AbortSignal;
  /** There once a command runs; stdout and stderr mask them by themselves, files do it when they are written. */
  readonly secrets?: Secrets;
}
