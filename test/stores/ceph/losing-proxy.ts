// Between the program and a store: passes everything on, and can keep one response to itself.
import { createServer, request } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export interface LosingProxy {
  readonly endpoint: string;
  /** The next write of this key takes effect, and no one hears of it. */
  loseNextWrite(ending: string): void;
  away(): Promise<void>;
  back(): Promise<void>;
}

export async function startLosingProxy(target: string): Promise<LosingProxy> {
  const { hostname, port } = new URL(target);
  let losing: string | null = null;
  let listening: number | undefined;
  const sockets = new Set<Socket>();

  function make() {
    const server = createServer((incoming, outgoing) => {
      const { method = "", url = "", headers } = incoming;
      const isLost = losing !== null && method === "PUT" && url.endsWith(losing);
      if (isLost) losing = null;
      // The signature names the host that the program has called.
      const passed = request({ hostname, port, method, path: url, headers }, (response) => {
        if (isLost) {
          response.resume().on("end", () => incoming.socket.destroy());
          return;
        }
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      });
      passed.on("error", () => incoming.socket.destroy());
      incoming.pipe(passed);
    });
    return server.on("connection", (socket) => {
      sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    });
  }

  let server = make();
  async function listen(): Promise<void> {
    await new Promise<void>((resolve) => server.listen(listening ?? 0, "127.0.0.1", resolve));
    listening = (server.address() as AddressInfo).port;
  }
  await listen();
  return {
    endpoint: `http://127.0.0.1:${listening}`,
    loseNextWrite(ending) {
      losing = ending;
    },
    async away() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
    async back() {
      losing = null;
      if (server.listening) return;
      server = make();
      await listen();
    },
  };
}
