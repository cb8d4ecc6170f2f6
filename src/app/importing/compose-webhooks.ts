// The text of the webhooks file. Webhooks that a file cannot describe are reported, and stay unmanaged.
import {
  type Correction,
  type Corrections,
  type Description,
  describeObject,
  hasRequiredFields,
  noCorrection,
  sortLives,
} from "../../import/describe.ts";
import { secretNameFor } from "../../import/file-names.ts";
import { editWebhooks, type ListEdit, leavesList, type ObjectEdit, renderWebhooks } from "../../import/text.ts";
import { kindOf } from "../../kinds/index.ts";
import { lintWebhook } from "../../lint/lint.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Live } from "../../model/live.ts";
import { formatCount, parseUrl } from "../../model/value.ts";
import type { Settings, Wish } from "../../model/wish.ts";
import { compareWebhooks } from "../../plan/webhooks.ts";
import { loadText } from "./existing-text.ts";
import { cannotUpdate, type Silenced, secretsUnknown } from "./import-remarks.ts";
import {
  currentText,
  type FileText,
  type ImportContext,
  type ImportedWebhooks,
  placeFor,
  schemaFor,
} from "./imported.ts";

const kind = kindOf("webhook");

/** The webhooks file with these in it; null if there is nothing to say. */
export async function addWebhooks(
  context: ImportContext,
  lives: readonly Live[],
  texts: Map<string, FileText>,
  { diagnostics, silenced }: { readonly diagnostics: Diagnostic[]; readonly silenced: Silenced[] },
): Promise<ImportedWebhooks | null> {
  const { settings } = context.loaded;
  const { files } = await context.files.list(settings.webhooks);
  const literal = settings.webhooks.find((glob) => /^[\w./-]+$/.test(glob));
  const file = files[0] ?? placeFor(settings.webhooks, "webhooks.yaml") ?? literal ?? "webhooks.yaml";
  const before = (await currentText(context, file, texts))?.text ?? null;
  if (lives.length === 0 && before === null) return null;
  const elsewhere = context.project.webhooks.filter((wish) => wish.source.file !== file);
  const sorted = sortLives(kind, lives).filter(
    (live) => !elsewhere.some((wish) => isOneUrl(wish.fields.url, live.fields.url)),
  );
  const corrections = await findCorrections(context, sorted);
  const described: Description[] = [];
  const leftOut: string[] = [];
  for (const live of sorted) {
    const description = describeWebhook(live, corrections);
    const reason = whyLeftOut(live, sorted, description);
    if (reason === null) described.push(description);
    else leftOut.push(reason);
  }
  const wishes = before === null ? [] : (await loadText(file, before, "webhooks", context)).webhooks;
  const items = nameSecrets(described, [...elsewhere, ...wishes], settings);
  const text =
    before === null
      ? renderWebhooks(items, leftOut, { schema: await schemaFor(context, file, "webhooks") })
      : updateWebhooks(before, editFor(context, wishes, items, sorted));
  if (text === null) {
    diagnostics.push(cannotUpdate(file, "webhooks"));
    return null;
  }
  for (const message of leftOut) diagnostics.push({ code: "left-out", severity: "warning", message });
  silenced.push(...silencedWebhooks(items, corrections, wishes, file));
  const named = items.filter(({ entries }) => entries.some(({ field }) => field === "secretName"));
  diagnostics.push(
    ...secretsUnknown(
      file,
      named.map((item) => describedUrl(item) ?? ""),
    ),
  );
  const action = before === null ? "created" : text === before ? "unchanged" : "updated";
  if (action !== "unchanged") texts.set(file, { file, before, text });
  return { file, action, count: described.length };
}

/** null if the file is written in a way that cannot be changed in place. */
function updateWebhooks(before: string, edit: ListEdit): string | null {
  return leavesList(edit) ? before : editWebhooks(before, edit);
}

/** A command that stores secrets needs a name for each; `wishes` that have one keep it. */
function nameSecrets(described: readonly Description[], wishes: readonly Wish[], { secrets }: Settings) {
  if (secrets?.sink !== "command") return described;
  const named = wishes.filter(({ own }) => own.secretName !== undefined);
  const used = new Set(named.map(({ own }) => own.secretName));
  return described.map((description) => {
    const url = describedUrl(description);
    if (url === null || named.some(({ fields }) => fields.url === url)) return description;
    const value = secretNameFor(url, (name) => used.has(name));
    used.add(value);
    const ignored = description.entries.filter(({ field }) => field === "ignore");
    const others = description.entries.filter(({ field }) => field !== "ignore");
    return { ...description, entries: [...others, { field: "secretName", value }, ...ignored] };
  });
}

function describedUrl({ entries }: Description): string | null {
  const url = entries.find(({ field }) => field === "url")?.value;
  return typeof url === "string" ? url : null;
}

function describeWebhook(live: Live, corrections: Corrections): Description {
  return describeObject(kind, live, {
    zone: "UTC",
    defaults: {},
    complete: false,
    pinnedIn: null,
    correction: corrections.get(live.id) ?? noCorrection,
    nameOf: () => undefined,
  });
}

/** Rules that the live webhooks break, each checked by itself. */
async function findCorrections(context: ImportContext, lives: readonly Live[]): Promise<Corrections> {
  const corrections = new Map<string, Correction>();
  for (const live of lives) {
    const text = renderWebhooks([describeWebhook(live, corrections)], [], { schema: null });
    const [wish] = (await loadText("webhooks.yaml", text, "webhooks", context)).webhooks;
    if (wish === undefined) continue;
    const codes = lintWebhook(wish, { now: context.now, environment: context.environment })
      .filter(({ severity }) => severity !== "info")
      .map(({ code }) => code);
    const learned = [...new Set(codes)];
    if (codes.includes("secret-in-file")) corrections.set(live.id, { ...noCorrection, without: ["url"] });
    else if (codes.length > 0) corrections.set(live.id, { ...noCorrection, ignore: learned, learned });
  }
  return corrections;
}

/** Without what the file ignores already. */
function silencedWebhooks(
  described: readonly Description[],
  corrections: Corrections,
  wishes: readonly Wish[],
  file: string,
): readonly Silenced[] {
  return described.flatMap(({ id, entries }) => {
    const url = entries.find(({ field }) => field === "url")?.value;
    const stated = wishes.find(({ fields }) => fields.url === url)?.own.ignore ?? [];
    const codes = (corrections.get(id)?.learned ?? []).filter((code) => !stated.includes(code));
    return codes.map((code) => ({ code, name: String(url), source: { file, line: 1, column: 1 } }));
  });
}

/** As the files are checked: those that differ only in capitals count as one. */
function isOneUrl(one: unknown, other: unknown): boolean {
  return String(one).toLowerCase() === String(other).toLowerCase();
}

function whyLeftOut(live: Live, all: readonly Live[], description: Description): string | null {
  const url = String(live.fields.url ?? "");
  const host = parseUrl(url)?.host ?? "URL not shown";
  const name = `The webhook ${live.id} (${host})`;
  const twins = all.filter((other) => isOneUrl(other.fields.url, live.fields.url));
  const inCase = twins.every((other) => other.fields.url === live.fields.url) ? "" : " except for capital letters";
  if (twins.length > 1)
    return `${name} is left out: ${formatCount(twins.length)} live webhooks have its URL${inCase}, and a file can name only one.`;
  if (hasRequiredFields(kind, description)) return null;
  if (description.entries.some(({ field }) => field === "url")) {
    return live.fields.events === undefined
      ? `${name} is left out: the service does not show its event types.`
      : `${name} is left out: a file cannot hold its event types.`;
  }
  return `${name} is left out: its URL contains a secret, or is not shown. Write it with \${env.TICKETING_VAR_…} in place of the secret.`;
}

function editFor(
  context: ImportContext,
  wishes: readonly Wish[],
  described: readonly Description[],
  lives: readonly Live[],
): ListEdit {
  const { cases: comparisons } = compareWebhooks({
    wishes,
    lives,
    state: null,
    base: [],
    remember: context.remember,
    resendUnreadable: false,
  });
  const items = new Map<number, ObjectEdit>();
  const known = new Set<string>();
  for (const [index, wish] of wishes.entries()) {
    const one = comparisons.find((candidate) => candidate.address === wish.address);
    const description = described.find(({ id }) => id === one?.live?.id);
    // A webhook that is not live yet is one that the next apply makes.
    if (one?.live == null || description === undefined) continue;
    known.add(one.live.id);
    const edited = new Set(one.change?.edits.map(({ path }) => path.slice(1)));
    const set = description.entries.filter(
      ({ field, value }) =>
        edited.has(field) ||
        (field === "ignore"
          ? !(value as readonly string[]).every((code) => wish.own.ignore?.includes(code))
          : field === "secretName" || wish.fields[field] === undefined),
    );
    items.set(index, { set, remove: [] });
  }
  return { items, removed: new Set(), added: described.filter(({ id }) => !known.has(id)) };
}
