// Rows of a PostgreSQL schema as a place for a few small files: read by one statement, written by another that compares and swaps.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type BackendSettings, type BackendSetup, checkAgreed, projectName } from "../shared/backend-setup.ts";
import { lockFile, parseHolder } from "../shared/holder.ts";
import {
  checkMarker,
  type FilesVersion,
  readAgain,
  type SharedFiles,
  type StoredFiles,
  type StoreFailure,
  type StoreResult,
  storeFailure,
  withMarker,
} from "../shared/shared-files.ts";
import { sharedStore } from "../shared/shared-store.ts";
import type { StateStore } from "../store.ts";
import { type DatabaseAddress, databaseAddress } from "./database-address.ts";
import { type DatabaseConnection, openConnection } from "./database-connection.ts";
import { type Doing, databaseFailure, databaseHints, isCutOff, sqlState } from "./database-failure.ts";
import { migrationOf, readQuery, schemaVersion, tipQuery, versionQuery, writeQuery } from "./schema.ts";

export interface RowsPlace {
  readonly address: DatabaseAddress;
  readonly schema: string;
  readonly project: string;
  readonly environment: string;
  /** Whether a write makes the tables, or brings them up to date. */
  readonly migrates: boolean;
}

interface HeadRow {
  readonly epoch: string;
  readonly version: string;
  /** The connection whose advisory lock shows that the holder is alive; null: there is no such sign. */
  readonly connection: string | null;
}

/** Longer than a holder takes to notice that its timers are late. */
const marginMs = 500;

export function openStateRows(place: RowsPlace): SharedFiles {
  const { address, schema, project, environment } = place;
  const connection = openConnection(address, JSON.stringify(["ticketing", schema, project, environment]));
  const { failed, checkVersion, prepare } = stateTables(connection, place);
  const name = `${schema}, project "${project}", environment "${environment}"`;
  const key = [project, environment];
  /** Of the version that was read last. */
  let lastRead: { readonly id: string; readonly connection: string | null } = { id: "", connection: null };

  /** None, where there is no such schema. */
  async function rowsOf<Row>(query: string): Promise<StoreResult<readonly Row[]>> {
    const version = await checkVersion();
    if (!version.ok) return version;
    try {
      return { ok: true, value: version.value === 0 ? [] : await connection.query<Row>(query, key) };
    } catch (error) {
      return failed(error, "read");
    }
  }

  async function head(): Promise<StoreResult<HeadRow | null>> {
    const rows = await rowsOf<HeadRow>(tipQuery(schema));
    return rows.ok ? { ok: true, value: rows.value[0] ?? null } : rows;
  }

  async function tip(): Promise<StoreResult<string | null>> {
    const row = await head();
    if (!row.ok) return row;
    const isOurs = row.value !== null && row.value.connection === connection.name;
    // The one that has the advisory lock now may be about to take over.
    if (isOurs && connection.claimed() === "lost") return lockLost;
    return { ok: true, value: row.value === null ? null : idOf(row.value) };
  }

  async function readOnce(): Promise<StoreResult<FilesVersion | null>> {
    const rows = await rowsOf<HeadRow & { name: string | null; content: string }>(readQuery(schema));
    if (!rows.ok) return rows;
    const [first] = rows.value;
    if (first === undefined) return { ok: true, value: null };
    const files = new Map(rows.value.flatMap(({ name: file, content }) => (file === null ? [] : [[file, content]])));
    lastRead = { id: idOf(first), connection: first.connection };
    return checkMarker(files, environment, name) ?? { ok: true, value: { id: lastRead.id, files } };
  }

  async function swap(
    files: StoredFiles,
    before: FilesVersion | null,
    onVersion?: (version: FilesVersion) => void,
  ): Promise<StoreResult<FilesVersion>> {
    const [epoch = null, seenVersion = null] = before?.id.split(" ") ?? [];
    const version = randomUUID();
    const next = { id: idOf({ epoch: String(BigInt(epoch ?? 0) + 1n), version }), files };
    onVersion?.(next);
    const { gone, names, contents } = changesOf(before?.files ?? new Map(), files);
    const sign = tokenIn(files) !== undefined && connection.claimed() !== "none" ? connection.name : null;
    try {
      const values = [...key, epoch, seenVersion, version, sign, gone, names, contents];
      const rows = await connection.change(writeQuery(schema), values);
      if (rows === null) return lockLost;
      if (rows.length > 0) return { ok: true, value: next };
    } catch (error) {
      const failure = failed(error, "write");
      if (!isCutOff(error)) return failure;
      // Perhaps only the response was lost.
      const now = await head();
      return now.ok && now.value !== null && idOf(now.value) === next.id ? { ok: true, value: next } : failure;
    }
    return storeFailure("moved", `${name} was written by somebody else.`);
  }

  return {
    name,
    tip,
    read: () => readAgain(readOnce),
    async write(files, before, _subject, onVersion) {
      const ready = await prepare();
      if (ready !== null) return ready;
      const token = tokenIn(files);
      const isTaking = token !== undefined && token !== (before === null ? undefined : tokenIn(before.files));
      try {
        if (isTaking)
          await connection.claim(before !== null && before.id === lastRead.id ? lastRead.connection : null, 2);
      } catch (error) {
        return failed(error, "write");
      }
      const written = await swap(withMarker(files, environment), before, onVersion);
      if (token === undefined ? written.ok : isTaking && !written.ok) await connection.disclaim();
      return written;
    },
    async claimAbandoned(version, staleMs) {
      if (version.id !== lastRead.id || lastRead.connection === null) return false;
      try {
        if (!(await connection.claim(null, 0))) return false;
        const now = await tip();
        // It may only have been cut off, and act on what it was sent before that.
        if (now.ok && now.value === version.id) await sleep(staleMs + marginMs);
        if (now.ok && now.value === version.id && connection.claimed() === "held") return true;
        await connection.disclaim();
      } catch {
        // Without a response, the usual time must pass.
      }
      return false;
    },
    close: () => connection.close(),
  };
}

/** The tables of the schema: which version they have, and how they are made or brought up to date before a write. */
function stateTables(connection: DatabaseConnection, { address, schema, migrates }: RowsPlace) {
  /** As the database has it; null: not asked yet. */
  let present: number | null = null;

  function failed(error: unknown, what: Doing["what"]): StoreFailure {
    const { user = "", database = user } = address;
    return databaseFailure(error, { what, role: user, database, schema });
  }

  /** 0: there is no such schema. */
  async function checkVersion(): Promise<StoreResult<number>> {
    if (present === schemaVersion) return { ok: true, value: present };
    try {
      const rows = await connection.query<{ version: number }>(versionQuery(schema));
      present = rows[0]?.version ?? 0;
    } catch (error) {
      if (!isSchemaMissing(error)) return failed(error, connection.isConnected() ? "read" : "connect");
      present = 0;
    }
    return present > schemaVersion
      ? storeFailure(
          "too-new",
          `The schema "${schema}" has version ${present}, and this version of \`ticketing\` knows ${schemaVersion}.`,
        )
      : { ok: true, value: present };
  }

  async function prepare(): Promise<StoreFailure | null> {
    const version = await checkVersion();
    if (!version.ok) return version;
    if (version.value === schemaVersion) return null;
    if (!migrates)
      return storeFailure("refused", `The tables in the schema "${schema}" are not there, or of an older version.`);
    try {
      await connection.query(migrationOf(schema));
      present = null;
      const made = await checkVersion();
      return made.ok ? null : made;
    } catch (error) {
      return failed(error, "create");
    }
  }

  return { failed, checkVersion, prepare };
}

/** What to delete, and what to add: for a file that only grew, only what was added. */
function changesOf(before: StoredFiles, files: StoredFiles) {
  const gone: string[] = [...before.keys()].filter((file) => !files.has(file));
  const [names, contents]: [string[], string[]] = [[], []];
  for (const [file, content] of files) {
    const present = before.get(file);
    if (present === content) continue;
    const grows = present !== undefined && content.startsWith(present);
    if (present !== undefined && !grows) gone.push(file);
    names.push(file);
    contents.push(grows ? content.slice(present.length) : content);
  }
  return { gone, names, contents };
}

/** The token of a lone holder: a connection is no sign of life for several that hold the lock together. */
function tokenIn(files: StoredFiles): string | undefined {
  const text = files.get(lockFile);
  return text === undefined ? undefined : parseHolder(text).token;
}

function idOf({ epoch, version }: Pick<HeadRow, "epoch" | "version">): string {
  return `${epoch} ${version}`;
}

function isSchemaMissing(error: unknown): boolean {
  return ["42P01", "3F000"].includes(sqlState(error));
}

const lockLost = storeFailure(
  "unreachable",
  "The connection was lost, and another run has taken the advisory lock since.",
);

// State in a PostgreSQL database: for teams whose repositories, machines and jobs share one.

export function postgresStore(settings: BackendSettings<"postgres">, setup: BackendSetup): StateStore {
  const { schema } = settings;
  const { directory, environment, outside } = setup;
  const address = databaseAddress(outside.env);
  if (address.ok && address.value.password !== undefined) outside.keepSecret(address.value.password);
  const place = address.ok ? `the PostgreSQL schema "${schema}" on ${address.value.host}` : "PostgreSQL";
  return sharedStore({
    ...setup,
    async open() {
      if (!address.ok) return address;
      // Without either it is this project's own, whatever the file says.
      const isNamed = settings.project !== undefined || schema !== "ticketing";
      const names = [settings.project === undefined ? schema : `${schema}/${settings.project}`];
      const unagreed = isNamed ? await checkAgreed(outside, { names, sendsCredentials: false }) : null;
      if (unagreed !== null) return unagreed;
      const project = await projectName(directory, settings.project, nameIt);
      if (!project.ok) return project;
      const where = { address: address.value, schema, project: project.value, environment, migrates: true };
      return { ok: true, value: openStateRows(where) };
    },
    async openLedger(name) {
      if (!address.ok) return address;
      // No project has this name. A plan writes to the ledger too, and must not change the tables.
      const where = { address: address.value, schema, project: "", environment: name, migrates: false };
      return { ok: true, value: openStateRows(where) };
    },
    words: { place, peer: "the database", hints: databaseHints },
  });
}

const nameIt = "Name it: `state: { backend: postgres, project: … }` in ticketing.yaml.";
