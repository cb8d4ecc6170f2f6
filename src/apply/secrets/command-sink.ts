// Secrets of webhooks handed to a command, on its standard input: never as an argument, which other users could see.
import { spawn } from "node:child_process";
import type { SecretStore, WebhookSecret } from "../run/run.ts";

export interface CommandSinkSetup {
  readonly command: readonly string[];
  readonly directory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs?: number;
}

const longestMs = 60_000;
const mostWords = 400;

export function commandSink(setup: CommandSinkSetup): SecretStore {
  return {
    // Nobody can look into a store that only takes.
    holds: async () => null,
    put: (secret) => run(setup, secret),
  };
}

function run(setup: CommandSinkSetup, { secret, name }: WebhookSecret): Promise<string | null> {
  const [program, ...rest] = setup.command;
  if (program === undefined) return Promise.resolve("The command for secrets is empty.");
  if (name === null && setup.command.some((word) => word.includes(placeholder))) {
    return Promise.resolve("The webhook has no `secretName`, and the command for secrets needs one.");
  }
  const words = rest.map((word) => word.replaceAll(placeholder, name ?? ""));
  return new Promise((resolve) => {
    const child = spawn(program, words, {
      cwd: setup.directory,
      env: { ...setup.env },
      stdio: ["pipe", "ignore", "pipe"],
      shell: false,
    });
    let said = "";
    let timer: NodeJS.Timeout | undefined;
    child.on("error", (error) => {
      clearTimeout(timer);
      resolve(`The command for secrets, ${program}, cannot be started: ${error.message}.`);
    });
    // Where no more files can be opened, there are no pipes either.
    if ((child.stdin as typeof child.stdin | undefined) === undefined) return;
    timer = setTimeout(() => {
      child.kill("SIGKILL");
      // What it started may live on and hold the other end.
      child.stderr.destroy();
    }, setup.timeoutMs ?? longestMs);
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      // Masked before it is cut, and cut so that one that has come in part is still whole when the rest comes.
      said = mask(said + text, secret).slice(-(mostWords + secret.length));
    });
    // A command that does not read its input still has an exit code to tell by.
    child.stdin.on("error", () => undefined);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(null);
      else resolve(`The command for secrets, ${program}, ended with ${code ?? signal}${lastWords(said, secret)}.`);
    });
    child.stdin.end(secret);
  });
}

const placeholder = "{secretName}";

function lastWords(said: string, secret: string): string {
  const words = mask(said, secret).slice(-mostWords).trim();
  return words === "" ? "" : `: ${words}`;
}

function mask(text: string, secret: string): string {
  return text.replaceAll(secret, "***");
}
