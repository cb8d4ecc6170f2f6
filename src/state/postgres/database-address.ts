// Which database, and how to get there: from the environment alone, in the words of libpq.
import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import { parseUrl } from "../../model/value.ts";
import { type StoreResult, storeFailure } from "../shared/shared-files.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What is undefined is left to pg, which also reads libpq's variables. */
export interface DatabaseAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string | undefined;
  readonly options: string | undefined;
  readonly ssl: false | ConnectionOptions;
  readonly channelBinding: boolean;
  readonly connectMs: number;
}

const example = "postgres://db.example.com/ticketing";

export function databaseAddress(env: Env): StoreResult<DatabaseAddress> {
  const given = (env.TICKETING_STATE_URL ?? "").trim();
  // A slash or a question mark ends the part with the password; the rest of it would count as the host, be looked up and printed.
  if (/^\w+:\/\/[^/?#]*[/?#].*@/s.test(given))
    return storeFailure(
      "setup",
      "TICKETING_STATE_URL has an @ after its first slash, question mark or number sign: part of the password would be read as the host.",
      "Percent-encode special characters of the user and the password (@ is %40, / is %2F, ? is %3F, # is %23), or set PGUSER and PGPASSWORD.",
    );
  const url = given === "" ? null : parseDatabaseUrl(given);
  if (given !== "" && url === null)
    return storeFailure(
      "setup",
      "TICKETING_STATE_URL is not the URL of one PostgreSQL server.",
      `Write it like ${example}, with the user and the password in front of the host (special characters percent-encoded) or in PGUSER and PGPASSWORD. If there are several servers, use one host name that always points to the primary.`,
    );
  /** The address comes first, then libpq's own variable. */
  function setting(parameter: string, variable: string, part = ""): string | undefined {
    return url?.searchParams.get(parameter) || part || env[variable] || undefined;
  }
  const host = setting("host", "PGHOST", decoded(url?.hostname.replace(/^\[(.+)\]$|^host\.invalid$/, "$1")));
  if (host === undefined || host.includes(","))
    return storeFailure(
      "setup",
      host === undefined
        ? "Neither TICKETING_STATE_URL nor PGHOST names a PostgreSQL server."
        : "Several PostgreSQL servers are named, and `ticketing` connects to one.",
      `Set TICKETING_STATE_URL in the environment, like ${example}, or libpq's variables: PGHOST, PGDATABASE, PGUSER, PGPASSWORD.`,
    );
  const tls = tlsOf(setting("sslmode", "PGSSLMODE"), isLocal(host), {
    ca: setting("sslrootcert", "PGSSLROOTCERT"),
    cert: setting("sslcert", "PGSSLCERT"),
    key: setting("sslkey", "PGSSLKEY"),
  });
  if (!tls.ok) return tls;
  const seconds = Number(setting("connect_timeout", "PGCONNECT_TIMEOUT"));
  return {
    ok: true,
    value: {
      host,
      port: Number(setting("port", "PGPORT", url?.port)) || 5432,
      user: setting("user", "PGUSER", decoded(url?.username)),
      password: setting("password", "PGPASSWORD", decoded(url?.password)),
      database: setting("dbname", "PGDATABASE", decoded(url?.pathname.slice(1))),
      options: setting("options", "PGOPTIONS"),
      ssl: tls.value,
      channelBinding: setting("channel_binding", "PGCHANNELBINDING") === "require",
      connectMs: seconds > 0 ? seconds * 1_000 : 10_000,
    },
  };
}

const noHost = "host.invalid";

/** Null if it is not one. A URL with a user and no host is allowed by libpq, and not by the standard. */
function parseDatabaseUrl(text: string): URL | null {
  const url = parseUrl(text.replace(/^(\w+:\/\/[^/?]*@)(?=\/)/, `$1${noHost}`));
  return url?.protocol === "postgres:" || url?.protocol === "postgresql:" ? url : null;
}

function decoded(part = ""): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function isLocal(host: string): boolean {
  return host.startsWith("/") || host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

interface CertificateFiles {
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

/** As libpq means them; pg itself treats `require` as `verify-full`, and will not in its next version. */
function tlsOf(mode: string | undefined, local: boolean, files: CertificateFiles): StoreResult<DatabaseAddress["ssl"]> {
  const wanted = mode ?? (local ? "disable" : "verify-full");
  if (wanted === "disable") return { ok: true, value: false };
  if (wanted !== "require" && wanted !== "verify-ca" && wanted !== "verify-full")
    return storeFailure(
      "setup",
      wanted === "prefer" || wanted === "allow"
        ? `With sslmode=${wanted} the connection may be unencrypted without anybody noticing.`
        : `There is no sslmode "${wanted}".`,
      "Write sslmode=verify-full; `require` encrypts without checking which server it is, `disable` does not encrypt.",
    );
  if (wanted === "verify-ca" && files.ca === undefined)
    return storeFailure(
      "setup",
      "sslmode=verify-ca needs sslrootcert: without it, a certificate of any public authority would be accepted.",
      "Write sslmode=verify-full, or name the authority's certificate with sslrootcert or PGSSLROOTCERT.",
    );
  try {
    const read = Object.entries(files).flatMap(([name, file]) =>
      file === undefined || file === "system" ? [] : [[name, readFileSync(file, "utf8")]],
    );
    const anyName = { checkServerIdentity: () => undefined };
    const checks = wanted === "verify-full" ? {} : files.ca === undefined ? { rejectUnauthorized: false } : anyName;
    return { ok: true, value: { ...Object.fromEntries(read), ...checks } };
  } catch (error) {
    const hint = "Check sslrootcert, sslcert and sslkey, or PGSSLROOTCERT, PGSSLCERT and PGSSLKEY.";
    return storeFailure("setup", `A certificate could not be read: ${(error as Error).message}`, hint);
  }
}
