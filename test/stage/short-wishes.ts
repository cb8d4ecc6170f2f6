// Wishes as the files would give them, written short. Each field gets its own line, so that places can be distinguished.
import { canonical } from "../../src/kinds/fields/canonical.ts";
import { kindOf } from "../../src/kinds/index.ts";
import { type LintContext, lint } from "../../src/lint/lint.ts";
import { type KindName, makeAddress } from "../../src/model/address.ts";
import type { Diagnostic, Source } from "../../src/model/diagnostic.ts";
import type { Reference, Value } from "../../src/model/value.ts";
import type { OwnWish, Project, Wish } from "../../src/model/wish.ts";

export type Document = Readonly<Record<string, unknown>>;

export const now = Date.parse("2026-11-15T00:00:00.000Z");
export const context: LintContext = { now, environment: "production" };

/** An event that no rule has anything to say about. */
export const sound: Document = {
  status: "PUBLISHED",
  name: "Manila Nights",
  dateTime: "2027-03-14T19:00",
  endDateTime: "2027-03-15T02:00",
  description: "A night of live music by the bay.",
  imageUrl: "https://example.com/cover.jpg",
  venue: { name: "Palace", city: "Baguio" },
  tickets: [
    { name: "VIP", type: "VIP", price: 4500, quantity: 200, published: true },
    { name: "GA", price: 1500, quantity: 500, published: true },
  ],
};

export function event(document: Document = {}, file = "events/manila-nights.yaml"): Wish {
  const lines = { next: 1 };
  const key = file.replace(/^.*\/|\.ya?ml$/g, "");
  return build("event", { ...sound, ...document }, null, key, file, lines);
}

export function ticket(document: Document = {}): Document {
  return { name: "GA", price: 1500, quantity: 500, published: true, ...document };
}

export function webhook(document: Document = {}, line = 1): Wish {
  const sane = { url: "https://hooks.example.com/orders", events: ["order.completed"], ...document };
  return build("webhook", sane, null, String(sane.url), "webhooks.yaml", { next: line });
}

export function project(events: readonly Wish[], webhooks: readonly Wish[] = []): Project {
  const settings = {
    organization: null,
    events: [],
    templates: [],
    webhooks: [],
    defaultEnvironment: null,
    environments: {},
    allow: [],
    timezone: "Asia/Manila",
    maxDeletes: 5,
    unreviewed: "hold",
    secrets: null,
    state: { backend: "file" },
  } as const;
  return {
    settings,
    events,
    webhooks,
    ended: [],
    upcoming: [],
    later: [],
    unread: [],
    changesWithTime: false,
    webhooksManaged: webhooks.length > 0,
    files: 1,
    diagnostics: [],
  };
}

/** What is reported of one event, by code. */
export function reported(wish: Wish, code: string, scene: Partial<LintContext> = {}): readonly Diagnostic[] {
  const isWebhook = wish.kind === "webhook";
  const found = lint(project(isWebhook ? [] : [wish], isWebhook ? [wish] : []), { ...context, ...scene });
  return found.filter((diagnostic) => diagnostic.code === code);
}

/** The nth child of a kind. */
export function child(wish: Wish, kind: KindName, nth = 0): Wish {
  const found = wish.children[kind]?.[nth];
  if (found === undefined) throw new Error(`${wish.address} has no ${kind} ${nth}`);
  return found;
}

function build(
  kindName: KindName,
  document: Document,
  parent: string | null,
  label: string,
  file: string,
  lines: { next: number },
): Wish {
  const kind = kindOf(kindName);
  const address = makeAddress(parent, kind.plural, label);
  const source: Source = { file, line: lines.next++, column: 1 };
  const places: Record<string, Source> = {};
  const written: Record<string, unknown> = {};
  const fields: Record<string, Value | Reference> = {};
  const own: Record<string, unknown> = kindName === "event" ? { timezone: document.timezone ?? "Asia/Manila" } : {};
  const children: Record<KindName, Wish[]> = {};
  for (const [field, value] of Object.entries(document)) {
    if (value === undefined) continue;
    places[field] = { file, line: lines.next++, column: 3 };
    if (value === null || typeof value !== "object") written[field] = value;
    const policy = kind.fields[field];
    if (policy === undefined) throw new Error(`no field ${field} in ${kindName}`);
    switch (policy.role) {
      case "value": {
        const zoned = policy.form === "instant" && typeof value === "string" ? addOffset(value) : value;
        const read = canonical(policy.form, zoned);
        if (read !== undefined) fields[field] = read;
        break;
      }
      case "own":
        own[field] = value;
        break;
      case "lookup":
        own[field] = typeof value === "string" ? { name: value } : value;
        break;
      case "reference":
        fields[policy.sentAs] = { $id: makeAddress(parent, kindOf(policy.to).plural, String(value)) };
        break;
      case "children":
        children[policy.kind] = (value as Document[]).map((entry) => {
          const name = String(entry[kindOf(policy.kind).identity.label] ?? "");
          return build(policy.kind, entry, address, name, file, lines);
        });
    }
  }
  const name = String(fields[kind.identity.label] ?? label);
  return { kind: kindName, address, parent, name, fields, own: own as OwnWish, children, source, places, written };
}

function addOffset(text: string): string {
  return /(z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}+08:00`;
}
