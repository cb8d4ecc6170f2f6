// The service without a socket: handle(request) gives an answer. The server puts it on a socket, tests call it directly.
import { createHash, randomUUID } from "node:crypto";
import { type Control, createControl } from "../control/control.ts";
import { newKeyValue } from "../control/seed.ts";
import { type ApiKey, type Organization, scopes } from "../data/records.ts";
import { type Change, createStore, type Dump, type Store } from "../data/store.ts";
import type { SandboxContext } from "../endpoints/call.ts";
import type { Profile } from "../profile/knobs.ts";
import { readProfile } from "../profile/profiles.ts";
import { actOut } from "../wire/act-out.ts";
import { createCallLog } from "../wire/call-log.ts";
import { createFaults } from "../wire/fault.ts";
import { createPostman } from "../wire/postman.ts";
import { createRate } from "../wire/rate.ts";
import { basePath, type SandboxAnswer, type SandboxRequest } from "../wire/wire.ts";
import { type Office, respond } from "./respond.ts";

// Effects that land after their call was answered.

export interface LateEffects {
  add(effect: () => void, ms: number): void;
  /** Lets all of them land now. */
  flush(): void;
  clear(): void;
}

export function createLateEffects(): LateEffects {
  const waiting = new Map<NodeJS.Timeout, () => void>();
  return {
    add(effect, ms) {
      const timer = setTimeout(() => {
        waiting.delete(timer);
        effect();
      }, ms);
      timer.unref();
      waiting.set(timer, effect);
    },
    flush() {
      for (const [timer, effect] of waiting) {
        clearTimeout(timer);
        waiting.delete(timer);
        effect();
      }
    },
    clear() {
      for (const timer of waiting.keys()) clearTimeout(timer);
      waiting.clear();
    },
  };
}

/**
 * The id of the sandbox's own organization. Made of the slug, so that a sandbox begun anew is the same organization
 * still, and what a project has recorded about it is not taken for another's.
 */
export function idOfSlug(slug: string): string {
  const bytes = createHash("sha256").update(`organization ${slug}`).digest().subarray(0, 16);
  // The form of all other ids: a UUID of version 4.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

export interface ServiceOptions {
  readonly profile?: string | undefined;
  readonly organization?: { readonly slug: string; readonly name?: string | undefined } | undefined;
  /** Value of the ready key where the data has none yet. */
  readonly apiKey?: string | undefined;
  /** The clock of records and of key expiry. */
  readonly now?: (() => number) | undefined;
  /** The clock of rate windows and lags. Its own, because `now` may stand still. */
  readonly elapsed?: (() => number) | undefined;
  /** Whether webhooks are delivered to other machines too. */
  readonly deliverOutside?: boolean | undefined;
  readonly store?: Store | undefined;
  /** Called before a write is answered, with what it changed. */
  readonly persist?: ((changes: readonly Change[]) => void) | undefined;
}

export interface Service {
  handle(request: SandboxRequest): Promise<SandboxAnswer>;
  /** A call with the ready key and a JSON body; `path` is relative to the base path. */
  call(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: unknown }>;
  readonly apiKey: string;
  readonly control: Control;
  dump(): Dump;
  /** Waits so long for deliveries under way, then drops them. */
  close(waitMs: number): Promise<void>;
}

export function createService(options: ServiceOptions = {}): Service {
  const now = options.now ?? Date.now;
  const elapsed = options.elapsed ?? Date.now;
  const store = options.store ?? createStore();
  let profile: Profile = readProfile(options.profile);
  let refusesWrites = false;
  const { organization, key: first } = settleIn(store, options, now);
  const lastUsed = new Map<string, number>();
  const faults = createFaults();
  const log = createCallLog();
  const late = createLateEffects();
  const rate = createRate(() => profile);
  const postman = createPostman(() => desk, commit, options.deliverOutside === true);
  const desk: SandboxContext = {
    store,
    profile: () => profile,
    now,
    elapsed,
    born: new Map(),
    lastUsed: (keyId) => lastUsed.get(keyId) ?? now(),
    notify: postman.notify,
    testWebhook: postman.test,
  };
  const office: Office = {
    desk,
    rate,
    used: (keyId) => lastUsed.set(keyId, now()),
    refusesWrites: () => refusesWrites,
    commit,
  };

  function commit(): void {
    const changes = store.takeChanges();
    if (changes.length > 0) options.persist?.(changes);
  }

  function dump(): Dump {
    for (const [id, at] of lastUsed) {
      const key = store.keys.get(id);
      if (key !== undefined) store.keys.put({ ...key, lastUsedAt: new Date(at).toISOString() });
    }
    store.takeChanges();
    return store.dump();
  }

  async function handle(request: SandboxRequest): Promise<SandboxAnswer> {
    const fault = faults.take(request);
    const path = request.path.startsWith(basePath) ? request.path.slice(basePath.length) : request.path;
    const entry = log.open(request, path, now(), fault?.kind);
    const effect = (cutShort: boolean) => respond(office, request, cutShort);
    const answer = await (fault === undefined ? effect(false) : actOut(fault, { effect, later: late.add }));
    entry.status = answer.status;
    return answer;
  }

  commit();
  return {
    handle,
    async call(method, path, body) {
      const headers = { "api-key": first.value, "content-type": "application/json" };
      const sent = body === undefined ? undefined : JSON.stringify(body);
      const answer = await handle({ method, path: basePath + path, headers, body: sent });
      return { status: answer.status, body: answer.body === "" ? undefined : JSON.parse(answer.body) };
    },
    apiKey: first.value,
    control: createControl({
      desk,
      home: () => store.organizations.get(organization.id) ?? organization,
      ownKey: () => first,
      faults,
      log,
      rate,
      useProfile(next) {
        profile = next;
      },
      refuseWrites(on) {
        refusesWrites = on;
      },
      commit,
      async settle() {
        late.flush();
        await postman.idle();
      },
      dump,
    }),
    dump,
    async close(waitMs) {
      late.clear();
      const waiting = setTimeout(postman.close, waitMs);
      await postman.idle();
      clearTimeout(waiting);
    },
  };
}

/** The organization and the ready key: those of the data, or the first ones. */
function settleIn(
  store: Store,
  options: ServiceOptions,
  now: () => number,
): { organization: Organization; key: ApiKey } {
  const [known] = store.organizations.all();
  const slug = options.organization?.slug ?? known?.slug ?? "sandbox";
  const name = options.organization?.name ?? known?.name ?? "Sandbox organization";
  const organization = { id: known?.id ?? idOfSlug(slug), name, slug };
  if (known?.slug !== slug || known.name !== name) store.organizations.put(organization);
  const [key] = store.keys.all();
  if (key !== undefined) return { organization, key };
  return {
    organization,
    key: store.keys.put({
      id: randomUUID(),
      organizationId: organization.id,
      value: options.apiKey ?? newKeyValue(),
      name: "Sandbox key",
      scopes,
      callbackUrl: null,
      allowlist: [],
      createdAt: new Date(now()).toISOString(),
      expiresAt: null,
      lastUsedAt: null,
    }),
  };
}
