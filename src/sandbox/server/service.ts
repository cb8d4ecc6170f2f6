// The service without a socket: handle(request) returns a response. The server adds the socket, tests call it directly.
import { createControl, type ServiceContext } from "../control/control.ts";
import { addKey } from "../control/seed.ts";
import { createStore, type Dump, type RowChange, type Store } from "../data/row-store.ts";
import type { OrganizationRow } from "../data/rows.ts";
import { idFrom, type NamedVenue } from "../data/venues.ts";
import { readProfile } from "../profile/profiles.ts";
import { createDeliveries } from "../wire/deliveries.ts";
import { createRate } from "../wire/rate.ts";
import {
  basePath,
  createFaults,
  injectFault,
  logCall,
  type SandboxRequest,
  type SandboxResponse,
} from "../wire/wire.ts";
import { respond } from "./respond.ts";

export interface ServiceOptions {
  readonly profile?: string | undefined;
  readonly organization?: { readonly slug: string; readonly name?: string | undefined } | undefined;
  /** Venues in addition to its own: those that a project names. */
  readonly venues?: readonly NamedVenue[] | undefined;
  /** Value of the ready key if the data has none yet. */
  readonly apiKey?: string | undefined;
  /** The clock of records and of key expiry. */
  readonly now?: (() => number) | undefined;
  /** The clock of rate windows and lags, separate because `now` may be fixed. */
  readonly elapsed?: (() => number) | undefined;
  /** Calls back after a time, for effects that land late: real time unless a simulation hands in its own. */
  readonly after?: ((ms: number, then: () => void) => void) | undefined;
  /** Whether webhooks are delivered to other machines too. */
  readonly deliverOutside?: boolean | undefined;
  readonly store?: Store | undefined;
  /** Called with what a write changed, before its response is sent. */
  readonly persist?: ((changes: readonly RowChange[]) => void) | undefined;
}

export type SandboxService = ReturnType<typeof createService>;

export function createService(options: ServiceOptions = {}) {
  const { now = Date.now, elapsed = Date.now, store = createStore() } = options;
  const late = createLateEffects(options.after);
  const context: ServiceContext = {
    store,
    profile: readProfile(options.profile),
    now,
    elapsed,
    born: new Map(),
    replica: null,
    lastUsed: new Map(),
    rate: createRate(),
    faults: createFaults(),
    calls: [],
    refusesWrites: false,
    namedVenues: options.venues ?? [],
    commit,
    notify: (notice) => deliveries.notify(notice),
    testWebhook: (webhook) => deliveries.testWebhook(webhook),
  };
  const deliveries = createDeliveries(context, commit, options.deliverOutside === true);
  const organization = settleOrganization(store, options);
  const [readyKey] = store.keys.all();
  const value = options.apiKey === undefined ? {} : { value: options.apiKey };
  const apiKey = readyKey ?? addKey(context, organization, { name: "Sandbox key", ...value });

  function commit(): void {
    const changes = store.takeChanges();
    if (changes.length === 0) return;
    options.persist?.(changes);
    context.replica?.note(changes, elapsed());
  }

  function dump(): Dump {
    for (const [id, at] of context.lastUsed) {
      const key = store.keys.get(id);
      if (key !== undefined) store.keys.put({ ...key, lastUsedAt: new Date(at).toISOString() });
    }
    store.takeChanges();
    return store.dump();
  }

  async function handle(request: SandboxRequest): Promise<SandboxResponse> {
    const fault = context.faults.take(request);
    const entry = logCall(context.calls, request, now(), fault?.kind);
    const effect = (cutShort: boolean) => respond(context, request, cutShort);
    const response = await (fault === undefined ? effect(false) : injectFault(fault, effect, late.add));
    entry.status = response.status;
    return response;
  }

  commit();
  return {
    handle,
    /** A call with the ready key and a JSON body; `path` is relative to the base path. */
    async call(
      method: string,
      path: string,
      body?: unknown,
    ): Promise<{ readonly status: number; readonly body: unknown }> {
      const headers = { "api-key": apiKey.value, "content-type": "application/json" };
      const sent = body === undefined ? undefined : JSON.stringify(body);
      const response = await handle({ method, path: basePath + path, headers, body: sent });
      return { status: response.status, body: response.body === "" ? undefined : JSON.parse(response.body) };
    },
    apiKey: apiKey.value,
    control: createControl(context, organization, apiKey, {
      dump,
      async settle() {
        late.flush();
        context.replica = null;
        await deliveries.idle();
      },
    }),
    dump,
    /** Waits this long for deliveries in flight, then drops them. */
    async close(waitMs: number): Promise<void> {
      late.clear();
      const waiting = setTimeout(deliveries.close, waitMs);
      await deliveries.idle();
      clearTimeout(waiting);
    },
  };
}

/** The organization of the data, or the first one; under the name that is asked for. */
function settleOrganization(store: Store, options: ServiceOptions): OrganizationRow {
  const [known] = store.organizations.all();
  const slug = options.organization?.slug ?? known?.slug ?? "sandbox";
  const name = options.organization?.name ?? known?.name ?? "Sandbox organization";
  // Made from the slug, so that recorded ids stay valid when a sandbox starts over.
  const organization = { id: known?.id ?? idFrom(`organization ${slug}`), name, slug };
  if (known?.slug !== slug || known.name !== name) store.organizations.put(organization);
  return organization;
}

// Effects that happen after the response to their call.

function createLateEffects(after: (ms: number, then: () => void) => void = afterRealTime) {
  const waiting = new Set<() => void>();
  function run(effect: () => void): void {
    if (waiting.delete(effect)) effect();
  }
  return {
    add(effect: () => void, ms: number): void {
      waiting.add(effect);
      after(ms, () => run(effect));
    },
    /** Lets all of them happen now. */
    flush: (): void => [...waiting].forEach(run),
    clear: (): void => waiting.clear(),
  };
}

function afterRealTime(ms: number, then: () => void): void {
  setTimeout(then, ms).unref();
}
