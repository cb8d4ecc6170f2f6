// Passes the secrets of webhooks to a command on its standard input, because other users could see arguments.
import { spawn } from "node:child_process";
import { longestCommandMs, type SecretStore, type WebhookSecret } from "../run/run-context.ts";

export interface CommandSinkSetup {
  readonly command: readonly string[];
  readonly directory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs?: number;
}

const longestOutput = 400;

export function commandSink(setup: CommandSinkSetup): SecretStore {
  return {
    // A command only stores; it cannot be asked.
    holds: async () => null,
    put: (secret) => runCommand(setup, secret),
  };
}

function runCommand(setup: CommandSinkSetup, { secret, name }: WebhookSecret): Promise<string | null> {
  const [program, ...rest] = setup.command;
  if (program === undefined) return Promise.resolve("The secrets command is empty.");
  if (name === null && setup.command.some((arg) => arg.includes(placeholder)))
    return Promise.resolve("The webhook has no `secretName`, but the secrets command needs one.");
  const args = rest.map((arg) => arg.replaceAll(placeholder, name ?? ""));
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: setup.directory,
      env: { ...setup.env },
      stdio: ["pipe", "ignore", "pipe"],
      shell: false,
    });
    let output = "";
    let timer: NodeJS.Timeout | undefined;
    child.on("error", (error) => {
      clearTimeout(timer);
      resolve(`The secrets command ${program} cannot be started: ${error.message}.`);
    });
    // If no more files can be opened, there are no pipes either.
    if ((child.stdin as typeof child.stdin | undefined) === undefined) return;
    timer = setTimeout(() => {
      child.kill("SIGKILL");
      // What it started may live on and hold the other end.
      child.stderr.destroy();
    }, setup.timeoutMs ?? longestCommandMs);
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      // Masked before it is cut, and cut so that a secret that arrived only in part is recognized when the rest arrives.
      output = mask(output + text, secret).slice(-(longestOutput + secret.length));
    });
    // A command that does not read its input still has an exit code.
    child.stdin.on("error", () => undefined);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(null);
      else resolve(`The secrets command ${program} exited with ${code ?? signal}${lastOutput(output, secret)}.`);
    });
    child.stdin.end(secret);
  });
}

const placeholder = "{secretName}";

function lastOutput(output: string, secret: string): string {
  const last = mask(output, secret).slice(-longestOutput).trim();
  return last === "" ? "" : `: ${last}`;
}

function mask(text: string, secret: string): string {
  return text.replaceAll(secret, "***");
}
