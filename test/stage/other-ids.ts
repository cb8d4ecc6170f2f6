// A service in front of the sandbox that spells ids in its own way, and knows no other spelling.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

export interface OtherIds {
  readonly baseUrl: string;
  /** Calls that named an id in another spelling than it was shown in. */
  readonly misspelled: readonly string[];
  close(): Promise<void>;
}

/** `spell`: how an id of the sandbox is shown. */
export async function serveOtherIds(baseUrl: string, spell: (id: string) => string): Promise<OtherIds> {
  const original = new Map<string, string>();
  const misspelled: string[] = [];
  const show = (text: string) =>
    text.replace(uuid, (id) => {
      original.set(spell(id), id);
      return spell(id);
    });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const wrong: string[] = [];
      const understand = (text: string) =>
        text.replace(uuid, (id) => {
          if (!original.has(id)) wrong.push(id);
          return original.get(id) ?? "00000000-0000-4000-8000-00000000dead";
        });
      const { method = "GET", url = "/" } = request;
      const body = understand(Buffer.concat(chunks).toString("utf8"));
      const path = understand(url);
      if (wrong.length > 0) misspelled.push(`${method} ${url}`);
      const answer = await fetch(new URL(path, baseUrl), {
        method,
        headers: { "api-key": String(request.headers["api-key"]), "content-type": "application/json" },
        ...(body === "" ? {} : { body }),
      });
      response.writeHead(answer.status, { "content-type": "application/json" });
      response.end(show(await answer.text()));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const address = new URL(baseUrl);
  address.port = String(port);
  return {
    baseUrl: address.href,
    misspelled,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
