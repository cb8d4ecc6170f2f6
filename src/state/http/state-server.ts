// Terraform's HTTP state protocol: reading and writing one document, and the server's own lock around it. The server's lock
// never expires, and its holder is named only in the response to a request for it.
import { createHash, randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { OutsideResponse } from "../../model/outside.ts";
import { asObject, parseJson, parseUrl } from "../../model/value.ts";
import { thisUser } from "../../system/file-lock.ts";
import type { Outside } from "../shared/backend-setup.ts";
import type { SharedHolder } from "../shared/holder.ts";
import {
  type FilesVersion,
  longestCallMs,
  readAgain,
  type StoreFailure,
  type StoreResult,
  storeFailure,
} from "../shared/shared-files.ts";
import type { ServerPlace } from "./server-place.ts";
import { documentBody, nextDocument, parseDocument, type StateDocument } from "./state-document.ts";

/** What a lock is requested with; servers show it to the next one that asks. */
export interface LockClaim {
  readonly ID: string;
  readonly Operation: string;
  readonly Info: string;
  readonly Who: string;
  readonly Version: string;
  readonly Created: string;
  readonly Path: string;
}

/** `ours`: we hold it now; otherwise its holder, as far as the server says. */
export type ServerLockAttempt = { readonly ours: true } | { readonly ours: false; readonly by: Partial<LockClaim> };

/** `mayArrive`: the server itself did not respond, so it may still accept what was sent. */
export type PostFailure = StoreFailure & { readonly mayArrive: boolean };

export interface StateServer {
  /** null: nothing was ever written. */
  get(mostMs: number): Promise<StoreResult<StateDocument | null>>;
  /** Null if it was written; only a plain 200 says so. */
  post(document: StateDocument, lockId: string, mostMs?: number): Promise<PostFailure | null>;
  lock(claim: LockClaim): Promise<StoreResult<ServerLockAttempt>>;
  /** Null once it is no longer held under this id. */
  unlock(claim: Partial<LockClaim>): Promise<StoreFailure | null>;
}

/** A run that ends waits for it. */
const unlockMs = 10_000;

export function openStateServer(place: ServerPlace, outside: Pick<Outside, "send">, signal: AbortSignal): StateServer {
  const { address } = place;
  /** What was read last, if the server says how to ask whether it is still current. */
  let last: { readonly tag: string; readonly document: StateDocument } | null = null;

  function send(
    call: Pick<ServerPlace["lock"], "method" | "url">,
    body: string | null,
    mostMs = longestCallMs,
    tag?: string,
  ) {
    const described = body === null ? {} : { "content-type": "application/json", "content-md5": md5Of(body) };
    const asked = tag === undefined ? {} : { "if-none-match": tag };
    return outside.send({ ...call, headers: { ...place.headers, ...described, ...asked }, body, mostMs, signal });
  }

  return {
    async get(mostMs) {
      const known = last;
      const response = await send({ method: "GET", url: address }, null, mostMs, known?.tag);
      if (response.status === 304 && known !== null) return { ok: true, value: known.document };
      if (
        response.status === 204 ||
        (response.status === 404 && !isPage(response) && !isHiddenProject(place, response))
      )
        return { ok: true, value: null };
      if (response.status !== 200) return responseFailure(response, place, "reading it");
      if (isPage(response)) return storeFailure("setup", `${address} responds with a web page, not with a state.`);
      if (response.body.trim() === "") return { ok: true, value: null };
      const parsed = parseDocument(response.body, address);
      const { etag } = response.headers;
      if (parsed.ok) last = etag === undefined ? null : { tag: etag, document: parsed.value };
      return parsed;
    },
    async post(document, lockId, mostMs) {
      const url = new URL(address);
      url.searchParams.set("ID", lockId);
      const response = await send({ method: "POST", url: url.href }, documentBody(document), mostMs);
      if (response.status === 200) return null;
      const mayArrive = [0, 408, 502, 503, 504].includes(response.status);
      return { ...responseFailure(response, place, "writing it"), mayArrive };
    },
    async lock(claim) {
      const response = await send(place.lock, JSON.stringify(claim));
      if (response.status === 200) return { ok: true, value: { ours: true } };
      if (response.status !== 409 && response.status !== 423) return lockFailure(response, place);
      const by = claimIn(response);
      return { ok: true, value: by.ID === claim.ID ? { ours: true } : { ours: false, by } };
    },
    async unlock(claim) {
      // Without its body, a DELETE would unlock for any holder.
      const url = new URL(place.unlock.url);
      if (claim.ID !== undefined) url.searchParams.set("ID", claim.ID);
      const response = await send({ ...place.unlock, url: url.href }, JSON.stringify(claim), unlockMs);
      return response.status === 200 || response.status === 204
        ? null
        : responseFailure(response, place, "unlocking it");
    },
  };
}

function md5Of(body: string): string {
  return createHash("md5").update(body).digest("base64");
}

function claimIn({ body }: OutsideResponse): Partial<LockClaim> {
  const texts = Object.entries(asObject(parseJson(body))).filter(([, value]) => typeof value === "string");
  return Object.fromEntries(texts) as Partial<LockClaim>;
}

function isPage({ headers, body }: OutsideResponse): boolean {
  return /\bhtml\b/i.test(headers["content-type"] ?? "") || /^\s*<(!doctype|html)/i.test(body);
}

/** GitLab responds alike for a project that does not exist and one that the token may not see. */
function isHiddenProject({ isGitlab }: ServerPlace, { body }: OutsideResponse): boolean {
  return isGitlab && /project not found/i.test(body);
}

function lockFailure(response: OutsideResponse, place: ServerPlace): StoreFailure {
  const { method, url } = place.lock;
  const isMissing = response.status === 405 || response.status === 501 || (response.status === 404 && !place.isGitlab);
  return isMissing
    ? storeFailure("setup", `The server offers no lock: it responds with ${response.status} to ${method} ${url}.`)
    : responseFailure(response, place, "locking it");
}

/** `doing`: "reading it". */
function responseFailure(response: OutsideResponse, place: ServerPlace, doing: string): StoreFailure {
  const { status, headers, body } = response;
  if (status === 0) return storeFailure("unreachable", body);
  const said = `the response to ${doing} was ${status}${serverSays(response)}`;
  if (status >= 300 && status < 400)
    return storeFailure(
      "setup",
      `${place.address} redirects to ${parseUrl(headers.location ?? "")?.host ?? "a different address"}; redirects are not followed.`,
    );
  if (status === 408 || status === 429 || status >= 500) return storeFailure("unreachable", said);
  if (status === 413) return storeFailure("refused", `${said}: the document is larger than the server allows.`);
  if (status === 404 && isPage(response))
    return storeFailure("setup", `${place.address} responds with a web page (404), not with a state.`);
  return storeFailure("refused", said);
}

/** What the server says about itself in one line, if that is text. */
function serverSays(response: OutsideResponse): string {
  if (isPage(response)) return "";
  const value = parseJson(response.body);
  const { message, error } = asObject(value);
  const said = value === undefined ? response.body : (message ?? error);
  const [line = ""] = (typeof said === "string" ? said : "").trim().split("\n");
  const status = String(response.status);
  const short = (line.startsWith(status) ? line.slice(status.length).trimStart() : line).slice(0, 200);
  return short === "" ? "" : ` (${short})`;
}

const secondReadMs = 300;

export type DocumentReader = ReturnType<typeof documentReader>;

/** Reads the document with patience, and says whether it is still the one that was read before. */
export function documentReader(server: StateServer, address: string, signal: AbortSignal) {
  const moved = storeFailure("moved", `${address} was written by another run.`);
  const read = () => readAgain(() => server.get(longestCallMs), signal);
  /** A state that reads do not show would be written over, so it counts as missing only after a second read. */
  async function get(): Promise<StoreResult<StateDocument | null>> {
    const first = await read();
    if (!first.ok || first.value !== null) return first;
    await sleep(secondReadMs);
    return read();
  }
  return {
    moved,
    get,
    async getUnmoved(before: FilesVersion | null): Promise<StoreResult<StateDocument | null>> {
      const document = await get();
      return document.ok && !isSameVersion(document.value, before) ? moved : document;
    },
  };
}

/** Whether the document is the version that was read; an empty id: there was none. */
export function isSameVersion(document: StateDocument | null, version: FilesVersion | null): boolean {
  return (document?.id ?? "") === (version?.id ?? "");
}

// What the server's lock is requested with, and who holds it if the files do not say.

/** Distinguishes locks of this program from those of others, which are never broken unasked. */
const idPrefix = "ticketing-";

export function isOwnId(id: string | null | undefined): boolean {
  return id?.startsWith(idPrefix) === true;
}

/** Each lock has its own id, so that one that is not renewed differs from one that was released and taken again. */
export function claimMaker(): { next(): LockClaim; isOurs(id: string): boolean } {
  const prefix = `${idPrefix}${randomBytes(12).toString("hex")}-`;
  let count = 0;
  return {
    next: () => ({
      ID: `${prefix}${++count}`,
      Operation: "ticketing",
      Info: "",
      Who: `${thisUser()}@${hostname()}`,
      Version: "ticketing",
      Created: new Date().toISOString(),
      Path: "",
    }),
    isOurs: (id) => id.startsWith(prefix),
  };
}

/** Other programs than this one never count as dead: their serial is different each time. */
export function hiddenHolder({ ID = "", Who = "", Created = "", Operation = "" }: Partial<LockClaim>): SharedHolder {
  const isOurs = isOwnId(ID);
  const [user = "", host = ""] = Who.split("@");
  return {
    token: ID,
    command: isOurs || Operation === "" ? "a run" : Operation,
    pid: 0,
    began: null,
    host: host || "unknown machine",
    machine: null,
    user: user || "unknown user",
    since: Created || "unknown time",
    run: null,
    serial: isOurs ? 0 : Date.now(),
    ...(isOurs ? {} : { isForeign: true }),
  };
}

/** Remembered in the files, so that a server is tried out once, and again after the files have moved to another. */
export function placeMark(address: string): number {
  return createHash("sha256").update(address).digest().readUIntBE(0, 6);
}

/**
 * Tests, under our lock, whether the server keeps others out: a second lock must be refused, and so must a write under an id
 * that holds none. The test writes only what is already there. null if it does.
 */
export async function probeServer(
  server: StateServer,
  present: StateDocument | null,
  packed: StateDocument["packed"],
): Promise<StoreFailure | null> {
  const other = claimMaker().next();
  const second = await server.lock(other);
  if (!second.ok) return second;
  if (second.value.ours) {
    await server.unlock(other);
    return storeFailure("unsafe", "The server gives its lock to two runs at once.");
  }
  const decoy = nextDocument(present, present?.packed ?? packed, present?.lock ?? null);
  const refusal = await server.post(decoy, other.ID);
  const after = await server.get(longestCallMs);
  if (!after.ok) return after;
  if (refusal === null || after.value?.id === decoy.id)
    return storeFailure("unsafe", "The server accepts writes from a run that does not hold its lock.");
  return null;
}
