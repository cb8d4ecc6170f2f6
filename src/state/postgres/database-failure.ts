// Why the database could not be read or written, from what PostgreSQL, the network or TLS says about it.
import { closedStore, type StoreFailure, type StoreHints, storeFailure } from "../shared/shared-files.ts";

/** What was asked of the database, and as whom. */
export interface Doing {
  readonly what: "connect" | "read" | "write" | "create";
  readonly role: string;
  readonly database: string;
  readonly schema: string;
}

export function databaseFailure(error: unknown, doing: Doing): StoreFailure {
  const { code = "", message } = error as { readonly code?: string; readonly message: string };
  const state = sqlState(error);
  if (message === closedStore) return storeFailure("setup", message);
  const known = bySqlState[state];
  if (state === "42501") return storeFailure("refused", message, grantsFor(doing));
  if (known !== undefined) return storeFailure(known[0], known[2] ?? message, known[1]);
  if (/^(08|57)/.test(state)) return storeFailure("unreachable", message, stoppedHint);
  if (state !== "") return storeFailure("refused", `${message} (SQLSTATE ${state})`);
  // pg's own words, before the server has said anything.
  if (/^SASL: .*password must be/.test(message))
    return storeFailure(
      "refused",
      "The server asks for a password, and none is set.",
      "Set it in TICKETING_STATE_URL, in front of the host (special characters percent-encoded), or in PGPASSWORD or PGPASSFILE.",
    );
  if (/server does not support SSL/i.test(message))
    return storeFailure(
      "setup",
      "The server does not offer TLS.",
      "Turn it on there (`ssl = on` in postgresql.conf, with a certificate). In a network that is yours alone, sslmode=disable connects without it.",
    );
  if (isTls(code, message))
    return storeFailure(
      "setup",
      message,
      "Set the authority's certificate with sslrootcert in TICKETING_STATE_URL or with PGSSLROOTCERT. In a network that nobody else can reach, you can use sslmode=require, which does not check the certificate, or sslmode=disable, which turns TLS off.",
    );
  return storeFailure("unreachable", message || code || "no connection");
}

/** The code of what the server itself says; empty where it is the network that speaks. */
export function sqlState(error: unknown): string {
  const { code = "", severity } = error as { readonly code?: string; readonly severity?: string };
  return severity === undefined ? "" : code;
}

/** True where the connection is gone, and the statement may have had its effect. */
export function isCutOff(error: unknown): boolean {
  return /^$|^08|^57P/.test(sqlState(error));
}

const checkCredentials =
  "Check the user and the password in TICKETING_STATE_URL, or PGUSER and PGPASSWORD; percent-encode special characters in the URL.";
const stoppedHint = "Wait until the server is up again, then run the command again.";

const bySqlState: Readonly<Record<string, readonly [StoreFailure["reason"], string, string?]>> = {
  "28P01": ["refused", checkCredentials],
  "28000": ["refused", checkCredentials],
  "3D000": [
    "setup",
    "Create it with `createdb`, or name another one at the end of TICKETING_STATE_URL or in PGDATABASE.",
  ],
  "25006": [
    "refused",
    "Use the primary server in TICKETING_STATE_URL: a replica is enough for `plan`, not for `apply`.",
    "The server accepts no writes: it is a replica, or set to read only.",
  ],
  "53100": [
    "refused",
    "Free some space on the server's disk, then run the command again: it finishes what is left.",
    "The server's disk is full.",
  ],
  "53300": [
    "unreachable",
    "Wait until other connections have ended, or raise max_connections on the server. A run uses two connections.",
    "The server has no connection left.",
  ],
  "55P03": ["unreachable", "Somebody holds a lock on the tables of the state: end that transaction."],
  "57014": [
    "unreachable",
    "Raise statement_timeout for this role, or end the transaction that holds a lock on the tables of the state.",
  ],
};

function isTls(code: string, message: string): boolean {
  return /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code) || /\bSSL\b|certificate/i.test(message);
}

function grantsFor({ what, role, database, schema }: Doing): string {
  const to = `TO ${sqlName(role)};`;
  if (what === "connect") return `Let an owner run: GRANT CONNECT ON DATABASE ${sqlName(database)} ${to}`;
  if (what === "create")
    return `Let an owner run: GRANT CREATE ON DATABASE ${sqlName(database)} ${to} The first run that writes creates the schema; the right is not needed after that.`;
  const rights = what === "read" ? "SELECT" : "SELECT, INSERT, UPDATE, DELETE";
  return `Let an owner run: GRANT USAGE ON SCHEMA ${sqlName(schema)} ${to} GRANT ${rights} ON ALL TABLES IN SCHEMA ${sqlName(schema)} ${to}`;
}

export function sqlName(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

export const databaseHints: StoreHints = {
  refused: "Check what the server says about it in its log.",
  unreachable: "Check the connection to the server, then run the command again. Nothing was sent to the service.",
  foreign: "Choose another schema or project with `state: { backend: postgres, schema: …, project: … }`.",
  unsafe: "Keep the state in another database.",
  setup: "Set TICKETING_STATE_URL=postgres://… in the environment, or `state: { backend: file }` in ticketing.yaml.",
};
