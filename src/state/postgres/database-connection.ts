// One connection to the database, opened again when it is lost. It is never shared: an advisory lock on it shows others that
// this process is alive, because the server releases the lock when the connection ends.
import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { closedStore } from "../shared/shared-files.ts";
import type { DatabaseAddress } from "./database-address.ts";
import { isCutOff } from "./database-failure.ts";

export interface DatabaseConnection {
  /** Under which others see the connection. */
  readonly name: string;
  /** Runs one statement; rejects with what the server or the network says. */
  query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** The same; null: the connection was lost, and another one has claimed it since. */
  change<Row>(text: string, values: readonly unknown[]): Promise<readonly Row[] | null>;
  /**
   * Takes the advisory lock, and takes it again after every loss of the connection. `from`: the connection that may still have it
   * but should not any more; `again`: how often that is retried. False: another one has it, or there is a pooler between, where
   * such a lock proves nothing.
   */
  claim(from: string | null, again: number): Promise<boolean>;
  disclaim(): Promise<void>;
  isConnected(): boolean;
  /** Whether this connection has what was claimed: "none" if nothing was. */
  claimed(): "held" | "lost" | "none";
  close(): Promise<void>;
}

const statementMs = 30_000;

/** `lock`: what the advisory lock is on, in a text that is nowhere used for anything else. */
export function openConnection(address: DatabaseAddress, lock: string): DatabaseConnection {
  const name = `ticketing-${randomBytes(8).toString("hex")}`;
  const key = createHash("sha256").update(lock).digest().readBigInt64BE(0).toString();
  let client: Client | null = null;
  let opening: Client | null = null;
  let isPooled = false;
  let wanted = false;
  let held: Client | null = null;
  let closed = false;
  let queue: Promise<unknown> = Promise.resolve();

  async function connect(): Promise<Client> {
    const made = await makeClient(address, name);
    // A connection that breaks while idle is noticed at the next query.
    made.on("error", () => drop(made));
    opening = made;
    try {
      await made.connect();
      // Some servers confirm what is not on disk yet. A pooler reports another process number than the server's own.
      const { rows } = await made.query(
        `select pg_backend_pid() as pid, case when current_setting('synchronous_commit') = 'off'
           then set_config('synchronous_commit', 'on', false) end as durable`,
      );
      isPooled = rows[0].pid !== (made as Client & { readonly processID?: number }).processID;
      return made;
    } catch (error) {
      drop(made);
      throw error;
    }
  }

  function drop(lost: Client): void {
    if (client === lost) client = null;
    if (held === lost) held = null;
    // With a statement in flight it does not wait for the server.
    void lost.end().catch(() => undefined);
  }

  async function connected(): Promise<Client> {
    if (closed) throw new Error(closedStore);
    client ??= await connect();
    if (wanted && held !== client) await takeLock(client, name);
    return client;
  }

  async function send<Row>(to: Client, text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const timer = setTimeout(() => drop(to), statementMs);
    try {
      return (await to.query({ text, values: [...values] })).rows;
    } catch (error) {
      if (isCutOff(error)) drop(to);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async function takeLock(on: Client, from: string | null): Promise<void> {
    if (isPooled) return;
    const [row] = await send<{ ok: boolean }>(on, "select pg_try_advisory_lock($1) as ok", [key]);
    if (row?.ok === true) held = on;
    else if (from !== null)
      // Only one's own role may be ended without further rights.
      await send(
        on,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = $1 and usename = current_user and pid <> pg_backend_pid()`,
        [from],
      );
  }

  /** One after the other: a connection serves one query at a time anyway. */
  function serially<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = queue.then(work);
    queue = done.catch(() => undefined);
    return done;
  }

  return {
    name,
    query: (text, values = []) => serially(async () => send(await connected(), text, values)),
    change: (text, values) =>
      serially(async () => {
        const on = await connected();
        return wanted && held !== on ? null : send(on, text, values);
      }),
    claim: (from, again) =>
      serially(async () => {
        for (let left = again; ; left -= 1) {
          if (closed) throw new Error(closedStore);
          client ??= await connect();
          if (held !== client) await takeLock(client, from);
          wanted = held !== null && held === client;
          if (wanted || isPooled || left === 0) return wanted;
          // A connection that was just released or ended may need a moment.
          await sleep(100);
        }
      }),
    disclaim: () =>
      serially(async () => {
        wanted = false;
        if (held === null) return;
        const on = held;
        held = null;
        await send(on, "select pg_advisory_unlock($1)", [key]).catch(() => undefined);
      }),
    isConnected: () => client !== null,
    claimed: () => (!wanted ? "none" : held !== null && held === client ? "held" : "lost"),
    async close() {
      closed = true;
      // A statement in flight ends with the connection.
      await opening?.end().catch(() => undefined);
      await queue;
    },
  };
}

async function makeClient(address: DatabaseAddress, name: string): Promise<Client> {
  const pg = await import("pg");
  const { channelBinding, connectMs, ...where } = address;
  return new pg.default.Client({
    ...where,
    enableChannelBinding: channelBinding,
    connectionTimeoutMillis: connectMs,
    application_name: name,
    keepAlive: true,
  });
}
