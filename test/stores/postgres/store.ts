// A PostgreSQL of its own as a place for state, reached through a proxy that can lose responses.
import { connect, createServer, type Socket } from "node:net";
import { databaseAddress } from "../../../src/state/postgres/database-address.ts";
import { openStateRows } from "../../../src/state/postgres/postgres-store.ts";
import type { StartedStore, StoreUnderTest } from "../store-under-test.ts";
import { type PostgresServer, startPostgres } from "./server.ts";

export const postgresUnderTest: StoreUnderTest = { name: "postgres", noticesDeath: true, start };

const project = "festival";

async function start(): Promise<StartedStore> {
  const server = await startPostgres();
  const proxy = await startProxy(server.port);
  const url = server.url().replace(`:${server.port}/`, `:${proxy.port}/`);
  const address = databaseAddress({ TICKETING_STATE_URL: url });
  if (!address.ok) throw new Error(address.message);
  let isAway = false;
  return {
    settings: { backend: "postgres", schema: "ticketing", project },
    env: { TICKETING_STATE_URL: url },
    secrets: [new URL(url).password],
    files: async (environment) =>
      openStateRows({ address: address.value, schema: "ticketing", project, environment, migrates: true }),
    plant: (environment, files) => plant(server, environment, files),
    loseNextResponse: async () => proxy.loseNextResponse(),
    async away() {
      isAway = true;
      await server.stop();
    },
    async back() {
      if (isAway) await server.start();
      isAway = false;
    },
    async stop() {
      proxy.stop();
      await server.remove();
    },
  };
}

async function plant(server: PostgresServer, environment: string, files: Readonly<Record<string, string>>) {
  const [one] = await server.sql("select to_regclass('ticketing.head') as head");
  if (one?.head === null) throw new Error("Nothing was ever written.");
  await server.sql(
    `insert into ticketing.head values ('${project}', '${environment}', 1, gen_random_uuid(), null, now())`,
  );
  for (const [file, text] of Object.entries(files))
    await server.sql(`insert into ticketing.part values ('${project}', '${environment}', '${file}', 1, $p$${text}$p$)`);
}

async function startProxy(to: number) {
  const sockets = new Set<Socket>();
  let isLosing = false;
  const server = createServer((client) => {
    const upstream = connect(to, "127.0.0.1");
    let isLost = false;
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on("error", () => undefined);
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    client.on("data", (data) => {
      if (isLosing && data.includes("with begun as")) {
        isLosing = false;
        isLost = true;
      }
      upstream.write(data);
    });
    // By the time of the response it is written.
    upstream.on("data", (data) => void (isLost ? client.destroy() : client.write(data)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    loseNextResponse() {
      isLosing = true;
    },
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
