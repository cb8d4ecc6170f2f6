// The YAML language server, spoken to as an editor does: JSON-RPC over its standard streams.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

export interface Found {
  readonly message: string;
  readonly range: { readonly start: { readonly line: number; readonly character: number } };
}

export interface Place {
  readonly line: number;
  readonly character: number;
}

export interface Editor {
  /** Opens a text as if it were in that file, and gives what the server finds wrong with it. */
  open(path: string, text: string): Promise<readonly Found[]>;
  /** What is offered there, each with what is said of it. */
  complete(path: string, position: Place): Promise<ReadonlyMap<string, string>>;
  hover(path: string, position: Place): Promise<string>;
  close(): Promise<void>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

export async function startEditor(folder: string): Promise<Editor> {
  const manifest = createRequire(import.meta.url).resolve("yaml-language-server/package.json");
  const program = join(dirname(manifest), "bin", "yaml-language-server");
  const server = spawn(process.execPath, [program, "--stdio"], { stdio: ["pipe", "pipe", "ignore"] });
  const answers = new Map<number, (result: unknown) => void>();
  const findings = new Map<string, (found: readonly Found[]) => void>();
  let lastId = 0;

  function send(message: object): void {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  function ask(method: string, params: unknown): Promise<unknown> {
    lastId += 1;
    const id = lastId;
    send({ id, method, params });
    return new Promise((resolve) => answers.set(id, resolve));
  }

  function receive(message: Message): void {
    if (message.method === "textDocument/publishDiagnostics") {
      const { uri, diagnostics } = message.params as { uri: string; diagnostics: Found[] };
      findings.get(uri)?.(diagnostics);
    } else if (message.method !== undefined && message.id !== undefined) {
      // The server asks for settings and to register itself; an editor without settings has nothing to say.
      send({ id: message.id, result: message.method === "workspace/configuration" ? [{}, {}, {}, {}, {}] : null });
    } else if (message.id !== undefined) {
      answers.get(message.id)?.(message.result);
    }
  }

  server.stdout.on("data", makeReader(receive));
  const rootUri = pathToFileURL(folder).href;
  const workspaceFolders = [{ uri: rootUri, name: "project" }];
  const capabilities = { textDocument: { completion: {}, hover: { contentFormat: ["plaintext"] } } };
  await ask("initialize", { processId: process.pid, rootUri, workspaceFolders, capabilities });
  send({ method: "initialized", params: {} });
  const settings = { yaml: { validate: true, hover: true, completion: true, schemaStore: { enable: false } } };
  send({ method: "workspace/didChangeConfiguration", params: { settings } });

  const at = (path: string, position: Place) => ({ textDocument: { uri: pathToFileURL(path).href }, position });
  return {
    open(path, text) {
      const uri = pathToFileURL(path).href;
      const found = new Promise<readonly Found[]>((resolve) => findings.set(uri, resolve));
      send({ method: "textDocument/didOpen", params: { textDocument: { uri, languageId: "yaml", version: 1, text } } });
      return found;
    },
    async complete(path, position) {
      const list = (await ask("textDocument/completion", at(path, position))) as {
        items: { label: string; documentation?: string | { value: string } }[];
      };
      return new Map(
        list.items.map(({ label, documentation = "" }) => [
          label,
          typeof documentation === "string" ? documentation : documentation.value,
        ]),
      );
    },
    async hover(path, position) {
      const hover = (await ask("textDocument/hover", at(path, position))) as { contents: { value: string } } | null;
      return hover?.contents.value ?? "";
    },
    async close() {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      await ask("shutdown", null);
      send({ method: "exit" });
      await ended;
    },
  };
}

function makeReader(receive: (message: Message) => void): (chunk: Buffer) => void {
  let buffer = Buffer.alloc(0);
  return (chunk) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const [head, length] = /Content-Length: (\d+)\r\n(?:.+\r\n)*\r\n/.exec(buffer.toString("latin1")) ?? [];
      if (head === undefined || length === undefined) return;
      const start = buffer.indexOf(head, 0, "latin1") + head.length;
      const end = start + Number(length);
      if (buffer.length < end) return;
      const message = JSON.parse(buffer.toString("utf8", start, end)) as Message;
      buffer = buffer.subarray(end);
      receive(message);
    }
  };
}
