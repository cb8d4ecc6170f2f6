// A real PostgreSQL in its own folder, on a free port of this machine.
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { removeFolder } from "../../stage/remove-folder.ts";

export interface PostgresServer {
  readonly port: number;
  /** The address for a role and a database; by default the owner of everything, in its own database. */
  url(options?: { readonly role?: string; readonly password?: string; readonly database?: string }): string;
  /** As the superuser. */
  sql<Row = Record<string, unknown>>(text: string, database?: string): Promise<readonly Row[]>;
  /** Addresses behind a PgBouncer that gives every transaction another connection. */
  startPooler(): Promise<{ readonly url: string; stop(): void }>;
  start(): Promise<void>;
  /** "immediate": as when the power fails. */
  stop(mode?: "fast" | "immediate"): Promise<void>;
  remove(): Promise<void>;
}

const password = "s3cret-of-the-database";

export async function startPostgres(settings: readonly string[] = ["fsync=off"]): Promise<PostgresServer> {
  const place = mkdtempSync(join(tmpdir(), "ticketing-postgres-"));
  const data = join(place, "data");
  const port = await freePort();
  const user = process.getuid?.() === 0 ? "postgres" : null;
  const { uid, gid } = serverUser();
  chmodSync(place, 0o755);
  chownSync(place, uid, gid);
  /** The server does not run as root. */
  const asUser = (words: readonly string[]) => (user === null ? words : ["runuser", "-u", user, "--", ...words]);
  function run(...words: readonly string[]): void {
    const [program = "", ...args] = asUser([join(binaries(), words[0] ?? ""), ...words.slice(1)]);
    execFileSync(program, args, { cwd: place, stdio: ["ignore", "ignore", "pipe"] });
  }
  // To make a cluster takes ten times as long as to copy one: the first of a run leaves its own to be copied.
  const first = join(tmpdir(), "postgres-cluster");
  if (!existsSync(first)) {
    run("initdb", "-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "--locale=C.UTF-8", "-E", "UTF8");
    try {
      renameSync(data, first);
    } catch {
      // One that was faster has left one that is as good.
    }
  }
  if (!existsSync(data)) execFileSync("cp", ["-Rp", first, data]);
  writeFileSync(join(data, "pg_hba.conf"), rules);
  const flags = ["-p", String(port), "-k", place, "-h", "127.0.0.1", ...settings.flatMap((each) => ["-c", each])];

  async function start(): Promise<void> {
    const [program = "", ...args] = asUser([join(binaries(), "postgres"), "-D", data, ...flags]);
    spawn(program, args, { cwd: place, stdio: "ignore", detached: true }).unref();
    for (let again = 300; ; again -= 1) {
      try {
        await sql("select 1", "postgres");
        return;
      } catch (error) {
        if (again === 0) throw error;
        await sleep(50);
      }
    }
  }

  async function stop(mode: "fast" | "immediate" = "fast"): Promise<void> {
    if (existsSync(join(data, "postmaster.pid"))) run("pg_ctl", "-D", data, "stop", "-s", "-m", mode);
  }

  async function sql<Row>(text: string, database = "ticketing"): Promise<readonly Row[]> {
    const client = new pg.Client({ host: place, port, user: "postgres", database });
    client.on("error", () => undefined);
    try {
      await client.connect();
      return (await client.query(text)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async function startPooler() {
    const listenPort = await freePort();
    const file = join(place, `pgbouncer-${listenPort}.ini`);
    writeFileSync(join(place, "users.txt"), `"ticketing" "${password}"\n`);
    writeFileSync(
      file,
      `[databases]
* = host=127.0.0.1 port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(place, "users.txt")}
pool_mode = transaction
default_pool_size = 2
`,
    );
    const [program = "", ...args] = asUser(["/usr/sbin/pgbouncer", "-q", file]);
    const child = spawn(program, args, { cwd: place, stdio: "ignore" });
    for (let again = 200; !(await isListening(listenPort)); again -= 1) {
      if (again === 0) throw new Error("PgBouncer does not start: `apt-get install pgbouncer`.");
      await sleep(50);
    }
    const url = `postgres://ticketing:${password}@127.0.0.1:${listenPort}/ticketing`;
    return { url, stop: () => void child.kill() };
  }

  await start();
  await sql(`create role ticketing login password '${password}'`, "postgres");
  await sql("create database ticketing owner ticketing", "postgres");
  return {
    port,
    url: (options = {}) =>
      `postgres://${options.role ?? "ticketing"}:${options.password ?? password}@127.0.0.1:${port}/${options.database ?? "ticketing"}`,
    sql,
    startPooler,
    start,
    stop,
    async remove() {
      await stop("immediate");
      removeFolder(place);
    },
  };
}

/** The superuser by the socket alone; everybody else with a password. */
const rules = "local all postgres trust\nhost all all 127.0.0.1/32 scram-sha-256\n";

function binaries(): string {
  const versions = existsSync("/usr/lib/postgresql") ? readdirSync("/usr/lib/postgresql") : [];
  const [newest] = versions.sort((one, other) => Number(other) - Number(one));
  if (newest === undefined) throw new Error("PostgreSQL is not installed: `apt-get install postgresql`.");
  return join("/usr/lib/postgresql", newest, "bin");
}

/** Who the server runs as: it refuses to be root. */
export function serverUser(): { readonly uid: number; readonly gid: number } {
  const { uid, gid } = userInfo();
  if (uid !== 0) return { uid, gid };
  const idOf = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
