import { SandboxError } from "./sandbox-error.ts";

/** Somebody else listens on the port. */
export class PortTakenError extends SandboxError {
  override readonly name = "PortTakenError";
  readonly port: number;

  constructor(port: number) {
    super(
      "port-taken",
      `Port ${port} on 127.0.0.1 is taken by another program.`,
      "Choose another with --port N, or let one be chosen with --port 0.",
    );
    this.port = port;
  }
}
